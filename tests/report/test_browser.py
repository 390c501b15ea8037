"""The page in Chromium: nothing leaves it; everything is drawn, read, reached, printed; an attack only shows itself."""

import json
import re

import pytest

from glaswerk.report import Report

pytestmark = pytest.mark.proof
WIDE, PHONE = 1200, 360
PAPER = 690  # pixels between the margins of A4

CONTRAST = """() => {
  const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const words = walker.currentNode.textContent.trim();
    if (!words || element.closest("script, style, svg") || !element.checkVisibility()) continue;
    const pair = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    if (ratio < 4.5) poor.push([ratio.toFixed(2), element.className, words.slice(0, 40)]);
  }
  return poor;
}"""

TOO_SMALL = """() => [...document.querySelectorAll("svg text")].filter((t) => t.textContent && t.checkVisibility())
  .map((t) => [t.getBoundingClientRect().height, t.textContent]).filter(([height]) => height < 9)"""

OUTSIDE = """() => [...document.querySelectorAll("main *")].filter((e) => {
  if (e.closest(".scroll, pre, svg, .hidden, math, details:not([open])") || !e.checkVisibility()) return false;
  const box = e.getBoundingClientRect();
  return box.width > 0 && box.right > document.documentElement.clientWidth + 1;
}).map((e) => e.outerHTML.slice(0, 120))"""


class Visit:
    """A page opened from a file, with everything it tried to do."""

    def __init__(self, browser, path, width):
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.requests, self.console, self.dialogs = [], [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective))"
        )
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-drawn=all]", timeout=60_000)

    def outside(self):
        """Addresses that are neither the file itself nor data inside it."""
        return [url for url in self.requests[1:] if not url.startswith(("data:", "blob:"))]


@pytest.fixture(scope="module", params=["plain", "hostile"])
def path(request, analysis, hostile, tmp_path_factory):
    made = tmp_path_factory.mktemp(request.param) / "report.html"
    Report({"plain": analysis, "hostile": hostile}[request.param]).save(made)
    return made


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_nothing_leaves_the_page_and_everything_is_drawn(chromium, path, width):
    visit = Visit(chromium, path, width)
    drawn = visit.page.evaluate("[...document.querySelectorAll('[data-figure]')].map((f) => f.dataset.drawn)")
    assert drawn and set(drawn) == {"yes"}
    assert visit.outside() == []
    assert visit.console == [] and visit.dialogs == []


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_no_line_runs_out_of_the_page(chromium, path, width):
    page = Visit(chromium, path, width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(TOO_SMALL) == []


def test_a_tree_scrolls_where_it_cannot_be_read_otherwise(chromium, path):
    page = Visit(chromium, path, PHONE).page
    drawing = page.locator(".scroll > .drawing").first
    assert drawing.bounding_box()["width"] >= 320
    assert drawing.evaluate("(d) => d.parentElement.clientWidth") <= PHONE
    assert drawing.evaluate("(d) => d.parentElement.tabIndex") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE


def test_all_text_has_contrast(chromium, path):
    page = Visit(chromium, path, WIDE).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    assert page.evaluate(CONTRAST) == []


def test_the_keyboard_reaches_everything(chromium, path):
    page = Visit(chromium, path, WIDE).page
    wanted = page.evaluate(
        "[...document.querySelectorAll('a[href], button, summary, [tabindex=\"0\"]')]"
        ".filter((e) => e.checkVisibility()).map((e, k) => { e.dataset.stop = k; return k }).length"
    )
    reached = set()
    for _ in range(2 * wanted):
        page.keyboard.press("Tab")
        stop = page.evaluate("document.activeElement.dataset.stop")
        if stop is not None:
            reached.add(int(stop))
    assert reached == set(range(wanted))
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_a_slider_swaps_its_pictures_and_says_what_is_seen(chromium, path):
    visit = Visit(chromium, path, WIDE)
    page = visit.page
    first, second = (page.locator(".steps input[type=range]").nth(k) for k in range(2))
    block = page.locator(".steps").first
    assert first.input_value() == "1" and second.input_value() == "0"
    before, sentence = block.locator("svg").first.inner_html(), block.locator(".says").text_content()
    first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelectorAll('.steps .canvas').length === 2")
    page.wait_for_selector(".steps .coming", state="detached")
    assert first.input_value() == "2"
    assert block.locator(".says").text_content() != sentence
    assert block.locator(".says").text_content().startswith("place 4: ")
    assert block.locator("output").first.text_content() == first.get_attribute("aria-valuetext")
    assert block.locator("svg").first.inner_html() != before
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelectorAll('.steps .canvas').length === 2")
    page.wait_for_selector(".steps .coming", state="detached")
    assert block.locator("svg").first.inner_html().count("<path") == before.count("<path")
    assert visit.console == [] and visit.outside() == []
    page.emulate_media(media="print")
    assert not first.is_visible() and block.locator("output").first.is_visible()


def test_a_hostile_table_adds_nothing_to_the_page(chromium, path):
    page = Visit(chromium, path, WIDE).page
    assert page.title().endswith("– Glaswerk report")
    assert page.evaluate("document.querySelectorAll('script[src], iframe, object, embed, foreignObject').length") == 0
    assert (
        page.evaluate("document.querySelectorAll('body > header, body > main, body > nav, body > footer').length") == 4
    )
    inputs = (
        "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
    )
    assert page.evaluate(inputs) == []


def test_the_json_can_be_saved_from_the_page(chromium, path, tmp_path):
    page = Visit(chromium, path, WIDE).page
    with page.expect_download() as saved:
        page.click("nav button[data-save]")
    saved.value.save_as(tmp_path / "saved.json")
    found = json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))
    assert list(found) == ["glaswerk", "schema", "input", "results", "reproduction", "times", "cut", "spending"]


def test_without_scripts_the_pictures_stand_all_the_same(chromium, path):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    pictures = page.locator(".drawing img")
    assert pictures.count() >= 10
    assert all(pictures.nth(k).bounding_box()["width"] > 100 for k in range(pictures.count()))


def test_it_prints_with_no_figure_cut(chromium, path):
    page = Visit(chromium, path, WIDE).page
    printed = page.pdf(prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 3 <= pages <= 40
    page.emulate_media(media="print")
    assert page.evaluate(
        "[...document.querySelectorAll('.drawing')].every((f) => getComputedStyle(f).breakInside === 'avoid')"
    )
    tallest = page.evaluate(
        "Math.max(...[...document.querySelectorAll('.drawing')].map((f) => f.getBoundingClientRect().height))"
    )
    assert tallest < 263 * 96 / 25.4  # the height of a page between its margins
    opened = "[...document.querySelectorAll('details')].map((d) => d.open)"
    before = page.evaluate(opened)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_timeout(300)
    widest = "Math.max(...[...document.querySelectorAll('.canvas > svg')].map((s) => s.getAttribute('width')))"
    assert page.evaluate(widest) <= PAPER  # drawn anew for paper, so that words keep their size
    assert page.evaluate("document.querySelectorAll('.tree > li > details:not([open])').length") == 0
    assert page.evaluate("[...document.querySelectorAll('details.printed')].every((d) => d.open)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(opened) == before
