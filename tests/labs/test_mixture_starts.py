"""Three starts of a mixture: their likelihoods rise, good starts need fewer rounds."""


def test_every_start_rises_and_good_ones_are_quicker(lab):  # [BG-EM]
    found = lab("mixture-starts")
    rows = found.rows("20 tries")
    assert rows["k-means"][0] < rows["random rows"][0]
    assert rows["LBG"][0] < rows["random rows"][0]
    for bound in found.curve("Log-likelihood").values():
        assert all(before <= after + 1e-9 for before, after in zip(bound.y, bound.y[1:], strict=False))


def test_the_number_of_components_is_told(lab):
    assert "BIC says 4" in lab("mixture-starts").words("What is to be seen")
