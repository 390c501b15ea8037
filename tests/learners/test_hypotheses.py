"""The Bayes-optimal classifier: equal chances on the version space, enumeration with noise, limits."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import load, save
from glaswerk.facts import Hypotheses
from glaswerk.learners import BayesOptimalClassifier, CandidateElimination
from tests.learners.test_find_s import DOMAINS, sport


def test_without_noise_the_posterior_is_even_on_the_version_space():  # [BG-HPOST]
    X, y = sport()
    model = BayesOptimalClassifier(noise=0.0, domains=DOMAINS).fit(X, y)
    rows = model.facts().of_kind(Hypotheses)[0].rows
    assert [round(row.posterior, 12) for row in rows[:7]] == [round(1 / 6, 12)] * 6 + [0.0]
    assert {row.conditions for row in rows[:6]} == set(CandidateElimination(domains=DOMAINS).fit(X, y).hypotheses())
    assert len(model.map_hypothesis) == len(model.ml_hypothesis) == 6  # [BG-HMAP]
    assert rows[0].prior == pytest.approx(1 / 973)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans()), min_size=2, max_size=9),
    st.sampled_from([0.01, 0.2, 0.45]),
    st.sampled_from(["uniform", "short"]),
)
def test_chances_and_best_hypotheses_are_those_of_enumeration(rows, noise, prior):  # [BG-BOC]
    X, y = [list(r[:2]) for r in rows], [r[2] for r in rows]
    if all(y) or not any(y):
        return
    domains = [list("ab"), list("xyz")]
    model = BayesOptimalClassifier(noise=noise, prior=prior, domains=domains).fit(X, y)
    language = [("∅", "∅"), *itertools.product("ab?", "xyz?")]

    def takes(h, row):
        return all(c in ("?", v) for c, v in zip(h, row, strict=True))

    wrong = np.array([sum(takes(h, r) != label for r, label in zip(X, y, strict=True)) for h in language])
    own = np.array([0.5 ** sum(c != "?" for c in h) if prior == "short" else 1.0 for h in language])
    joint = own / own.sum() * noise**wrong * (1 - noise) ** (len(y) - wrong)
    every = [list(x) for x in itertools.product(*domains)]
    chance = [sum(p for p, h in zip(joint, language, strict=True) if takes(h, x)) / joint.sum() for x in every]
    np.testing.assert_allclose(model.predict_proba(every)[:, 1], chance, rtol=1e-10)
    best = {h for h, p in zip(language, joint, strict=True) if p >= joint.max() * (1 - 1e-12)}
    assert set(model.map_hypothesis) == best
    assert set(model.ml_hypothesis) == {h for h, w in zip(language, wrong, strict=True) if w == wrong.min()}


def test_a_wrong_label_shifts_weight_and_empties_nothing():
    rng = np.random.default_rng(3)
    X = rng.choice(list("abc"), (120, 4)).astype(object)
    truth = (X[:, 0] == "a") & (X[:, 2] == "b")
    y = truth ^ (rng.random(120) < 0.1)
    model = BayesOptimalClassifier(noise=0.1).fit(X, y)
    assert model.map_hypothesis == (("a", "?", "b", "?"),)
    assert (model.predict(X) == truth).all()
    with pytest.raises(ValueError, match="noise is 0: set noise above 0"):
        BayesOptimalClassifier(noise=0.0).fit(X, y)


def test_the_vote_may_be_no_hypothesis_of_the_language():
    X = np.array(list(itertools.product("ab", "ab")), dtype=object)
    model = BayesOptimalClassifier(noise=0.3, positive=True).fit(X, [True, True, True, False])
    assert model.predict(X).tolist() == [True, True, True, False]


def test_what_is_neither_value_nor_known():
    X, y = sport()
    model = BayesOptimalClassifier(domains=DOMAINS).fit(X, y)
    strange = X.copy()
    strange["sky"] = "Foggy"
    chance = model.predict_proba(strange)[:, 1]
    assert ((chance > 0) & (chance < model.predict_proba(X.assign(sky="Sunny"))[:, 1])).all()


def test_a_language_too_large_is_refused():
    X = np.array([[f"{i}-{j}" for j in range(12)] for i in range(10)], dtype=object)
    with pytest.raises(ValueError, match=r"the language has 3,138,428,376,722 hypotheses .* at most 4,194,304"):
        BayesOptimalClassifier().fit(X, [0, 1] * 5)


def test_a_model_travels_through_a_file(tmp_path):
    X, y = sport()
    model = BayesOptimalClassifier(domains=DOMAINS, prior="short").fit(X, y)
    save(model, tmp_path / "b.glaswerk")
    back = load(tmp_path / "b.glaswerk")
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert str(back.facts()) == str(model.facts())


@pytest.mark.parametrize(("more", "message"), [
    ({"noise": 0.5}, "noise must be a number >= 0 and < 0.5"),
    ({"prior": "flat"}, "prior must be 'uniform' or 'short'"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        BayesOptimalClassifier(**more).fit(*sport())
