"""Still images for a page: each figure as an image in a data address, in few bytes.

They show where no script runs. A cloud of points would be most of a page: a shape that repeats is defined once and
used, places are rounded to a hundredth of a pixel, and what says something to screen readers only is left out.
"""

import base64
import re
from collections import Counter
from itertools import count

from glaswerk.figures import Figure

LARGEST_SVG = 40_000  # bytes; a busier still picture may be smaller as PNG
SHAPE = re.compile(r'<path transform="translate\(([-\d.]+),([-\d.]+)\)"( d="[^"]*"[^<>]*?)/>')
TAG = re.compile(r"<[^<>]*>")
PLACES = re.compile(r' (?:transform|d|x|y|x1|x2|y1|y2|width|height)="[^"]*"')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
UNSEEN = re.compile(r' (?:aria-hidden|aria-roledescription|role|pointer-events|class)="[^"]*"')
WORTH = 3  # times that a shape stands in a picture, so that defining it pays


def still(figure: Figure, width: int | None) -> str:
    """The figure as a data address, in the form that takes fewer bytes."""
    drawn, kind = slim(figure.svg(width, titled=False)).encode(), "svg+xml"
    if len(drawn) > LARGEST_SVG:
        dots = figure.png(1, width, titled=False)
        drawn, kind = (dots, "png") if len(dots) < len(drawn) else (drawn, kind)
    return f"data:image/{kind};base64,{base64.b64encode(drawn).decode()}"


def slim(svg: str) -> str:
    """The same picture in fewer letters."""
    lean = TAG.sub(_lean, svg)
    times = Counter(found[3] for found in SHAPE.finditer(lean))
    names = dict(zip((shape for shape, k in times.items() if k >= WORTH), map("s{}".format, count()), strict=False))
    used = SHAPE.sub(
        lambda found: (
            f'<use href="#{names[found[3]]}" x="{found[1]}" y="{found[2]}"/>' if found[3] in names else found[0]
        ),
        lean,
    )
    shapes = "".join(f'<path id="{name}"{shape}/>' for shape, name in names.items())
    head, _, rest = used.partition(">")
    return f"{head}><defs>{shapes}</defs>{rest}" if names else used


def _lean(tag: re.Match[str]) -> str:
    return PLACES.sub(lambda found: LONG_NUMBER.sub(_rounded, found[0]), UNSEEN.sub("", tag[0]))


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")
