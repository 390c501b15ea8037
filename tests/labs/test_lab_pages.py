"""Lab pages in Chromium: nothing leaves them, everything is drawn, nothing runs out, all text has contrast."""

import pytest

from glaswerk.report import lab_report
from tests.report.test_browser import CONTRAST, OUTSIDE, PHONE, TOO_SMALL, WIDE, Visit

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module", params=["descent-bowl", "collinear", "ridge-folds"])
def path(request, tmp_path_factory):
    made = tmp_path_factory.mktemp("lab") / "lab.html"
    lab_report(request.param).save(made)
    return made


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_a_lab_page_is_drawn_whole_and_alone(chromium, path, width):
    visit = Visit(chromium, path, width)
    drawn = visit.page.evaluate("[...document.querySelectorAll('[data-figure]')].map((f) => f.dataset.drawn)")
    assert drawn
    assert set(drawn) == {"yes"}
    assert visit.outside() == []
    assert visit.console == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.page.evaluate(OUTSIDE) == []
    # A single letter that stands upright beside an axis is as high as it is wide.
    assert [text for _, text in visit.page.evaluate(TOO_SMALL) if len(text) > 1] == []


def test_all_text_of_a_lab_page_has_contrast(chromium, path):
    page = Visit(chromium, path, WIDE).page
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    assert page.evaluate(CONTRAST) == []
