"""The page of all cards is complete, and what the cards say now."""

from pathlib import Path

import pytest

from glaswerk import learners
from glaswerk.report.method_cards import cards, page

ROOT = Path(__file__).parents[2]


def test_the_page_in_the_docs_is_that_of_the_cards():
    written = (ROOT / "docs" / "method_cards.md").read_text(encoding="utf-8")
    assert written == page(), "run python -m glaswerk.report.method_cards > docs/method_cards.md"
    assert "method_cards" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", learners.__all__)
def test_restriction_and_preference_are_told_apart(name):
    card = cards()[name]
    assert card.restriction_bias != card.preference_bias
    assert f"## {name}\n" in page()
