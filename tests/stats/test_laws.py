"""The laws of adding, one table of statistics against one list of laws. A new statistic is one more line in `TABLE`.

Rounding is measured against the largest sum that such rows could give: 1e-15 of it in doubles, 1e-30 in pairs, nothing
where integers are counted.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from glaswerk import archive
from glaswerk.stats.counts import Counts
from glaswerk.stats.gradient import Gradient
from glaswerk.stats.moments import NARROW, GroupedMoments, Moments
from glaswerk.stats.pairs import Pair
from glaswerk.stats.triangle import Triangle

D, Q, GROUPS, VALUES = 2, 2, 3, 5
SHIFT = np.array([1.5, -20.0, 0.0, 3.25])
COEFFICIENTS = Pair(np.array([[0.5, -1.0, 2.0], [3.0, 0.1, -0.7]]), np.array([[1e-17, 0.0, 0.0], [0.0, 0.0, 1e-18]]))
REPETITIONS = st.integers(0, 5)
moderate = settings(max_examples=25, deadline=None)


@dataclass(frozen=True)
class Rows:
    """Everything any statistic may ask of some rows."""

    X: np.ndarray
    Y: np.ndarray
    weight: np.ndarray
    group: np.ndarray

    def take(self, index: Any) -> "Rows":
        return Rows(*(getattr(self, field.name)[index] for field in fields(self)))

    @property
    def reach(self) -> float:
        """What no sum over these rows exceeds: their weight times the square of a bound on every number in them."""
        cells = np.abs(np.column_stack([self.X, self.Y])).max(initial=0.0)
        return float(max(self.weight.sum(), 1.0) * (10 * (cells + 50)) ** 2)


@dataclass(frozen=True)
class Entry:
    """A statistic: how it observes rows, its numbers as a pair of arrays, how exact they are, if it has a shift."""

    observe: Callable[..., Any]
    numbers: Callable[[Any], Pair]
    tolerance: float
    shifted: bool = True


def wide(X: np.ndarray) -> np.ndarray:
    """More columns than the compiled loop takes, so that BLAS sums them; none beyond what `reach` bounds."""
    return np.hstack([X * (1 + k % 7) for k in range(NARROW // D)])


def wide_shift(shift: np.ndarray) -> np.ndarray:
    return np.append(np.tile(shift[:D], NARROW // D), shift[D:])


def dense_counts(counts: Counts) -> Pair:
    table = np.zeros(VALUES)
    table[counts.values] = counts.weight
    return Pair.of(table)


TABLE = {
    "moments": Entry(lambda r, s=SHIFT: Moments.of(r.X, r.Y, r.weight, shift=s), lambda m: m.pair, 1e-15),
    "wide moments": Entry(
        lambda r, s=SHIFT: Moments.of(wide(r.X), r.Y, r.weight, shift=wide_shift(s)), lambda m: m.pair, 1e-15
    ),
    "exact moments": Entry(
        lambda r, s=SHIFT: Moments.of(r.X, r.Y, r.weight, shift=s, exact=True), lambda m: m.pair, 1e-30
    ),
    "grouped moments": Entry(
        lambda r, s=SHIFT: GroupedMoments.of(r.X, r.Y, r.group % GROUPS, GROUPS, r.weight, shift=s),
        lambda m: Pair.of(m.gram),
        1e-15,
    ),
    "triangle": Entry(
        lambda r, s=SHIFT: Triangle.of(r.X, r.Y, r.weight, shift=s), lambda t: Pair.of(t.factor.T @ t.factor), 1e-15
    ),
    "gradient": Entry(
        lambda r: Gradient.of(r.X, r.Y, r.weight, coefficients=COEFFICIENTS), lambda g: g.pair, 1e-30, shifted=False
    ),
    "counts": Entry(lambda r: Counts.of(r.group, r.weight), dense_counts, 0.0, shifted=False),
}
every_statistic = pytest.mark.parametrize("entry", TABLE.values(), ids=TABLE.keys())
with_a_shift = pytest.mark.parametrize(
    "entry", [e for e in TABLE.values() if e.shifted], ids=[name for name, e in TABLE.items() if e.shifted]
)


@st.composite
def rows(draw, most=40, weights=REPETITIONS):
    n = draw(st.integers(0, most))
    cells = st.floats(-100, 100, width=32) | st.integers(-9, 9).map(float)
    return Rows(
        draw(hnp.arrays(np.float64, (n, D), elements=cells)),
        draw(hnp.arrays(np.float64, (n, Q), elements=cells)),
        np.array(draw(st.lists(weights, min_size=n, max_size=n)), dtype=np.float64),
        np.array(draw(st.lists(st.integers(0, VALUES - 1), min_size=n, max_size=n)), dtype=np.int64),
    )


@st.composite
def cut_rows(draw):
    """Rows, and the parts of them between any cuts: empty parts too."""
    whole = draw(rows())
    cuts = sorted(draw(st.lists(st.integers(0, len(whole.X)), max_size=5)))
    return whole, [whole.take(slice(a, b)) for a, b in zip([0, *cuts], [*cuts, len(whole.X)], strict=True)]


def total(parts):
    return reduce(add, parts)


def same(entry: Entry, found: Any, wanted: Any, reach: float) -> None:
    """Equal numbers within the rounding that the table grants; equal numbers of rows exactly."""
    difference = entry.numbers(found).minus(entry.numbers(wanted)).rounded
    assert np.abs(difference).max(initial=0.0) <= entry.tolerance * reach


def count(statistic: Any) -> Any:
    return statistic.rows.sum() if isinstance(statistic, Counts) else statistic.count


@every_statistic
@given(cut_rows())
@moderate
def test_any_cut_of_the_rows_gives_the_same_sum(entry, cut):
    whole, parts = cut
    found, wanted = total(map(entry.observe, parts)), entry.observe(whole)
    same(entry, found, wanted, whole.reach)
    assert np.array_equal(count(found), count(wanted))


@every_statistic
@given(cut_rows(), st.randoms(use_true_random=False))
@moderate
def test_the_order_of_merging_does_not_matter(entry, cut, random):
    whole, parts = cut
    shuffled = random.sample(parts, len(parts))
    same(entry, total(map(entry.observe, shuffled)), total(map(entry.observe, parts)), whole.reach)


@every_statistic
@given(rows(), rows(), rows())
@moderate
def test_adding_is_associative_up_to_rounding(entry, a, b, c):
    a, b, c = (entry.observe(part) for part in (a, b, c))
    reach = 3 * 40 * 5 * 1500.0**2
    same(entry, (a + b) + c, a + (b + c), reach)


@every_statistic
@given(rows())
@moderate
def test_an_empty_block_changes_nothing(entry, some):
    known, nothing = entry.observe(some), entry.observe(some.take(slice(0)))
    for found in (known + nothing, nothing + known):
        assert all(map(np.array_equal, entry.numbers(found), entry.numbers(known)))
        assert np.array_equal(count(found), count(known))


@every_statistic
@given(rows())
@moderate
def test_weight_two_is_the_row_twice_and_weight_zero_the_row_absent(entry, some):
    repeated = some.take(np.repeat(np.arange(len(some.X)), some.weight.astype(int)))
    once = replace(repeated, weight=np.ones(len(repeated.X)))
    same(entry, entry.observe(some), entry.observe(once), some.reach)


@every_statistic
@given(rows(weights=st.sampled_from([0.0, 0.25, 1.5, 3.7])))
@moderate
def test_rows_of_weight_zero_leave_no_trace_at_all(entry, some):
    heavy = some.take(some.weight > 0)
    found, wanted = entry.observe(some), entry.observe(heavy)
    same(entry, found, wanted, some.reach)
    assert np.array_equal(count(found), count(wanted))


@every_statistic
@given(rows(most=12))
@moderate
def test_no_weights_and_weights_of_one_say_the_same(entry, some):
    ones = replace(some, weight=np.ones(len(some.X)))
    found, wanted = entry.observe(replace(some, weight=np.zeros(0))), entry.observe(ones)
    same(entry, found, wanted, ones.reach)
    assert np.array_equal(count(found), count(wanted))


@with_a_shift
@given(rows(), rows(), st.tuples(*[st.integers(-200, 200).map(lambda k: k / 8)] * (D + Q)).map(np.array))
@moderate
def test_statistics_of_different_shifts_can_meet(entry, a, b, shift):
    near, far = entry.observe(a), entry.observe(b, shift)
    reach = 80 * 5 * 2000.0**2
    found, wanted = near + far, near + entry.observe(b)
    if not np.array_equal(found.shift, wanted.shift):
        wanted = entry.observe(a, shift) + far
    assert np.array_equal(found.shift, wanted.shift)
    same(entry, found, wanted, reach)
    assert np.array_equal(count(found), count(wanted))


@every_statistic
@given(rows())
@moderate
def test_what_a_file_gives_back_is_the_same_to_the_last_bit(entry, tmp_path_factory, some):
    known = entry.observe(some)
    path = tmp_path_factory.mktemp("statistic") / "statistic.glaswerk"
    archive.write(path, known, kind="statistic")
    found = archive.read(path, kind="statistic")
    assert type(found) is type(known)
    for field in fields(known):
        stored, wanted = getattr(found, field.name), getattr(known, field.name)
        assert type(stored) is type(wanted)
        assert np.asarray(stored).dtype == np.asarray(wanted).dtype
        assert np.asarray(stored).tobytes() == np.asarray(wanted).tobytes()
    more = found + entry.observe(some)
    assert all(map(np.array_equal, entry.numbers(more), entry.numbers(known + known)))
