"""The labs together: none is missing, the docs say the same, they show what they say, and pages hold it all."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from glaswerk import run_lab
from glaswerk.archive import replace_file
from glaswerk.cli import main
from glaswerk.facts import Curve, Facts, Surface, Table
from glaswerk.figures import figures_of
from glaswerk.labs import LABS, list_of_labs
from glaswerk.labs.lab import Printed, beside, verdict
from glaswerk.report import lab_report

ROOT = Path(__file__).parents[2]
QUICK = [name for name in LABS if name not in ("prostate", "wine-trees")]  # whose data cannot come along

# The rows of the mission that are experiments: a new one goes in here, and needs a lab.
EXPERIMENTS = [
    "R17", "R18", "R19", "R20", "R24", "R27", "R36", "R41", "R49",
    "R52", "R54", "R57", "R61", "R78", "R79", "R98", "R99", "R112", "R115", "R116", "R117",
    "R125", "R142", "R143", "R144", "R145", "R146", "R147", "R148", "R149", "R150",
    "R154", "R155", "R156", "R157", "R158", "R159",
]  # fmt: skip


def test_every_experiment_has_its_lab():
    answered = {row for lab in LABS.values() for row in lab.rows}
    assert not set(EXPERIMENTS) - answered, "an experiment of the mission has no lab"


@pytest.mark.parametrize("name", list(LABS))
def test_a_lab_says_what_it_rebuilds_from_where(name):
    lab = LABS[name]
    assert lab.rows
    assert all(re.fullmatch(r"R\d{1,3}", row) for row in lab.rows)
    assert re.match(r"[A-E], ", lab.script)
    assert lab.says[0].islower() or lab.says[0].isupper()
    assert not lab.says.endswith(".")


def docs():
    return (ROOT / "docs" / "labs.md").read_text(encoding="utf-8")


def test_the_table_in_the_docs_is_the_list():
    listed = re.findall(r"^\| \[([\w-]+)\]\(#([\w-]+)\) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", docs(), re.MULTILINE)
    assert [(name, rows, script, says) for name, _, rows, script, says in listed] == [*list_of_labs().rows]
    assert all(name == anchor for name, anchor, *_ in listed)


def test_every_lab_is_explained_in_the_docs():
    headings = re.findall(r"^## ([\w-]+)$", docs(), re.MULTILINE)
    assert headings == [*LABS]
    assert "labs" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", QUICK)
def test_a_lab_has_tables_words_and_figures_within_bounds(name, lab):
    facts = lab(name).facts
    assert isinstance(facts, Facts)
    assert any(isinstance(fact, Table) for fact in facts)
    figures = [figure for fact in facts for figure in figures_of(fact)]
    assert figures
    assert len({figure.title for figure in figures}) == len(figures)
    for figure in figures:
        assert sum(len(part["data"]["values"]) for part in figure.spec["layer"]) <= 2_000, figure.title
    assert json.dumps(facts.to_json(), allow_nan=False)


@pytest.mark.parametrize("name", ["degree-search", "sign-classifier", "batch-sizes", "bayes-bands", "descent-bowl"])
def test_the_same_seed_gives_the_same_facts_and_another_seed_others(name, lab):
    again = run_lab(name, seed=0)
    assert again.to_json() == lab(name).facts.to_json()
    if name != "descent-bowl":  # nothing is drawn at random there
        assert run_lab(name, seed=1).to_json() != again.to_json()


def test_an_unknown_lab_and_a_file_for_nothing_are_refused():
    with pytest.raises(ValueError, match=r"lab must be one of .*batch-sizes, .*, got 'nothing'"):
        run_lab("nothing")
    with pytest.raises(ValueError, match=r"lab collinear has its data with it: it takes no file, got 'x\.csv'"):
        run_lab("collinear", data="x.csv")


# What labs are put together from


@pytest.mark.parametrize(
    ("printed", "obtained", "says"),
    [
        ("0.58", 0.58107, "yes"),
        ("0.77", 0.77679, "cut off"),
        ("0.67", 0.57967, "no"),
        ("-136", -97.18, "no"),
        ("-296", -295.55, "yes"),
        ("2.13", None, "not computable"),
    ],
)
def test_agreement_is_that_of_the_printed_digits(printed, obtained, says):
    assert Printed("w", printed, obtained).agrees == says
    table = beside("Both", [Printed("w", printed, obtained, "why")])
    assert table.rows == (("w", float(printed), obtained, says, "why"),)


@pytest.mark.parametrize(
    ("factor", "says"),
    [(0.8, "comes down"), (0.99, "slow"), (0.0, "at once"), (-0.9, "oscillates, and comes down"),
     (-1.0, "to and fro for ever"), (1.0, "to and fro for ever"), (-1.1, "diverges")],
)  # fmt: skip
def test_a_factor_is_put_into_words(factor, says):
    assert verdict(factor) == says


# Pages, files, command line


def test_the_page_holds_every_table_and_figure_and_loads_nothing():
    report = lab_report("descent-bowl")
    page = report.html
    for fact in report.facts:
        assert (fact.title if isinstance(fact, Curve | Surface) else fact.table().title) in page
    assert page.count('role="img"') == len(report.figures) == 4
    assert "default-src &#39;none&#39;" in page
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)[^"']*""", page.split("<script>")[0])
    assert report.data["hash"] in page
    assert "Formulas:" not in page
    for anchor in re.findall(r'<figure id="([^"]+)"', page):
        assert report.figure(anchor).title in page
        assert f"lab_report(&#34;descent-bowl&#34;, seed=0).figure(&#39;{anchor}&#39;)" in page
    with pytest.raises(KeyError, match="the lab has no figure 'nothing'; it has experiment-1-surface"):
        report.figure("nothing")
    assert "glaswerk lab run descent-bowl --seed 0" in page
    assert lab_report("descent-bowl").html == page
    assert "<iframe" in report._repr_html_()


def test_saving_goes_by_the_name(tmp_path):
    report = lab_report("descent-parabola")
    assert report.save(tmp_path / "x.html") == [tmp_path / "x.html"]
    report.save(tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text()) == report.data
    written = report.save(tmp_path / "figures")
    assert len(written) == 2 * len(report.figures) == len({path.name for path in written})
    assert (tmp_path / "figures").is_dir()
    assert written[1].read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"its name must end in \.html or \.json, or be that of a folder"):
        report.save(tmp_path / "x.pdf")


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def glaswerk(*words):
    return CliRunner().invoke(main, ["lab", *words])


def test_list_prints_every_lab_with_rows_and_script():
    found = glaswerk("list")
    assert found.exit_code == 0
    for name, lab in LABS.items():
        (line,) = [line for line in found.stdout.splitlines() if line.startswith(f"{name} ")]
        assert ", ".join(lab.rows) in line
        assert lab.script in line
    assert len(json.loads(glaswerk("list", "--json").stdout)[0]["rows"]) == len(LABS)


def test_run_prints_tables_and_leaves_a_page(empty):
    found = glaswerk("run", "collinear")
    assert found.exit_code == 0, found.output
    assert "-97.1821" in found.stdout
    assert "[1] no values of x and y" in found.stdout
    assert "Figure: Weights of model 2 over the penalty" in found.stdout
    assert "collinear-lab.html" in found.stderr
    assert [path.name for path in empty.iterdir()] == ["collinear-lab.html"]


def test_run_writes_what_the_name_of_the_output_asks_for(empty):
    assert glaswerk("run", "descent-bowl", "--output", "b.json", "--seed", "3").exit_code == 0
    data = json.loads((empty / "b.json").read_text())
    assert (data["lab"]["name"], data["seed"]) == ("descent-bowl", 3)
    printed = glaswerk("run", "descent-bowl", "--output", "b.json", "--seed", "3", "--json")
    assert json.loads(printed.stdout) == data
    assert glaswerk("run", "descent-bowl", "--output", "pictures").exit_code == 0
    assert len(list((empty / "pictures").iterdir())) == 8


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("run", "nothing"), 2, "batch-sizes, bayes-bands"),
        (("run", "collinear", "--data", "x.csv"), 2, "collinear has its data with it"),
        (("run", "prostate", "--data", "nowhere.data"), 3, "For this lab: the 97 patients cannot come along"),
        (("run", "collinear", "--output", "x.pdf"), 4, "its name must end in .html or .json"),
    ],
)
def test_wrong_use_is_told(empty, words, code, message):
    found = glaswerk(*words)
    assert found.exit_code == code, found.output
    assert message in " ".join(found.stderr.split())


def test_a_wrong_file_of_data_is_told(empty):
    replace_file("prostate.data", b"a,b\n1,2\n")
    found = glaswerk("run", "prostate", "--data", "prostate.data")
    assert found.exit_code == 3
    assert "is not the data set 'prostate'" in found.stderr
    assert "prostate.data" in found.stderr
