"""The lines of Python beside every figure run, and draw the numbers that stand in the page."""

import html
import json
import re

import numpy as np
import pytest

import glaswerk as gw
from glaswerk.report import Report, analyse
from glaswerk.report.families import built
from glaswerk.report.packing import unpacked

SNIPPET = re.compile(r'<pre tabindex="0" aria-label="Python"><code>(.*?)</code>', re.S)
FIGURE = re.compile(r"report\.figure\('([^']+)'\)\.save\('([^']+)'\)")
TAGS = re.compile(r"<[^>]+>")
CASES = {
    "y": ("linear regression", "regression tree"),
    "sold": ("logistic regression", "naive Bayes"),
}


def homes():
    random = np.random.default_rng(2)
    size, town = random.uniform(20, 120, 70), random.integers(0, 3, 70)
    y = 1.5 * size + 20 * town + random.normal(0, 5, 70)
    sold = np.where(random.logistic(0, 20, 70) > size - 70, "yes", "no")
    lines = [f"{a:.1f},{'ABC'[b]},{c:.2f},{d}" for a, b, c, d in zip(size, town, y, sold, strict=True)]
    return "\n".join(["size,town,y,sold", *lines])


@pytest.mark.parametrize("target", list(CASES))
def test_every_snippet_draws_what_the_page_shows(target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "homes.csv").write_text(homes())
    found = analyse("homes.csv", target, folds=4, repeats=1, candidates=built(*CASES[target]), origin=("homes.csv", {}))
    page = Report(found).html
    snippets = [html.unescape(TAGS.sub("", text)) for text in SNIPPET.findall(page)]
    assert len(snippets) >= 10
    made = {}
    monkeypatch.setattr(gw, "report", once(gw.report, made))
    for snippet in snippets:
        names: dict = {}
        exec(snippet, names)
        anchor, file = FIGURE.search(snippet).groups()
        drawn = names["report"].figure(anchor)
        packed = json.loads(re.search(rf'id="{re.escape(anchor)}-spec">(.*?)</script>', page, re.S)[1])
        shown = unpacked(packed["frames"][packed.get("first", 0)], packed["pool"])["spec"]
        assert shown == json.loads(json.dumps(drawn.spec)), anchor
        assert (tmp_path / file).read_text().startswith("<svg")
    (again,) = made.values()
    assert again.data["reproduction"]["result_hash"] == found.reproduction.result_hash


def once(report, made):
    """The same call makes the same report: it is made for the first snippet, and taken again for the others."""

    def call(*args, **options):
        key = repr((args, sorted(options)))
        if key not in made:
            made[key] = report(*args, **options)
        return made[key]

    return call


def test_candidates_that_are_families_are_built_by_name():
    with pytest.raises(ValueError, match="name must be one of 'linear regression'"):
        built("alchemy")
