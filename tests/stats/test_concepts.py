"""Concepts: counts, the order, boundaries and votes of every small language, against enumeration of all of it."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.stats.concepts.attributes import nominal, ordered, tree
from glaswerk.stats.concepts.boundary import (
    collapse_at,
    consistent,
    culprits,
    eliminate,
    general_boundary,
    telling,
)
from glaswerk.stats.concepts.language import Language, accepts_nothing, at_least_as_general, greatest, unlike
from glaswerk.stats.concepts.lattice import Lattice, table_size
from glaswerk.stats.concepts.weighing import weigh

BRANCHES = {"round": ["ball", "disc"], "cornered": {"box": ["cube", "brick"], "cone": []}}


def plain(*sizes, open_=False):
    return Language(
        tuple(nominal(f"a{j}", [f"v{k}" for k in range(size)], open_=open_) for j, size in enumerate(sizes))
    )


ATTRIBUTES = st.one_of(
    st.tuples(st.integers(1, 4), st.booleans()).map(lambda s: nominal("n", [str(k) for k in range(s[0])], open_=s[1])),
    st.integers(1, 4).map(lambda k: ordered("o", [str(i) for i in range(k)])),
    st.just(tree("t", BRANCHES)),
    st.just(tree("u", {"x": ["a", "b"], "c": []})),
)


@st.composite
def problems(draw, most=3, rows=7):
    """A small language, rows of it, and any labels."""
    language = Language(tuple(draw(st.lists(ATTRIBUTES, min_size=1, max_size=most))))
    n = draw(st.integers(1, rows))
    places = [[draw(st.integers(0, len(a.values) - 1)) for a in language.attributes] for _ in range(n)]
    cells = np.array(places, dtype=np.int64)
    labels = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    return language, np.stack([cells, cells], axis=2), labels


def every_hypothesis(language):
    """All of the language as tuples of sets of places, each once; ∅ is the tuple of empty sets."""
    sets = []
    for a in language.attributes:
        if a.ordered:
            found = {frozenset(range(i, j + 1)) for i in range(len(a.values)) for j in range(i, len(a.values))}
        else:
            found = {frozenset(range(i, j + 1)) for i, j in a.nodes.tolist()}
        sets.append(sorted(found | {frozenset(range(a.top + 1))}, key=lambda s: (len(s), min(s))))
    nothing = tuple(frozenset() for _ in sets)
    return [nothing, *itertools.product(*sets)]


def takes(hypothesis, row):
    return all(int(low) in s and int(high) in s for s, (low, high) in zip(hypothesis, row, strict=True))


def as_sets(ranges):
    """Hypotheses as the enumeration writes them."""
    made = [tuple(frozenset(range(low, high + 1)) for low, high in h) for h in np.asarray(ranges).tolist()]
    return {tuple(frozenset() for _ in h) if not all(h) else h for h in made}


def above(one, other):
    return all(a >= b for a, b in zip(one, other, strict=True))


def brute(language, rows, positive):
    """The version space and its boundaries by trying every hypothesis on every row."""
    space = [
        h for h in every_hypothesis(language) if all(takes(h, r) == p for r, p in zip(rows, positive, strict=True))
    ]
    least = {h for h in space if not any(above(h, g) and g != h for g in space)}
    most = {h for h in space if not any(above(g, h) and g != h for g in space)}
    return space, least, most


# Known numbers


def test_enjoy_sport_has_973_hypotheses_and_5120_ways_to_write_one():  # [BG-CONCEPTS] [BG-LANGUAGE]
    language = plain(3, 2, 2, 2, 2, 2)
    assert (language.instances, language.written, language.meant) == (96, 5120, 973)
    assert language.concepts == f"2^96 = {2**96}"
    assert plain(10, 10, 10).concepts == "2^1000"


def test_a_value_alone_and_any_are_told_apart_only_where_others_may_come():
    assert plain(1, 2).meant == 1 + 1 * 3
    assert plain(1, 2, open_=True).meant == 1 + 2 * 3
    assert plain(1, 2, open_=True).told_apart == 1 + 1 * 3
    assert plain(1, 2).written == plain(1, 2, open_=True).written == 3 * 4


def test_intervals_and_trees_are_conditions_too():
    language = Language((ordered("size", ["S", "M", "L"]), tree("shape", BRANCHES)))
    assert language.attributes[1].values == ("ball", "disc", "cube", "brick", "cone")
    assert language.written == (2 + 6) * (2 + 8)
    assert language.meant == 1 + 6 * 9
    join = language.join(np.array([[[0, 0], [2, 2]], [[1, 1], [3, 3]]]))
    assert language.said(join) == ("S … M", "box")
    wider = language.join(np.array([[[0, 0], [2, 2]], [[2, 2], [4, 4]]]))
    assert language.said(wider) == ("?", "cornered")
    assert language.said(language.nothing) == ("∅", "∅")


# The oracle: enumeration


@settings(max_examples=150, deadline=None)
@given(problems())
def test_counts_are_those_of_enumeration(problem):  # [BG-CONCEPTS]
    language, *_ = problem
    everything = every_hypothesis(language)
    assert language.meant == len(set(everything))
    known = list(itertools.product(*(range(len(a.values)) for a in language.attributes)))
    assert language.instances == len(known)
    told = {tuple(all(v in s for v, s in zip(x, h, strict=True)) for x in known) for h in everything}
    assert language.told_apart == len(told)


@settings(max_examples=150, deadline=None)
@given(problems())
def test_the_order_is_that_of_what_is_accepted(problem):  # [BG-GEQ]
    language, rows, _ = problem
    some = np.concatenate([language.top[None], language.nothing[None], rows, language.join(rows)[None]])
    places = itertools.product(*(range(a.top + 1) for a in language.attributes))
    everything = np.array([[(v, v) for v in x] for x in places])
    accepted = at_least_as_general(some, everything)
    found = at_least_as_general(some, some)
    for i, j in itertools.product(range(len(some)), repeat=2):
        assert found[i, j] == (accepted[i] >= accepted[j]).all()


@settings(max_examples=400, deadline=None)
@given(problems())
def test_boundaries_votes_and_members_are_those_of_enumeration(problem):  # [BG-VS] [BG-ELIM] [BG-VOTE]
    language, rows, positive = problem
    space, least, most = brute(language, rows, positive)
    specific, negatives = language.join(rows[positive]), rows[~positive]
    assert consistent(specific, negatives) == bool(space)
    if not space:
        return
    assert as_sets(specific[None]) == least
    assert as_sets(general_boundary(language, specific, negatives, 10_000)) == most
    assert consistent(specific, telling(language, specific, negatives))
    for said in (negatives, telling(language, specific, negatives)):
        lattice = Lattice.of(language, specific, said)
        assert lattice.size == len(space)
        members = as_sets(lattice.members(10_000)) | ({space[0]} if lattice.empty else set())
        assert members == set(space)
        assert (as_sets(lattice.greatest()) or {space[0]}) == most
        places = list(itertools.product(*(range(len(a.values)) for a in language.attributes)))
        every = np.array([[(v, v) for v in x] for x in places])
        votes = [sum(takes(h, x) for h in space) for x in every]
        assert lattice.votes_for(every).tolist() == votes
        halving = lattice.halving()
        best = min(abs(2 * v - len(space)) for v in votes)
        assert (halving is None) == all(v in (0, len(space)) for v in votes)
        if halving:
            assert abs(2 * halving[1] - len(space)) == best
            assert votes[places.index(tuple(halving[0].tolist()))] == halving[1]


@settings(max_examples=150, deadline=None)
@given(problems())
def test_a_value_never_seen_is_accepted_by_any_alone(problem):
    language, rows, positive = problem
    space, *_ = brute(language, rows, positive)
    if not space:
        return
    lattice = Lattice.of(language, language.join(rows[positive]), rows[~positive])
    strange = rows.copy()
    strange[:, 0] = language.attributes[0].everything
    assert lattice.votes_for(strange).tolist() == [sum(takes(h, x) for h in space) for x in strange]


@settings(max_examples=200, deadline=None)
@given(problems())
def test_row_by_row_gives_the_boundaries_after_every_row_and_ends_where_nothing_is_left(problem):  # [BG-ELIM]
    language, rows, positive = problem
    emptied = collapse_at(language, rows, positive)
    for step in eliminate(language, rows, positive, 10_000):
        n = step.row + 1
        space, least, most = brute(language, rows[:n], positive[:n])
        if step.row == emptied:
            assert not space
            assert not len(step.general)
            return
        assert as_sets(step.specific[None]) == least
        assert as_sets(step.general) == most
    assert emptied is None
    assert step.row == len(rows) - 1


@settings(max_examples=150, deadline=None)
@given(problems())
def test_the_culprits_are_the_rows_without_which_the_rest_agrees(problem):
    language, rows, positive = problem
    if collapse_at(language, rows, positive) is None:
        return
    expected = []
    for k in range(len(rows)):
        kept = np.arange(len(rows)) != k
        if brute(language, rows[kept], positive[kept])[0]:
            expected.append(k)
    assert culprits(language, rows, positive).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.1, 0.4]), st.sampled_from([0.0, 0.7]))
def test_the_posterior_is_that_of_enumeration(problem, noise, rate):  # [BG-HPOST] [BG-BOC]
    language, rows, positive = problem
    everything = every_hypothesis(language)
    tops = tuple(frozenset(range(a.top + 1)) for a in language.attributes)
    joint = []
    for h in everything:
        wrong = sum(takes(h, r) != p for r, p in zip(rows, positive, strict=True))
        conditions = sum(s != t for s, t in zip(h, tops, strict=True))
        joint.append(np.exp(-rate * conditions) * noise**wrong * (1 - noise) ** (len(rows) - wrong))
    prior = sum(np.exp(-rate * sum(s != t for s, t in zip(h, tops, strict=True))) for h in everything)
    if sum(joint) == 0:
        with pytest.raises(ValueError, match="no hypothesis of the language agrees"):
            weigh(language, rows, positive, noise, rate)
        return
    weighed = weigh(language, rows, positive, noise, rate)
    np.testing.assert_allclose(weighed.log_evidence, np.log(sum(joint) / prior), rtol=1e-10, atol=1e-12)
    chance = [sum(p for h, p in zip(everything, joint, strict=True) if takes(h, r)) / sum(joint) for r in rows]
    np.testing.assert_allclose(weighed.chance(rows), chance, rtol=1e-9, atol=1e-12)
    total = weighed.posterior.sum() + np.exp(weighed.empty_log_posterior)
    np.testing.assert_allclose(total, 1.0, rtol=1e-12)


# Laws


@settings(max_examples=100, deadline=None)
@given(problems(), st.randoms())
def test_the_order_of_the_rows_changes_nothing_but_the_steps(problem, random):
    language, rows, positive = problem
    order = list(range(len(rows)))
    random.shuffle(order)
    one, two = language.join(rows[positive]), language.join(rows[order][positive[order]])
    assert np.array_equal(one, two)
    assert (collapse_at(language, rows, positive) is None) == (
        collapse_at(language, rows[order], positive[order]) is None
    )


def test_every_prefix_that_stands_is_found_by_halving():
    rng = np.random.default_rng(5)
    language = plain(3, 3, 3, 3)
    for _ in range(60):
        cells = rng.integers(0, 3, (30, 4))
        rows, positive = np.stack([cells, cells], axis=2), rng.random(30) < 0.3
        stands = [consistent(language.join(rows[:n][positive[:n]]), rows[:n][~positive[:n]]) for n in range(1, 31)]
        assert collapse_at(language, rows, positive) == (stands.index(False) if False in stands else None)


# Where tables end


def test_general_beyond_its_bound_is_given_up_and_not_cut():
    language = plain(*[2] * 12)
    negatives = np.ones((6, 12), dtype=np.int64)
    for k in range(6):
        negatives[k, 2 * k : 2 * k + 2] = 1
        negatives[k, [j for j in range(12) if j // 2 != k]] = 0
    rows = np.stack([negatives, negatives], axis=2)
    specific = language.join(np.zeros((1, 12, 2), dtype=np.int64))
    assert len(general_boundary(language, specific, rows, 64)) == 64  # one of each pair: 2^6
    assert general_boundary(language, specific, rows, 63) is None
    assert as_sets(general_boundary(language, specific, rows, 64)) == as_sets(
        Lattice.of(language, specific, rows).greatest()
    )


def test_a_table_too_large_is_refused_before_it_is_made():
    language = plain(*[10] * 30)
    assert table_size(language, None) == 11**30
    assert Lattice.of(language, language.join(np.zeros((1, 30, 2), dtype=np.int64)), np.zeros((0, 30, 2), int)) is None


def test_hypotheses_once_and_the_greatest_of_them():
    language = plain(2, 2)
    some = np.array([[[0, 0], [0, 1]], [[0, 1], [0, 1]], [[0, 0], [0, 1]], [[1, 0], [0, 1]]])
    assert len(unlike(some)) == 3
    assert np.array_equal(greatest(some), language.top[None])
    assert accepts_nothing(some).tolist() == [False, False, False, True]
    assert len(unlike(some[:0])) == 0


def test_bad_attributes_are_refused():
    with pytest.raises(ValueError, match="'box' twice"):
        tree("t", {"box": ["a"], "bag": ["box"]})
    with pytest.raises(ValueError, match="values that differ"):
        nominal("n", ["a", "a"], open_=True).check()
    with pytest.raises(ValueError, match="values that differ"):
        ordered("n", []).check()
