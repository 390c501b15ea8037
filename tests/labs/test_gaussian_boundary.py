"""Two Gaussian classes: who is right on fresh rows, and probabilities over the plane."""

from glaswerk.facts import Surface


def test_the_bent_boundary_pays_where_shapes_differ(lab):
    rows = {row[:2]: row[2:] for row in lab("gaussian-boundary").table("How many rows").rows}
    assert rows["two shapes", "a covariance each"][1] > rows["two shapes", "one covariance"][1]
    assert abs(rows["one shape", "a covariance each"][1] - rows["one shape", "one covariance"][1]) < 0.05


def test_surfaces_are_probabilities(lab):
    surfaces = [fact for fact in lab("gaussian-boundary").facts if isinstance(fact, Surface)]
    assert len(surfaces) == 4
    for fact in surfaces:
        values = [v for row in fact.z for v in row]
        assert 0 <= min(values) < 0.1
        assert 0.9 < max(values) <= 1
