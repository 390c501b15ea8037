"""scikit-learn's own checks over every estimator found by walking the public names, with no expected failures."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import glaswerk
from glaswerk.base import Classifier, Estimator
from glaswerk.learner import Learner

ESTIMATORS = [
    found
    for name in glaswerk.__all__
    if inspect.isclass(found := getattr(glaswerk, name)) and issubclass(found, Estimator)
]
LEARNERS = [found for found in ESTIMATORS if issubclass(found, Learner)]


WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
RANDOM_START = "a random start draws other rows where rows are repeated: scikit-learn expects it of its own class too"
NO_LEVELS = "it takes numbers that are no levels, which scikit-learn cuts off and we refuse"
STEPS = "steps end within tol of the optimum, by another way for other rows: scikit-learn expects it of its class too"
EXPECTED = {
    "CategoricalNB": {WEIGHTS: NO_LEVELS},
    "KMeans": {WEIGHTS: RANDOM_START},
    "RandomForestClassifier": {WEIGHTS: RANDOM_START},
    "RandomForestRegressor": {WEIGHTS: RANDOM_START},
    "SVC": {WEIGHTS: STEPS},
}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [estimator() for estimator in ESTIMATORS],
    expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator).__name__, {}),
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_is_declared_and_its_default_allowed(kind):
    assert set(kind.parameters) == set(kind().get_params())
    kind().check_parameters()


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_wrong_parameter_names_itself_what_is_allowed_and_what_came(kind):
    for name, allowed in kind.parameters.items():
        with pytest.raises(ValueError, match="must be") as caught:
            kind(**{name: 1j}).fit(np.ones((4, 2)), np.ones(4))
        message = str(caught.value)
        assert all(part in message for part in (kind.__name__, name, allowed.words, "1j"))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_clone_is_equal_and_unfitted(kind):
    estimator = kind()
    assert clone(estimator).get_params() == estimator.get_params()
    assert not hasattr(clone(estimator), "n_features_in_")


@pytest.mark.parametrize("kind", LEARNERS)
def test_what_a_fitted_learner_holds_is_declared(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) if kind.__name__ != "CategoricalNB" else rng.integers(0, 4, (30, 3)).astype(float)
    y = X @ [1.0, 2.0, 3.0] + rng.normal(size=30)
    y -= np.median(y)
    model = kind().fit(X, y > 0 if issubclass(kind, Classifier) else y)
    held = {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}
    assert held <= set(kind.fitted)
    assert len(model.facts()) > 0
    assert str(model.facts())
