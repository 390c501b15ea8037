"""A report without a target: groups in the units of the table, the page and its numbers, the command."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from glaswerk import load_iris
from glaswerk.cli import main
from glaswerk.facts import Curve, GroupPlane, Prototypes, Statement
from glaswerk.report import cluster_report


@pytest.fixture(scope="module")
def flowers():
    return cluster_report(load_iris(), groups=3, drop=["species"])


def test_groups_are_told_in_the_units_of_the_table(flowers):
    (found,) = [fact for fact in flowers.sections[0].facts if isinstance(fact, Prototypes)]
    assert found.columns == ("sepal_length", "sepal_width", "petal_length", "petal_width")
    setosa = next(group for group in found.groups if group.rows == 50)
    np.testing.assert_allclose(setosa.centre, [5.006, 3.428, 1.462, 0.246])
    assert sum(group.rows for group in found.groups) == 150
    np.testing.assert_allclose(found.mean[0], 5.843333, rtol=1e-6)


def test_it_says_how_many_and_how_sure(flowers):
    facts = [fact for section in flowers.sections for fact in section.facts]
    answer = next(fact for fact in facts if isinstance(fact, Statement))
    assert "3 groups were asked for; the curves would choose" in str(answer.table())
    assert len([fact for fact in facts if isinstance(fact, GroupPlane)]) == 1
    assert len([fact for fact in facts if isinstance(fact, Curve)]) == 4


def test_the_page_holds_its_numbers_and_loads_nothing(flowers, tmp_path):
    flowers.save(tmp_path / "page.html", json_path=tmp_path / "page.json")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(f'id="{section.name}"' in page for section in flowers.sections)
    assert "default-src &#39;none&#39;" in page
    told = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    assert told["results"]["groups"][2]["fact"] == "Prototypes"
    assert told["hash"] == cluster_report(load_iris(), groups=3, drop=["species"]).data["hash"]
    assert flowers.figure("groups-3-portraits").title == "Portraits of 3 groups"
    assert "cluster_report" in flowers.snippet


def test_the_command_writes_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"{k % 2 * 9 + k / 40},{k % 3},{'<b>' if k % 2 else 'red'}" for k in range(40))
    (tmp_path / "rows.csv").write_text(f"size,count,colour\n{rows}\n", encoding="utf-8")
    found = CliRunner().invoke(main, ["report", "rows.csv", "--cluster", "--seed", "1"])
    assert found.exit_code == 0, found.output
    assert "The report: rows-report.html" in found.stdout
    page = (tmp_path / "rows-report.html").read_text(encoding="utf-8")
    assert "glaswerk report rows.csv --cluster --seed 1" in page
    assert "<b>" not in page.replace("<b></b>", "")


def test_wrong_use_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("a,b\n" + "1,2\n3,4\n" * 2, encoding="utf-8")
    both = CliRunner().invoke(main, ["report", "rows.csv", "--cluster", "--target", "a"])
    neither = CliRunner().invoke(main, ["report", "rows.csv"])
    assert (both.exit_code, neither.exit_code) == (2, 2)
    assert "leave out --target" in both.output
    assert "Missing option '--target'" in neither.output
    with pytest.raises(ValueError, match="needs eight rows at least, the table has 4"):
        cluster_report(tmp_path / "rows.csv")
    with pytest.raises(ValueError, match="no column 'z' to drop"):
        cluster_report(load_iris(), drop=["z"])
    with pytest.raises(ValueError, match="every cell of the table is missing"):
        cluster_report({"a": [None] * 20, "b": [None] * 20})
