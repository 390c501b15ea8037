"""Many specifications that are nearly the same, in little more room than one: what repeats is written once.

Rows of a layer become columns, and every part that stands in several places moves to `pool`, where {"$": 3} points.
`page.js` undoes it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

WORTH = 24  # characters of a part that is worth a place in the pool


def packed(specs: Sequence[Any]) -> dict[str, Any]:
    """`pool` and `frames`; unpacking frame k gives specs[k].

    >>> cloud = {"values": [{"x": 1, "y": "a label, here and there"}, {"x": 2, "y": "a label, here and there"}]}
    >>> packed([cloud, cloud])
    {'pool': [{'values': {'$rows': {'x': [1, 2], 'y': [{'$': 1}, {'$': 1}]}}}, 'a label, here and there'], 'frames': \
[{'$': 0}, {'$': 0}]}
    """
    columnar = [_columnar(spec) for spec in specs]
    seen: Counter[str] = Counter()
    for spec in columnar:
        _count(spec, seen)
    pool: list[Any] = []
    place: dict[str, int] = {}
    return {"pool": pool, "frames": [_pooled(spec, seen, pool, place) for spec in columnar]}


def unpacked(node: Any, pool: Sequence[Any]) -> Any:
    """What `page.js` makes of a frame."""
    if isinstance(node, list):
        return [unpacked(item, pool) for item in node]
    if not isinstance(node, dict):
        return node
    if "$" in node:
        return unpacked(pool[node["$"]], pool)
    if "$rows" in node:
        columns = unpacked(node["$rows"], pool)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {key: unpacked(item, pool) for key, item in node.items()}


def _columnar(node: Any) -> Any:
    """Lists of alike rows as lists of their columns."""
    if isinstance(node, dict):
        return {key: _columnar(item) for key, item in node.items()}
    if not isinstance(node, list):
        return node
    if len(node) > 1 and all(isinstance(row, dict) and list(row) == list(node[0]) for row in node) and node[0]:
        return {"$rows": {key: [_columnar(row[key]) for row in node] for key in node[0]}}
    return [_columnar(item) for item in node]


def _text(node: Any) -> str:
    return json.dumps(node, ensure_ascii=False, separators=(",", ":"))


def _parts(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _count(node: Any, seen: Counter[str]) -> None:
    """How often each part stands somewhere; what lies inside a part that repeats is counted once."""
    if isinstance(node, dict | list | str):
        text = _text(node)
        seen[text] += len(text) > WORTH
        if seen[text] > 1 or len(text) <= WORTH:
            return
    for part in _parts(node):
        _count(part, seen)


def _pooled(node: Any, seen: Counter[str], pool: list[Any], place: dict[str, int]) -> Any:
    text = _text(node) if isinstance(node, dict | list | str) else ""
    if seen[text] > 1:
        if text not in place:
            place[text] = len(pool)
            pool.append(None)
            pool[place[text]] = _inside(node, seen, pool, place)
        return {"$": place[text]}
    return _inside(node, seen, pool, place)


def _inside(node: Any, seen: Counter[str], pool: list[Any], place: dict[str, int]) -> Any:
    if isinstance(node, dict):
        return {key: _pooled(item, seen, pool, place) for key, item in node.items()}
    return [_pooled(item, seen, pool, place) for item in node] if isinstance(node, list) else node
