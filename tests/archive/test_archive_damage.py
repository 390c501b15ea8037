"""Accidents: every flipped bit, every truncation, any garbage. Only the same tree or `ArchiveError` may come of it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.archive import ArchiveError, dumps, loads

TREE = {"coef_": np.array([0.5, -2.0]), "compressed": np.zeros((4, 30), "f4"), "note": ("Größe", 1, float("inf"))}
GOOD = dumps(TREE, "model")


def accepted(data: bytes) -> bool:
    """Whether a damaged file is read; if so, what it holds must be what was written, to the last bit."""
    try:
        tree = loads(data, "model")
    except ArchiveError:
        return False
    assert dumps(tree, "model") == GOOD
    return True


@pytest.mark.parametrize("mask", [*(1 << bit for bit in range(8)), 0xFF])
def test_a_flip_anywhere_never_changes_the_tree(mask: int) -> None:
    harmless = 0
    for position in range(len(GOOD)):
        damaged = bytearray(GOOD)
        damaged[position] ^= mask
        harmless += accepted(bytes(damaged))
    assert harmless < 0.15 * len(GOOD)  # time stamps and the like: nothing that is read


def test_every_truncation_is_refused() -> None:
    assert not any(accepted(GOOD[:length]) for length in range(len(GOOD)))
    assert not any(accepted(GOOD[start:]) for start in range(1, len(GOOD)))


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.binary(max_size=4), st.integers(0, 4)), max_size=5))
@settings(max_examples=1000, deadline=None)
def test_cuts_and_insertions_never_change_the_tree(edits: list[tuple[int, bytes, int]]) -> None:
    damaged = GOOD
    for position, inserted, removed in edits:
        damaged = damaged[:position] + inserted + damaged[position + removed :]
    accepted(damaged)


@given(st.binary(max_size=300), st.binary(max_size=100))
@settings(max_examples=500, deadline=None)
def test_garbage_with_a_plausible_end_is_refused(garbage: bytes, middle: bytes) -> None:
    assert not accepted(garbage)
    assert not accepted(garbage + b"PK\x01\x02" + middle + GOOD[-22:])
    assert not accepted(garbage + b"PK\x06\x06" + middle + b"PK\x06\x07" + middle[:16].ljust(16, b"\0") + GOOD[-22:])


def test_what_is_no_zip_at_all_is_refused_in_one_sentence() -> None:
    foreign: list[Any] = [b"", b"PK", b"\x80\x04N.", b"a;b\n1;2\n" * 50, b"\x89PNG" + bytes(200)]
    for data in foreign:
        with pytest.raises(ArchiveError, match="this is not a Glaswerk file, or its end is missing: fetch it again"):
            loads(data, "model")
