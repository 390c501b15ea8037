"""The page: complete, self-contained, escaped, and held to its own policy. A browser looks at it in test_browser."""

import base64
import dataclasses
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from glaswerk.facts import Statement, Table
from glaswerk.report import Report
from glaswerk.report.cells import cell_html, plain, sentence_html
from glaswerk.report.contents import Section
from glaswerk.report.page import file_name, key_numbers, page, policy
from glaswerk.report.views import MOST_ROWS, grid, with_intervals

VOID = {"meta", "img", "br", "link", "input", "hr"}


class Outline(HTMLParser):
    """Elements with their attributes, the text of each kind of element, and whether all are closed."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def report(analysis):
    return Report(analysis)


@pytest.fixture(scope="module")
def outline(report):
    return Outline(report.html)


@pytest.fixture(scope="module")
def attacked(hostile):
    return Report(hostile)


def test_every_element_is_closed_and_every_id_is_used_once(outline):
    assert outline.open == []
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {a["href"][1:] for a in outline.of("a")}
    assert targets <= set(ids)
    assert {a["data-save"] for _, a in outline.elements if "data-save" in a} <= set(ids)


def test_the_page_reaches_for_nothing(report, outline):
    assert all(a["src"].startswith("data:image/") for a in outline.of("img"))
    assert not outline.of("link") and not outline.of("iframe") and not outline.of("form")
    assert all("src" not in a for a in outline.of("script"))
    assert all(a["href"].startswith("#") for a in outline.of("a"))
    style = "".join(outline.text["style"])
    assert "url(" not in style and "@import" not in style
    assert len(report.html.encode()) < 3_000_000


def test_the_policy_names_exactly_the_scripts_of_the_page(report, outline):
    head = outline.of("meta")
    stated = next(a["content"] for a in head if a.get("http-equiv") == "Content-Security-Policy")
    scripts = re.findall(r"<script>(.*?)</script>", report.html, re.S)
    assert stated == policy(*scripts)
    assert stated.startswith("default-src 'none'; script-src 'sha256-")
    for script in scripts:
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in stated
    assert "unsafe-eval" not in stated and "script-src 'unsafe-inline'" not in stated
    assert not [a for _, a in outline.elements for name in a if name.startswith("on")]


def test_headings_descend_one_level_at_a_time(outline):
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_landmarks_skip_link_and_language(outline):
    tags = [tag for tag, _ in outline.elements]
    assert all(tags.count(tag) == 1 for tag in ("main", "nav", "footer", "h1"))
    assert next(a for t, a in outline.elements if t == "html")["lang"] == "en"
    assert outline.of("a")[0] == {"class": "skip", "href": "#content"}
    assert all("alt" in a for a in outline.of("img"))
    assert all(a.get("aria-label") for _, a in outline.elements if a.get("role") == "img")


def test_every_fact_is_in_the_page(report, analysis):
    for fact in analysis.facts():
        table = with_intervals(fact.table())
        for row in table.rows[:MOST_ROWS]:
            for cell in row:
                shown = plain(cell) if not isinstance(cell, str) else None
                assert (shown or str(cell_html(cell, 300))[5:-6] or "") in report.html, (table.title, cell)


def test_every_picture_has_its_words_its_table_and_its_data(report, outline):
    drawings = [a for _, a in outline.elements if "data-figure" in a]
    assert len(drawings) >= 10
    for drawing in drawings:
        block = re.search(
            rf'<script type="application/json" id="{drawing["data-figure"]}">(.*?)</script>', report.html, re.S
        )
        assert isinstance(json.loads(block[1]), dict)
        assert drawing["aria-label"]
    assert len(re.findall(">Table</(?:summary|a)>", report.html)) == len(drawings)


def test_the_json_in_the_page_is_the_twin(report, attacked):
    for one in (report, attacked):
        block = re.search(r'<script type="application/json" id="report-json">(.*?)</script>', one.html, re.S)
        assert json.loads(block[1]) == json.loads(one.json)
    assert report.data["results"]["comparison"][0]["rows"][0]["score"] == 3.32


def test_a_hostile_table_only_shows_itself(attacked, outline):
    found = Outline(attacked.html)
    assert {tag for tag, _ in found.elements} == {tag for tag, _ in outline.elements}
    assert len(found.of("script")) == len(re.findall("<script", attacked.html))
    assert not [a for _, a in found.elements for name in a if name.startswith("on")]
    assert "&lt;script&gt;alert(1)" in attacked.html
    assert "49" not in "".join(found.text["h1"])
    for hidden in ("\x1b", "\u202e", "\u2066", "\x00", "\u2028"):
        assert hidden not in attacked.html
    assert len(attacked.html.encode()) < 3_000_000


def test_the_title_is_text_alone(attacked):
    title = re.search("<title>(.*?)</title>", attacked.html, re.S)[1]
    assert "<" not in title
    assert html.unescape(title).startswith("=HYPERLINK(")


def test_the_same_analysis_gives_the_same_page(analysis, report):
    assert Report(analysis).html == report.html
    assert Report(analysis).json == report.json


def test_saving_writes_page_and_twin_whole(report, tmp_path):
    report.save(tmp_path / "r.html", tmp_path / "r.json")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == report.html
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8")) == json.loads(report.json)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.html", "r.json"]


def test_a_folder_that_is_not_there_is_named(report, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        report.save(tmp_path / "nowhere" / "r.html")


def test_a_notebook_shows_the_page_in_a_closed_frame(report, attacked):
    for one in (report, attacked):
        frame = Outline(one._repr_html_())
        assert [tag for tag, _ in frame.elements] == ["iframe"]
        attributes = frame.of("iframe")[0]
        assert attributes["srcdoc"] == one.html
        assert "allow-same-origin" not in attributes["sandbox"]
    assert repr(report) == "<Report: mpg from cars.csv>"


def test_intervals_stand_in_one_column(analysis):
    comparison = analysis.section("comparison").facts[0]
    heads = grid(comparison.table()).heads
    assert heads[:4] == ("candidate", "RMSE", "95 % interval", "on training rows")
    assert heads.count("interval") == 1


def test_empty_intervals_take_no_column():
    table = Table("t", ("x", "lower", "upper"), ((1.0, None, None), (2.0, None, None)))
    assert with_intervals(table).columns == ("x",)
    assert with_intervals(dataclasses.replace(table, rows=((1.0, 0.5, 1.5), *table.rows))).rows == (
        (1.0, "[0.5, 1.5]"), (1.0, ""), (2.0, ""),
    )  # fmt: skip


def test_what_is_left_out_of_the_page_is_counted():
    table = Table("t", ("x",), tuple((float(k),) for k in range(MOST_ROWS + 5)), tuple("n" * 20))
    found = grid(table)
    assert len(found.rows) == MOST_ROWS and found.more == 5
    assert len(found.notes) + found.more_notes == 20


def test_a_twin_too_large_for_the_page_is_left_out_and_it_is_said(analysis):
    found = page(analysis, json.dumps("x" * 900_000))
    assert 'id="report-json"' not in found and 'data-save="report-json' not in found
    assert "too large for this page" in found


def test_a_gain_that_may_be_chance_says_so_in_its_tile(analysis):
    comparison = analysis.section("comparison").facts[0]
    weak = dataclasses.replace(comparison.rows[0], gain_lower=-0.1)
    unsure = dataclasses.replace(comparison, rows=(weak, *comparison.rows[1:]))
    changed = dataclasses.replace(analysis, sections=(Section("comparison", "Comparison", (unsure,)),))
    assert [tile.range for tile in key_numbers(changed)][2] == "which may be chance"
    assert [tile.value for tile in key_numbers(analysis)] == ["3.32", "7.82", "58 %", "91"]


def test_a_section_that_is_not_there_is_named(analysis):
    with pytest.raises(KeyError, match="it has verdict, data, comparison"):
        analysis.section("conclusion")


@pytest.mark.parametrize(
    ("name", "made"), [("cars.csv", "cars.csv-report"), ("../<x>", "x-report"), ("\x1b", "table-report")]
)
def test_the_name_of_the_download_is_harmless(name, made):
    assert file_name(name) == made


def test_a_report_of_words_alone_is_a_page(analysis):
    bare = dataclasses.replace(analysis, sections=(Section("verdict", "Verdict", (Statement("", ("Nothing.",)),)),))
    found = Outline(page(bare, "{}"))
    assert found.open == []
    assert str(sentence_html("Nothing.")) in page(bare, "{}")
