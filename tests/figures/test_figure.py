"""A figure draws and writes itself, and nothing large is loaded before it does."""

import json
import subprocess
import sys

import pytest

from glaswerk.figures import Figure, FigureError, figures_of
from tests.figures.samples import car_coefficients, out_of_fold


@pytest.fixture
def figure() -> Figure:
    return figures_of(car_coefficients())[0]


@pytest.mark.parametrize(
    ("ending", "head"), [(".svg", b"<svg"), (".PNG", b"\x89PNG"), (".pdf", b"%PDF"), (".json", b"{")]
)
def test_the_ending_says_how_it_is_written(figure, tmp_path, ending, head):
    path = tmp_path / f"picture{ending}"
    figure.save(path)
    assert path.read_bytes().startswith(head)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_an_unknown_ending_is_refused_by_name_and_nothing_is_written(figure, tmp_path):
    with pytest.raises(FigureError, match=r"picture\.gif.*\.svg, \.png, \.pdf, \.json"):
        figure.save(tmp_path / "picture.gif")
    assert not list(tmp_path.iterdir())


def test_the_dictionary_written_is_what_any_vega_editor_draws(figure, tmp_path):
    figure.save(tmp_path / "picture.json")
    spec = json.loads((tmp_path / "picture.json").read_text())
    assert spec["$schema"].endswith("vega-lite/v6.json")
    assert spec["description"] == figure.alt
    assert spec["width"] == 720
    assert spec["config"]["font"].startswith("system-ui")


def test_a_picture_on_its_own_has_title_and_note_and_one_in_a_page_has_not(figure):
    assert "Coefficients for mpg with 95 % intervals" in figure.svg()
    assert "Not drawn, since their size would flatten the others: intercept." in figure.svg()
    assert "Coefficients for mpg" not in figure.svg(titled=False).replace(figure.alt, "")
    assert "title" not in figure.spec


def test_a_notebook_gets_a_picture_and_its_sentence(figure):
    bundle = figure._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"] == figure.alt
    assert "application/vnd.vegalite.v6+json" in bundle


def test_importing_and_making_figures_loads_no_engine():
    code = (
        "import sys; from glaswerk.facts import Coefficient, Coefficients; from glaswerk.figures import figures_of;"
        "row = Coefficient('weight', -0.5, 0.1, -5.0, 0.0, -0.7, -0.3);"
        "assert figures_of(Coefficients('mpg', 0.95, (row,)));"
        "assert not {'vl_convert', 'polars', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_table_behind_a_picture_has_its_numbers():
    fact = car_coefficients()
    figure = figures_of(fact)[0]
    drawn = {row["x"] for layer in figure.spec["layer"] for row in layer["data"]["values"] if "tip" in row}
    assert drawn <= {cell for row in figure.table.rows for cell in row}
    observed = figures_of(out_of_fold(2_000))[0]
    points = {(row["x"], row["y"]) for row in observed.spec["layer"][0]["data"]["values"]}
    assert points == {(float(f"{p:.7g}"), float(f"{o:.7g}")) for _, o, p in observed.table.rows}
    assert len(points) == 1_500
    assert observed.note.startswith("1500 of 2000 rows are drawn")
