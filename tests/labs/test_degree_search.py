"""Algorithm 3 of script A: w* is what it must return."""

from itertools import pairwise


def test_the_corrected_algorithm_returns_the_best_and_the_printed_one_the_last(lab):
    rows = lab("degree-search").rows("Algorithm 3")
    best, last = rows["w*, the best of all"], rows["w, the last of all"]
    validation = lab("degree-search").curve("Degree search")["validation"]
    errors = dict(zip(validation.x, validation.y, strict=True))
    assert best[0] == min(errors, key=errors.get)
    assert last[0] == 15
    assert best[1] < last[1]
    assert best[2] < 0.1 * last[2]
    assert abs(best[1] ** 0.5 - errors[best[0]]) < 1e-9


def test_training_error_falls_with_the_degree(lab):
    training = lab("degree-search").curve("Degree search")["training"].y
    assert all(b <= a + 1e-9 for a, b in pairwise(training))


def test_the_slip_is_named(lab):
    assert "It must return w*" in lab("degree-search").words("The slip")
