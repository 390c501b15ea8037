"""Steps of sequential minimal optimisation on the dual of a support vector machine, in signed variables βᵢ = yᵢ αᵢ.

Every step moves two variables and needs the gradient the step before left, so no array operation can express them.
Cells of the kernel matrix are single precision (as they are only cached), everything that is summed is double.
"""

import numba
import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, kernel

IN_ROWS = types.Array(types.float32, 2, "C", readonly=True)
IN_NORMS = types.Array(types.float32, 1, "C", readonly=True)
CACHE = types.Array(types.float32, 2, "C")
OUT1 = types.Array(types.float64, 1, "C")
INT1, INT2 = (types.Array(types.int64, k, "C") for k in (1, 2))
BITS = types.Array(types.int32, 1, "C")
POWERS = types.Array(types.float32, 1, "C")
F8, I8, FLAG = types.float64, types.int64, types.boolean

FAST = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}
LANES = 64  # running maxima side by side: the compiler makes vectors of them, but not of one maximum
BLOCK = 512  # rows whose best is kept apart, so that its place is looked for in one block only
TINY = 1e-12  # curvature of a pair below which it counts as flat
LINEAR, POLYNOMIAL, RBF, SIGMOID, GIVEN = range(5)

LOG2_E, LN_2_HIGH, LN_2_LOW = np.float32(1.4426950408889634), np.float32(0.693359375), np.float32(-2.12194440e-4)
C6, C5, C4 = np.float32(1.3981999507e-3), np.float32(8.3334519073e-3), np.float32(4.1665795894e-2)
C3, C2 = np.float32(1.6666665459e-1), np.float32(5.0000001201e-1)
ONE, HALF, LEAST = np.float32(1.0), np.float32(0.5), np.float32(-87.0)
ZERO, CLOSED = np.float32(0.0), np.float32(-np.inf)


@numba.njit(**FAST)
def _exponentials(v, bits, powers):
    """v ← eᵛ for v ≤ 0 to seven digits: 2ᵏ times a polynomial. `powers` are the same cells as `bits`, as numbers."""
    for t in range(v.size):
        x = max(v[t], LEAST)
        k = np.floor(x * LOG2_E + HALF)
        r = (x - k * LN_2_HIGH) - k * LN_2_LOW
        p = ((((C6 * r + C5) * r + C4) * r + C3) * r + C2) * r * r + r + ONE
        v[t] = p
        bits[t] = (np.int32(k) + np.int32(127)) << np.int32(23)
    for t in range(v.size):
        v[t] *= powers[t]


@numba.njit(**FAST)
def _fill(X, norms, kind, gamma, coef0, degree, i, row, bits, powers):
    """The i-th row of the kernel matrix; X lies by columns, four of which are added at a time."""
    d = X.shape[0]
    whole = d - d % 4
    for t in range(row.size):
        row[t] = ZERO
    for j in range(0, whole, 4):
        a, b, c, e = X[j, i], X[j + 1, i], X[j + 2, i], X[j + 3, i]
        for t in range(row.size):
            row[t] += (a * X[j, t] + b * X[j + 1, t]) + (c * X[j + 2, t] + e * X[j + 3, t])
    for j in range(whole, d):
        a = X[j, i]
        for t in range(row.size):
            row[t] += a * X[j, t]
    slope, start = np.float32(gamma), np.float32(coef0)
    if kind == RBF:
        own, two = norms[i], np.float32(2.0)
        for t in range(row.size):
            row[t] = min(slope * (two * row[t] - norms[t] - own), np.float32(0.0))
        _exponentials(row, bits, powers)
    elif kind == POLYNOMIAL:
        for t in range(row.size):
            base = slope * row[t] + start
            power = ONE
            for _ in range(degree):
                power *= base
            row[t] = power
    elif kind == SIGMOID:
        for t in range(row.size):
            row[t] = np.tanh(slope * row[t] + start)


@numba.njit(**FAST)
def _touch(slot, links):
    """This slot is the one used last. links: for every slot, and a last place for both ends, (older, newer)."""
    end = links.shape[0] - 1
    links[links[slot, 0], 1], links[links[slot, 1], 0] = links[slot, 1], links[slot, 0]
    links[slot, 0], links[slot, 1] = links[end, 0], end
    links[links[end, 0], 1] = slot
    links[end, 0] = slot


@numba.njit(**FAST)
def _row(X, norms, kind, gamma, coef0, degree, i, kept, cache, slot_of, row_of, links, bits, powers):
    """Where the i-th row lies in the cache; filled where it is not there, in place of the one not used for longest."""
    slot = slot_of[i]
    if slot < 0:
        slot = links[links.shape[0] - 1, 1]
        slot = links[slot, 1] if slot == kept else slot
        if row_of[slot] >= 0:
            slot_of[row_of[slot]] = -1
        _fill(X, norms, kind, gamma, coef0, degree, i, cache[slot], bits, powers)
        slot_of[i], row_of[slot] = slot, i
    _touch(slot, links)
    return slot


@numba.njit(**FAST)
def _highest(lanes):
    """The highest of LANES values, which are used up: halves are compared at a stroke, one after another is slow."""
    for lane in range(32):
        lanes[lane] = max(lanes[lane], lanes[lane + 32])
    for lane in range(16):
        lanes[lane] = max(lanes[lane], lanes[lane + 16])
    for lane in range(8):
        lanes[lane] = max(lanes[lane], lanes[lane + 8])
    left = max(max(lanes[0], lanes[1]), max(lanes[2], lanes[3]))
    return max(left, max(max(lanes[4], lanes[5]), max(lanes[6], lanes[7])))


@numba.njit(**FAST)
def _open(beta, low, high, side, within, t, up, down):
    """Whether variable t may grow or fall, as 0 or -∞ to add to what is compared; by side, where pairs stay on one."""
    for group in range(up.shape[0]):
        here = not within or side[t] == (1.0 if group == 0 else -1.0)
        up[group, t] = ZERO if here and beta[t] < high[t] else CLOSED
        down[group, t] = ZERO if here and beta[t] > low[t] else CLOSED


@numba.njit(**FAST)
def _survey(g, up, down, ahead, behind):
    """Block by block, the largest gradient of variables that may grow and minus the least of those that may fall."""
    tops, bottoms = np.empty(LANES), np.empty(LANES)
    for b in range(ahead.size):
        tops[:] = -np.inf
        bottoms[:] = -np.inf
        for base in range(b * BLOCK, (b + 1) * BLOCK, LANES):
            for lane in range(LANES):
                here = g[base + lane]
                tops[lane] = max(tops[lane], here + up[base + lane])
                bottoms[lane] = max(bottoms[lane], down[base + lane] - here)
        ahead[b], behind[b] = _highest(tops), _highest(bottoms)


@numba.njit(**FAST)
def _move(g, length, one, other):
    """The gradient after a step."""
    for t in range(g.size):
        g[t] -= length * (one[t] - other[t])


@numba.njit(**FAST)
def _first(blocks, group):
    """The first block with the best value."""
    best = 0
    for b in range(1, blocks.shape[1]):
        if blocks[group, b] > blocks[group, best]:
            best = b
    return best


@numba.njit(**FAST)
def _gains(g, down, group, diagonal, cache, at, top, own, gain, blocks):
    """What a step with each variable that may fall would gain: (g_i - g_t)² / (K_ii + K_tt - 2K_it); block by block."""
    lanes = np.empty(LANES)
    for b in range(blocks.shape[1]):
        lanes[:] = 0.0
        for base in range(b * BLOCK, (b + 1) * BLOCK, LANES):
            for lane in range(LANES):
                t = base + lane
                lead = max(top - g[t] + down[group, t], 0.0)
                value = lead * lead / max(own + diagonal[t] - 2.0 * cache[at, t], TINY)
                gain[t] = value
                lanes[lane] = max(lanes[lane], value)
        blocks[0, b] = _highest(lanes)


@numba.njit(**FAST)
def _place(values, closed, group, best, block):
    """The first place of a block where this value stands and is open; lanes with none are passed over at a stroke."""
    for base in range(block * BLOCK, (block + 1) * BLOCK, LANES):
        hits = 0
        for lane in range(LANES):
            hits += values[base + lane] + closed[group, base + lane] == best
        if hits:
            for lane in range(LANES):
                if values[base + lane] + closed[group, base + lane] == best:
                    return base + lane
    return -1


@kernel(
    types.int64(
        IN_ROWS, IN_NORMS, I8, F8, F8, I8, IN1, IN1, IN1, IN1, FLAG, F8, I8, CACHE, INT1, INT1, INT2, BITS, POWERS,
        OUT1, OUT1, OUT1,
    ),
    reassociate=True,
)  # fmt: skip
def smo_steps(
    X, norms, kind, gamma, coef0, degree, diagonal, low, high, side, within, tolerance, most, cache, slot_of, row_of,
    links, bits, powers, beta, g, gap,
):  # fmt: skip
    """Steps of the pair that promises most, until the gradient leads by less than `tolerance`: how many were taken.

    In: X (d, n), the rows by columns, norms (n,) of them, the kernel's kind and parameters, diagonal (n,), low and high
    (n,) bounds of β, side (n,) of +1 and -1; `within`: a pair may not cross sides. n is a multiple of 512 (rows that
    fill it up have low = high = 0). In and out: cache (slots, n), slot_of (n,), row_of (slots,), links (slots + 1, 2),
    beta (n,), g (n,) which is y - K β. Work: bits, powers (n,), the same cells twice. Out: gap (1,).
    """
    n, groups = g.size, 2 if within else 1
    up, down = np.empty((groups, n), dtype=np.float32), np.empty((groups, n), dtype=np.float32)
    ahead, behind, best = np.empty((groups, n // BLOCK)), np.empty((groups, n // BLOCK)), np.empty((1, n // BLOCK))
    gain = np.empty(n)
    for t in range(n):
        _open(beta, low, high, side, within, t, up, down)
    for group in range(groups):
        _survey(g, up[group], down[group], ahead[group], behind[group])
    for step in range(most + 1):
        group, gap[0] = 0, -np.inf
        for k in range(groups):
            lead = ahead[k, _first(ahead, k)] + behind[k, _first(behind, k)]
            if lead > gap[0]:
                group, gap[0] = k, lead
        if step == most or not gap[0] >= tolerance:
            return step
        b = _first(ahead, group)
        top = ahead[group, b]
        i = _place(g, up, group, top, b)
        at = _row(X, norms, kind, gamma, coef0, degree, i, -1, cache, slot_of, row_of, links, bits, powers)
        own = diagonal[i]
        _gains(g, down, group, diagonal, cache, at, top, own, gain, best)
        b = _first(best, 0)
        if not best[0, b] > 0.0:
            return step
        j = _place(gain, down, group, best[0, b], b)
        other = _row(X, norms, kind, gamma, coef0, degree, j, at, cache, slot_of, row_of, links, bits, powers)
        length = (top - g[j]) / max(own + diagonal[j] - 2.0 * cache[at, j], TINY)
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        length = min(length, room_i, room_j)
        beta[i] = high[i] if length == room_i else beta[i] + length
        beta[j] = low[j] if length == room_j else beta[j] - length
        _open(beta, low, high, side, within, i, up, down)
        _open(beta, low, high, side, within, j, up, down)
        _move(g, length, cache[at], cache[other])
        for k in range(groups):
            _survey(g, up[k], down[k], ahead[k], behind[k])
    return most
