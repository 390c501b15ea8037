"""Error-free sums and products: the two doubles whose sum is exactly a + b or a · b.

A pair (high, low) carries about 32 digits. Nothing here may be compiled with reassociation: the errors would vanish.
"""

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def fused(typing_context, a, b, c):  # noqa: ARG001 - numba prescribes the arguments
    """a · b + c with a single rounding: one instruction where the processor has it, exact everywhere."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), build


@numba.njit(inline="always", error_model="numpy")
def two_sum(a, b):
    """Knuth: a + b = total + error exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@numba.njit(inline="always", error_model="numpy")
def two_product(a, b):
    """a · b = product + error exactly."""
    product = a * b
    return product, fused(a, b, -product)


@numba.njit(inline="always", error_model="numpy")
def pair_add(a, a_low, b, b_low):
    """Sum of two pairs, normalised."""
    high, error = two_sum(a, b)
    error += a_low + b_low
    total = high + error
    return total, error - (total - high)


@numba.njit(inline="always", error_model="numpy")
def pair_multiply(a, a_low, b, b_low):
    """Product of two pairs, normalised."""
    high, error = two_product(a, b)
    error += a * b_low + a_low * b
    total = high + error
    return total, error - (total - high)


@numba.njit(inline="always", error_model="numpy")
def pair_divide(a, a_low, b, b_low):
    """Quotient of two pairs: one double quotient, corrected twice by its remainder."""
    first = a / b
    product, product_low = pair_multiply(first, 0.0, b, b_low)
    rest, rest_low = pair_add(a, a_low, -product, -product_low)
    second = rest / b
    product, product_low = pair_multiply(second, 0.0, b, b_low)
    rest, rest_low = pair_add(rest, rest_low, -product, -product_low)
    high, low = two_sum(first, second)
    return pair_add(high, low, rest / b, 0.0)


@numba.njit(inline="always", error_model="numpy")
def pair_root(a, a_low):
    """Square root of a positive pair: one Newton step from the double root doubles its digits."""
    root = a**0.5
    square, square_low = two_product(root, root)
    rest, _ = pair_add(a, a_low, -square, -square_low)
    return two_sum(root, rest / (2.0 * root))
