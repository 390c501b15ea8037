"""Random units against trained ones: how many it takes, the luck of the draw, parts that add up."""


def test_trained_units_need_fewer(lab):
    lines = lab("elm-or-mlp").curve("Error on fresh rows")
    random, trained = lines["units drawn at random"].y, lines["units trained"].y
    assert trained[2] < 0.2 * random[2]
    assert random[-1] < 3 * min(trained)


def test_the_draw_matters_less_with_more_units(lab):
    rows = lab("elm-or-mlp").rows("The error of")
    spread = {units: worst - best for units, (best, _, worst) in rows.items()}
    assert spread[128] < 0.1 * spread[8]


def test_parts_add_up(lab):
    assert all(off < 1e-9 for (off,) in lab("elm-or-mlp").rows("Rows seen in parts").values())
