"""Specifications packed for a slider: the same when unpacked, and small where they repeat."""

import json

from hypothesis import given
from hypothesis import strategies as st

from glaswerk.figures import figures_of
from glaswerk.report.packing import packed, unpacked
from tests.figures.samples import FACTS

CELLS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=40)
KEYS = st.sampled_from(["x", "y", "tip", "values"])
TREES = st.recursive(CELLS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3))


@given(st.lists(TREES, max_size=4))
def test_what_is_packed_comes_out_as_it_was(specs):
    found = packed(specs)
    assert [unpacked(frame, found["pool"]) for frame in found["frames"]] == specs


def test_rows_of_unlike_or_reordered_keys_keep_their_keys():
    specs = [{"values": [{"x": 1, "y": 2}, {"y": 3, "x": 4}]}, {"values": [{"x": 1}, {}]}, {"values": [{}, {}]}]
    found = packed(specs)
    again = [unpacked(frame, found["pool"]) for frame in found["frames"]]
    assert json.dumps(again) == json.dumps(specs)


def test_a_second_frame_costs_only_what_differs():
    (figure,) = figures_of(FACTS["a surface alone"])
    other = json.loads(json.dumps(figure.spec).replace("w0", "v0"))
    one, ten = (len(json.dumps(packed(specs))) for specs in ([figure.spec], [figure.spec] * 9 + [other]))
    assert ten < 1.5 * one
