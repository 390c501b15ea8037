"""What the figures of each kind say and draw: known numbers."""

import numpy as np

from glaswerk.facts import Coefficient, Coefficients, ColumnCard, Confusion, Curve, DataCard, Line, OutOfFold
from glaswerk.figures import figures_of
from glaswerk.figures.out_of_fold import running_median
from tests.figures.samples import FACTS, coefficient


def drawn(figure, mark):
    """The rows under every layer of one mark."""
    return [row for layer in figure.spec["layer"] if layer["mark"]["type"] == mark for row in layer["data"]["values"]]


def layers(figure, mark):
    return [layer for layer in figure.spec["layer"] if layer["mark"]["type"] == mark]


# Coefficients


def test_coefficients_keep_their_order_and_t_ranks_them():
    plain, ranked = figures_of(FACTS["coefficients of cars"])
    assert [row["row"] for row in drawn(plain, "rule") if "row" in row][:3] == [
        "cylinders",
        "displacement",
        "horsepower",
    ]
    rows = layers(ranked, "point")
    scale = rows[0]["encoding"]["y"]["scale"]["domain"]
    assert scale[:2] == ["model_year", "weight"]
    assert plain.alt == (
        "8 coefficients for mpg as dots with 95 % intervals: the largest is that of origin = Japan, "
        "2.85 (1.744 to 3.956); 5 of 8 intervals exclude zero."
    )


def test_a_coefficient_whose_interval_holds_zero_is_hollow():
    plain, _ = figures_of(FACTS["coefficients of cars"])
    fills = {row["row"]: layer["mark"]["fill"] for layer in layers(plain, "point") for row in layer["data"]["values"]}
    assert {name for name, fill in fills.items() if fill == "white"} == {"cylinders", "horsepower", "acceleration"}


def test_an_intercept_of_the_same_size_stays_and_one_out_of_scale_goes():
    def names(intercept):
        rows = (coefficient("intercept", intercept, 0.1), coefficient("a", 1.0, 0.1), coefficient("b", 2.0, 0.1))
        figure = figures_of(Coefficients("y", 0.95, rows))[0]
        return {row["row"] for row in drawn(figure, "point")}, figure.note

    assert names(3.0) == ({"intercept", "a", "b"}, "")
    assert names(300.0) == ({"a", "b"}, "Not drawn, since their size would flatten the others: intercept.")


def test_coefficients_without_errors_are_dots_without_t():
    figures = figures_of(Coefficients("y", 0.95, (Coefficient("intercept", 400.0), Coefficient("a", 1.5))))
    assert [figure.name for figure in figures] == ["coefficients"]
    assert figures[0].title == "Coefficients for y"
    assert figures[0].alt == "1 coefficient for y as dots: the largest is that of a, 1.5."


def test_an_intercept_alone_is_drawn():
    (figure, _) = figures_of(Coefficients("y", 0.95, (coefficient("intercept", 4.0, 0.5),)))
    assert [row["x"] for row in drawn(figure, "point")] == [4.0]


# Surfaces


def test_a_surface_is_a_map_in_shades_with_its_paths_on_top():
    (figure,) = figures_of(FACTS["a valley with paths"])
    (cells,), lines, (first, second) = layers(figure, "rect"), layers(figure, "line"), layers(figure, "point")
    assert len(cells["data"]["values"]) == 36 * 36
    cuts = cells["encoding"]["fill"]["scale"]["domain"]
    assert cuts == sorted(cuts)
    assert len(cells["encoding"]["fill"]["scale"]["range"]) == len(cuts) + 1
    assert [layer["mark"].get("color") for layer in lines] == ["white", None, "white", None]
    assert len(first["data"]["values"]) == len(second["data"]["values"]) == 30
    assert figure.alt == (
        "Loss over two weights: loss between 0 and 44 over w0 and w1; good goes in 29 steps from (1.5, 0.5) to "
        "(0.002321, 0.02355); too large goes in 29 steps from (1.5, 0.3) to (−0.3389, −0.1764)."
    )


def test_paths_beyond_the_sixth_are_counted_and_a_surface_alone_has_its_grid_as_table():
    (many,) = figures_of(FACTS["a large grid with long paths"])
    assert many.note.endswith("3 paths more in the table only.")
    (alone,) = figures_of(FACTS["a surface alone"])
    assert alone.table.columns == ("w0", "w1", "loss")
    assert len(alone.table.rows) == 25


# Comparison


def test_a_comparison_has_its_baseline_its_folds_and_its_differences():
    scores, differences = figures_of(FACTS["comparison of cars"])
    assert drawn(scores, "rule")[0] == {"x": 7.81}
    assert len(drawn(scores, "tick")) == 4 * 30
    assert scores.alt.endswith("best is squares and products with 2.91 (2.72 to 3.1), the baseline baseline 7.81.")
    assert {row["row"] for row in drawn(differences, "point")} == {"ridge, alpha by CV", "linear", "baseline"}
    assert differences.alt.endswith("ridge, alpha by CV with 0.04 (−0.05 to 0.13); 1 of 3 intervals contain zero.")


def test_a_candidate_out_of_scale_is_named_and_not_drawn():
    scores, _ = figures_of(FACTS["wild comparison"])
    assert len(drawn(scores, "point")) == 40
    assert "and 17 more" in scores.note
    assert min(row["x"] for row in drawn(scores, "point")) > 0


# Curves


def test_lines_have_dashes_points_have_shapes_and_bands_are_clipped():
    (figure,) = figures_of(FACTS["fitted curve"])
    (line,), (band,), (cloud,) = layers(figure, "line"), layers(figure, "area"), layers(figure, "point")
    assert line["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [1, 0]]
    assert cloud["encoding"]["shape"]["scale"]["range"] == ["circle", "stroke"]
    assert band["mark"]["clip"]
    assert len(cloud["data"]["values"]) == 392
    assert "goes from 34.04 at 1600 to 6.68 at 5200" in figure.alt


def test_a_band_that_flies_off_does_not_flatten_the_lines():
    (figure,) = figures_of(FACTS["learning curve"])
    high = layers(figure, "line")[0]["encoding"]["y"]["scale"]["domain"][1]
    assert 6.9 < high < 12


def test_what_has_no_place_on_a_log_scale_is_counted():
    (figure,) = figures_of(FACTS["log log"])
    assert figure.note == "2 points without a place on the scale are left out."
    assert "Loss: loss over step; loss goes from 10000 at" in figure.alt


def test_gaps_stay_gaps():
    (figure,) = figures_of(FACTS["steps and gaps"])
    assert [row["y"] for row in drawn(figure, "line") if row["group"] == "with a gap"] == [-1.0, -2.0, None, 2.0, None]


def test_a_line_alone_has_no_legend_and_the_ninth_line_is_grey():
    (alone,) = figures_of(Curve("c", "x", "y", (Line("only", (0.0, 1.0), (0.0, 1.0)),)))
    assert layers(alone, "line")[0]["encoding"]["color"]["legend"] is None
    (many,) = figures_of(FACTS["ridge path of 200"])
    assert sum("group" in layer["encoding"].get("color", {}).get("field", "") for layer in layers(many, "line")) == 8
    assert (
        many.note
        == "Drawn in grey: column 8, column 9, column 10, column 11 and 188 more. 100 lines are in the table only."
    )


def test_a_sampled_cloud_says_so():
    x = tuple(float(k) for k in range(5_000))
    (figure,) = figures_of(Curve("c", "x", "y", (Line("cloud", x, x, form="points"),)))
    assert figure.note == "1700 of 5000 points of cloud are drawn, chosen by a hash of their place."


# Out of fold


def test_the_running_median_is_the_median_of_a_window():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=101), rng.normal(size=101)
    order = np.argsort(x)
    for at, middle in running_median(x, y):
        k = int(np.flatnonzero(x[order] == at)[0])
        assert middle == np.median(y[order][k - 10 : k + 11])
    assert running_median(x[:10], y[:10]) == []


def test_the_histogram_of_residuals_counts_every_row_once():
    histogram = next(f for f in figures_of(FACTS["out of fold"]) if f.name == "residuals-histogram")
    assert sum(row["y"] for row in drawn(histogram, "rect")) == 398
    assert sum(row[2] for row in histogram.table.rows) == 398


def test_perfect_predictions_are_drawn_too():
    same = tuple(float(k) for k in range(20))
    figures = figures_of(OutOfFold("y", "linear", 20, tuple(range(20)), same, same))
    assert [f.name for f in figures] == ["observed-predicted", "residuals-predicted", "residuals-histogram"]
    assert "root mean squared error 0;" in figures[0].alt


def test_the_figures_of_out_of_fold_predictions_in_their_order():
    assert [f.name for f in figures_of(FACTS["out of fold"])] == [
        "observed-predicted", "residuals-predicted", "quantiles", "residuals-histogram", "residuals-spread", "coverage",
    ]  # fmt: skip


# Confusion


def test_a_confusion_says_what_is_taken_for_what():
    (figure,) = figures_of(Confusion("kind", "knn", ("a", "b"), ((8.0, 2.0), (5.0, 5.0))))
    assert figure.alt == (
        "Heat map of 2 classes of kind predicted by knn: 13 of 20 rows are recognised; "
        "most often b is taken for a (5 rows)."
    )
    assert [(row["y"], row["x"], row["count"], row["share"]) for row in drawn(figure, "rect")] == [
        ("a", "a", "8", 0.8), ("a", "b", "2", 0.2), ("b", "a", "5", 0.5), ("b", "b", "5", 0.5),
    ]  # fmt: skip


def test_many_classes_are_joined_without_losing_a_row():
    fact = FACTS["confusion of 200"]
    (figure,) = figures_of(fact)
    cells = drawn(figure, "rect")
    assert len(cells) == 900
    assert figure.note == "The 171 smallest of 200 classes are joined as “all others”."


# Data card


def test_small_pictures_count_rows_and_name_the_ends():
    figures = {figure.name: figure for figure in figures_of(FACTS["card of cars"])}
    assert [row["x"] for row in drawn(figures["missing"], "bar")] == [398, 120, 6]
    levels = figures["column-3"]
    assert [(row["row"], row["x"]) for row in drawn(levels, "bar")][:1] == [("ford pinto", 6)]
    assert drawn(levels, "bar")[-1]["x"] == 4
    assert [row["label"] for row in drawn(figures["column-5"], "text")] == ["2005-08-05", "2017-08-02"]
    assert "column-8" not in figures  # an empty column has nothing to draw


def test_what_the_frequent_levels_leave_is_one_more_bar():
    column = ColumnCard("name", "text", distinct=90, levels=tuple((f"l{k}", 10 - k) for k in range(8)))
    (figure,) = figures_of(DataCard("t", 100, (column,)))
    assert [(row["row"], row["x"]) for row in drawn(figure, "bar")] == [
        ("l0", 10),
        ("l1", 9),
        ("l2", 8),
        ("others", 73),
    ]


def test_bins_of_unequal_width_have_areas_for_rows():
    column = ColumnCard("x", "number", histogram=((0.0, 1.0, 10), (1.0, 11.0, 10)))
    (figure,) = figures_of(DataCard("t", 20, (column,)))
    assert [row["y"] for row in drawn(figure, "rect")] == [10.0, 1.0]


def test_what_one_line_leaves_another_may_have():
    """A thousand errors and the mean of each run are drawn whole; five lines too long for all share what there is."""
    points, mean = tuple(map(float, range(1000))), tuple(map(float, range(100)))
    whole = Curve("t", "run", "error", (Line("one fold", points, points, form="points"), Line("mean", mean, mean)))
    assert figures_of(whole)[0].note == ""
    many = Curve("t", "x", "y", tuple(Line(f"l{k}", points, points, form="points") for k in range(5)))
    assert "340 of 1000 points of l0 are drawn" in figures_of(many)[0].note
