"""The drawing engine: Vega dictionaries to SVG, PNG and PDF without a browser, and its script for pages.

Nothing here may read a file or an address: data are inline, and any other source is refused.
"""

import hashlib
import re
from typing import Any

import vl_convert

NOWHERE: list[str] = []
NUMBERED = re.compile(r'(<(?:clipPath|linearGradient|radialGradient) id="|="url\(#)(clip|gradient_)(\d+)')


def svg(spec: dict[str, Any], language: str) -> str:
    draw = vl_convert.vega_to_svg if language == "vega" else vl_convert.vegalite_to_svg
    return _with_own_names(draw(spec, allowed_base_urls=NOWHERE))


def _with_own_names(drawn: str) -> str:
    """The engine numbers clips and gradients through its whole life. Here they are named by content: the same figure
    gives the same bytes, and two figures in one page do not take each other's."""
    names = dict.fromkeys(found[1:] for found in NUMBERED.findall(drawn))
    place = {name: k for k, name in enumerate(names, start=1)}
    counted = NUMBERED.sub(lambda found: f"{found[1]}{found[2]}{place[found[2], found[3]]}", drawn)
    mark = hashlib.sha256(counted.encode()).hexdigest()[:8]
    return NUMBERED.sub(lambda found: f"{found[1]}{found[2]}{mark}-{found[3]}", counted)


def png(spec: dict[str, Any], language: str, scale: float) -> bytes:
    if language == "vega":
        return vl_convert.vega_to_png(spec, scale=scale, allowed_base_urls=NOWHERE)
    return vl_convert.vegalite_to_png(spec, scale=scale, allowed_base_urls=NOWHERE)


def pdf(spec: dict[str, Any], language: str) -> bytes:
    if language == "vega":
        return vl_convert.vega_to_pdf(spec, allowed_base_urls=NOWHERE)
    return vl_convert.vegalite_to_pdf(spec, allowed_base_urls=NOWHERE)


def compiled(spec: dict[str, Any]) -> dict[str, Any]:
    """The Vega that a Vega-Lite dictionary stands for."""
    return vl_convert.vegalite_to_vega(spec)


def bundle(snippet: str) -> str:
    """Vega, Vega-Lite and Vega-Embed with `snippet`, which may use them, as one script."""
    return vl_convert.javascript_bundle(snippet)
