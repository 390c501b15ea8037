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
INT1 = types.Array(types.int64, 1, "C")
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
    """The i-th row of the kernel matrix."""
    np.dot(X, X[i], row)
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
def _row(X, norms, kind, gamma, coef0, degree, i, kept, cache, slot_of, row_of, used, clock, bits, powers):
    """Where the i-th row lies in the cache; filled where it is not there, in place of the one not used for longest."""
    if slot_of[i] < 0:
        slot = -1
        for s in range(row_of.size):
            if s != kept and (slot < 0 or used[s] < used[slot]):
                slot = s
        if row_of[slot] >= 0:
            slot_of[row_of[slot]] = -1
        _fill(X, norms, kind, gamma, coef0, degree, i, cache[slot], bits, powers)
        slot_of[i], row_of[slot] = slot, i
    used[slot_of[i]] = clock
    return slot_of[i]


@numba.njit(**FAST)
def _highest(lanes):
    best = lanes[0]
    for lane in range(1, lanes.size):
        best = max(best, lanes[lane])
    return best


@numba.njit(**FAST)
def _ahead(g, beta, high, side, sign, blocks):
    """The largest gradient among variables that may grow (of one side only where sign is not 0), block by block."""
    lanes = np.empty(LANES)
    for b in range(blocks.size):
        lanes[:] = -np.inf
        for base in range(b * BLOCK, (b + 1) * BLOCK, LANES):
            for lane in range(LANES):
                t = base + lane
                open_ = beta[t] < high[t] and (sign == 0.0 or side[t] == sign)
                lanes[lane] = max(lanes[lane], g[t] if open_ else -np.inf)
        blocks[b] = _highest(lanes)


@numba.njit(**FAST)
def _behind(g, beta, low, side, sign, blocks):
    """Minus the smallest gradient among variables that may fall, block by block."""
    lanes = np.empty(LANES)
    for b in range(blocks.size):
        lanes[:] = -np.inf
        for base in range(b * BLOCK, (b + 1) * BLOCK, LANES):
            for lane in range(LANES):
                t = base + lane
                open_ = beta[t] > low[t] and (sign == 0.0 or side[t] == sign)
                lanes[lane] = max(lanes[lane], -g[t] if open_ else -np.inf)
        blocks[b] = _highest(lanes)


@numba.njit(**FAST)
def _first(blocks):
    """The first block with the best value."""
    best = 0
    for b in range(1, blocks.size):
        if blocks[b] > blocks[best]:
            best = b
    return best


@numba.njit(**FAST)
def _gains(g, beta, low, side, sign, diagonal, row, top, own, blocks):
    """What a step with each variable that may fall would gain, block by block: (g_i - g_t)² / (K_ii + K_tt - 2K_it)."""
    lanes = np.empty(LANES)
    for b in range(blocks.size):
        lanes[:] = 0.0
        for base in range(b * BLOCK, (b + 1) * BLOCK, LANES):
            for lane in range(LANES):
                t = base + lane
                lanes[lane] = max(
                    lanes[lane], _gain(g[t], beta[t], low[t], side[t], sign, diagonal[t], row[t], top, own)
                )
        blocks[b] = _highest(lanes)


@numba.njit(**FAST)
def _gain(g, beta, low, side, sign, diagonal, cell, top, own):
    lead = top - g
    open_ = beta > low and lead > 0.0 and (sign == 0.0 or side == sign)
    return lead * lead / max(own + diagonal - 2.0 * cell, TINY) if open_ else 0.0


@numba.njit(**FAST)
def _grower(g, beta, high, side, sign, block, best):
    for t in range(block * BLOCK, (block + 1) * BLOCK):
        if beta[t] < high[t] and g[t] == best and (sign == 0.0 or side[t] == sign):
            return t
    return -1


@numba.njit(**FAST)
def _partner(g, beta, low, side, sign, diagonal, row, top, own, block):
    found, best = -1, 0.0
    for t in range(block * BLOCK, (block + 1) * BLOCK):
        gain = _gain(g[t], beta[t], low[t], side[t], sign, diagonal[t], row[t], top, own)
        if gain > best:
            found, best = t, gain
    return found


@numba.njit(**FAST)
def _survey(g, beta, low, high, side, sign, up, down):
    """By how much the best variable to grow is ahead of the best to fall; both block by block."""
    _ahead(g, beta, high, side, sign, up)
    _behind(g, beta, low, side, sign, down)
    return up[_first(up)] + down[_first(down)]


@kernel(
    types.int64(
        IN_ROWS, IN_NORMS, I8, F8, F8, I8, IN1, IN1, IN1, IN1, FLAG, F8, I8, CACHE, INT1, INT1, INT1, BITS, POWERS,
        OUT1, OUT1, OUT1,
    ),
    reassociate=True,
)  # fmt: skip
def smo_steps(
    X, norms, kind, gamma, coef0, degree, diagonal, low, high, side, within, tolerance, most, cache, slot_of, row_of,
    used, bits, powers, beta, g, gap,
):  # fmt: skip
    """Steps of the pair that promises most, until the gradient leads by less than `tolerance`: how many were taken.

    In: X (n, d), norms (n,) of its rows, the kernel's kind and parameters, diagonal (n,), low and high (n,) bounds of
    β, side (n,) of +1 and -1; `within`: a pair may not cross sides. n is a multiple of 512 (rows that fill it up have
    low = high = 0). In and out: cache (slots, n), slot_of (n,), row_of (slots,), used (slots,), beta (n,), g (n,) which
    is y - K β. Work: bits, powers (n,), the same cells twice. Out: gap (1,).
    """
    up, down = np.empty(g.size // BLOCK), np.empty(g.size // BLOCK)
    clock = np.int64(0)
    for s in range(used.size):
        clock = max(clock, used[s])
    for step in range(most + 1):
        sign = 0.0
        if within:
            behind = _survey(g, beta, low, high, side, -1.0, up, down)
            sign = 1.0 if _survey(g, beta, low, high, side, 1.0, up, down) >= behind else -1.0
        gap[0] = _survey(g, beta, low, high, side, sign, up, down)
        if step == most or not gap[0] >= tolerance:
            return step
        b = _first(up)
        top = up[b]
        i = _grower(g, beta, high, side, sign, b, top)
        clock += 1
        at = _row(X, norms, kind, gamma, coef0, degree, i, -1, cache, slot_of, row_of, used, clock, bits, powers)
        own = diagonal[i]
        _gains(g, beta, low, side, sign, diagonal, cache[at], top, own, down)
        j = _partner(g, beta, low, side, sign, diagonal, cache[at], top, own, _first(down))
        if j < 0:
            return step
        other = _row(X, norms, kind, gamma, coef0, degree, j, at, cache, slot_of, row_of, used, clock, bits, powers)
        ki, kj = cache[at], cache[other]
        length = (top - g[j]) / max(own + diagonal[j] - 2.0 * ki[j], TINY)
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        length = min(length, room_i, room_j)
        beta[i] = high[i] if length == room_i else beta[i] + length
        beta[j] = low[j] if length == room_j else beta[j] - length
        for t in range(g.size):
            g[t] -= length * (ki[t] - kj[t])
    return most
