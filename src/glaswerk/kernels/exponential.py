"""e^x for x <= 0 without a branch, so that loops over it become vectors: a call of the library's does not."""

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

MAGIC = 6755399441055744.0  # 1.5 · 2^52: adding it leaves the nearest whole number in the low bits
LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
ONE = np.int64(1023) << np.int64(52)
LEAST = -708.0  # below it e^x is not a normal number: 0 is returned


@intrinsic
def _bits(typing_context, number):  # noqa: ARG001 - numba prescribes the arguments
    """The 64 bits of a double."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), build


@intrinsic
def _double(typing_context, bits):  # noqa: ARG001 - numba prescribes the arguments
    """The double with these bits."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), build


@numba.njit(inline="always", error_model="numpy")
def exponential(x):
    """e^x for x <= 0 by x = n ln 2 + r and thirteen terms: within two last digits, and without a branch.

    The caller may not reassociate: adding and subtracting MAGIC would cancel.
    """
    held = max(x, LEAST)
    shifted = held * LOG2E + MAGIC
    n = shifted - MAGIC
    r = (held - n * LN2_HIGH) - n * LN2_LOW
    p = 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    power = _double((_bits(shifted) << np.int64(52)) + ONE)
    return p * power if x >= LEAST else 0.0
