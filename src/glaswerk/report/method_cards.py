"""The inductive bias of every learner in the house, as one page: what it cannot express, and what it prefers."""

from glaswerk import learners
from glaswerk.facts import MethodCard

HEAD = """# The bias of every learner

Without a bias nothing can be learnt of rows that have not been seen: many functions agree with those that have, and
something must decide between them. The script tells two kinds apart. A **restriction bias** leaves functions out
(candidate elimination: only conjunctions); a **preference bias** lets all be found and takes some rather than others
(ID3: short trees). Every learner here says both: in its `card`, in its facts, in every report, and on this page.

The page is written from the cards: `python -m glaswerk.report.method_cards > docs/method_cards.md`.
"""


def cards() -> dict[str, MethodCard]:
    """The card of every public learner."""
    return {name: getattr(learners, name).card for name in sorted(learners.__all__)}


def page() -> str:
    """All cards as Markdown."""
    parts = [HEAD]
    for name, card in cards().items():
        parts.append(
            f"## {name}\n\n{_sentence(card.name)}: `{card.formula}`\n\n"
            f"- **Restriction bias**: {card.restriction_bias}.\n"
            f"- **Preference bias**: {card.preference_bias}.\n"
            f"- Assumes: {'; '.join(card.assumes)}.\n"
            f"- Not for: {'; '.join(card.not_for)}.\n"
        )
    return "\n".join(parts)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


if __name__ == "__main__":
    print(page(), end="")
