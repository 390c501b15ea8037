"""Descent on any function: script A's parabola and bowl, strides, and what a path says of itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glaswerk.facts import Curve
from glaswerk.optim import descend
from glaswerk.optim.descent import Adaptive, Backtracking, Newton, Rule, Spot, Stop, follow


def parabola(rate, steps=30, start=0.0):
    """Script A: f(x) = x(x - 2), whose error is multiplied by 1 - 2η. [BOE-GD]"""
    return descend(lambda x: 2 * x - 2, start, rate, steps, lambda x: x * (x - 2))


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.3, 0.5, 0.8, 0.95])
def test_every_step_on_the_parabola_multiplies_the_error_by_one_minus_two_eta(rate):
    path = parabola(rate)
    k = np.arange(len(path.places))
    np.testing.assert_allclose(path.places[:, 0] - 1, -((1 - 2 * rate) ** k), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(path.values, path.places[:, 0] * (path.places[:, 0] - 2), rtol=1e-12, atol=1e-15)


def test_the_path_says_what_happened():
    assert parabola(0.3).says().startswith("ended at the limit of steps")
    assert parabola(0.95).says().startswith("oscillates")
    assert parabola(0.001).says().startswith("slow")
    gone = parabola(1.1, steps=500)
    assert gone.ended == Stop.DIVERGED
    assert "too large" in gone.says()
    assert gone.steps < 500
    assert parabola(0.5, steps=5).ended == Stop.BOTTOM  # one step
    assert parabola(0.5, steps=5).steps == 1


def test_a_rate_of_exactly_one_jumps_to_and_fro_for_ever():
    path = parabola(1.0, steps=7)
    assert path.places[:, 0].tolist() == [0, 2, 0, 2, 0, 2, 0, 2]
    assert path.says().startswith("oscillates")


def test_the_bowl_of_two_dimensions_is_descended_in_a_straight_line():
    path = descend(lambda x: 2 * x, [3.0, -4.0], 0.1, 40, lambda x: float(x @ x))
    np.testing.assert_allclose(path.places[:, 0] * -4, path.places[:, 1] * 3, rtol=1e-12)
    np.testing.assert_allclose(path.values, 25 * 0.64 ** np.arange(41), rtol=1e-12)
    assert path.kept.tolist() == list(range(41))


def test_without_a_function_the_values_are_unknown_and_divergence_is_still_seen():
    path = descend(lambda x: 2 * x - 2, 0.0, 0.1, 5)
    assert np.isnan(path.values).all()
    np.testing.assert_allclose(path.end, 1 - 0.8**5)
    assert descend(lambda x: 2 * x - 2, 0.0, 3.0, 1000).ended == Stop.DIVERGED


@pytest.mark.parametrize("rate", ["backtracking", "adaptive"])
def test_searched_rates_never_go_up_and_reach_the_bottom(rate):  # [BG-GD]
    path = descend(
        lambda x: np.array([4 * x[0] ** 3, 200 * x[1]]), [2.0, 1.0], rate, 3000,
        lambda x: x[0] ** 4 + 100 * x[1] ** 2,
    )  # fmt: skip
    assert (np.diff(path.values) <= 0).all()
    assert path.values[-1] < 1e-4


@settings(max_examples=40, deadline=None)
@given(st.floats(0.05, 20.0), st.floats(-5.0, 5.0), st.floats(0.01, 0.99))
def test_below_two_over_the_curvature_it_converges_and_above_it_does_not(curvature, start, share):
    rate = 2 * share / curvature
    path = descend(lambda x: curvature * x, start, rate, 200, lambda x: 0.5 * curvature * x**2)
    assert (np.diff(path.values) <= 0).all()
    if abs(start) > 1e-3:
        gone = descend(lambda x: curvature * x, start, 2.2 / curvature, 400, lambda x: 0.5 * curvature * x**2)
        assert gone.ended == Stop.DIVERGED


def test_a_flat_value_ends_the_walk_and_tol_none_does_not():
    def slow(tol):
        return descend(lambda x: 2 * x, 1.0, 0.1, 400, lambda x: 1 + float(x[0] ** 2), tol=tol)

    assert slow(1e-6).ended == Stop.FLAT
    assert slow(1e-6).steps < 60
    assert slow(None).ended == Stop.STEPS


def test_the_rule_finds_the_first_step_that_ends_it():
    values = np.array([5.0, 4.0, 3.0, 3.0, 3.0, 9.0])
    assert Rule(tol=0.0, patience=2).end(values, np.ones(6)) == (4, Stop.FLAT)
    assert Rule(tol=0.0, patience=2).end(values, np.ones(6), since=5) is None
    assert Rule(highest=8.0).end(values, np.ones(6)) == (5, Stop.DIVERGED)
    assert Rule().end(np.array([1.0, np.nan]), np.ones(2)) == (1, Stop.DIVERGED)
    assert Rule().end(values, np.array([1, 0, 1, 1, 1, 1.0])) == (1, Stop.BOTTOM)
    assert Rule().end(values, np.ones(6)) is None


def look(place):
    return Spot(place, 0.5 * float(place @ (np.array([1.0, 10.0]) * place)), np.array([1.0, 10.0]) * place)


def test_newton_is_at_the_bottom_after_one_step():
    path = follow(look, np.array([3.0, 4.0]), Newton(lambda g: g / np.array([1.0, 10.0])), 10, Rule())
    assert path.steps == 1
    assert path.ended == Stop.BOTTOM


@pytest.mark.parametrize("stride", [Backtracking(1e6), Adaptive(1e6)])
def test_strides_far_too_long_are_cut(stride):
    path = follow(look, np.array([3.0, 4.0]), stride, 200, Rule())
    assert path.values[-1] < 1e-6 * path.values[0]


def test_only_every_so_many_places_are_kept_and_the_last():
    path = follow(look, np.array([3.0, 4.0]), Adaptive(0.01), 10, Rule(), every=4)
    assert path.kept.tolist() == [0, 4, 8, 10]
    assert len(path.values) == 11
    none = follow(look, np.array([3.0, 4.0]), Adaptive(0.01), 10, Rule(), every=0)
    assert none.places.shape == (0, 2)
    assert np.array_equal(none.end, path.end)


def test_the_curve_is_a_fact_with_the_sentence():
    curve = parabola(0.1, 2000).curve("A parabola")
    assert isinstance(curve, Curve)
    assert len(curve.lines[0].x) <= 500
    assert curve.says == parabola(0.1, 2000).says()


@pytest.mark.parametrize(("more", "message"), [
    ({"rate": 0.0}, "rate must be"), ({"rate": np.inf}, "rate must be"), ({"rate": "fast"}, "rate must be"),
    ({"steps": -1}, "steps must be"), ({"rate": "adaptive", "function": None}, "give function="),
    ({"tol": 1e-3, "function": None}, "give function="),
])  # fmt: skip
def test_bad_settings_are_refused(more, message):
    known = {"rate": 0.1, "steps": 3, "function": lambda x: x**2}
    with pytest.raises(ValueError, match=message):
        descend(lambda x: 2 * x, 1.0, **{**known, **more})
