"""Networks on a sine: verdicts against the noise, overfitting seen in rows held out, gradients proved."""

from glaswerk.labs.mlp_sine import NOISE


def test_too_few_enough_too_many(lab):
    rows = lab("mlp-sine").rows("Too few units")
    assert [row[-1] for row in rows.values()] == 2 * ["underfits", "about right", "overfits"]
    assert all(row[2] < row[3] for row in rows.values())
    assert rows["80 units"][2] < NOISE**2 / 2


def test_rows_held_out_show_it(lab):
    lines = lab("mlp-sine").curve("2 x 40 units: loss")
    assert lines["training rows"].y[-1] < 0.6 * lines["training rows"].y[50]
    held = lines["rows held out"].y
    assert held[-1] > 1.5 * min(held)


def test_backpropagation_is_shown_and_proved(lab):
    found = lab("mlp-sine")
    table = found.table("Backpropagation through")
    assert float(table.notes[0].rsplit(" ", 1)[1]) < 1e-8
    assert [row[0] for row in table.rows] == ["1", "2", "3 (output)"]
    assert set(found.curve("Backpropagation, layer by layer")) == {
        "activations",
        "δ, sent back",
        "gradient of a weight",
    }


def test_decay_has_a_best_place(lab):
    fresh = lab("mlp-sine").curve("80 units under weight decay")["fresh rows"].y
    assert min(fresh) < min(fresh[0], fresh[-1])
