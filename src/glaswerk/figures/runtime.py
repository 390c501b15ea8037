"""The script that draws figures in a page: Vega, its interpreter and `draw.js` in one piece.

It adds one name to a page, `glaswerkFigures`, evaluates no text as code, and sets no style sheet: it runs under
`Content-Security-Policy: default-src 'none'; script-src 'self'` or its hash.
"""

import importlib
import json
from functools import cache
from pathlib import Path

from glaswerk.figures.theme import CONFIG


@cache
def runtime_script() -> str:
    """About 0.9 MB of JavaScript, the same for every page.

    `glaswerkFigures.draw(element, spec, alt)` draws a `Figure.spec`, makes `alt` what screen readers read of the
    element, and returns a promise of the Vega view. The text may stand inside a `<script>` element as it is.
    """
    snippet = Path(__file__).with_name("draw.js").read_text(encoding="utf-8")
    look = json.dumps(CONFIG, sort_keys=True)
    code = importlib.import_module("glaswerk.figures.render").bundle(snippet.replace('"the look of the house"', look))
    return "(function () {\n" + code.replace("</script", "<\\/script").replace("<!--", "<\\!--") + "\n})();\n"
