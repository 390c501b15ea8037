"""Line search: taken, shortened, stuck."""

import numpy as np
import pytest

from glaswerk.optim.line_search import MOST_TRIES, Search


def search(value=1.0, slope=-2.0, **more):
    return Search(np.array([1.0]), value, np.array([-1.0]), slope, **more)


def test_a_sufficient_fall_is_taken():
    assert search().judge(0.0, 0.0) == "taken"
    assert search().judge(1.0 - 3e-4, 0.0) == "taken"


def test_too_long_a_step_goes_to_the_bottom_of_the_parabola():
    shorter = search().judge(2.0, 4.0)  # 1 - 2a + 3a²: bottom at a third
    assert isinstance(shorter, Search)
    np.testing.assert_allclose(shorter.length, 1 / 3)
    np.testing.assert_allclose(shorter.trial, [2 / 3])
    assert shorter.tries == 2


def test_a_step_is_never_cut_by_more_than_ten_or_less_than_two():
    assert search().judge(1e9, 1.0).length == 0.1
    assert search().judge(np.inf, np.nan).length == 0.1
    assert search().judge(1.0 + 1e-3, 3.0).length == pytest.approx(0.49975, abs=1e-5)


def test_where_rounding_hides_the_fall_the_slope_decides():
    value = 1e6
    nearly = search(value, -1e-9)
    assert nearly.judge(np.nextafter(value, 2e6), 1e-13) == "taken"
    assert isinstance(nearly.judge(np.nextafter(value, 2e6), 1e-8), Search)


def test_in_the_end_there_is_no_way_down():
    assert search(tries=MOST_TRIES).judge(5.0, 1.0) == "stuck"
