"""Steps: a figure for each fact of a place, and the same figure at every other place beside it as its frames."""

from dataclasses import replace

from glaswerk.facts import Steps
from glaswerk.figures.figure import Figure
from glaswerk.figures.labels import slug
from glaswerk.figures.parts import frame, layer
from glaswerk.figures.registry import figures_of
from glaswerk.figures.theme import FAINT


@figures_of.register
def draw_steps(fact: Steps) -> tuple[Figure, ...]:
    """The first figure of every fact at the chosen place; none where nothing is drawn at any place."""
    drawn = [[figures_of(one)[:1] for one in facts] for facts in fact.facts]
    found = []
    for k in range(len(drawn[fact.chosen]) if drawn else 0):
        some = next((figures[k][0] for figures in drawn if figures[k]), None)
        if some is None:
            continue
        frames = tuple(figures[k][0] if figures[k] else _nothing(some) for figures in drawn)
        name = f"steps-{slug(fact.title, 24)}-{k + 1}"
        found.append(replace(frames[fact.chosen], name=name, table=fact.table(), frames=frames))
    return tuple(found)


def _nothing(like: Figure) -> Figure:
    """A place at which there is nothing to draw."""
    words = "nothing is drawn here"
    spec = frame([layer("text", [{"label": words}], {"text": {"field": "label"}}, color=FAINT, fontSize=12)], 60)
    return replace(like, spec=spec, alt="0 marks: nothing is drawn here.", note="")
