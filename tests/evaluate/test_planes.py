"""Groups in a plane: borders that part equally near rows, ellipses of their covariance, paths, edges."""

import numpy as np
import pytest

from glaswerk import LBG, GaussianMixture, KMeans, load_iris
from glaswerk.evaluate import group_plane
from tests.learners.test_kmeans import clumps


@pytest.mark.parametrize("metric", ["euclidean", "mahalanobis"])
def test_a_border_lies_where_two_prototypes_are_nearest_and_equally_so(metric):
    X = clumps(200, 2, 5) @ [[2.0, 1.0], [0.0, 1.0]]
    model = KMeans(6, metric=metric).fit(X)
    found = group_plane(model, X)
    assert len(found.borders) >= 5
    for border in found.borders:
        i, j = (int(k) for k in border.name.split(" | "))
        ends = np.array([border.x, border.y]).T
        for share in (0.05, 0.5, 0.95):
            away = model.transform([ends[0] + share * (ends[1] - ends[0])])[0]
            assert away[i] == pytest.approx(away[j], rel=1e-7)
            assert away[i] <= away.min() * (1 + 1e-7)


def test_two_columns_are_drawn_as_they_are():
    X = clumps(60, 2, 3)
    model = KMeans(3, trace=True).fit(X)
    found = group_plane(model, X, names=("length", "width"))
    np.testing.assert_allclose([point[:2] for point in found.points], X)
    assert [point[2] for point in found.points] == model.labels_.tolist()
    np.testing.assert_allclose(found.centres, model.cluster_centers_)
    assert (found.x_title, found.y_title) == ("length", "width")
    for k, path in enumerate(found.paths):
        np.testing.assert_allclose([path.x[-1], path.y[-1]], model.cluster_centers_[k])


def test_an_ellipse_lies_two_deviations_from_its_mean():
    X = clumps(300, 2, 2)
    model = GaussianMixture(2, trace=True).fit(X)
    found = group_plane(model, X)
    for k, ring in enumerate(found.outlines):
        away = np.array([ring.x, ring.y]).T - model.means_[k]
        squares = (away @ model.precisions_[k] * away).sum(axis=1)
        np.testing.assert_allclose(squares, 4, rtol=1e-9)
    assert len(found.paths) == 2


def test_many_columns_are_turned_and_one_lies_on_a_line():
    X = load_iris().to_polars().drop("species")
    found = group_plane(LBG(4).fit(X), X)
    assert found.x_title == "component 1 (73 % of the variance)"
    assert not found.borders
    assert found.rows == 150
    flat = group_plane(KMeans(2).fit([[0.0], [1.0], [9.0]]), [[0.0], [1.0], [9.0]])
    assert {point[1] for point in flat.points} == {0.0}
    assert "rows are drawn" in str(flat.table())
