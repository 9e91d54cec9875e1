"""`{% icon "wifi" %}`: a decorative icon of one path, drawn once per process.

A page of results holds hundreds of icons; their circles, lines and rectangles as one path halve its elements.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from xml.etree import ElementTree

from django.template import Context, Library, Node
from django.template.base import FilterExpression, Parser, TextNode, Token
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

register = Library()

_ICON = (
    '<svg class="icon" aria-hidden="true" width="24" height="24" viewBox="0 0 24 24"'
    ' fill="none" stroke="currentColor"><path d="{}"/></svg>'
)


@register.tag
def icon(parser: Parser, token: Token) -> Node:
    """The icon of a name. Said literally, it is plain text by the time the template is compiled."""
    name = parser.compile_filter(token.split_contents()[1])
    if isinstance(name.var, str):
        return TextNode(drawn(name.var))
    return IconNode(name)


class IconNode(Node):
    """An icon whose name the page knows."""

    def __init__(self, name: FilterExpression) -> None:
        self.name = name

    def render(self, context: Context) -> SafeString:
        return drawn(str(self.name.resolve(context)))


@cache
def drawn(name: str) -> SafeString:
    """The icon's markup. It says nothing to a screen reader: the text beside it does."""
    drawing = ElementTree.fromstring(lucide(name, size=None))  # noqa: S314 - from the package's own wheel
    shapes = [_PATHS[shape.tag](shape.attrib) for shape in drawing]
    return mark_safe(_ICON.format("".join(shapes)))  # noqa: S308 - drawn by us, holds no text of others


def _circle(shape: dict[str, str]) -> str:
    return _ellipse({"cx": shape["cx"], "cy": shape["cy"], "rx": shape["r"], "ry": shape["r"]})


def _ellipse(shape: dict[str, str]) -> str:
    x, y, rx, ry = (float(shape[name]) for name in ("cx", "cy", "rx", "ry"))
    half = f"a{rx:g} {ry:g} 0 1 1"
    return f"M{x - rx:g} {y:g}{half} {2 * rx:g} 0{half} {-2 * rx:g} 0z"


def _line(shape: dict[str, str]) -> str:
    return f"M{shape['x1']} {shape['y1']}L{shape['x2']} {shape['y2']}"


def _rectangle(shape: dict[str, str]) -> str:
    x, y, width, height = (float(shape.get(name, 0)) for name in ("x", "y", "width", "height"))
    radius = float(shape.get("rx", shape.get("ry", 0)))
    turn = f"a{radius:g} {radius:g} 0 0 1"
    return (
        f"M{x + radius:g} {y:g}h{width - 2 * radius:g}{turn} {radius:g} {radius:g}"
        f"v{height - 2 * radius:g}{turn} {-radius:g} {radius:g}"
        f"h{2 * radius - width:g}{turn} {-radius:g} {-radius:g}"
        f"v{2 * radius - height:g}{turn} {radius:g} {-radius:g}z"
    )


_PATHS: dict[str, Callable[[dict[str, str]], str]] = {
    "path": lambda shape: shape["d"] if shape["d"][0] == "M" else f"M0 0{shape['d']}",
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "rect": _rectangle,
    "polyline": lambda shape: f"M{shape['points']}",
    "polygon": lambda shape: f"M{shape['points']}z",
}
