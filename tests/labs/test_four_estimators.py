"""Four estimators over the number of features: alike where columns are orthogonal."""

from glaswerk.labs.four_estimators import FEATURES

NAMES = ("closed form", "gradient descent", "mini-batches of 8", "stochastic")


def test_the_closed_form_has_the_least_training_error_and_it_falls(lab):
    for where in ("", " on plain powers"):
        lines = lab("four-estimators").curve(f"RMSE on training rows{where} (")
        closed = lines["closed form"].y
        assert list(closed) == sorted(closed, reverse=True)
        assert all(e >= c - 1e-9 for name in NAMES for c, e in zip(closed, lines[name].y, strict=True))


def test_on_orthogonal_columns_all_four_agree(lab):
    rows = lab("four-estimators").rows("RMSE over the number of features (orthogonal")
    assert list(rows) == list(FEATURES)
    for cells in rows.values():
        assert max(cells[0::2]) - min(cells[0::2]) < 0.002


def test_many_features_overfit_and_descent_on_plain_powers_does_not(lab):
    rows = lab("four-estimators").rows("RMSE over the number of features (plain")
    tested = {m: cells[1::2] for m, cells in rows.items()}
    assert tested[1][0] > 1.5 * min(cells[0] for cells in tested.values())
    assert tested[15][0] > 5 * min(cells[0] for cells in tested.values())
    assert all(error < 0.4 for error in tested[15][1:])
    assert rows[15][2] > 1.1 * rows[15][0]
