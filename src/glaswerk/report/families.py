"""The families of models that a report compares: one line each, with the condition under which it takes part.

A new learner joins every report by one line in `FAMILIES`; what is there to be looked at rather than raced stands in
`LABORATORY`, and is reached by its name. A family's own search (a penalty, a number of neighbours, a size) is part of
its learner, so that it is made anew inside every fold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glaswerk import learners
from glaswerk.design import PolynomialBasis
from glaswerk.evaluate import GridSearch, Log
from glaswerk.facts import MethodCard
from glaswerk.model import Model, TableDesign
from glaswerk.scoring.inputs import check_choice

ROWS_PER_TERM = 10  # of a basis, so that its coefficients are worth estimating
MOST_SQUARES = 120  # terms of a basis: beyond, a fit costs more than it tells
SEARCH_ROWS = 2_000  # of a fold that judge settings; what is chosen is fitted to all
UNITS = 30  # bumps, or units of a hidden layer
MOST_NEAR = 30  # columns of a design among which rows can be near
NEIGHBOURS = (1, 2, 3, 5, 8, 13, 21, 34, 55)
MOST_SUBSET = 40  # columns whose subsets are searched in a moment
REGRESSION, CLASSIFICATION = "regression", "classification"


@dataclass(frozen=True)
class Room:
    """What a family may take into account before it takes part: never the target's values."""

    rows: int
    numbers: int  # numeric input columns
    terms: int = 0  # columns of a design that gives every level one
    classes: int = 0


def welcome(_room: Room) -> str:
    return ""


@dataclass(frozen=True)
class Family:
    """A kind of model: `build` gives it unfitted; `refuses` says why it does not take part, or nothing.

    growth: a fit and its predictions cost about rows ** growth. most: training rows beyond which a fold is fitted to a
    sample of that size, whatever the clock says; None: never.
    """

    name: str
    task: str
    says: str
    build: Callable[[], Any]
    refuses: Callable[[Room], str] = welcome
    growth: float = 1.0
    most: int | None = None

    @property
    def card(self) -> MethodCard:
        found: MethodCard = learner_of(self.build()).card
        return found


def learner_of(candidate: Any) -> Any:
    """What learns in the end: of a model its learner, of a search what it searches for."""
    for name in ("learner", "estimator"):
        if hasattr(candidate, name):
            return learner_of(getattr(candidate, name))
    return candidate


def searched(learner: Any, space: dict[str, Any], design: TableDesign, **options: Any) -> Model:
    """A model whose learner is looked for on rows left out, in three folds of at most 2,000 rows."""
    return Model(GridSearch(learner, space, cv=3, sample=SEARCH_ROWS, **options), design)


def squares() -> TableDesign:
    return TableDesign(basis=PolynomialBasis(2))


def scaled() -> TableDesign:
    return TableDesign(scale=True)


def scaled_squares() -> TableDesign:
    return TableDesign(scale=True, basis=PolynomialBasis(2))


def few_squares(room: Room) -> str:
    """A penalty bears more terms than rows could estimate, but no end of them."""
    terms = room.numbers * (room.numbers + 3) // 2
    if room.numbers == 0:
        return "there is no numeric column to square"
    return f"{terms} terms are more than {MOST_SQUARES}" if terms > MOST_SQUARES else ""


def rows_for_squares(room: Room) -> str:
    terms = room.numbers * (room.numbers + 3) // 2
    if few_squares(room):
        return few_squares(room)
    if terms * ROWS_PER_TERM > room.rows:
        return f"{terms} terms need {terms * ROWS_PER_TERM:,} rows, ten for each; there are {room.rows:,}"
    return ""


def few_terms(room: Room) -> str:
    if room.terms > MOST_SUBSET:
        return f"the subsets of {room.terms} columns are too many: at most {MOST_SUBSET} are searched"
    return "there is one column only: it has no subsets" if room.terms < 2 else ""


def near(room: Room) -> str:
    """Methods that look around a row need few columns: in many, no row is near."""
    if room.terms > MOST_NEAR:
        return f"{room.terms} columns are more than {MOST_NEAR}: no row is near another"
    return "there is no numeric column along which rows could be near" if room.numbers == 0 else ""


def rows_for_units(room: Room) -> str:
    """Bumps and hidden units want rows."""
    needed = 2 * UNITS
    return f"{UNITS} units want {needed} rows at least; there are {room.rows}" if room.rows < needed else ""


def rows_for_covariances(room: Room) -> str:
    needed = ROWS_PER_TERM * max(room.terms, room.numbers) * max(room.classes, 2)
    return f"a covariance for each class needs {needed:,} rows; there are {room.rows:,}" if needed > room.rows else ""


def native() -> TableDesign:
    """Categories and gaps as they are."""
    return TableDesign(categories="codes", missing="keep")


NETWORK: dict[str, Any] = {"activation": "tanh", "solver": "lbfgs", "max_iter": 100, "random_state": 0}
DECAY = {"alpha": Log(0.1, 100.0)}
FAMILIES = (
    Family("linear regression", REGRESSION, "a weighted sum of the columns, by least squares",
           lambda: Model(learners.LinearRegression(), TableDesign())),
    Family("quadratic regression", REGRESSION, "the same with squares and products of the numeric columns",
           lambda: Model(learners.LinearRegression(), squares()), rows_for_squares),
    Family("ridge regression", REGRESSION, "a weighted sum with small weights, by a penalty chosen on rows left out",
           lambda: Model(learners.RidgeCV(), scaled())),
    Family("quadratic ridge", REGRESSION, "squares and products of the numeric columns, under such a penalty",
           lambda: Model(learners.RidgeCV(), scaled_squares()), few_squares),
    Family("best subset", REGRESSION, "least squares on those columns that have the least BIC of all subsets",
           lambda: Model(learners.BestSubsetRegression(), TableDesign()), few_terms),
    Family("Bayesian regression", REGRESSION, "a weighted sum whose prior and noise the evidence chooses",
           lambda: Model(learners.BayesianLinearRegression(), scaled())),
    Family("regression tree", REGRESSION, "questions one after the other, pruned back on rows left out",
           lambda: Model(learners.DecisionTreeRegressor(ccp_alpha="cv"), native()), growth=1.2),
    Family("classification tree", CLASSIFICATION, "questions one after the other, pruned back on rows left out",
           lambda: Model(learners.DecisionTreeClassifier(ccp_alpha="cv"), native()), growth=1.2),
    Family("regression forest", REGRESSION, "the mean of a hundred trees, each of rows and columns drawn anew",
           lambda: Model(learners.RandomForestRegressor(random_state=0), native()), growth=1.2),
    Family("classification forest", CLASSIFICATION, "a hundred trees, each of rows and columns drawn anew",
           lambda: Model(learners.RandomForestClassifier(random_state=0), native()), growth=1.2),
    Family("nearest neighbours", REGRESSION, "the mean of the nearest rows, columns scaled; how many, by rows left out",
           lambda: searched(learners.KNeighborsRegressor(), {"n_neighbors": list(NEIGHBOURS)}, scaled()), growth=1.5,
           most=8_192),
    Family("kernel regression", REGRESSION, "the mean of all rows under a bell whose width leave-one-out chooses",
           lambda: Model(learners.KernelRegression(), scaled()), near, growth=2.0, most=4_096),
    Family("local lines", REGRESSION, "a line fitted around every row; how wide it looks, by rows left out",
           lambda: searched(learners.LocallyWeightedRegression(), {"bandwidth": [0.5, 1.0, 2.0, 4.0]}, scaled()), near,
           growth=2.0, most=2_048),
    Family("radial basis functions", REGRESSION,
           "bumps around centres under a linear output; their width by rows left out",
           lambda: Model(learners.RBFNetwork(UNITS, alpha=1e-2), scaled()), rows_for_units, most=16_384),
    Family("random features", REGRESSION, "random units under a linear output; its penalty by rows left out",
           lambda: searched(learners.ExtremeLearningMachine(100), {"alpha": Log(1e-2, 1e2)}, scaled(), points=5)),
    Family("neural network", REGRESSION,
           "a hidden layer trained by backpropagation; its penalty by rows left out",
           lambda: searched(learners.MLPRegressor((UNITS,), **NETWORK), DECAY, scaled(), points=3),
           rows_for_units, most=8_192),
    Family("logistic regression", CLASSIFICATION, "log odds that are weighted sums of the columns",
           lambda: Model(learners.LogisticRegression(), TableDesign())),
    Family("linear discriminants", CLASSIFICATION, "classes as normal distributions of one covariance: planes",
           lambda: Model(learners.LinearDiscriminantAnalysis(), TableDesign())),
    Family("penalised logistic regression", CLASSIFICATION,
           "log odds that are weighted sums, small weights; the penalty by rows left out",
           lambda: searched(learners.LogisticRegression(), {"C": Log(1e-3, 10.0)}, scaled())),
    Family("quadratic discriminants", CLASSIFICATION,
           "classes as normal distributions, each with its own spread, evened out by as much as rows left out say",
           lambda: searched(learners.QuadraticDiscriminantAnalysis(), {"reg_param": [0.0, 0.01, 0.1, 0.5]}, scaled()),
           rows_for_covariances),
    Family("naive Bayes", CLASSIFICATION, "counts of every column by itself, multiplied; missing cells are skipped",
           lambda: Model(learners.NaiveBayes())),
    Family("nearest neighbours by vote", CLASSIFICATION,
           "the vote of the nearest rows, columns scaled; how many, by rows left out",
           lambda: searched(learners.KNeighborsClassifier(), {"n_neighbors": list(NEIGHBOURS)}, scaled()), growth=1.5,
           most=8_192),
    Family("support vector machine", CLASSIFICATION,
           "the widest margin under a Gaussian kernel; what errors cost, by rows left out",
           lambda: searched(learners.SVC(calibration=5), {"C": [0.3, 3.0, 30.0]}, scaled()), growth=2.0, most=4_096),
    Family("neural network for classes", CLASSIFICATION,
           "a hidden layer trained by backpropagation; its penalty by rows left out",
           lambda: searched(learners.MLPClassifier((UNITS,), **NETWORK), DECAY, scaled(), points=3),
           rows_for_units, most=8_192),
)  # fmt: skip


LABORATORY = (
    Family("gradient descent", REGRESSION, "a weighted sum found step by step, every step traced",
           lambda: Model(learners.GradientDescentRegressor(), scaled())),
    Family("gradient descent for classes", CLASSIFICATION, "log odds found step by step, every step traced",
           lambda: Model(learners.LogisticRegression(solver="descent", tol=1e-5, max_iter=5000), scaled())),
    Family("ADALINE", CLASSIFICATION, "a plane by least squares of -1 and +1, one row at a time",
           lambda: Model(learners.Adaline("lipschitz"), scaled())),
    Family("perceptron", CLASSIFICATION, "a plane moved by the rows on its wrong side only",
           lambda: Model(learners.Perceptron(), scaled())),
)  # fmt: skip
BY_NAME = (*FAMILIES, *LABORATORY)


def families_for(task: str, room: Room) -> tuple[tuple[Family, ...], tuple[str, ...]]:
    """The families that take part, and a sentence for each of the task: what it is, or why it was left out."""
    found, said = [], []
    for family in FAMILIES:
        if family.task != task:
            continue
        reason = family.refuses(room)
        if reason:
            said.append(f"{family.name} was left out: {reason}.")
        else:
            found.append(family)
            said.append(f"{family.name}: {family.says}.")
    return tuple(found), tuple(said)


def built(*names: str) -> dict[str, Any]:
    """Unfitted models of the families of these names, ready to be candidates.

    >>> list(built("linear regression", "regression tree"))
    ['linear regression', 'regression tree']
    """
    return {name: family_of(name).build() for name in names}


def family_of(name: str) -> Family:
    """The family of this name."""
    known = {family.name: family for family in BY_NAME}
    check_choice("name", name, tuple(known))
    return known[name]


def candidates_for(task: str, room: Room) -> dict[str, Any]:
    """The same families as unfitted models by name."""
    return {family.name: family.build() for family in families_for(task, room)[0]}
