"""Forged contents in a sound zip: every sentence of the manifest may be a lie, and every array may contradict it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.archive import ArchiveError, dumps, loads, storable


@storable("TestPair", version=2)
@dataclass
class Pair:
    left: Any
    right: Any

    def check(self) -> None:
        if self.left.shape != self.right.shape:
            raise ValueError("left and right must have one shape")


GOOD = dumps({"first": np.arange(6.0).reshape(2, 3), "second": np.zeros(4, "i8")}, "model")
PAIR = dumps(Pair(np.zeros(2), np.ones(2)), "model")

Content = dict[str, Any]
Fixture = Callable[..., Any]


def put(*keys: Any, value: Any) -> Callable[[Content], None]:
    """An edit that sets one place of the manifest."""

    def edit(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return edit


def bottomless(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


SHAPE = ("arrays", 0, "shape")
FORGED: dict[str, tuple[Callable[[Content], Any], str]] = {
    "not an object": (lambda content: [content], "does not say that this is a Glaswerk file"),
    "other format": (put("format", value="joblib"), "does not say that this is a Glaswerk file"),
    "newer format": (
        put("format_version", value=2),
        r"written by a newer Glaswerk \(format 2\); this one reads up to 1: upgrade glaswerk",
    ),
    "newer format, other keys": (lambda content: {"format": "glaswerk", "format_version": 9}, "newer Glaswerk"),
    "no version": (put("format_version", value=True), "has the format version True"),
    "old version": (put("format_version", value=0), "has the format version 0"),
    "extra key": (put("exec", value="import os"), "must have exactly the keys format"),
    "missing key": (lambda content: content.pop("written_by") and None, "must have exactly the keys format"),
    "other kind": (put("kind", value="statistic"), "it holds a statistic, not a model"),
    "other kind, vowel": (put("kind", value="estimate"), "it holds an estimate, not a model"),
    "kind with escape codes": (put("kind", value="\x1b[31m"), r"it holds a \\x1b\[31m, not a model"),
    "no kind": (put("kind", value=[1]), "must name the kind"),
    "no list of arrays": (put("arrays", value={}), "must list the arrays"),
    "no entry": (put("arrays", 0, value=5), "array 0 must have exactly the keys"),
    "extra key in entry": (put("arrays", 0, "pickle", value=1), "array 0 must have exactly the keys"),
    "path outside": (put("arrays", 0, "member", value="../0000.npy"), r"must be arrays/0000.npy, not '\.\./0000.npy'"),
    "one member twice": (put("arrays", 1, "member", value="arrays/0000.npy"), "must be arrays/0001.npy"),
    "member of no name": (put("arrays", 1, "member", value=None), "must be arrays/0001.npy, not None"),
    "object dtype": (put("arrays", 0, "dtype", value="|O"), r"dtype '\|O', which Glaswerk never writes"),
    "structured dtype": (put("arrays", 0, "dtype", value=[["a", "<f8"]]), "dtype a list, which Glaswerk never writes"),
    "complex dtype": (put("arrays", 0, "dtype", value="<c16"), "which Glaswerk never writes"),
    "endless text": (put("arrays", 0, "dtype", value="<U999999999"), "which Glaswerk never writes"),
    "empty text": (put("arrays", 0, "dtype", value="<U0"), "which Glaswerk never writes"),
    "bottomless dtype": (put("arrays", 0, "dtype", value=bottomless(300)), "which Glaswerk never writes"),
    "other dtype": (put("arrays", 0, "dtype", value="<i8"), "not an array of dtype <i8 and shape"),
    "other shape": (put(*SHAPE, value=[3, 2]), r"not an array of dtype <f8 and shape \(3, 2\)"),
    "negative": (put(*SHAPE, value=[-2, -3]), "has an impossible shape"),
    "huge": (put(*SHAPE, value=[2**62, 2**62]), "has an impossible shape"),
    "huge and empty": (put(*SHAPE, value=[0, 2**62]), "has an impossible shape"),
    "large but possible": (put(*SHAPE, value=[2**40]), "not an array of dtype <f8 and shape"),
    "no number": (put(*SHAPE, value=[2, 3.0]), "has an impossible shape"),
    "no truth": (put(*SHAPE, value=[True, 6]), "has an impossible shape"),
    "no list": (put(*SHAPE, value=6), "has an impossible shape"),
    "many dimensions": (put(*SHAPE, value=[1] * 33), "has an impossible shape"),
    "wrong checksum": (put("arrays", 0, "sha256", value="0" * 64), "arrays/0000.npy does not match its checksum"),
    "no checksum": (put("arrays", 0, "sha256", value="0" * 63), "has no SHA-256 checksum"),
    "unlisted array": (lambda content: content["arrays"].pop() and None, "'arrays/0001.npy' is not listed"),
    "unused array": (put("tree", "second", value=1), "does not refer to array 1"),
    "array used twice": (put("tree", "second", value={"$array": 0}), "model.second refers to array 0 out of turn"),
    "absent array": (put("tree", "third", value={"$array": 2}), "model.third refers to array 2 out of turn"),
    "negative array": (put("tree", "first", value={"$array": -1}), "refers to array -1 out of turn"),
    "array by name": (put("tree", "first", value={"$array": "x"}), "refers to array 'x' out of turn"),
    "array number of truth": (put("tree", "first", value={"$array": False}), "refers to array False out of turn"),
    "unknown tag": (put("tree", "third", value={"$import": "os.system"}), "model.third is not written as"),
    "tag and key": (put("tree", "third", value={"$float": "nan", "a": 1}), "model.third is not written as"),
    "two tags": (put("tree", "third", value={"$float": "nan", "$tuple": []}), "model.third is not written as"),
    "finite float as text": (put("tree", "third", value={"$float": "1.0"}), "model.third is not written as"),
    "float of a list": (put("tree", "third", value={"$float": []}), "model.third is not written as"),
    "tuple of text": (put("tree", "third", value={"$tuple": "abc"}), "model.third is not written as"),
    "surrogate": (put("tree", "third", value="\ud800"), "model.third is text with a lone surrogate"),
    "surrogate key": (put("tree", "\ud800", value=1), "is text with a lone surrogate"),
    "deep tree": (put("tree", value=bottomless(65)), "nested more than 64 levels deep"),
    "kind by import path": (put("tree", "third", value={"$kind": "os.system", "$version": 1}), "a 'os.system', which"),
    "kind of a list": (put("tree", "third", value={"$kind": ["TestPair"], "$version": 2}), "a a list, which"),
    "kind alone": (put("tree", "third", value={"$kind": "TestPair"}), "model.third is not written as"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "message"), FORGED.values(), ids=FORGED.keys())
def test_a_forged_manifest_is_refused(with_manifest: Fixture, edit: Callable[[Content], Any], message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        loads(with_manifest(GOOD, edit), "model")


SCALARS = [
    ["int8", 300], ["int8", 1.5], ["int8", True], ["int8", "1"], ["int64", 2**63], ["uint8", -1], ["bool", 1],
    ["float32", 0.1], ["float32", 1e300], ["float64", 1], ["float64", "1.0"], ["float64", "x"], ["float64", 10**400],
    ["str", 5], ["str", "\ud800"], ["object", 1], ["complex128", 1.0], [["int8"], 1], ["int8", {"$array": 0}],
    ["int8", None], ["int8"], ["int8", 1, 2], "int8",
]  # fmt: skip


@pytest.mark.parametrize("scalar", SCALARS, ids=ascii)
def test_a_forged_scalar_is_refused(with_manifest: Fixture, scalar: Any) -> None:
    with pytest.raises(ArchiveError, match=r"model\.third is not written as Glaswerk writes it"):
        loads(with_manifest(GOOD, put("tree", "third", value={"$scalar": scalar})), "model")


INSTANCES: dict[str, tuple[Callable[[Content], Any], str]] = {
    "missing field": (lambda content: content["tree"].pop("right") and None, "missing: right; unknown: none"),
    "unknown field": (put("tree", "__class__", value=1), "missing: none; unknown: '__class__'"),
    "escaped field": (put("tree", "$$left", value=1), r"missing: none; unknown: '\$\$left'"),
    "newer version": (put("tree", "$version", value=3), "a TestPair of version 3, but this Glaswerk reads version 2"),
    "version of truth": (put("tree", "$version", value=True), "a TestPair of version True"),
    "unknown name": (put("tree", "$kind", value="TestPairs"), "a 'TestPairs', which this Glaswerk does not know"),
    "unfit shapes": (
        lambda content: content["tree"].update(left={"$array": 0}, right={"$scalar": ["float64", 1.0]})
        or (content["arrays"].pop() and None),
        "model is not a valid TestPair .ValueError: 'left and right must have one shape'",
    ),
    "unfit types": (put("tree", "right", value={"$array": 1, "x": 2}), "model.right is not written as"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "message"), INSTANCES.values(), ids=INSTANCES.keys())
def test_a_forged_instance_is_refused(
    with_manifest: Fixture, zipped: Fixture, unzipped: Fixture, edit: Callable[[Content], Any], message: str
) -> None:
    members = unzipped(with_manifest(PAIR, edit))
    listed = {entry["member"] for entry in json.loads(members["manifest.json"])["arrays"]}
    kept = [(name, data) for name, data in members.items() if name == "manifest.json" or name in listed]
    with pytest.raises(ArchiveError, match=message):
        loads(zipped(kept), "model")


def test_whatever_a_class_raises_on_strange_values_the_file_is_to_blame(with_manifest: Fixture) -> None:
    data = dumps({"pair": Pair(np.zeros(2), np.ones(2))}, "model")
    edit = put("tree", value={"pair": {"$kind": "TestPair", "$version": 2, "left": None, "right": []}, "rest": []})
    with pytest.raises(ArchiveError, match=r"model\.pair is not a valid TestPair \(AttributeError"):
        loads(with_manifest(data, edit), "model")


MANIFEST_TEXTS = {
    "no text": (b"\xff\xfe", "not standard JSON"),
    "empty": (b"", "not standard JSON"),
    "byte order mark": (b"\xef\xbb\xbf{}", "not standard JSON"),
    "trailing": (b"{} {}", "not standard JSON"),
    "NaN": (b'{"tree": NaN}', "holds NaN, which is not standard JSON"),
    "infinity": (b'{"tree": -Infinity}', "holds -Infinity"),
    "overflow": (b'{"tree": 1e999}', "a number beyond double precision, '1e999'"),
    "repeated key": (b'{"tree": {"a": 1, "a": 2}}', "repeats a key"),
    "huge integer": (b"[" + b"9" * 100_000 + b"]", "an integer of 100000 digits"),
    "bottomless list": (b"[" * 100_000, "nested too deeply|not standard JSON"),
    "bottomless object": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("text", "message"), MANIFEST_TEXTS.values(), ids=MANIFEST_TEXTS.keys())
def test_what_is_not_strict_json_is_refused(zipped: Fixture, text: bytes, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        loads(zipped([("manifest.json", text)]), "model")


def header(description: str, order: bool = False, shape: str = "(2, 3)") -> bytes:
    text = f"{{'descr': {description}, 'fortran_order': {order}, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


VALUES = np.arange(6.0).tobytes()
FORGED_ARRAYS = {
    "pickle": b"\x80\x04cos\nsystem\n(S'true'\ntR.",
    "object dtype": header("'|O'") + VALUES,
    "code for a header": header("__import__('os').system('true')") + VALUES,
    "other dtype": header("'<i8'") + VALUES,
    "other shape": header("'<f8'", shape="(3, 2)") + VALUES,
    "bottomless header": header("(" * 60_000) + VALUES,
    "npy 2.0": b"\x93NUMPY\x02\x00" + header("'<f8'")[8:] + VALUES,
    "too short": header("'<f8'") + VALUES[:-1],
    "too long": header("'<f8'") + VALUES + b"\0",
    "empty": b"",
}


def with_array(good: bytes, data: bytes, zipped: Fixture, unzipped: Fixture) -> bytes:
    """The file with its first array replaced and its checksum put right."""
    members = unzipped(good) | {"arrays/0000.npy": data}
    content = json.loads(members["manifest.json"])
    content["arrays"][0]["sha256"] = sha256(data).hexdigest()
    members["manifest.json"] = json.dumps(content).encode()
    return zipped(members.items())  # type: ignore[no-any-return]


@pytest.mark.parametrize("data", FORGED_ARRAYS.values(), ids=FORGED_ARRAYS.keys())
def test_a_forged_array_is_refused(zipped: Fixture, unzipped: Fixture, data: bytes) -> None:
    with pytest.raises(ArchiveError, match=r"arrays/0000.npy is not an array of dtype <f8 and shape \(2, 3\)"):
        loads(with_array(GOOD, data, zipped, unzipped), "model")


def test_both_orders_of_memory_are_read(zipped: Fixture, unzipped: Fixture) -> None:
    tree = loads(with_array(GOOD, header("'<f8'", order=True) + VALUES, zipped, unzipped), "model")
    np.testing.assert_array_equal(tree["first"], [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]])


def test_bytes_that_are_no_truth_value_or_no_character_are_refused(zipped: Fixture, unzipped: Fixture) -> None:
    truths, texts = dumps(np.array([True]), "model"), dumps(np.array(["ab"]), "model")
    with pytest.raises(ArchiveError, match="neither true nor false"):
        loads(with_array(truths, header("'|b1'", shape="(1,)") + b"\x02", zipped, unzipped), "model")
    with pytest.raises(ArchiveError, match="no Unicode characters"):
        loads(with_array(texts, header("'<U2'", shape="(1,)") + b"\xff" * 8, zipped, unzipped), "model")


tags = st.sampled_from(["$array", "$float", "$scalar", "$tuple", "$kind", "$version", "left", "right", "$$x", "tree"])
words = st.sampled_from(["TestPair", "nan", "inf", "float32", "str", "bool", "|O", "<f8", "arrays/0000.npy"])
forgeries = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(tags, inner, max_size=4),
)


@given(tree=forgeries, entry=forgeries, key=st.sampled_from(["member", "dtype", "shape", "sha256"]))
@settings(max_examples=400, deadline=None)
def test_no_forgery_raises_anything_but_our_error(with_manifest: Fixture, tree: Any, entry: Any, key: str) -> None:
    for edit in (put("tree", value=[{"$array": 0}, {"$array": 1}, tree]), put("arrays", 0, key, value=entry)):
        try:
            restored = loads(with_manifest(GOOD, edit), "model")
        except ArchiveError:
            continue
        data = dumps(restored, "model")
        assert dumps(loads(data, "model"), "model") == data
