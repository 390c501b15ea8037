"""Fetching from a server on this machine: whole and checked, kept, or one sentence and nothing left behind."""

import os
import socket
import threading
from dataclasses import replace

import polars as pl
import pytest

from glaswerk.table import TableError, fetching
from tests.table.toy import FRAME, LINES, as_parquet, broken, in_parts, serving, text, toy

pytestmark = pytest.mark.usefixtures("cache")


def test_a_set_is_fetched_once_and_then_found_in_the_cache(cache):
    with serving(toy=text()) as (home, asked):
        first = toy(urls=(f"{home}/toy",)).load()
        again = toy(urls=(f"{home}/toy",)).load()
        assert asked == ["/toy"]
    offline = toy(urls=("http://127.0.0.1:9/toy",)).load()
    assert first.fingerprint == again.fingerprint == offline.fingerprint == toy().fingerprint
    assert [c.levels for c in offline] == [c.levels for c in first]
    assert os.listdir(cache) == ["toy.parquet"]


def test_another_address_may_be_given(cache):
    with serving(mirror=as_parquet(FRAME)) as (home, _):
        assert toy().load(url=f"{home}/mirror").fingerprint == toy().fingerprint


def test_several_files_are_kept_as_one_and_only_when_all_are_there(cache):
    parts = {"data": text([line[:3] for line in LINES[:1]], header=None)}
    with serving(**parts) as (home, _):
        entry = replace(in_parts(), urls=(f"{home}/data", f"{home}/test"))
        with pytest.raises(TableError, match="/test cannot be fetched: the server answers 404"):
            entry.load()
        assert not cache.exists()
    parts["test"] = text([line[:3] for line in LINES[1:]], header=None)
    with serving(**parts) as (home, asked):
        entry = replace(in_parts(), urls=(f"{home}/data", f"{home}/test"))
        assert entry.load().fingerprint == entry.load().fingerprint == toy().fingerprint
        assert len(asked) == 2
    assert os.listdir(cache) == ["toy.parquet"]


@pytest.mark.parametrize("keep", [0, 100, -1])
def test_a_damaged_copy_in_the_cache_is_fetched_again(cache, keep):
    with serving(toy=text()) as (home, asked):
        entry = toy(urls=(f"{home}/toy",))
        entry.load()
        kept = cache / "toy.parquet"
        whole = kept.read_bytes()
        kept.write_bytes(whole[:keep])
        assert entry.load().fingerprint == toy().fingerprint
        assert asked == ["/toy", "/toy"]
        assert kept.read_bytes() == whole


def test_a_changed_copy_in_the_cache_is_fetched_again(cache):
    with serving(toy=text()) as (home, asked):
        entry = toy(urls=(f"{home}/toy",))
        entry.load()
        (cache / "toy.parquet").write_bytes(as_parquet(FRAME.with_columns(pH=pl.lit(7.0))))
        assert entry.load()["pH"].numbers()[0] == 6.5
        assert asked == ["/toy", "/toy"]


REMEDY = r". A copy of your own can be given by path=, a mirror by url="
FAILURES = {
    "not there": (404, "cannot be fetched: the server answers 404 Not Found"),
    "down": (503, "cannot be fetched: the server answers 503 Service Unavailable"),
    "truncated": (
        broken(10_000, text()),
        f"cannot be fetched: the connection ended after {len(text())} of 10000 bytes",
    ),
    "cut off at once": (broken(10, b""), "cannot be fetched: the connection ended after 0 of 10 bytes"),
    "another content": (text(LINES[:1]), "is not the data set 'toy': it has 1 rows, expected 3"),
    "a page": (b"<html>Please log in</html>", "is not the data set 'toy': its row 1 has"),
}


@pytest.mark.parametrize(("answer", "said"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failed_fetch_is_one_sentence_with_a_way_out_and_leaves_nothing(cache, answer, said):
    with serving(toy=answer) as (home, _), pytest.raises(TableError) as error:
        toy(urls=(f"{home}/toy",)).load()
    assert str(error.value).startswith(f"{home}/toy {said}")
    assert str(error.value).endswith(REMEDY)
    assert not cache.exists()


def test_a_failed_fetch_leaves_what_was_in_the_cache(cache):
    cache.mkdir(parents=True)
    (cache / "toy.parquet").write_bytes(b"old")
    with serving(toy=404) as (home, _), pytest.raises(TableError):
        toy(urls=(f"{home}/toy",)).load()
    assert (cache / "toy.parquet").read_bytes() == b"old"


def test_a_server_that_is_not_there_is_named():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/toy"
    with pytest.raises(TableError, match=rf"{url} cannot be fetched: .*refused"):
        toy(urls=(url,)).load()


@pytest.mark.parametrize(
    "after", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"], ids=["at once", "half-way"]
)
def test_a_silent_server_is_given_up(monkeypatch, after):
    monkeypatch.setattr(fetching, "SILENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept():
            connection, _ = server.accept()
            connection.recv(1000)
            connection.sendall(after)
            given_up.wait(10)
            connection.close()

        given_up = threading.Event()
        thread = threading.Thread(target=accept)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/toy"
        try:
            with pytest.raises(TableError, match=f"{url} cannot be fetched: the server was silent for 0.1 s|timed out"):
                toy(urls=(url,)).load()
        finally:
            given_up.set()
            thread.join()


def test_a_file_of_another_size_than_any_data_set_is_given_up(monkeypatch):
    monkeypatch.setattr(fetching, "MOST_BYTES", 20)
    with serving(toy=text()) as (home, _), pytest.raises(TableError, match="it has more than 20 bytes"):
        toy(urls=(f"{home}/toy",)).load()


def test_a_server_that_trickles_is_given_up(monkeypatch):
    monkeypatch.setattr(fetching, "LONGEST", 0.0)
    with serving(toy=text()) as (home, _), pytest.raises(TableError, match="it takes more than 0 s"):
        toy(urls=(f"{home}/toy",)).load()


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://example.org/x", "toy.csv", "http://[", "http://"])
def test_only_the_web_is_fetched_from(url):
    with pytest.raises(TableError, match=r"is not a web address|cannot be fetched"):
        toy().load(url=url)


def test_a_cache_that_cannot_be_written_costs_a_warning_only(tmp_path, monkeypatch):
    (tmp_path / "occupied").write_text("")
    monkeypatch.setenv("GLASWERK_CACHE_DIR", str(tmp_path / "occupied"))
    with serving(toy=text()) as (home, _), pytest.warns(UserWarning, match="toy will be fetched again next time: "):
        assert toy(urls=(f"{home}/toy",)).load().fingerprint == toy().fingerprint


def test_without_a_wish_the_cache_is_the_users(monkeypatch, tmp_path):
    monkeypatch.delenv("GLASWERK_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert fetching.cache_folder() == tmp_path / "glaswerk" / "datasets"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert fetching.cache_folder().parts[-3:] == (".cache", "glaswerk", "datasets")
