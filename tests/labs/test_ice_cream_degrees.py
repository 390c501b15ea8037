"""Script A's polynomials on the constructed rows."""

import pytest

from glaswerk.labs.ice_cream_degrees import PRINTED


def test_all_nine_printed_weights_come_out(lab):
    found = lab("ice-cream-degrees").agreement("Weights of degrees 1, 2 and 3")
    assert len(found) == sum(map(len, PRINTED.values())) == 9
    assert {says for _, says in found.values()} == {"yes"}
    assert found["degree 3, w3"][0] == pytest.approx(0.24686, abs=5e-6)
    assert found["degree 1, w0"][0] == pytest.approx(-295.55, abs=5e-3)


def test_it_says_that_the_rows_are_constructed(lab):
    assert "nobody sold this ice cream" in lab("ice-cream-degrees").words("The rows")
    assert "constructed" in " ".join(lab("ice-cream-degrees").table("Weights of degrees 1").notes)


def test_degree_twelve_goes_through_every_row_and_says_nothing_between(lab):
    rows = lab("ice-cream-degrees").rows("What each degree does")
    errors = [rows[degree][0] for degree in (1, 2, 3, 12)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-6
    assert errors[2] == pytest.approx(14.08, abs=0.01)
    assert rows[12][1] < 0.1 * 166
    assert rows[12][2] > 1.5 * 987


def test_the_printed_weights_of_degree_twelve_are_not_computable_and_it_says_why(lab):
    assert {says for _, says in lab("ice-cream-degrees").agreement("Weights of degree 12").values()} == {
        "not computable"
    }
    notes = " ".join(lab("ice-cream-degrees").table("Weights of degree 12").notes)
    assert "f(12) = -4405" in notes
    assert "f(30) = -2.5e+08" in notes
    assert "moves f(30) by 8.9e+04" in notes


def test_every_figure_shows_the_rows_and_its_polynomial(lab):
    for degree, figure in {1: 11, 2: 12, 3: 13, 12: 14}.items():
        lines = lab("ice-cream-degrees").curve(
            f"Degree {degree} on the constructed ice-cream rows (script A, figure {figure}"
        )
        assert len(lines["constructed rows"].x) == 12
        assert f"polynomial of degree {degree}" in lines
