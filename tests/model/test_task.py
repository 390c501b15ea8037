"""Which question a target asks: every kind of column, every way to ask otherwise, every refusal."""

import numpy as np
import pytest

from glaswerk.archive import ArchiveError, dumps, loads
from glaswerk.model import Task, decide_task
from glaswerk.table import TableError, read_table


def column(cells, kind=None, levels=None):
    kinds = None if kind is None else {"t": kind}
    return read_table({"t": cells}, kinds=kinds, levels=None if levels is None else {"t": levels})["t"]


def test_numbers_are_a_regression_unless_there_are_two_of_them():
    task = decide_task(column([1.5, 2.5, 4.0, None]))
    assert (task.name, task.classes, task.positive) == ("regression", (), None)
    assert task.reason == "'t' holds 3 different numbers: a number is predicted"
    assert task.hint == ""
    two = decide_task(column([0, 1, 1, None]))
    assert (two.name, two.classes, two.positive) == ("classification", ("0", "1"), "1")
    assert decide_task(column([0, 1, 1]), task="regression").name == "regression"


def test_whole_numbers_may_be_classes_sorted_by_size():
    cells = column([10, 9, 2, 9, 10])
    assert "task='classification'" in decide_task(cells).hint
    task = decide_task(cells, task="classification")
    assert task.classes == ("2", "9", "10")
    truth, missing = task.truth(cells)
    assert truth.tolist() == ["10", "9", "2", "9", "10"]
    assert not missing.any()
    with pytest.raises(TableError, match="31 different numbers: a classification takes at most 30"):
        decide_task(column(list(range(31))), task="classification")
    with pytest.raises(TableError, match="whole ones"):
        decide_task(column([0.5, 1.5, 2.5]), task="classification")


def test_words_flags_and_ordered_levels_are_a_classification():
    assert decide_task(column(list("bca") * 9)).classes == ("a", "b", "c")
    assert decide_task(column([True, False, None], kind="flag")).classes == ("false", "true")
    ordered = decide_task(column(["S", "L", "M", "S"], levels=["S", "M", "L"]))
    assert ordered.classes == ("S", "M", "L")
    assert decide_task(column(["S", "L"], levels=["S", "M", "L"])).classes == ("S", "L")


@pytest.mark.parametrize(
    ("cells", "declared", "positive", "why"),
    [
        (["no", "yes", "yes"], None, "yes", "it says yes"),
        ([" Yes", "nope", "nope"], None, "Yes", "it says yes"),
        (["healthy", "ill", "healthy"], None, "ill", "it is the rarer one"),
        (["b", "a", "a", "b"], None, "b", "it comes last"),
        (["no", "yes", "yes"], "no", "no", "it was declared"),
    ],
)
def test_the_positive_class_is_the_declared_the_affirmative_or_the_rarer(cells, declared, positive, why):
    task = decide_task(column(cells, kind="category"), positive=declared)
    assert task.positive.strip() == positive
    assert why in task.reason
    assert "positive=" in task.hint


def test_truth_gives_numbers_or_names_of_classes():
    cells = column(["x", None, "y"], kind="category")
    truth, missing = decide_task(cells).truth(cells)
    assert truth[[0, 2]].tolist() == ["x", "y"]
    assert missing.tolist() == [False, True, False]
    numbers = column([1.0, 2.0, None, 3.0])
    truth, missing = decide_task(numbers).truth(numbers)
    np.testing.assert_array_equal(truth, [1, 2, np.nan, 3])
    assert missing.tolist() == [False, False, True, False]


def test_classes_that_look_like_numbers_get_a_hint():
    task = decide_task(column(["$1,200", "$900", "free", "$1,200"], kind="category"))
    assert "kinds={'t': 'number'}" in task.hint


@pytest.mark.parametrize(
    ("cells", "kind", "options", "message"),
    [
        ([None, None], "number", {}, "no value in any of 2 rows"),
        ([3.0, 3.0, None], None, {}, "is 3 in every row"),
        (["a", "a"], "category", {}, "is 'a' in every row"),
        (["some words", "more"], "text", {}, "cannot be predicted: it is read as free text"),
        (["1a", "1b"], "identifier", {}, "an identifier"),
        (["2024-01-01", "2024-01-02"], "date", {}, "days until it"),
        (["a", "b", "a"], "category", {"task": "regression"}, "a regression needs numbers, .* such as 'a'"),
        (["a", "b", "a"], "category", {"positive": "c"}, r"one of the two classes of 't' \('a', 'b'\), got 'c'"),
        (["a", "b", "c"], "category", {"positive": "a"}, "None with more than two classes"),
        ([1.0, 2.0, 3.0], None, {"positive": "1"}, "names a class, and target 't' is a number"),
        ([1.0, 2.0], None, {"task": "ranking"}, "task must be 'regression' or 'classification' or None"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_way_out(cells, kind, options, message):
    with pytest.raises(ValueError, match=message):
        decide_task(column(cells, kind), **options)


def test_a_task_comes_back_from_a_file_and_a_forged_one_does_not():
    task = decide_task(column(["no", "yes"], kind="category"))
    assert loads(dumps(task, kind="t"), kind="t") == task
    for forged in (Task("ranking", "t", (), None, "", ""), Task("regression", "t", ("a",), None, "", "")):
        with pytest.raises(ArchiveError, match="not a valid Task"):
            loads(dumps(forged, kind="t"), kind="t")
