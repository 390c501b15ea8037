"""The drawing engine: Vega dictionaries to SVG, PNG and PDF without a browser, and its script for pages.

Nothing here may read a file or an address: data are inline, and any other source is refused.
"""

from typing import Any

import vl_convert

NOWHERE: list[str] = []


def svg(spec: dict[str, Any], language: str) -> str:
    if language == "vega":
        return vl_convert.vega_to_svg(spec, allowed_base_urls=NOWHERE)
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=NOWHERE)


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
