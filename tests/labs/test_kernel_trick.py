"""Rings in three dimensions: the identity, the plane between them, the other ways to a bent border."""

import numpy as np
import pytest

from glaswerk.facts import Steps
from glaswerk.labs.kernel_trick import lifted, looking, rings, square
from glaswerk.learners import SVC


def test_features_and_kernel_agree(lab):  # [SCH-PHI]
    found = lab("kernel-trick")
    for features, kernel in found.rows("φ(a)ᵀφ(b)").values():
        assert features == pytest.approx(kernel, rel=1e-12)
    assert "differ by at most" in found.words("Two ways")


def test_the_piece_of_the_plane_lies_in_it_and_parts_the_rings():
    X, y = rings(0)
    model = SVC(kernel="linear", C=10.0).fit(lifted(X), y)
    np.testing.assert_allclose(model.decision_function(square(model)), 0.0, atol=1e-10)
    assert model.score(lifted(X), y) > 0.98
    for turn in (0, 30, 200):
        np.testing.assert_allclose(looking(turn) @ looking(turn).T, np.eye(3), atol=1e-12)


def test_bent_borders_beat_the_line(lab):
    rows = lab("kernel-trick").rows("Other ways")
    wrong = {name: row[-1] for name, row in rows.items()}
    assert wrong.pop("linear, the columns as they are") > 0.3
    assert max(wrong.values()) < 0.03


def test_it_turns_all_round(lab):
    (steps,) = lab("kernel-trick").facts.of_kind(Steps)
    assert len(steps.facts) == 12
    assert "from its edge" in steps.says[steps.chosen]
