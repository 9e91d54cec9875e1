"""Lucide's icons, each drawn by one path: a page of results has a hundred of them."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree
from zipfile import ZipFile

from markupsafe import Markup

_IN_A_PAGE = (
    '<svg class="icon" aria-hidden="true" width="24" height="24" viewBox="0 0 24 24"'
    ' fill="none" stroke="currentColor"><path d="{}"/></svg>'
)
_IN_A_STYLE_SHEET = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="1.9"'
    ' stroke-linecap="round" stroke-linejoin="round"><path d="{}"/></svg>'
)

# The attributes of a shape by name, as ElementTree's `get`.
Given = Callable[..., Any]


@cache
def icon(name: str) -> Markup:
    """A decorative icon as an element: it says nothing to a screen reader, the text beside it does."""
    return Markup(_IN_A_PAGE.format(_outline(name)))  # noqa: S704 - drawn by us, holds no text of others


@cache  # a development server makes the sheets at each request
def icon_address(name: str) -> str:
    """The icon as a data: address, for a style sheet."""
    drawing = _IN_A_STYLE_SHEET.format(_outline(name)).replace('"', "'")
    return "data:image/svg+xml," + quote(drawing, safe=" =:/'<>(),")


@cache  # the package's own function reads the list of all 1,700 icons for each of them
def _drawings() -> ZipFile:
    return ZipFile(BytesIO(files("lucide").joinpath("lucide.zip").read_bytes()))


def _outline(name: str) -> str:
    """All shapes of an icon as one path."""
    shapes = ElementTree.fromstring(_drawings().read(f"{name}.svg"))  # noqa: S314 - from the package's wheel
    return "".join(map(_path, shapes))


def _path(shape: ElementTree.Element) -> str:
    """A shape as the `d` of a path that starts at a place of its own."""
    given: Given = shape.get
    tag = shape.tag.rpartition("}")[2]
    if tag == "path":
        d = given("d", "")
        return f"M0 0{d}" if d[0] == "m" else d
    if tag in ("polyline", "polygon"):
        return f"M{given('points')}{'z' if tag == 'polygon' else ''}"
    if tag == "line":
        return f"M{given('x1')} {given('y1')}L{given('x2')} {given('y2')}"
    if tag == "rect":
        return _rectangle(given)
    rx, ry = (given("r") or given(one, "0") for one in ("rx", "ry"))
    start, across = float(given("cx", "0")) - float(rx), 2 * float(rx)
    return f"M{start:g} {given('cy')}a{rx} {ry} 0 1 0 {across:g} 0a{rx} {ry} 0 1 0-{across:g} 0z"


def _rectangle(given: Given) -> str:
    radius = float(given("rx") or given("ry", "0"))
    x, y, width, height = (float(given(one, "0")) for one in ("x", "y", "width", "height"))
    across, down, turn = width - 2 * radius, height - 2 * radius, f"a{radius:g} {radius:g} 0 0 1 "
    r = f"{radius:g}"
    return (
        f"M{x + radius:g} {y:g}h{across:g}{turn}{r} {r}v{down:g}{turn}-{r} {r}"
        f"h{-across:g}{turn}-{r}-{r}v{-down:g}{turn}{r}-{r}z"
    )
