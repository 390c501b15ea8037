"""The boundaries of a version space: S, the least consistent hypothesis, and G, the greatest ones.

    S = {⋁ positive rows},   G = {g consistent : nothing consistent exceeds g},   V = {h : s ≤ h ≤ some g}    [BG-VS]

What two conditions share is a condition, so S has one member, and the version space is empty exactly when that member
accepts a negative row. G can grow exponentially: it is followed to a bound; S and the negative rows say all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glaswerk.stats.concepts.attributes import Ranges
from glaswerk.stats.concepts.language import Language, accepts_nothing, at_least_as_general, greatest

Flags = NDArray[np.bool_]


class TooGeneral(Exception):
    """G has more members than asked for."""


@dataclass(frozen=True, eq=False)
class Step:
    """S and G after one row; `row` counts from 0, -1 is the beginning."""

    row: int
    positive: bool
    specific: Ranges
    general: Ranges


def consistent(specific: Ranges, negatives: Ranges) -> bool:
    """Whether the least hypothesis above the positive rows refuses all negative ones."""
    return not at_least_as_general(specific[None], negatives).any()


def collapse_at(language: Language, rows: Ranges, positive: Flags) -> int | None:
    """The first row with which no hypothesis is left, or None. Consistency only falls, so it is found by halving."""

    def stands(n: int) -> bool:
        head = rows[:n]
        return consistent(language.join(head[positive[:n]]), head[~positive[:n]])

    if stands(len(rows)):
        return None
    good, bad = 0, len(rows)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if stands(middle) else (good, middle)
    return bad - 1


def culprits(language: Language, rows: Ranges, positive: Flags) -> NDArray[np.intp]:
    """The rows of which each, left out alone, makes the rest consistent."""
    yes, no = np.flatnonzero(positive), np.flatnonzero(~positive)
    whole = language.join(rows[yes])
    wrong = no[at_least_as_general(whole[None], rows[no])[0]]
    found = list(wrong) if len(wrong) == 1 else []
    if len(yes):
        without = _joins_without_one(language, rows[yes])
        kinds, back = np.unique(without.reshape(len(yes), -1), axis=0, return_inverse=True)
        fine: Flags = np.logical_not(np.any(at_least_as_general(kinds.reshape(-1, *whole.shape), rows[wrong]), axis=1))
        found += list(yes[fine[back.reshape(-1)]])
    return np.sort(np.array(found, dtype=np.intp))


def _joins_without_one(language: Language, rows: Ranges) -> Ranges:
    """For every row the least hypothesis above all the others."""
    if len(rows) == 1:
        return language.nothing[None]
    far = np.iinfo(np.int64).max
    low, high = rows[..., 0], -rows[..., 1]
    ends = []
    for part in (low, high):
        edge = np.full((1, part.shape[1]), far)
        before = np.vstack([edge, np.minimum.accumulate(part, axis=0)[:-1]])
        after = np.vstack([np.minimum.accumulate(part[::-1], axis=0)[::-1][1:], edge])
        ends.append(np.minimum(before, after))
    return language.closure(np.stack([ends[0], -ends[1]], axis=-1))


def specialised(language: Language, general: Ranges, specific: Ranges, row: Ranges, most: int) -> Ranges:
    """[BG-ELIM] The greatest hypotheses below `general` and above `specific` that refuse `row`."""
    accepts = at_least_as_general(general, row[None])[:, 0]
    kept, broken = general[~accepts], general[accepts]
    if not len(broken):
        return kept
    candidates = []
    for j, attribute in enumerate(language.attributes):
        if row[j, 0] != row[j, 1]:
            continue
        kinds, back = np.unique(broken[:, j], axis=0, return_inverse=True)
        for k, within in enumerate(kinds):
            for less in attribute.without(within, int(row[j, 0])):
                made = broken[back.reshape(-1) == k].copy()
                made[:, j] = less
                candidates.append(made)
    made = np.concatenate(candidates) if candidates else broken[:0]
    made = made[at_least_as_general(made, specific[None])[:, 0]]
    made = made[~at_least_as_general(kept, made).any(axis=0)] if len(kept) else made
    if len(kept) + len(made) > most * len(language.attributes) * 2:
        raise TooGeneral
    found = np.concatenate([kept, greatest(made)])
    if len(found) > most:
        raise TooGeneral
    if not len(found) and accepts_nothing(specific[None])[0]:
        return language.nothing[None]
    return found


def general_boundary(language: Language, specific: Ranges, negatives: Ranges, most: int) -> Ranges | None:
    """G for rows that are consistent; None where it has more than `most` members."""
    general = language.top[None]
    try:
        for row in telling(language, specific, negatives):
            general = specialised(language, general, specific, row, most)
    except TooGeneral:
        return None
    return greatest(general)


def telling(language: Language, specific: Ranges, negatives: Ranges) -> Ranges:
    """The negative rows that say something the others do not: nearest to S first.

    Above S all that counts of a negative row is how far each condition may grow without it. A row that allows more,
    everywhere, than another one follows from that one.
    """
    if not len(negatives):
        return negatives
    if accepts_nothing(specific[None])[0]:
        return np.unique(negatives.reshape(len(negatives), -1), axis=0).reshape(-1, *specific.shape)
    escapes = np.stack([_escapes(language, specific, negatives, j) for j in range(len(specific))], axis=1)
    _, first = np.unique(escapes.reshape(len(negatives), -1), axis=0, return_index=True)
    rows, escapes = negatives[first], escapes[first]
    below = _allow_no_more(escapes)
    strict = below & ~below.T
    kept = ~strict.any(axis=0)
    rows, escapes = rows[kept], escapes[kept]
    allowed = (escapes[..., 0] <= escapes[..., 1]).sum(axis=1)
    return rows[np.argsort(allowed, kind="stable")]


def _escapes(language: Language, specific: Ranges, negatives: Ranges, j: int) -> Ranges:
    """For every negative row the greatest condition above S that refuses its value of attribute j; ∅ where none."""
    attribute = language.attributes[j]
    kinds, back = np.unique(negatives[:, j], axis=0, return_inverse=True)
    found = np.tile(np.array([1, 0], dtype=np.int64), (len(kinds), 1))
    for k, (low, high) in enumerate(kinds):
        if low != high:
            continue
        for less in attribute.without(np.array(attribute.everything), int(low)):
            if less[0] <= specific[j, 0] and less[1] >= specific[j, 1]:
                found[k] = less
    return found[back.reshape(-1)]


def _allow_no_more(escapes: Ranges) -> Flags:
    """(m, m): whether what row a allows lies within what row b allows, attribute by attribute."""
    found = np.empty((len(escapes), len(escapes)), dtype=bool)
    for k, own in enumerate(escapes):
        inside = (own[:, 0] >= escapes[..., 0]) & (own[:, 1] <= escapes[..., 1])
        found[k] = (inside | (own[:, 0] > own[:, 1])).all(axis=1)
    return found


def eliminate(language: Language, rows: Ranges, positive: Flags, most: int) -> Iterator[Step]:
    """[BG-ELIM] S and G after every row, in their order; ends where no hypothesis is left or G passes `most`.

    The script generalises S and specialises G; what it leaves out is done here: a positive row also strikes members of
    G that refuse it, a negative one also S if it accepts it, and of both only the least and the greatest stay.
    """
    specific, general = language.nothing, language.top[None]
    yield Step(-1, False, specific, general)
    for k, (row, yes) in enumerate(zip(rows, positive, strict=True)):
        if yes:
            specific = language.join(np.stack([row] if accepts_nothing(specific[None])[0] else [specific, row]))
            general = general[at_least_as_general(general, specific[None])[:, 0]]
        elif at_least_as_general(specific[None], row[None])[0, 0]:
            general = general[:0]
        else:
            try:
                general = specialised(language, general, specific, row, most)
            except TooGeneral:
                return
        yield Step(k, bool(yes), specific, general)
        if not len(general):
            return
