"""The stream of draws: the same seed, the same numbers; anything else is refused by name."""

import numpy as np
import pytest

from glaswerk.stats.draws import generator


def test_a_seed_is_a_stream():
    once, again = (generator(3, np.int64(7), "sample").standard_normal(3) for _ in range(2))
    assert (once == again).all()


@pytest.mark.parametrize(
    ("n", "seed", "message"),
    [
        (0, 0, "sample: n must be an integer >= 1, got 0"),
        (2.0, 0, "n must be an integer"),
        (2, None, "random_state must be an integer >= 0, got None"),
        (2, -1, "random_state must be"),
    ],
)
def test_what_is_no_number_of_draws_and_no_seed_is_refused(n, seed, message):
    with pytest.raises(ValueError, match=message):
        generator(n, seed, "sample")
