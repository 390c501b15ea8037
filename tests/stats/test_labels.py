"""Labels: classes, codes, and what is no label."""

import numpy as np
import pytest

from glaswerk.base import DataConversionWarning
from glaswerk.stats.labels import classes_of, codes_of, labels_of

NONE = np.zeros(0)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["no", "yes", "no"], ["no", "yes"]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
        ([3, -2, 3], [-2, 3]),
        ([1.0, 0.0, 1.0], [0.0, 1.0]),
        ([True, False, True], [False, True]),
        (np.array([7, 9, 7], dtype=np.uint8), [7, 9]),
        (np.array([10**12, 0, 10**12]), [0, 10**12]),
        (np.array([1, 0, 1], dtype=object), [0, 1]),
    ],
)
def test_labels_of_any_kind_become_sorted_classes_and_codes(y, classes):
    labels = labels_of(y, 3, "Model")
    found = classes_of(labels)
    assert found.tolist() == classes
    codes = codes_of(labels, found)
    assert codes.dtype == np.float64
    assert found[codes.astype(int)].tolist() == labels.tolist()


def test_counting_and_sorting_find_the_same():
    rng = np.random.default_rng(0)
    near = rng.integers(-40, 40, 500)
    classes, codes = np.unique(near, return_inverse=True)
    np.testing.assert_array_equal(classes_of(near), classes)
    np.testing.assert_array_equal(codes_of(near, classes), codes)
    np.testing.assert_array_equal(codes_of(near * 10**9, classes * 10**9), codes)


def test_rows_of_weight_zero_and_their_classes_are_absent():
    labels, weight = np.array(["a", "b", "c"]), np.array([1.0, 2.0, 0.0])
    classes = classes_of(labels, weight)
    assert classes.tolist() == ["a", "b"]
    assert codes_of(labels, classes, weight).tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([0.5, 1.0, 2.0], r"continuous \(np.float64\(0.5\) in row 0\)|continuous"),
        ([0.0, np.nan, 1.0], "contains NaN: row 1"),
        ([0.0, np.inf, 1.0], "contains infinity: row 1"),
        (["a", None, "b"], "missing in row 1"),
        (np.array(["a", 1, "b"], dtype=object), "labels of one kind"),
        (np.array([object(), 1, 2], dtype=object), "labels of one kind|Unknown label type"),
        ([[1, 2], [3, 4], [5, 6]], r"one dimension, got shape \(3, 2\)"),
        ([1, 2], "X has 3 rows and y has 2: inconsistent numbers of samples"),
    ],
)
def test_what_is_no_label_is_refused_with_its_row(y, message):
    with pytest.raises(ValueError, match=message):
        labels_of(y, 3, "Model")


def test_a_single_class_is_named():
    with pytest.raises(ValueError, match="Model: the target y holds only 1 class, 'yes'; two at least"):
        classes_of(np.array(["yes", "yes"]), owner="Model")
    with pytest.raises(ValueError, match="only 1 class, 4"):
        classes_of(np.array([4, 5]), np.array([1.0, 0.0]))


def test_a_new_label_is_named_with_its_row():
    with pytest.raises(ValueError, match="the label 'c' in row 1 is new; the classes are 'a', 'b'"):
        codes_of(np.array(["a", "c"]), np.array(["a", "b"]))
    with pytest.raises(ValueError, match="the label 5 in row 0 is new; the classes are 1, 2"):
        codes_of(np.array([5, 2]), np.array([1, 2]))
    with pytest.raises(ValueError, match="the classes are 'a', 'b'"):
        codes_of(np.array([1, 2]), np.array(["a", "b"]))


def test_a_column_vector_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert labels_of(np.array([[1], [0]]), 2, "Model").tolist() == [1, 0]


def test_small_integers_whose_distance_does_not_fit_them():
    labels = np.array([-128, 127, 0, 127], dtype=np.int8)
    classes = classes_of(labels)
    assert classes.tolist() == [-128, 0, 127]
    assert codes_of(labels, classes).tolist() == [0.0, 2.0, 1.0, 2.0]
