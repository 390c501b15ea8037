"""Explicit vectors: what the compiler does not find by itself, sums of products that stay in registers.

A vector lane is a row. Sixteen sums (four centres or components, four vectors of rows) are kept in registers while the
features stream past, so that every number loaded is used four times: twice to five times the loop that LLVM makes of
nested lanes. Which numbers are added in which order does not depend on the width of the registers.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 256
WIDE = bool(binding.get_host_cpu_features().get("avx512f"))
WIDTH = 8  # doubles in a vector, also where the processor takes them in halves: so sums over lanes have the same bits
VECTORS = 4 if WIDE else 1  # vectors of rows at once: with FOUR sums of each they fill the registers, and do not spill
FOUR = 4  # centres, components, features at once: callers pad their number to a multiple of it
DOUBLE, WHOLE, INDEX = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
VECTOR, NAMES = ir.VectorType(DOUBLE, WIDTH), ir.VectorType(INDEX, WIDTH)
GROUP = WIDTH * VECTORS  # rows at once
CLOSE = 12  # features up to which a group of rows is read where it lies


class Lanes:
    """Writes code on vectors of lanes."""

    def __init__(self, context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> None:
        self.builder = builder
        kinds = zip(signature.args, arguments, strict=True)
        self.arrays = [context.make_array(kind)(context, builder, argument) for kind, argument in kinds]
        kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
        self.fused = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{WIDTH}f64")

    def length(self, array: int, axis: int) -> Any:
        return cgutils.unpack_tuple(self.builder, self.arrays[array].shape)[axis]

    @contextmanager
    def counting(self, stop: Any, step: int) -> Iterator[Any]:
        with cgutils.for_range_slice(self.builder, WHOLE(0), stop, WHOLE(step), intp=WHOLE) as (at, _):
            yield at

    def place(self, row: Any, columns: Any, column: Any) -> Any:
        return self.builder.add(self.builder.mul(row, columns), column)

    def after(self, at: Any, k: int) -> Any:
        return self.builder.add(at, WHOLE(k))

    def number(self, array: int, place: Any) -> Any:
        """One number, in every lane."""
        found = self.builder.load(self.builder.gep(self.arrays[array].data, [place]))
        return self.everywhere(found)

    def everywhere(self, number: Any) -> Any:
        empty = ir.Constant(VECTOR, ir.Undefined)
        one = self.builder.insert_element(empty, number, INDEX(0))
        return self.builder.shuffle_vector(one, empty, ir.Constant(ir.VectorType(INDEX, WIDTH), [0] * WIDTH))

    def _pointer(self, array: int, place: Any, kind: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(self.arrays[array].data, [place]), kind.as_pointer())

    def vector_at(self, start: Any, place: Any) -> Any:
        found = self.builder.load(self.builder.bitcast(self.builder.gep(start, [place]), VECTOR.as_pointer()))
        found.align = 4
        return found

    def read(self, array: int, place: Any, kind: Any = VECTOR) -> Any:
        found = self.builder.load(self._pointer(array, place, kind))
        found.align = 4
        return found

    def write(self, found: Any, array: int, place: Any) -> None:
        self.builder.store(found, self._pointer(array, place, found.type)).align = 4

    def slots(self, number: int = VECTORS) -> list[Any]:
        """Vectors that change: the compiler keeps them in registers."""
        return [cgutils.alloca_once(self.builder, VECTOR) for _ in range(number)]

    def add_product(self, slot: Any, a: Any, b: Any) -> None:
        self.builder.store(self.builder.call(self.fused, [a, b, self.builder.load(slot)]), slot)


def constant(value: float) -> Any:
    return ir.Constant(VECTOR, [value] * WIDTH)


def _nearby(lanes: Lanes, lane: Any, near: int) -> tuple[Any, Any]:
    """Where the rows of a group begin and how far apart their features are: copied together, where there are many.

    Features of a tile lie 2,048 bytes apart, and a first-level cache has place for only a dozen or so at that distance.
    """
    build, features = lanes.builder, lanes.length(0, 0)
    many = build.icmp_signed(">", features, WHOLE(CLOSE))
    with build.if_then(many), lanes.counting(features, 1) as j:
        for v in range(VECTORS):
            found = lanes.read(0, lanes.after(lanes.place(j, WHOLE(LANES), lane), v * WIDTH))
            lanes.write(found, near, lanes.after(build.mul(j, WHOLE(GROUP)), v * WIDTH))
    there = build.gep(lanes.arrays[0].data, [lane])
    return build.select(many, lanes.arrays[near].data, there), build.select(many, WHOLE(GROUP), WHOLE(LANES))


def _sum_features(
    lanes: Lanes, rows_at: tuple[Any, Any], centre: Any, sums: list[list[Any]], far: bool = False, upto: Any = None
) -> None:
    """sums[q][v] += Σ_j at[centre + q, j] · x[j, lanes v]; with `far` += (x - at)². Array 1: at.

    j runs over the columns of `at`, or `upto` some column.
    """
    build, features = lanes.builder, lanes.length(1, 1)
    start, apart = rows_at
    with lanes.counting(features if upto is None else upto, 1) as j:
        place = build.mul(j, apart)
        rows = [lanes.vector_at(start, lanes.after(place, v * WIDTH)) for v in range(VECTORS)]
        for q in range(FOUR):
            at = lanes.number(1, lanes.place(lanes.after(centre, q), features, j))
            for v in range(VECTORS):
                if far:
                    away = build.fsub(rows[v], at)
                    lanes.add_product(sums[q][v], away, away)
                else:
                    lanes.add_product(sums[q][v], at, rows[v])


def _nearest(lanes: Lanes, far: bool) -> None:
    """Arrays: 0 tile (d, LANES), 1 at (k, d), 2 norms (k,); 3 labels, 4 best, 5 which (LANES,); 6 differ, 7 near."""
    build = lanes.builder
    sums, best, which = [lanes.slots() for _ in range(FOUR)], lanes.slots(), lanes.slots()
    with lanes.counting(WHOLE(LANES), WIDTH * VECTORS) as lane:
        for v in range(VECTORS):
            build.store(constant(float("inf")), best[v])
            build.store(constant(0.0), which[v])
        rows_at = _nearby(lanes, lane, 7)
        with lanes.counting(lanes.length(1, 0), FOUR) as centre:
            for q in range(FOUR):
                norm = lanes.number(2, lanes.after(centre, q))
                for v in range(VECTORS):
                    build.store(norm, sums[q][v])
            _sum_features(lanes, rows_at, centre, sums, far)
            for q in range(FOUR):
                name = lanes.everywhere(build.sitofp(lanes.after(centre, q), DOUBLE))
                for v in range(VECTORS):
                    score, so_far = build.load(sums[q][v]), build.load(best[v])
                    nearer = build.fcmp_ordered("<", score, so_far)
                    build.store(build.select(nearer, score, so_far), best[v])
                    build.store(build.select(nearer, name, build.load(which[v])), which[v])
        differ = WHOLE(0)
        for v in range(VECTORS):
            place = lanes.after(lane, v * WIDTH)
            names = build.fptosi(build.load(which[v]), NAMES)
            lanes.write(build.load(best[v]), 4, place)
            lanes.write(names, 5, place)
            bits = build.icmp_signed("!=", names, lanes.read(3, place, NAMES))
            bits = build.zext(build.bitcast(bits, ir.IntType(WIDTH)), WHOLE)
            differ = build.or_(differ, build.shl(bits, WHOLE(v * WIDTH)))
        build.store(differ, build.gep(lanes.arrays[6].data, [build.udiv(lane, WHOLE(GROUP))]))


def _products(lanes: Lanes, lower: bool) -> None:
    """Arrays: 0 tile (d, LANES), 1 at (k, <= d), 2 found (k, LANES), 3 near. `lower`: at[c, j] for j <= c."""
    build = lanes.builder
    sums = [lanes.slots() for _ in range(FOUR)]
    with lanes.counting(WHOLE(LANES), GROUP) as lane:
        rows_at = _nearby(lanes, lane, 3)
        with lanes.counting(lanes.length(1, 0), FOUR) as row:
            for q in range(FOUR):
                for v in range(VECTORS):
                    build.store(constant(0.0), sums[q][v])
            end, all_of_them = lanes.after(row, FOUR), lanes.length(1, 1)
            upto = build.select(build.icmp_signed("<", end, all_of_them), end, all_of_them) if lower else None
            _sum_features(lanes, rows_at, row, sums, upto=upto)
            for q in range(FOUR):
                place = lanes.place(lanes.after(row, q), WHOLE(LANES), lane)
                for v in range(VECTORS):
                    lanes.write(build.load(sums[q][v]), 2, lanes.after(place, v * WIDTH))


def _sum_of_lanes(build: ir.IRBuilder, vector: Any) -> Any:
    """Halves are added to halves, so that the order is the same everywhere."""
    width = WIDTH
    while width > 1:
        width //= 2
        empty = ir.Constant(vector.type, ir.Undefined)
        low, high = (
            build.shuffle_vector(vector, empty, ir.Constant(ir.VectorType(INDEX, width), list(range(at, at + width))))
            for at in (0, width)
        )
        vector = build.fadd(low, high)
    return build.extract_element(vector, INDEX(0))


def _contract(lanes: Lanes, lower: bool) -> None:
    """Arrays: 0 a (k, LANES), 1 b (p, LANES), 2 stop (1,): lanes that count, 3 sums (>= k, >= p)."""
    build = lanes.builder
    sums = [lanes.slots(VECTORS) for _ in range(FOUR)]
    stop, width = build.load(lanes.arrays[2].data), lanes.length(3, 1)
    with lanes.counting(lanes.length(0, 0), FOUR) as row:
        columns = lanes.after(row, FOUR) if lower else lanes.length(1, 0)
        with lanes.counting(columns, VECTORS) as column:
            for q in range(FOUR):
                for r in range(VECTORS):
                    build.store(constant(0.0), sums[q][r])
            with lanes.counting(stop, WIDTH) as lane:
                right = [lanes.read(1, lanes.place(lanes.after(column, r), WHOLE(LANES), lane)) for r in range(VECTORS)]
                for q in range(FOUR):
                    left = lanes.read(0, lanes.place(lanes.after(row, q), WHOLE(LANES), lane))
                    for r in range(VECTORS):
                        lanes.add_product(sums[q][r], left, right[r])
            for q in range(FOUR):
                place = lanes.place(lanes.after(row, q), width, column)
                for r in range(VECTORS):
                    at = build.gep(lanes.arrays[3].data, [lanes.after(place, r)])
                    build.store(build.fadd(build.load(at), _sum_of_lanes(build, build.load(sums[q][r]))), at)


def _over(tile: Any, *others: Any) -> Any:
    return types.void(tile, *others)


def _builder(write: Callable[..., None], *options: Any) -> Callable:
    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        write(Lanes(context, builder, signature, arguments), *options)
        return context.get_dummy_value()

    return build


@intrinsic
def nearest_short(typing_context, tile, at, norms, labels, best, which, differ, near):  # noqa: ARG001
    """For every lane the least norms[k] + at[k] · x, and the first k that has it; k a multiple of FOUR.

    differ: one number for each GROUP of lanes, a bit for each lane whose k is not its label; near (d, GROUP): scratch.
    """
    return _over(tile, at, norms, labels, best, which, differ, near), _builder(_nearest, False)


@intrinsic
def nearest_far(typing_context, tile, at, norms, labels, best, which, differ, near):  # noqa: ARG001
    """As `nearest_short`, of norms[k] + ‖x - at[k]‖²: for groups so far apart that the short form rounds off."""
    return _over(tile, at, norms, labels, best, which, differ, near), _builder(_nearest, True)


@intrinsic
def lowest_bit(typing_context, bits):  # noqa: ARG001 - numba prescribes the arguments
    """The number of the lowest bit that is set."""

    def build(context, builder: ir.IRBuilder, signature, arguments):  # noqa: ARG001 - numba prescribes the arguments
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.int64), build


@intrinsic
def products(typing_context, tile, at, found, near):  # noqa: ARG001 - numba prescribes the arguments
    """found[c] = Σ_j at[c, j] tile[j] in every lane, j over the columns of `at`; its rows a multiple of FOUR.

    near (rows of tile, GROUP): scratch.
    """
    return _over(tile, at, found, near), _builder(_products, False)


@intrinsic
def products_lower(typing_context, tile, at, found, near):  # noqa: ARG001 - numba prescribes the arguments
    """As `products`, where `at` is a lower triangle: half the work."""
    return _over(tile, at, found, near), _builder(_products, True)


@intrinsic
def contract(typing_context, a, b, stop, sums):  # noqa: ARG001 - numba prescribes the arguments
    """sums[i, j] += Σ a[i] b[j] over the lanes before stop[0], a multiple of 8; rows of a and b multiples of FOUR."""
    return _over(a, b, stop, sums), _builder(_contract, False)


@intrinsic
def contract_lower(typing_context, a, b, stop, sums):  # noqa: ARG001 - numba prescribes the arguments
    """As `contract`, of the lower triangle alone."""
    return _over(a, b, stop, sums), _builder(_contract, True)
