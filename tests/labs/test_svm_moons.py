"""C and γ over two moons: under- and overfitting, sliders with a plane at every place."""

from glaswerk.facts import MarginPlane, Steps
from glaswerk.labs.svm_moons import COSTS, WIDTHS


def test_large_gamma_overfits_and_small_gamma_underfits(lab):
    rows = lab("svm-moons").table("Every machine").rows
    wrong = {row[:2]: row[-2:] for row in rows}
    held = {row[:2]: row[2] for row in rows}
    assert wrong[1000.0, 100.0][0] == 0.0
    assert wrong[1000.0, 100.0][1] > wrong[10.0, 1.0][1]
    assert wrong[0.1, 0.1][0] > 0.1
    assert held[1000.0, 100.0] > 3 * held[10.0, 1.0]


def test_every_place_of_the_sliders_has_its_plane(lab):
    moons, iris = lab("svm-moons").facts.of_kind(Steps)
    for steps, classes in ((moons, 2), (iris, 3)):
        assert len(steps.facts) == len(steps.says) == len(COSTS) * len(WIDTHS)
        planes = [plane for (plane,) in steps.facts]
        assert all(isinstance(plane, MarginPlane) and len(plane.classes) == classes for plane in planes)
        assert [steps.at(place) for place in (0, 1)] == [("0.1", "0.1"), ("0.1", "1")]
        assert len({plane.title for plane in planes}) == 1
        assert "the fewest." in steps.says[steps.chosen]
    assert moons.facts[0][0].borders
    assert not iris.facts[0][0].borders
