"""Speed of exact k-means with many columns, from the same start over the same rounds, at an equal error."""

import numpy as np

from benchmarks.claims.kmeans import rounds
from benchmarks.harness import Case, Plan

SENTENCE = "exact k-means with 50 columns and more is never slower than scikit-learn's Lloyd, nor with rows in float32"
SIZES = ((100_000, 50, 64), (100_000, 100, 64))


def cases(plan: Plan) -> list[Case]:
    sizes = ((5_000, 50, 8),) if plan.quick else SIZES
    found = [Case(f"{n} x {d}, k={k}, Lloyd", rounds(n, d, k, "lloyd", plan)) for n, d, k in sizes]
    if not plan.quick:
        found += [
            Case(f"100000 x {d}, k=64, float32", rounds(100_000, d, 64, "lloyd", plan, np.float32)) for d in (50, 100)
        ]
    return found
