"""Weakest links: from a full tree to its root, always the node whose leaves gain least (Breiman et al., ch. 3)."""

import heapq

import numpy as np
from numba import types

from glaswerk.kernels.compiling import IN1, inner, kernel

INTS64 = types.Array(types.int64, 1, "C", readonly=True)
OUT1 = types.Array(types.float64, 1, "C")


@inner
def _link(risk, below, leaves, t):
    return max(risk[t] - below[t], 0.0) / (leaves[t] - 1)


@inner
def _below(parent, risk):
    """Risk and number of the leaves below every node, and which nodes are no leaves."""
    m = risk.size
    below, leaves = np.zeros(m), np.zeros(m, np.int64)
    inner = np.zeros(m, np.bool_)
    for t in range(1, m):
        inner[parent[t]] = True
    for t in range(m - 1, -1, -1):
        if not inner[t]:
            below[t], leaves[t] = risk[t], 1
        if t:
            below[parent[t]] += below[t]
            leaves[parent[t]] += leaves[t]
    return below, leaves, inner


@kernel(types.void(INTS64, IN1, OUT1))
def weakest_links(parent, risk, alpha):
    """The penalty per leaf at which each node becomes a leaf; infinite for leaves. Nodes are in preorder.

    g(t) = (R(t) - R(T_t)) / (|T_t| - 1). A heap of the least g; keys only grow, so that one that is out of date is put
    back when it comes up. Cost: m log m, and the depth of every cut.
    """
    m = risk.size
    below, leaves, inner = _below(parent, risk)
    heap = [(np.inf, np.int64(-1))]
    for t in range(m):
        alpha[t] = np.inf
        if inner[t]:
            heap.append((_link(risk, below, leaves, t), np.int64(t)))
    heapq.heapify(heap)
    so_far = 0.0
    while True:
        key, t = heapq.heappop(heap)
        if t < 0:
            break
        u = parent[t]
        gone = alpha[t] < np.inf
        while u >= 0 and not gone:
            gone = alpha[u] < np.inf
            u = parent[u]
        if gone:
            continue
        now = _link(risk, below, leaves, t)
        if now > key:
            heapq.heappush(heap, (now, t))
            continue
        so_far = max(so_far, now)
        alpha[t] = so_far
        lost, fewer = risk[t] - below[t], leaves[t] - 1
        u = t
        while u >= 0:
            below[u] += lost
            leaves[u] -= fewer
            u = parent[u]
    for t in range(1, m):
        if inner[t]:
            alpha[t] = min(alpha[t], alpha[parent[t]])
