"""The bench itself: its arithmetic, its verdicts and its record, on claims made up for the purpose."""

import json
import math
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import claims, exact, nist, rivals, simulation, tables, timing
from benchmarks.harness import Case, Check, NotRun, Outcome, Plan, compare, run_claim
from benchmarks.machine import describe, peer
from benchmarks.report import as_text, write_record
from benchmarks.targets import Target, parse, read_targets
from benchmarks.timing import Absent, Side, Spread, Timed, fastest_rival, interleaved, ratio_of_medians


def timed(name, kind, *seconds):
    return Timed(Side(name, kind, lambda: None), Spread.of(seconds, 1), None)


def claim_of(*cases):
    return SimpleNamespace(SENTENCE="a made-up claim", cases=lambda plan: list(cases))


def outcome_of(value, *checks):
    return Outcome(value, "x", (), checks)


def judged(case, plan=None, **targets):
    """The one case of a made-up claim, judged, and the whole result."""
    result = run_claim("made_up", claim_of(case), plan or Plan(), targets)
    return result.judged[0], result


def printed(result):
    return as_text(result, describe(result.plan.threads))


class TestTiming:
    def test_the_ratio_is_of_medians_against_the_fastest_setting_of_the_rival(self):
        sides = [
            timed("ours", "ours", 1.0, 2.0, 90.0),
            timed("default", "rival", 9.0, 8.0, 1000.0),
            timed("best", "rival", 1.0, 6.0, 7.0),
            timed("peer", "peer", 0.1, 0.1, 0.1),
        ]
        assert fastest_rival(sides).side.name == "best"
        assert ratio_of_medians(sides) == 6.0 / 2.0

    def test_sides_take_turns_and_each_is_warmed_before_its_first_sample(self, monkeypatch):
        clock, order = [0.0], []

        def side(name, seconds):
            def call():
                order.append(name)
                clock[0] += seconds
                return name

            return Side(name, "ours" if name == "a" else "rival", call)

        monkeypatch.setattr(timing, "perf_counter", lambda: clock[0])
        found = interleaved([side("a", 1.0), side("b", 4.0)], rounds=4, seconds=1e9)
        assert [t.spread.median for t in found] == [1.0, 4.0]
        assert [t.answer for t in found] == ["a", "b"]
        assert [t.spread.samples for t in found] == [4, 4]
        assert order == list("aabb" + "ab" + "ba" + "ab" + "ba")

    def test_short_calls_are_repeated_until_a_sample_is_long_enough(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr(timing, "perf_counter", lambda: clock[0])

        def call():
            clock[0] += 1e-3

        found = interleaved([Side("a", "ours", call)], rounds=3, seconds=1e9)[0]
        assert found.spread.calls in (20, 21)
        assert found.spread.median == pytest.approx(1e-3)

    def test_time_that_is_used_up_ends_the_rounds_but_not_before_the_third(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr(timing, "perf_counter", lambda: clock[0])

        def call():
            clock[0] += 10.0

        assert interleaved([Side("a", "ours", call)], rounds=9, seconds=1.0)[0].spread.samples == 3

    def test_samples_are_taken_without_the_garbage_collector(self):
        seen = []
        interleaved([Side("a", "ours", lambda: seen.append(timing.gc.isenabled()))], 3, 1.0, sample_seconds=0.0)
        assert seen and not any(seen)
        assert timing.gc.isenabled()


class TestVerdicts:
    @pytest.mark.parametrize(
        ("value", "target", "verdict", "words"),
        [
            (6.0, Target(5.0, ceiling=False), "met", "met (at least 5)"),
            (4.0, Target(5.0, ceiling=False), "short", "SHORT by 1 (at least 5)"),
            (1.5, Target(1.7, ceiling=True), "met", "met (at most 1.7)"),
            (2.0, Target(1.5, ceiling=True), "short", "SHORT by 0.5 (at most 1.5)"),
        ],
    )
    def test_a_figure_is_held_against_its_target(self, value, target, verdict, words):
        found, result = judged(Case("one", lambda: outcome_of(value)), one=target)
        assert found.verdict == verdict
        assert words in printed(result)
        assert command.exit_code(result, strict=False) == 0
        assert command.exit_code(result, strict=True) == (verdict == "short")

    @pytest.mark.parametrize("difference", [1e-8, math.nan, math.inf])
    def test_unequal_answers_make_a_figure_void(self, difference):
        case = Case("one", lambda: outcome_of(100.0, Check("same answer", difference, 1e-9)))
        found, result = judged(case, one=Target(5.0, ceiling=False))
        assert found.verdict == "VOID"
        assert "VOID" in printed(result) and "NOT HELD: same answer" in printed(result)
        assert command.exit_code(result, strict=False) == 1

    def test_compare_checks_the_answers_that_were_timed(self):
        sides = [Side("ours", "ours", lambda: 1.0), Side("theirs", "rival", lambda: 2.0)]

        def run():
            return compare(sides, Plan(quick=True), lambda a: [Check("same", abs(a["ours"] - a["theirs"]), 0.5)])

        assert judged(Case("one", run))[0].verdict == "VOID"

    def test_a_peer_that_is_not_installed_is_named_as_not_run(self):
        sides = [Side("ours", "ours", lambda: 1), Side("theirs", "rival", lambda: 1), Absent("marvellous_solver")]
        case = Case("one", lambda: compare(sides, Plan(quick=True), lambda _: []))
        _, result = judged(case)
        assert "not run: marvellous_solver is not installed" in printed(result)
        assert peer("marvellous_solver") is None

    def test_statsmodels_is_run_where_it_is_installed_and_named_where_not(self, monkeypatch):
        X, y = tables.plain(20, 2)
        monkeypatch.setattr(rivals, "peer", lambda module: None)
        assert rivals.statsmodels_side(X, y) == Absent("statsmodels")

    def test_a_goal_that_is_missed_is_printed_and_never_an_error(self):
        _, result = judged(Case("one", lambda: outcome_of(7.0)), one=Target(3.0, ceiling=True, goal=True))
        assert "SHORT by 4 (goal: at most 3)" in printed(result)
        assert command.exit_code(result, strict=True) == 0

    def test_a_target_holds_for_its_numbers_of_threads_and_never_for_a_quick_run(self):
        case, target = Case("one", lambda: outcome_of(1.0)), Target(5.0, ceiling=False, threads=(1,))
        assert judged(case, Plan(threads=1), one=target)[0].verdict == "short"
        assert judged(case, Plan(threads=2), one=target)[0].verdict == "no target"
        found, result = judged(case, Plan(quick=True), one=target)
        assert found.verdict == "no target"
        assert "quick: not a record" in printed(result)

    def test_what_cannot_be_run_or_fails_is_said_and_the_next_case_still_runs(self, capsys):
        def missing():
            raise NotRun("there is no file")

        def broken():
            raise ArithmeticError("out of numbers")

        cases = [Case("missing", missing), Case("broken", broken), Case("good", lambda: outcome_of(1.0))]
        result = run_claim("made_up", claim_of(*cases), Plan(), {})
        assert [j.verdict for j in result.judged] == ["not run", "FAILED", "no target"]
        assert "not run: there is no file" in printed(result)
        assert "FAILED: ArithmeticError: out of numbers" in printed(result)
        assert command.exit_code(result, strict=False) == 1
        assert "out of numbers" in capsys.readouterr().err

    def test_cases_for_which_no_time_is_left_are_named(self):
        cases = [Case("first", lambda: outcome_of(1.0)), Case("second", lambda: outcome_of(1.0))]
        result = run_claim("made_up", claim_of(*cases), Plan(), {}, claim_seconds=0.0)
        assert result.judged[1].verdict == "not run"
        assert "seconds are used up" in printed(result)

    def test_what_cases_share_is_released_even_when_one_fails(self):
        released = []

        @contextmanager
        def shared():
            yield
            released.append(True)

        plan = Plan()

        def run():
            plan.held.enter_context(shared())
            raise OSError("disk full")

        assert judged(Case("one", run), plan)[0].verdict == "FAILED"
        assert released == [True]


class TestTargets:
    def test_every_claim_has_targets_and_every_target_a_claim(self):
        assert sorted(read_targets()) == claims.names()

    @pytest.mark.parametrize("claim", claims.names())
    def test_every_target_names_a_case_of_the_full_run(self, claim):
        module = claims.load(claim)
        cases = [case.name for case in module.cases(Plan())]
        assert len(cases) == len(set(cases))
        assert set(read_targets()[claim]) <= set(cases)
        assert module.SENTENCE and module.cases(Plan(quick=True))

    @pytest.mark.parametrize("entry", [{}, {"at_least": 1, "at_most": 2}, {"at_least": 1, "atmost": 2}])
    def test_a_target_that_is_not_clear_is_refused(self, entry):
        with pytest.raises(ValueError, match="needs one of at_least, at_most"):
            parse("claim", "case", entry)


class TestRecord:
    def test_the_record_says_what_it_was_measured_on(self, tmp_path):
        _, result = judged(Case("one", lambda: outcome_of(math.inf, Check("same", 0.0, 1.0))))
        record = json.loads(write_record(result, describe(1), tmp_path).read_text(encoding="utf-8"))
        machine = record["machine"]
        assert machine["blas"] and all(b["architecture"] and b["version"] for b in machine["blas"])
        assert all(b["threads"] == 1 for b in machine["blas"])
        assert machine["versions"]["numpy"] == np.__version__
        assert {"glaswerk", "scikit-learn", "scipy", "numba"} <= set(machine["versions"])
        assert machine["cores"] >= 1 and machine["python"] and machine["processor"] and machine["date"]
        assert "commit" in machine
        assert record["record"] is True
        assert record["cases"][0]["outcome"]["checks"] == [{"what": "same", "found": 0.0, "allowed": 1.0, "held": True}]
        assert record["cases"][0]["outcome"]["value"] == "inf"  # JSON has no infinity

    def test_a_quick_run_never_replaces_a_record(self, tmp_path):
        case = Case("one", lambda: outcome_of(1.0))
        names = {write_record(judged(case, plan)[1], describe(1), tmp_path).name for plan in (Plan(), Plan(quick=True))}
        assert names == {"made_up-1.json", "made_up-1-quick.json"}

    def test_the_table_names_the_architecture_of_the_kernels(self):
        _, result = judged(Case("one", lambda: outcome_of(1.0)))
        assert f"kernels {describe(1).blas[0].architecture}" in printed(result)

    def test_a_busy_machine_is_named(self):
        _, result = judged(Case("one", lambda: outcome_of(1.0)))
        busy = SimpleNamespace(**{**describe(1).__dict__, "load": 3.0})
        assert "BUSY" in as_text(result, busy)


class TestCommand:
    def test_list_names_every_claim(self, capsys):
        assert command.main(["--list"]) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == claims.names()

    @pytest.mark.parametrize("words", [["no_such_claim"], ["digits", "--threads", "0"]])
    def test_wrong_arguments_are_refused(self, words, capsys):
        with pytest.raises(SystemExit) as ended:
            command.main(words)
        assert ended.value.code == 2
        assert "least_squares" in capsys.readouterr().err or "0" in words


class TestReference:
    """The exact solutions judge our solver: small cases by hand, and one way against another."""

    def test_three_points_by_hand(self):
        found = exact.solve_exactly(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0]))
        assert found.all == (Fraction(5, 6), Fraction(3, 2))

    def test_machine_integers_in_pieces_give_the_same_gram_as_python_integers(self):
        rng = np.random.default_rng(3)
        whole = rng.integers(-(2**46), 2**46, size=(500, 4))
        found, expected = exact.integer_gram(whole), exact.integer_gram(whole.astype(object))
        assert (found == expected).all()
        assert (exact.column_sums(whole) == exact.column_sums(whole.astype(object))).all()

    @pytest.mark.parametrize("condition", [1e1, 1e6])
    def test_fixed_point_and_fractions_agree(self, condition):
        X, y = tables.nearly_equal_columns(300, 5, condition)
        whole, _ = exact.on_one_grid(np.column_stack([X, y]))
        gram = exact.integer_gram(whole)
        pair = exact.solve_fractions(gram[:5, :5], gram[:5, 5]), exact.solve_fixed_point(gram[:5, :5], gram[:5, 5])
        assert max(abs(a - b) / abs(a) for a, b in zip(*pair, strict=True)) < Fraction(1, 10**40)

    def test_numbers_off_every_grid_are_refused_rather_than_rounded(self):
        with pytest.raises(ValueError, match="do not lie on one binary grid"):
            exact.on_one_grid(np.array([[0.1, 1e9]]))

    def test_correct_digits_are_those_of_the_worst_coefficient(self):
        truth = (Fraction(1), Fraction(2))
        assert exact.correct_digits([1.0, 2.0], truth) == exact.CAP
        assert exact.correct_digits([1.001, 2.0], truth) == pytest.approx(3.0, abs=1e-6)
        assert exact.correct_digits([math.nan, 2.0], truth) == -math.inf
        assert exact.correct_digits([1.0, 200.0], truth) < 0

    @pytest.mark.parametrize(("name", "rows", "coefficients"), [("Norris", 36, 2), ("Longley", 16, 7)])
    def test_certificates_are_read_as_printed(self, name, rows, coefficients):
        try:
            found = nist.load_certified(name)
        except NotRun as why:
            pytest.skip(str(why))
        assert found.x.shape == (rows, 6 if name == "Longley" else 1)
        assert len(found.coefficients) == coefficients
        if name == "Norris":
            assert found.coefficients[0] == Fraction("-0.262323073774029")


def test_the_simulated_times_of_the_page_are_those_that_the_script_prints():
    page = (Path(__file__).parents[1] / "docs" / "scale_table.md").read_text(encoding="utf-8")
    assert page == f"{simulation.table()}\n\n{simulation.ASSUMED}\n"
    alone, many = (simulation.seconds(simulation.WORKS[0], 1e11, workers) for workers in (1, 1000))
    assert 500 < alone / many < 1000
