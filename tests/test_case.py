"""The case told in the docs says what running it says."""

import importlib.util
from pathlib import Path

import pytest

CASE = Path(__file__).parents[1] / "docs" / "case"


@pytest.mark.proof
def test_the_page_of_the_case_says_what_running_it_says():
    spec = importlib.util.spec_from_file_location("tell", CASE / "tell.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    said = (CASE / "said.md").read_text(encoding="utf-8")
    kept = [line for line in said.splitlines() if not line.startswith("![")]
    again = [line for line in module.tell(figures=False).splitlines() if not line.startswith("![")]
    assert [line for line in kept if line] == [line for line in again if line]
    for figure in ("comparison", "importance", "dependence", "coverage"):
        assert (CASE / f"{figure}.svg").read_text(encoding="utf-8").startswith("<svg")
