"""k-means and EM, step by step: every step goes the right way, and the groups meet what is known as far as stated."""

from glaswerk.facts import GroupPlane


def test_every_step_goes_the_right_way(lab):  # [BG-KMEANS] [BG-LOGLIKGMM]
    found = lab("clustering-steps")
    assert [row[3] for row in found.table("How well").rows] == [True] * 4
    for error in found.curve("Error of k-means").values():
        assert all(before >= after - 1e-9 for before, after in zip(error.y, error.y[1:], strict=False))
    for bound in found.curve("Log-likelihood").values():
        assert all(before <= after + 1e-9 for before, after in zip(bound.y, bound.y[1:], strict=False))


def test_moons_are_cut_and_species_met(lab):
    shares = {row[:2]: row[4] for row in lab("clustering-steps").table("How well").rows}
    assert shares["two moons", "k-means"] < 0.9
    assert shares["Iris", "k-means"] > 0.85
    assert shares["Iris", "EM"] > 0.95


def test_the_paths_are_there_to_be_replayed(lab):
    planes = [fact for fact in lab("clustering-steps").facts if isinstance(fact, GroupPlane)]
    assert len(planes) == 4
    assert all(plane.paths for plane in planes)
    assert planes[0].borders
    assert planes[1].outlines
