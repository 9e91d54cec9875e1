"""A sheet of SVG: shapes, gradients and colours. Presentation attributes only, so any CSP lets it show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 960, 640

Point = tuple[float, float]
Stops = Iterable[tuple[float, str, float]]


def mix(one: str, other: str, share: float) -> str:
    """The colour ``share`` of the way from one ``#rrggbb`` to the other."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()


def darker(colour: str, share: float) -> str:
    """The colour in shade: towards a deep blue rather than black, as shadows are outdoors."""
    return mix(colour, "#141a33", share)


def lighter(colour: str, share: float) -> str:
    """The colour in light: towards a warm white."""
    return mix(colour, "#fff8ea", share)


def _n(value: float) -> str:
    """A coordinate: whole pixels, tenths only where they show."""
    text = f"{value:.0f}" if abs(value) >= 8 else f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def trace(*parts: str | float) -> str:
    """Path data from commands and numbers in turn, as short as they can be written."""
    text = "".join(part if isinstance(part, str) else f" {_n(part)}" for part in parts)
    return re.sub(r"(?<=[A-Za-z]) ", "", text).replace(" -", "-")


def _segment(start: Point, end: Point) -> str:
    (x0, y0), (x1, y1) = (_n(start[0]), _n(start[1])), (_n(end[0]), _n(end[1]))
    if x0 == x1:
        return f"M{x0} {y0}V{y1}"
    return f"M{x0} {y0}" + (f"H{x1}" if y0 == y1 else f"L{x1} {y1}")


def _share(value: float) -> str:
    return f"{value:.2f}".strip("0").rstrip(".") or "0"


class Canvas:
    """Collects shapes from back to front."""

    def __init__(self) -> None:
        self._defs: list[str] = []
        self._shapes: list[str] = []
        self._gradients: dict[tuple[str, str, str], str] = {}

    def part(self) -> Canvas:
        """An empty drawing for ``define``, on the same sheet: gradients are shared."""
        drawing = Canvas()
        drawing._defs, drawing._gradients = self._defs, self._gradients
        return drawing

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str, *, round: float = 0, opacity: float = 1
    ) -> None:
        """A rectangle by its upper left corner and size."""
        if not round:
            self.path(f"M{_n(x)} {_n(y)}h{_n(w)}v{_n(h)}h{_n(-w)}z", fill, opacity=opacity)
            return
        size = f'width="{_n(w)}" height="{_n(h)}" rx="{_n(round)}"'
        self._add(f'<rect x="{_n(x)}" y="{_n(y)}" {size}', fill, opacity)

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: str, *, opacity: float = 1) -> None:
        """An ellipse by its centre and half axes."""
        if rx == ry:
            self._add(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(rx)}"', fill, opacity)
        else:
            self._add(f'<ellipse cx="{_n(x)}" cy="{_n(y)}" rx="{_n(rx)}" ry="{_n(ry)}"', fill, opacity)

    def polygon(self, points: Iterable[Point], fill: str, *, opacity: float = 1) -> None:
        """A filled outline."""
        corners = " ".join(f"{_n(x)} {_n(y)}" for x, y in points)
        self.path(f"M{corners}z", fill, opacity=opacity)

    def path(self, d: str, fill: str, *, opacity: float = 1) -> None:
        """A filled path in SVG's own path language."""
        self._add(f'<path d="{d}"', fill, opacity)

    def line(
        self, points: Iterable[Point], colour: str, width: float, *, opacity: float = 1, curve: bool = False
    ) -> None:
        """A stroke through the points; with ``curve`` three points are a quadratic bend."""
        first, *rest = (f"{_n(x)} {_n(y)}" for x, y in points)
        self._stroke(f"M{first}{'Q' if curve else 'L'}{' '.join(rest)}", colour, width, opacity)

    def lines(
        self, segments: Iterable[tuple[Point, Point]], colour: str, width: float, *, opacity: float = 1
    ) -> None:
        """Many straight strokes as one shape."""
        self._stroke("".join(_segment(start, end) for start, end in segments), colour, width, opacity)

    def fade(self, stops: Stops, *, across: bool = False) -> str:
        """A linear gradient as a fill, from top to bottom or, ``across``, from left to right."""
        end = "" if across else ' x2="0" y2="1"'
        return self._gradient("linearGradient", end, stops)

    def glow(self, colour: str, strength: float) -> str:
        """A radial gradient as a fill: the colour in the middle, nothing at the rim."""
        return self._gradient(
            "radialGradient", "", [(0, colour, strength), (0.4, colour, strength / 2.6), (1, colour, 0)]
        )

    def define(self, drawing: Canvas) -> str:
        """Keep a drawing (its shapes only) for ``place``; returns its name."""
        name = f"d{len(self._defs)}"
        self._defs.append(f'<g id="{name}">{"".join(drawing._shapes)}</g>')
        return name

    def place(self, name: str, x: float, y: float, scale: float = 1) -> None:
        """Put a kept drawing with its origin at x, y."""
        if scale == 1:
            self._shapes.append(f'<use href="#{name}" x="{_n(x)}" y="{_n(y)}"/>')
        else:
            move = f"translate({_n(x)} {_n(y)})scale({_share(scale)})"
            self._shapes.append(f'<use href="#{name}" transform="{move}"/>')

    def repeat(self, drawing: Canvas, points: Sequence[Point]) -> None:
        """A drawing with its origin at each of the points: as a marker, of which a browser keeps one, where
        `place` makes it keep a copy of each."""
        if not points:
            return
        name = f"d{len(self._defs)}"
        shapes = "".join(drawing._shapes)
        self._defs.append(
            f'<marker id="{name}" markerUnits="userSpaceOnUse" overflow="visible">{shapes}</marker>'
        )
        # The end of a path is neither its start nor in its middle: the last point comes twice.
        corners = " ".join(f"{_n(x)} {_n(y)}" for x, y in [*points, points[-1]])
        marks = f'marker-start="url(#{name})" marker-mid="url(#{name})"'
        self._shapes.append(f'<path d="M{corners}" fill="none" {marks}/>')

    def document(self, *, mirrored: bool = False) -> bytes:
        """The finished SVG, left and right exchanged if asked for."""
        shapes = "".join(self._shapes)
        if mirrored:
            shapes = f'<g transform="matrix(-1 0 0 1 {WIDTH} 0)">{shapes}</g>'
        size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" stroke-linecap="round"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        return f"{head}<defs>{''.join(self._defs)}</defs>{shapes}</svg>".encode()

    def _gradient(self, element: str, attributes: str, stops: Stops) -> str:
        inside = "".join(
            f'<stop offset="{_share(offset)}" stop-color="{colour}"'
            + (f' stop-opacity="{_share(opacity)}"/>' if opacity < 1 else "/>")
            for offset, colour, opacity in stops
        )
        known = self._gradients.get((element, attributes, inside))
        if known:
            return known
        name = f"d{len(self._defs)}"
        self._defs.append(f'<{element} id="{name}"{attributes}>{inside}</{element}>')
        return self._gradients.setdefault((element, attributes, inside), f"url(#{name})")

    def _stroke(self, d: str, colour: str, width: float, opacity: float) -> None:
        line = f'stroke="{colour}" stroke-width="{_n(width)}"'
        self._add(f'<path d="{d}" {line}', "none", opacity)

    def _add(self, start: str, fill: str, opacity: float) -> None:
        seen = f' opacity="{_share(opacity)}"' if opacity < 1 else ""
        self._shapes.append(f'{start} fill="{fill}"{seen}/>')
