"""The script for pages: small, closed, and at work in a browser under a strict policy."""

import base64
import hashlib
import json
import re

import pytest

from glaswerk.figures import figures_of, runtime_script
from tests.figures.samples import FACTS

START = """
const all = [...document.querySelectorAll("figure")].map((figure) => {
  const spec = JSON.parse(figure.querySelector("script").textContent);
  return glaswerkFigures.draw(figure.querySelector("div"), spec, figure.title).then(
    () => { figure.dataset.drawn = "yes"; },
    (error) => { figure.dataset.drawn = String(error); });
});
Promise.all(all).then(() => { document.body.dataset.drawn = "all"; });
"""
SHOWN = [figure for name, fact in FACTS.items() for figure in figures_of(fact)[:5]]


def test_it_is_one_piece_below_its_budget_and_fit_for_a_script_element():
    script = runtime_script()
    assert len(script.encode()) < 1_200_000
    assert not re.search(r"</script|<!--", script)
    assert "\nimport " not in script
    assert script.startswith("(function () {")
    assert "system-ui" in script
    assert script == runtime_script()


def test_it_never_sets_markup_and_loads_nothing():
    ours = runtime_script().split("refused")
    assert len(ours) > 4
    tail = runtime_script()[-4_000:]
    assert "textContent" in tail
    assert "innerHTML" not in tail


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def inline(data):
    return json.dumps(data).replace("<", "\\u003c").replace("&", "\\u0026")


def page(figures):
    script = runtime_script()
    policy = f"default-src 'none'; script-src {digest(script)} {digest(START)}; style-src 'none'"
    parts = [
        f'<figure title="f"><div></div><script type="application/json">{inline(f.spec)}</script></figure>'
        for f in figures
    ]
    return (
        '<!doctype html><meta charset="utf-8"><title>figures</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"{''.join(parts)}<script>{script}</script><script>{START}</script>"
    )


@pytest.fixture
def opened(chromium, tmp_path):
    """The page of all figures at phone width, what it logged and what it asked for."""
    path = tmp_path / "page.html"
    path.write_text(page(SHOWN), encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 360, "height": 800})
    said, asked = [], []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("dialog", lambda dialog: said.append("a dialog"))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_selector(
        "body[data-drawn]", timeout=60_000
    )  # a function would be text to evaluate: the page forbids it
    return tab, said, asked


@pytest.mark.proof
def test_every_figure_is_drawn_in_a_browser_that_forbids_everything_else(opened):
    tab, said, asked = opened
    assert tab.evaluate("[...document.querySelectorAll('figure')].map(f => f.dataset.drawn)") == ["yes"] * len(SHOWN)
    assert said == []
    assert len(asked) == 1  # the page itself
    assert tab.title() == "figures"
    assert tab.evaluate("Object.keys(window).filter(k => /vega|glaswerk/i.test(k))") == ["glaswerkFigures"]
    assert tab.locator("figure > div[role=img][aria-label=f]").count() == len(SHOWN)
    hostile = "document.querySelectorAll('figure div script, figure foreignObject, figure a, figure image').length"
    assert tab.evaluate(hostile) == 0


@pytest.mark.proof
def test_figures_fit_a_phone_and_follow_the_width(opened):
    tab, *_ = opened
    widths = "[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().width)"
    assert max(tab.evaluate(widths)) <= 360
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    tab.set_viewport_size({"width": 900, "height": 800})
    for _ in range(300):
        if min(tab.evaluate(widths)[:4]) > 700:
            return
        tab.wait_for_timeout(100)
    pytest.fail("figures do not follow the width of the page")


@pytest.mark.proof
def test_a_tooltip_is_text(opened):
    tab, said, _ = opened
    hostile = next(k for k, figure in enumerate(SHOWN) if "<script>" in str(figure.spec))
    dot = tab.locator("figure").nth(hostile).locator(".mark-symbol path").first
    dot.scroll_into_view_if_needed()
    dot.hover(force=True)
    tip = tab.locator(".glaswerk-tip")
    assert tip.text_content().startswith("<script>alert(1)</script>")
    assert tip.locator("*").count() == 0
    assert said == []
