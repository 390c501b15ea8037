"""Rounds of k-means over tiles: the nearest centre of every row (E), the mean of the rows of each centre (M).

Only rows that change their centre touch the sums. A table of one block goes through its rounds without leaving here;
of a larger one every block takes its E step, and the M step follows when their sums are added.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, IN2, OUT2, kernel
from glaswerk.kernels.tiles import IN3, LABELS, OUT1, OUT3
from glaswerk.kernels.vectors import FOUR, GROUP, LANES, lowest_bit, nearest_far, nearest_short

EPS = float(np.finfo(np.float64).eps)
SETTLED, STILL, EMPTY, ROUNDED, USED_UP = 0.0, 1.0, 2.0, 3.0, 4.0  # why rounds ended: the last three are not the end


@numba.njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _error(rows, weight, best, squares, direct):
    total = 0.0
    if weight.size:
        for i in range(rows):
            total += weight[i] * (best[i] + (0.0 if direct else squares[i]))
    elif direct:
        for i in range(rows):
            total += best[i]
    else:
        for i in range(rows):
            total += best[i] + squares[i]
    return total


@numba.njit(error_model="numpy")
def _settle(tile, rows, weight, which, differ, labels, sums, count):
    """Rows that changed their centre leave the sums of the old and enter those of the new; how many did."""
    d, changed = tile.shape[0], 0
    for group in range(differ.size):
        bits, start = differ[group], group * GROUP
        while bits:
            i = start + lowest_bit(bits)
            bits &= bits - 1
            if i >= rows:
                break
            changed += 1
            now, before = which[i], labels[i]
            w = weight[i] if weight.size else 1.0
            labels[i] = now
            count[now] += w
            if before < 0:
                for j in range(d):
                    sums[now, j] += w * tile[j, i]
            else:
                count[before] -= w
                for j in range(d):
                    x = w * tile[j, i]
                    sums[now, j] += x
                    sums[before, j] -= x
    return changed


@numba.njit(error_model="numpy")
def _padded(centres, direct, at, norms):
    """What rows are multiplied with: -2 c and ‖c‖², or c itself and 0; padding is infinitely far."""
    k, d = centres.shape
    at[k:] = 0.0
    norms[k:] = np.inf
    for c in range(k):
        norms[c] = 0.0
        for j in range(d):
            at[c, j] = centres[c, j] if direct else -2.0 * centres[c, j]
            if not direct:
                norms[c] += centres[c, j] * centres[c, j]


@numba.njit(error_model="numpy")
def _assign(cells, squares, rows, weight, centres, direct, labels, sums, count, told):
    best, which, differ = np.empty(LANES), np.empty(LANES, np.int32), np.empty(LANES // GROUP, np.int64)
    padded = -(-centres.shape[0] // FOUR) * FOUR
    at, norms, near = np.empty((padded, centres.shape[1])), np.empty(padded), np.empty((centres.shape[1], GROUP))
    _padded(centres, direct, at, norms)
    for t in range(cells.shape[0]):
        start = t * LANES
        held = min(LANES, rows - start)
        of = weight[start : start + held] if weight.size else weight
        now = labels[start : start + LANES]
        if direct:
            nearest_far(cells[t], at, norms, now, best, which, differ, near)
        else:
            nearest_short(cells[t], at, norms, now, best, which, differ, near)
        told[0] += _error(held, of, best, squares[t], direct)
        told[1] += _settle(cells[t], held, of, which, differ, now, sums, count)


@numba.njit(error_model="numpy")
def _move(centres, count, sums, moved, told):
    """Centres at the means of their rows. told: Σ ‖Δw‖², Σ (2 s'w - n ‖w‖²), max ‖w‖², centres without rows."""
    told[:] = 0.0
    for c in range(centres.shape[0]):
        away, cross, length = 0.0, 0.0, 0.0
        for j in range(centres.shape[1]):
            to = sums[c, j] / count[c] if count[c] > 0.0 else centres[c, j]
            away += (to - centres[c, j]) * (to - centres[c, j])
            cross += to * sums[c, j]
            length += to * to
            moved[c, j] = to
        told[0] += away
        told[1] += 2.0 * cross - count[c] * length
        told[2] = max(told[2], length)
        told[3] += count[c] <= 0.0


@kernel(types.void(IN3, OUT2, types.int64, IN1, IN2, types.boolean, LABELS, OUT2, OUT1, OUT1))
def assign_rows(cells, squares, rows, weight, centres, direct, labels, sums, count, told):
    """The nearest centre of every row, and what the rows that changed theirs say to the sums.

    In: cells (tiles, d, LANES), squares (tiles, LANES), rows: how many of the lanes count, weight (rows,) or (0,),
    centres (k, d), `direct`: whether distances are taken in their long form.
    In and out: labels (tiles · LANES,), -1 for none yet, sums (k, d), count (k,), told (2,): Σ w ‖x - c‖², changed.
    """
    _assign(cells, squares, rows, weight, centres, direct, labels, sums, count, told)


@kernel(types.void(IN2, IN1, IN2, OUT2, OUT1))
def move_centres(centres, count, sums, moved, told):
    """The M step. In: centres (k, d), Σ w (k,), Σ w x (k, d). Out: moved (k, d); told (4,) as `_move` says."""
    _move(centres, count, sums, moved, told)


@kernel(types.void(IN3, OUT2, types.int64, IN1, IN1, types.boolean, LABELS, OUT2, OUT1, OUT2, OUT2, OUT3, OUT1))
def run_rounds(cells, squares, rows, weight, given, direct, labels, sums, count, centres, log, trail, ended):
    """Rounds until no row changes, the centres move by no more than is given, or Python must decide.

    In: as `assign_rows`; given (5,): bound of ‖Δw‖², Σ w, Σ w ‖x‖², max ‖x‖², the share of J that may round off.
    In and out: labels, sums (k, d), count (k,), centres (k, d); log (rounds, 4): J after E, J after M, changed,
    ‖Δw‖²; trail (rounds, k, d) or (0, k, d): centres after every round. Out: ended (3,): rounds done, why, and how many
    rows changed in a round left undone: its E step found a centre without rows, or a J that rounds off.
    """
    tol, total_weight, total, longest, share = given
    told, moves, moved = np.zeros(2), np.zeros(4), np.empty_like(centres)
    reach = 0.0
    for c in range(centres.shape[0]):
        length = 0.0
        for j in range(centres.shape[1]):
            length += centres[c, j] * centres[c, j]
        reach = max(reach, length)
    ended[:] = 0.0, USED_UP, 0.0
    for turn in range(log.shape[0]):
        told[:] = 0.0
        _assign(cells, squares, rows, weight, centres, direct, labels, sums, count, told)
        _move(centres, count, sums, moved, moves)
        if not direct and EPS * max(longest, reach) * total_weight > share * told[0]:
            ended[1:] = ROUNDED, told[1]
            return
        if moves[3] > 0.0:
            ended[1:] = EMPTY, told[1]
            return
        centres[:] = moved
        reach = moves[2]
        log[turn] = told[0], max(0.0, total - moves[1]), told[1], moves[0]
        if trail.shape[0]:
            trail[turn] = centres
        ended[0] = turn + 1
        if told[1] == 0.0 or moves[0] <= tol:
            ended[1] = SETTLED if told[1] == 0.0 else STILL
            return
