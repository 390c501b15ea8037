"""Candidate elimination: the textbook's version space, enumeration through the estimator, collapse, bounds, merging."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk import load, save
from glaswerk.base import Warned
from glaswerk.facts import Hypotheses, VersionSpace
from glaswerk.learners import CandidateElimination
from tests.learners.test_find_s import DOMAINS, sport


def textbook():
    return CandidateElimination(domains=DOMAINS).fit(*sport())


def test_the_textbooks_version_space():  # [BG-VS] [BG-ELIM] [BG-CONCEPTS]
    model = textbook()
    assert model.specific == (("Sunny", "Warm", "?", "Strong", "?", "?"),)
    assert set(model.general) == {("Sunny",) + ("?",) * 5, ("?", "Warm") + ("?",) * 4}
    assert model.size == 6
    assert len(model.hypotheses()) == 6
    assert model.language_.meant == 973
    text = str(model.facts())
    assert all(part in text for part in ("5,120", "973", "2^96", "6 hypotheses agree with the 4 rows"))


def test_the_textbooks_steps_row_by_row():  # [BG-ELIM]
    steps = textbook().facts().of_kind(Hypotheses)[0]
    third = [row.conditions for row in steps.rows if row.name == "row 3 (−): G"]
    assert set(third) == {("Sunny",) + ("?",) * 5, ("?", "Warm") + ("?",) * 4, ("?",) * 5 + ("Same",)}
    assert len([row for row in steps.rows if row.name == "row 4 (+): G"]) == 2


def test_the_textbooks_votes():  # [BG-VOTE]
    model = textbook()
    rows = [
        ["Sunny", "Warm", "Normal", "Strong", "Cool", "Change"],
        ["Rainy", "Cold", "Normal", "Weak", "Warm", "Same"],
        ["Sunny", "Warm", "Normal", "Weak", "Warm", "Same"],
        ["Sunny", "Cold", "Normal", "Strong", "Warm", "Same"],
        ["Cloudy", "Warm", "Normal", "Strong", "Warm", "Same"],
    ]
    frame = sport()[0].iloc[:1].reindex(range(5))
    frame[:] = rows
    np.testing.assert_allclose(model.vote(frame), [1, 0, 3 / 6, 2 / 6, 2 / 6])
    assert model.predict(frame).tolist() == ["yes", "no", "no", "no", "no"]
    example, share = model.next_example()
    assert share == 0.5
    assert model.next_example(frame) == (2, 0.5)
    assert len(example) == 6


def test_without_domains_the_values_seen_are_counted_and_said():
    model = CandidateElimination().fit(*sport())
    assert (model.language_.instances, model.language_.meant, model.language_.told_apart) == (32, 487, 244)
    assert "the values are those seen" in str(model.facts())
    assert model.size == 6
    rows = sport()[0].copy()
    rows["water"] = "Lukewarm"
    assert model.vote(rows).tolist() == [1, 1, 0, 1]


small = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("pq")), min_size=2, max_size=9
)


@settings(max_examples=120, deadline=None)
@given(small, st.integers(0, 35))
def test_every_concept_of_a_small_language_is_held_as_by_enumeration(rows, which):
    language = list(itertools.product("ab?", "xyz?", "pq?"))
    concept = language[which]

    def takes(h, row):
        return all(c in ("?", v) for c, v in zip(h, row, strict=True))

    labels = [takes(concept, row) for row in rows]
    if all(labels) or not any(labels):
        return
    domains = [list("ab"), list("xyz"), list("pq")]
    model = CandidateElimination(domains=domains).fit([list(r) for r in rows], labels)
    space = [h for h in language if all(takes(h, r) == y for r, y in zip(rows, labels, strict=True))]
    assert set(model.hypotheses()) == set(space)
    every = list(itertools.product(*domains))
    votes = [sum(takes(h, x) for h in space) / len(space) for x in every]
    np.testing.assert_allclose(model.vote([list(x) for x in every]), votes)
    assert model.predict([list(r) for r in rows]).tolist() == labels
    found = model.next_example()
    assert (found is None) == (len(space) == 1)


def test_the_row_that_empties_the_space_is_named_and_the_space_before_it_kept():
    rows = [["a", "x"], ["b", "y"], ["b", "x"], ["a", "y"], ["b", "y"]]
    labels = ["yes", "no", "yes", "yes", "no"]
    with pytest.warns(Warned, match=r"with row 3 .* no hypothesis .* Each of the rows 2, 3") as caught:
        model = CandidateElimination().fit(rows, labels)
    assert len(caught) == 1
    assert model.solution_.collapse == 3
    assert model.solution_.rows == 3
    assert model.specific == (("?", "x"),)
    assert "Row 4 leaves no hypothesis that agrees with all rows" in str(model.facts())
    with pytest.raises(ValueError, match="with row 3"):
        CandidateElimination(on_collapse="raise").fit(rows, labels)


def test_contradicting_and_repeated_rows():
    X, y = [["a"], ["b"], ["a"]], ["yes", "no", "no"]
    with pytest.warns(Warned, match=r"with row 2 .* Each of the rows 0, 2"):
        CandidateElimination().fit(X, y)
    once = CandidateElimination().fit([["a"], ["b"]], ["yes", "no"])
    twice = CandidateElimination().fit([["a"], ["b"], ["a"], ["b"]], ["yes", "no", "yes", "no"])
    assert once.hypotheses() == twice.hypotheses() == (("a",),)
    with pytest.warns(Warned, match="No single row is to blame"):
        CandidateElimination().fit([["a"], ["b"], ["a"], ["a"], ["a"]], ["yes", "no", "no", "no", "yes"])


def test_general_beyond_its_bound_is_counted_not_listed_and_votes_stay():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 10, (400, 14)).astype(str)
    concept = np.array(["1", "2", "3", "4"])
    X[0, :4] = concept
    y = (X[:, :4] == concept).all(axis=1)
    rows = X.astype(object)
    full = CandidateElimination(max_general=10_000).fit(rows, y)
    few = CandidateElimination(max_general=3).fit(rows, y)
    assert few.general == ()
    assert few.solution_.general_count == len(full.general) > 3
    assert few.size == full.size
    assert np.array_equal(few.vote(rows), full.vote(rows))
    assert few.score(rows, y) == 1
    assert "max_general=3" in str(few.facts().of_kind(VersionSpace)[0])


def test_beyond_counting_what_is_certain_is_still_known():
    rng = np.random.default_rng(1)
    d = 40
    X = rng.integers(0, 3, (300, d)).astype(str).astype(object)
    X[:2, :6] = "1"
    X[1] = X[0]
    y = (X[:, :6] == "1").all(axis=1)
    model = CandidateElimination(max_general=50).fit(X, y)
    assert model.size is None
    share = model.vote(X)
    assert share[y].tolist() == [1.0] * int(y.sum())
    assert share[~y].tolist() == [0.0] * int((~y).sum())
    assert model.score(X, y) == 1
    fresh = X[:1].copy()
    fresh[0, 39] = "0" if X[0, 39] != "0" else "2"
    undecided = model.vote(fresh)
    assert np.isnan(undecided[0]) or undecided[0] == 1
    assert model.predict_proba(fresh)[0, 1] in (0.5, 1.0)
    with pytest.raises(ValueError, match="too large to count; hand over rows"):
        model.next_example()
    with pytest.raises(ValueError, match="too many to count"):
        model.hypotheses()
    assert "too many to count" in str(model.facts())


def test_no_positive_row_before_the_collapse_leaves_the_empty_hypothesis():
    X, y = [["a", "x"], ["b", "y"], ["b", "x"], ["a", "x"]], ["no", "no", "no", "yes"]
    with pytest.warns(Warned, match="with row 3"):
        model = CandidateElimination(domains=[["a", "b"], ["x", "y"]]).fit(X, y)
    assert model.specific == (("∅", "∅"),)
    assert set(model.hypotheses()) == {("∅", "∅"), ("a", "y")}
    assert model.vote([["a", "y"], ["a", "x"]]).tolist() == [0.5, 0.0]


def test_version_spaces_of_one_language_meet():
    X, y = sport()
    parts = [[0, 2], [1, 2, 3]]
    one, two = (CandidateElimination(domains=DOMAINS).fit(X.iloc[k], y[k]) for k in parts)
    assert set(one.merge(two).hypotheses()) == set(textbook().hypotheses())
    with pytest.raises(ValueError, match="declare equal domains"):
        one.merge(CandidateElimination().fit(X, y))
    none = CandidateElimination(domains=DOMAINS, positive="no").fit(X, y)
    with pytest.raises(ValueError, match="same language"):
        one.merge(none)


def test_numbers_intervals_and_trees_in_one_space():
    rows = [[1.0, "ball"], [3.0, "disc"], [9.0, "ball"], [2.0, "cube"]]
    X = np.array(rows, dtype=object)
    tree = {"x1": {"round": ["ball", "disc"], "cornered": ["cube"]}}
    model = CandidateElimination(ordered=["x0"], trees=tree).fit(X, [1, 1, 0, 0])
    assert model.specific == (("1 … 3", "round"),)
    assert model.general == (("1 … 3", "round"),)
    assert model.vote(np.array([[2.5, "ball"], [9.5, "ball"]], dtype=object)).tolist() == [1, 0]


def test_a_model_travels_through_a_file(tmp_path):
    model = textbook()
    save(model, tmp_path / "v.glaswerk")
    back = load(tmp_path / "v.glaswerk")
    assert back.hypotheses() == model.hypotheses()
    assert str(back.facts()) == str(model.facts())


@pytest.mark.parametrize(("more", "message"), [
    ({"max_general": 0}, "max_general must be an integer >= 1"),
    ({"on_collapse": "skip"}, "on_collapse must be 'keep'"),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    with pytest.raises(ValueError, match=message):
        CandidateElimination(**more).fit(*sport())


def test_listing_more_than_asked_for_is_refused():
    with pytest.raises(ValueError, match="has 6 members; limit=5"):
        textbook().hypotheses(limit=5)
