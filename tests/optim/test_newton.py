"""Newton and quasi-Newton walks on functions whose bottom is known [NAN-NEWTON]."""

import numpy as np
import pytest

from glaswerk.optim.newton import MEMORY, End, Ended, Memory, Walk, advance

BOWL = np.diag([1.0, 100.0, 1e4])


def walk_down(value, gradient, solve, start, tol=1e-9, most=200, memory=None):
    walk = Walk(np.asarray(start, dtype=float), memory=memory)
    while isinstance(walk, Walk):
        x = walk.trial
        walk = advance(walk, value(x), gradient(x), solve(x), tol, most)
    return walk


def bowl_solver(_):
    return lambda g: np.linalg.solve(BOWL, g)


def test_one_newton_step_is_enough_on_a_bowl():
    """[NAN-NEWTON] x - H⁻¹g is the bottom of a quadratic function, from anywhere."""
    end = walk_down(lambda x: 1 + 0.5 * x @ BOWL @ x, lambda x: BOWL @ x, bowl_solver, [3.0, -1.0, 0.5])
    assert end.why is End.CONVERGED
    assert end.walk.rounds == 1
    np.testing.assert_allclose(end.at, 0.0, atol=1e-12)


def test_a_step_that_overshoots_is_shortened_and_the_walk_arrives():
    """√(1 + x²): from |x| > 1 a pure Newton step diverges."""
    end = walk_down(
        lambda x: np.sqrt(1 + x @ x),
        lambda x: x / np.sqrt(1 + x @ x),
        lambda x: lambda g: g * (1 + x @ x) ** 1.5,
        [3.0],
    )
    assert end.why is End.CONVERGED
    np.testing.assert_allclose(end.at + end.step, 0.0, atol=1e-8)
    assert min(step.length for step in end.walk.trace[1:]) < 1.0
    assert end.walk.trace[-1].value == min(step.value for step in end.walk.trace)


def test_gradients_alone_arrive_with_a_poor_curvature():
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(40, 6)), rng.normal(size=40)
    H = A.T @ A

    def value(x):
        return 1 + 0.5 * np.sum((A @ x - b) ** 2)

    end = walk_down(value, lambda x: A.T @ (A @ x - b), lambda _: lambda g: g / 40, np.zeros(6), memory=Memory())
    assert end.why is End.CONVERGED
    np.testing.assert_allclose(end.at, np.linalg.solve(H, A.T @ b), atol=1e-6)
    assert end.walk.rounds < 25


def test_the_memory_reproduces_the_inverse_on_what_it_has_seen():
    rng = np.random.default_rng(0)
    memory = Memory()
    for _ in range(3):
        s = rng.normal(size=3)
        memory = memory.keep(s, BOWL @ s)
    last = memory.moved[-1]
    np.testing.assert_allclose(memory.apply(BOWL @ last, lambda g: g), last, rtol=1e-10)
    assert memory.keep(np.ones(3), -np.ones(3)) is memory
    for _ in range(MEMORY):
        memory = memory.keep(last, BOWL @ last)
    assert len(memory.moved) == MEMORY


def test_the_limit_of_rounds_and_a_dead_end_are_told_apart():
    end = walk_down(lambda x: np.exp(-x[0]), lambda x: -np.exp(-x), lambda x: lambda g: g * np.exp(x), [0.0], most=3)
    assert (end.why, end.walk.rounds) == (End.LIMIT, 3)
    stuck = walk_down(lambda x: 1.0 + (x[0] != 0), lambda x: np.array([1.0]), lambda _: lambda g: g, [0.0])
    assert stuck.why is End.STUCK
    blind = walk_down(lambda x: 1.0, lambda x: np.array([1.0]), lambda _: lambda g: g * np.nan, [0.0])
    assert blind.why is End.STUCK


def test_the_decrement_is_twice_what_the_next_step_gains():
    walk = Walk(np.array([0.1, 0.0, 0.0]))
    end = advance(walk, 1e6, BOWL @ walk.at, bowl_solver(None), 1e-3, 10)
    assert isinstance(end, Ended)
    np.testing.assert_allclose(end.decrement, 2 * (0.5 * walk.at @ BOWL @ walk.at), rtol=1e-12)


@pytest.mark.parametrize("memory", [None, Memory()])
def test_the_trace_holds_every_evaluation(memory):
    end = walk_down(lambda x: 1 + 0.5 * x @ BOWL @ x, lambda x: BOWL @ x, bowl_solver, [1.0, 1.0, 1.0], memory=memory)
    assert [step.round for step in end.walk.trace] == list(range(len(end.walk.trace)))
    assert end.walk.trace[0].value == 1 + 0.5 * np.trace(BOWL)
