"""The aligned tree: whoever sums which blocks, in whatever order, the same bits come out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.passes import AlignedTree
from glaswerk.stats.moments import Moments

MOST = 40
WORDS = np.random.default_rng(0).normal(size=(MOST, 3)) * 10.0 ** np.random.default_rng(1).integers(-8, 9, (MOST, 3))


def summed(blocks):
    """The tree of these block numbers, added one after the other; its statistics are arrays of floats."""
    tree = AlignedTree()
    for k in blocks:
        tree.add(k, WORDS[k])
    return tree


@st.composite
def divided_work(draw):
    """The blocks of a table, each given to one of up to five workers, every worker in an order of its own."""
    n = draw(st.integers(1, MOST))
    workers = draw(st.integers(1, 5))
    if draw(st.booleans()):
        cuts = sorted(draw(st.lists(st.integers(0, n), min_size=workers - 1, max_size=workers - 1)))
        owned = [list(range(a, b)) for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    else:
        owner = draw(st.lists(st.integers(0, workers - 1), min_size=n, max_size=n))
        owned = [[k for k in range(n) if owner[k] == worker] for worker in range(workers)]
    return n, [draw(st.permutations(blocks)) for blocks in draw(st.permutations(owned))]


@given(divided_work())
@settings(max_examples=200, deadline=None)
def test_the_bits_do_not_depend_on_who_summed_what_and_when(work):
    n, owned = work
    whole = AlignedTree()
    for blocks in owned:
        whole.absorb(summed(blocks))
    assert whole.total().tobytes() == summed(range(n)).total().tobytes()


@given(divided_work())
@settings(max_examples=30, deadline=None)
def test_the_bits_of_moments_do_not_depend_on_it_either(work):
    n, owned = work
    rows = np.random.default_rng(2).normal(size=(n, 7, 3))
    parts = [Moments.of(block[:, :2], block[:, 2:], shift=np.zeros(3), exact=True) for block in rows]
    one_by_one, whole = AlignedTree(), AlignedTree()
    for k, part in enumerate(parts):
        one_by_one.add(k, part)
    for blocks in owned:
        tree = AlignedTree()
        for k in blocks:
            tree.add(k, parts[k])
        whole.absorb(tree)
    assert whole.total().gram.tobytes() == one_by_one.total().gram.tobytes()
    assert whole.total().gram_low.tobytes() == one_by_one.total().gram_low.tobytes()
    assert whole.total().count == 7 * n


def test_a_plain_sum_would_depend_on_the_order():
    """The data above are such that the promise is worth something."""
    assert sum(WORDS).tobytes() != sum(WORDS[::-1]).tobytes()
    assert sum(WORDS).tobytes() != summed(range(MOST)).total().tobytes()


def test_siblings_meet_first_and_left_comes_before_right():
    tree = AlignedTree()
    for k in (4, 1, 0, 3, 2):
        tree.add(k, _Text(str(k)))
    assert tree.total().text == "(((01)(23))4)"


@pytest.mark.parametrize("blocks", range(1, 70))
def test_a_run_of_blocks_leaves_few_nodes_open(blocks):
    for first in (0, 1, 5):
        tree = AlignedTree()
        for k in range(first, first + blocks):
            tree.add(k, 1)
            assert len(tree.nodes) <= 2 * np.log2(k - first + 1) + 1
        assert tree.total() == blocks


def test_a_single_block_is_its_own_sum():
    assert np.array_equal(summed([3]).total(), WORDS[3])


@pytest.mark.parametrize(
    "blocks", [(0, 0), (5, 5), (0, 1, 0), (0, 1, 1), (0, 1, 2, 3, 2), (0, 1, 0, 2, 3), (4, 5, 6, 7, 6, 7)]
)
def test_a_block_summed_twice_is_an_error(blocks):
    with pytest.raises(ValueError, match=r"block .* summed twice"):
        summed(blocks).total()


def test_a_part_absorbed_twice_is_an_error():
    whole = AlignedTree()
    whole.absorb(summed(range(3)))
    with pytest.raises(ValueError, match="summed twice"):
        whole.absorb(summed(range(3)))


def test_the_sum_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="no block was summed: the table has no rows"):
        AlignedTree().total()


class _Text:
    """A statistic that remembers how it was added up."""

    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return _Text(f"({self.text}{other.text})")
