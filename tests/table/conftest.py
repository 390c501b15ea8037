"""A cache of data sets for a test of its own."""

from pathlib import Path

import pytest


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where fetched sets are kept, not there yet; and no proxy between a test and this machine."""
    monkeypatch.setenv("GLASWERK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache" / "datasets"
