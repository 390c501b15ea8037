"""The lattice of a version space: what it draws, what it leaves out and says so."""

import json

from glaswerk.facts import VersionSpace
from glaswerk.figures import figures_of
from tests.figures.samples import HOSTILE

SUNNY, WARM, BOTH, ANY = ("Sunny", "?"), ("?", "Warm"), ("Sunny", "Warm"), ("?", "?")


def space(**more):
    known = {
        "target": "sport = yes", "columns": ("sky", "air"), "specific": (BOTH,), "general": (SUNNY, WARM),
        "general_count": 2, "size": 3, "members": (BOTH, SUNNY, WARM), "edges": ((0, 1), (0, 2)),
    }  # fmt: skip
    return VersionSpace(**{**known, **more})


def rows(figure, mark):
    return [r for layer in figure.spec["layer"] if layer["mark"]["type"] == mark for r in layer["data"]["values"]]


def test_every_member_is_a_box_in_the_column_of_its_generality():
    (figure,) = figures_of(space())
    assert [(r["label"], r["x"]) for r in rows(figure, "text")] == [
        ("S: Sunny, Warm", 0.5), ("G: Sunny", 1.5), ("G: Warm", 1.5),
    ]  # fmt: skip
    assert len(rows(figure, "rect")) == 3
    assert len(rows(figure, "rule")) == 2
    assert "from the most specific, Sunny, Warm, to 2 most general: Sunny; Warm" in figure.alt
    assert figure.svg().startswith("<svg")


def test_a_word_of_two_columns_is_said_with_its_column():
    both, one = ("Warm", "Warm"), ("Warm", "?")
    (figure,) = figures_of(space(specific=(both,), general=(one,), members=(both, one), edges=((0, 1),), size=2))
    assert [r["label"] for r in rows(figure, "text")] == ["S: sky Warm, air Warm", "G: sky Warm"]


def test_members_not_listed_leave_the_boundaries_and_a_note():
    (figure,) = figures_of(space(members=(), edges=(), size=None))
    assert len(rows(figure, "rect")) == 3
    assert figure.note == "The hypotheses between S and G (not counted in all) are not drawn."
    assert figures_of(space(members=(), edges=(), general=(), general_count=None)) == ()


def test_the_empty_and_the_single_hypothesis():
    none = ("∅", "∅")
    (figure,) = figures_of(space(specific=(none,), general=(ANY,), members=(none, ANY), edges=((0, 1),), size=2))
    assert [r["label"] for r in rows(figure, "text")] == ["S: nothing: ∅", "G: anything: ?"]
    (one,) = figures_of(space(specific=(BOTH,), general=(BOTH,), members=(BOTH,), edges=(), size=1))
    assert [r["label"] for r in rows(one, "text")] == ["S = G: Sunny, Warm"]
    assert space(specific=(BOTH,), general=(BOTH,), members=(BOTH,)).table().rows[0][0] == "S = G"


def test_hostile_words_stay_words():
    hostile = tuple((word, "?") for word in HOSTILE)
    edges = tuple((0, k) for k in range(1, len(hostile)))
    fact = space(columns=HOSTILE[:2], specific=hostile[:1], general=hostile[1:], members=hostile, edges=edges)
    (figure,) = figures_of(fact)
    spec = json.dumps(figure.spec)
    assert "\\u202e" not in spec
    assert figure.svg()
