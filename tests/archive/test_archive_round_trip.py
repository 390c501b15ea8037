"""What goes in comes out: the same values, types and layout; and the same content gives the same bytes."""

import enum
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from glaswerk.archive import ArchiveError, dumps, loads, read, storable, write


@storable("TestMoments", version=3)
@dataclass(frozen=True)
class Moments:
    count: int
    gram: Any
    note: Any = None

    def check(self) -> None:
        if self.gram.ndim != 2:
            raise ValueError("gram must be a matrix")


def without_nul(text: str) -> np.str_:
    """NumPy's arrays end a text at its last character that is not NUL."""
    return np.str_(text.rstrip("\0"))


DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
numbers = st.sampled_from(DTYPES).flatmap(lambda code: hnp.arrays(code, hnp.array_shapes(min_dims=0, min_side=0)))
texts = hnp.arrays(hnp.unicode_string_dtypes(endianness="<", min_len=1, max_len=4), hnp.array_shapes(min_side=0))
scalars = st.sampled_from(DTYPES).flatmap(lambda code: hnp.from_dtype(np.dtype(code)))
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text().map(without_nul)
    | scalars | numbers | numbers.map(np.asfortranarray) | texts
)  # fmt: skip
keys = st.text() | st.sampled_from(["$kind", "$array", "$$tuple", "$", "format"])
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(keys, inner)
        | st.builds(Moments, st.integers(), hnp.arrays("f8", (2, 2)), inner)
    ),
    max_leaves=12,
)


def identical(a: Any, b: Any) -> bool:
    """Equal in type, value and bits, NaN payloads of plain floats apart."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        same_layout = a.dtype == b.dtype and a.shape == b.shape and a.flags.fnc == b.flags.fnc
        return same_layout and a.tobytes() == b.tobytes()
    if isinstance(a, np.generic):
        return a.dtype == b.dtype and (a == b or bool(a != a and b != b))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(identical(a[key], b[key]) for key in a)
    if isinstance(a, Moments):
        return identical(vars(a), vars(b))
    return repr(a) == repr(b)


@given(trees)
@settings(max_examples=300, deadline=None)
def test_every_tree_comes_back_and_gives_the_same_bytes_again(tree: Any) -> None:
    data = dumps(tree, "model")
    restored = loads(data, "model")
    assert identical(restored, tree)
    assert dumps(restored, "model") == data


def test_a_file_on_disk_holds_the_dumped_bytes(tmp_path: Path) -> None:
    path = tmp_path / "model.glaswerk"
    tree = {"coef_": np.arange(6.0).reshape(2, 3), "names": ("Größe", "Preis €")}
    write(path, tree)
    assert path.read_bytes() == dumps(tree, "model")
    assert identical(read(path), tree)
    assert identical(read(str(path)), tree)


def test_bytes_depend_on_nothing_but_the_content() -> None:
    program = (
        "import sys, numpy as np, glaswerk.archive as archive;"
        "tree = {'b': [1.5, float('nan')], 'a': np.arange(9999.0), 'set': sorted({'x', 'y', 'z'})};"
        "sys.stdout.buffer.write(archive.dumps(tree, 'model'))"
    )

    def run(seed: str, zone: str) -> bytes:
        environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone}
        return subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=environment).stdout

    assert run("1", "UTC") == run("2", "Asia/Tokyo") != b""


def test_order_of_keys_is_kept_and_part_of_the_content() -> None:
    assert list(loads(dumps({"z": 1, "a": 2}, "model"), "model")) == ["z", "a"]
    assert dumps({"z": 1, "a": 2}, "model") != dumps({"a": 2, "z": 1}, "model")


@pytest.mark.parametrize("limit", [10, 2000])
def test_the_large_file_form_of_zip_is_read_too(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", limit)  # instead of 2 GiB, so that small members use the 64-bit fields
    tree = [np.arange(300.0), np.random.default_rng(1).normal(size=500), "text"]
    data = dumps(tree, "model")
    assert b"PK\x06\x06" in data
    assert identical(loads(data, "model"), tree)


def test_numpy_and_unzip_read_the_members() -> None:
    array = np.asfortranarray(np.arange(6, dtype="i4").reshape(2, 3))
    with zipfile.ZipFile(io.BytesIO(dumps([array], "statistic"))) as archive:
        assert archive.testzip() is None
        member = np.load(io.BytesIO(archive.read("arrays/0000.npy")), allow_pickle=False)
        manifest = json.loads(archive.read("manifest.json"))
    assert identical(member, array)
    assert (manifest["format"], manifest["format_version"], manifest["kind"]) == ("glaswerk", 1, "statistic")


def test_restored_arrays_may_be_changed() -> None:
    array = loads(dumps(np.zeros(3), "model"), "model")
    array[0] = 1.0
    assert array.flags.owndata


def test_foreign_byte_order_and_strides_become_native_and_contiguous() -> None:
    strided = np.arange(12, dtype=">f8").reshape(3, 4)[:, ::2]
    restored = loads(dumps(strided, "model"), "model")
    assert restored.dtype == np.dtype("f8")
    assert restored.flags.c_contiguous
    np.testing.assert_array_equal(restored, strided)


def test_zeros_are_compressed_and_noise_is_not_delayed() -> None:
    assert len(dumps(np.zeros(10**6), "model")) < 20_000
    noise = np.random.default_rng(0).bytes(10**6)
    with zipfile.ZipFile(io.BytesIO(dumps(np.frombuffer(noise, "u1"), "model"))) as archive:
        assert archive.getinfo("arrays/0000.npy").compress_type == zipfile.ZIP_STORED


class Colour(enum.IntEnum):
    RED = 1


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth else []


REFUSED = {
    "object array": ({"coef_": np.array([None])}, r"model\.coef_ has the dtype object"),
    "structured array": ({"a": [np.zeros(2, "f8,i4")]}, r"model\.a\[0\] has the dtype"),
    "complex array": ({"a": np.zeros(2, complex)}, "dtype complex128"),
    "half array": ({"a": np.zeros(2, "f2")}, "dtype float16"),
    "date array": ({"a": np.zeros(2, "M8[s]")}, "dtype datetime64"),
    "bytes array": ({"a": np.array([b"x"])}, r"dtype \|S1"),
    "dimensions": (np.zeros((1,) * 40), "40 dimensions"),
    "masked array": ({"a": np.ma.masked_array([1.0], [True])}, "model.a is a MaskedArray"),
    "complex scalar": ({"a": np.complex128(1)}, "NumPy scalar of dtype complex128"),
    "date scalar": ({"a": np.datetime64("2026-01-01")}, "NumPy scalar of dtype datetime64"),
    "function": ({"phi": len}, "model.phi is a builtin_function"),
    "bytes": ({"a": b"x"}, "model.a is a bytes"),
    "set": ({"a": {1}}, "model.a is a set"),
    "subclass of dict": ({"a": OrderedDict()}, "model.a is a OrderedDict"),
    "subclass of int": ({"a": Colour.RED}, "model.a is a Colour"),
    "key": ({"a": {1: 2}}, "model.a has the key 1, but keys must be text"),
    "surrogate": ({"a": "\ud800"}, "model.a is text with a lone surrogate"),
    "surrogate key": ({"a": {"\ud800": 1}}, "model.a is text with a lone surrogate"),
    "huge integer": ({"a": 10**1000}, "model.a is an integer of more than 1000 digits"),
    "depth": (nested(65), "nested more than 64 levels"),
}


@pytest.mark.parametrize(("tree", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_value_that_could_not_come_back_is_refused_by_its_path(tree: Any, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        dumps(tree, "model")


def test_limits_are_the_same_for_writing_and_reading() -> None:
    tree = {"deep": nested(63), "large": 10**1000 - 1, "small": -(10**1000) + 1, "wide": np.zeros((1,) * 32)}
    assert identical(loads(dumps(tree, "model"), "model"), tree)


def test_too_long_a_manifest_and_too_many_arrays_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, pytest.raises(ArchiveError, match="store long lists as numpy arrays"):
        patch.setattr("glaswerk.archive.manifest.MAX_MANIFEST_BYTES", 1000)
        dumps(list(range(1000)), "model")
    monkeypatch.setattr("glaswerk.archive.manifest.MAX_MEMBERS", 3)
    with pytest.raises(ArchiveError, match="holds 3 arrays, a file 2 at most"):
        dumps([np.zeros(1)] * 3, "model")


@pytest.mark.parametrize("kind", ["", "two words", "\ud800"])
def test_a_kind_is_one_word(kind: str) -> None:
    with pytest.raises(ArchiveError, match="is not one word"):
        dumps(None, kind)


def test_only_dataclasses_with_a_full_constructor_are_storable() -> None:
    @dataclass
    class Cached:
        total: float = field(init=False, default=0.0)

    with pytest.raises(ValueError, match="is not a dataclass"):
        storable("TestPlain")(dict)
    with pytest.raises(ValueError, match="init=False"):
        storable("TestCached")(Cached)
    with pytest.raises(ValueError, match=r"'TestMoments' is taken by .*Moments"):
        storable("TestMoments")(dataclass(type("Other", (), {})))


def test_a_reloaded_module_may_register_its_classes_again() -> None:
    def define() -> type[Any]:
        @storable("TestReloaded")
        @dataclass
        class Reloaded:
            value: int

        return Reloaded

    old, new = define(), define()
    assert type(loads(dumps(old(1), "model"), "model")) is new


def test_an_unregistered_dataclass_is_refused() -> None:
    @dataclass
    class Unknown:
        value: int

    with pytest.raises(ArchiveError, match=r"model\[0\] is a Unknown, .*@storable"):
        dumps([Unknown(1)], "model")


def test_the_programs_of_the_documentation_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "model_files.md"
    programs = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    write(tmp_path / "ridge.glaswerk", {"coef_": np.arange(3.0)})
    monkeypatch.chdir(tmp_path)
    assert len(programs) == 2
    for program in programs:
        exec(program, {"__name__": __name__})
