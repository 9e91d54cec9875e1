"""Roofs, each drawn on top of a front wall."""

from __future__ import annotations

from collections.abc import Callable

from search.sandbox.drawing.canvas import Canvas, darker, lighter, trace
from search.sandbox.drawing.light import Light
from search.sandbox.drawing.styles import House, Style


def draw_roof(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    """The roof of the style; ``depth`` is how far the side wall reaches back, in pixels."""
    _ROOFS[style.roof](canvas, light, style, house, depth)


def _tiles(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    x, top, w, right = house.x, house.top, house.width, house.x + house.width
    colour = light.on(style.roof_colour)
    far = (right + depth + 8, top + depth * 0.5)
    canvas.polygon([(x, top), (right + 16, top), far, (right, top - 34), (x, top - 34)], darker(colour, 0.12))
    canvas.polygon([(x - 16, top), (right + 12, top), (right - 14, top - 36), (x + 14, top - 36)], colour)
    upper, lower = (w - 28) / 14, (w + 24) / 14
    rows = [((x + 14 + k * upper, top - 35), (x - 14 + k * lower, top - 1)) for k in range(15)]
    canvas.lines(rows, darker(colour, 0.35), 2, opacity=0.5)
    canvas.rect(x - 16, top - 3, w + 30, 8, darker(colour, 0.3))


def _mansard(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    x, top, w, right = house.x, house.top, house.width, house.x + house.width
    colour = light.on(style.roof_colour)
    canvas.polygon([(x - 4, top), (right + 4, top), (right - 18, top - 62), (x + 18, top - 62)], colour)
    far = (right + depth, top + depth * 0.5)
    canvas.polygon(
        [(right + 4, top), far, (right - 2, top - 58), (right - 18, top - 62)], darker(colour, 0.3)
    )
    canvas.rect(x - 8, top - 5, w + 16, 10, lighter(light.on("#efe6d4"), 0.1))
    dormer = canvas.part()
    dormer.path("M-13 -8v-30a13 13 0 0 1 26 0v30z", light.on("#f1ebdf"))
    dormer.path("M-8 -8v-28a8 8 0 0 1 16 0v28z", light.on("#6f88a0"))
    canvas.repeat(dormer, [(x + (column + 0.5) * w / house.columns, top) for column in range(house.columns)])
    for share in (0.2, 0.78):
        canvas.rect(x + w * share, top - 88, 26, 32, darker(colour, 0.2))


def _gable(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    x, top, middle, right = house.x, house.top, house.x + house.width / 2, house.x + house.width
    colour, peak = light.on(style.roof_colour), top - min(120, house.width * 0.26)
    canvas.polygon([(middle, peak), (right, top), (x, top)], lighter(light.on(style.walls[0]), 0.05))
    ridge, under = (middle, peak - 12), (middle, peak + 10)
    canvas.polygon([(right + 12, top + 8), ridge, under, (right - 6, top + 10)], darker(colour, 0.12))
    canvas.polygon([(x - 12, top + 8), ridge, under, (x + 6, top + 10)], colour)
    back = [(right + depth + 6, top + depth * 0.5), (middle + depth, peak + 4)]
    canvas.polygon([(right + 12, top + 8), *back, ridge], darker(colour, 0.34))
    canvas.ellipse(middle, peak + 52, 17, 17, light.on("#f7f1e4"))
    canvas.ellipse(middle, peak + 52, 12, 12, light.on("#5f7f98"))


def _pagoda(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    x, w, colour = house.x, house.width, light.on(style.roof_colour)
    for rise, reach in ((0, 34.0), (30, -w * 0.16)):
        y, wing = house.top - rise, w * 0.2 + reach
        d = trace(
            "M", x - reach, y + 6, "q", w * 0.1, -4, wing, -34, "h", w * 0.6, "q", w * 0.1, 30, wing, 34, "z"
        )
        canvas.path(d, darker(colour, rise / 160))
        canvas.rect(x - reach + 20, y + 2, w + 2 * reach - 40, 7, darker(colour, 0.35))
    canvas.rect(x + w * 0.2, house.top - 70, w * 0.6, 7, lighter(colour, 0.2))


def _deck(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    x, top, w = house.x, house.top, house.width
    canvas.rect(x + w * 0.12, top - 34, w * 0.62, 34, darker(light.on("#5f6d7d"), 0.1))
    canvas.rect(x + w * 0.14, top - 28, w * 0.58, 24, light.on("#a8cadd"), opacity=0.8)
    canvas.rect(x - 6, top - 9, w + 12, 13, lighter(light.on(style.roof_colour), 0.35))


def _flat(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    canvas.rect(house.x - 5, house.top - 16, house.width + 10, 20, lighter(light.on(style.roof_colour), 0.15))


def _parapet(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    brick, pot = darker(light.on("#8a4f3c"), 0.15), darker(light.on(style.roof_colour), 0.1)
    _flat(canvas, light, style, house, depth)
    for share in (0.16, 0.76):
        x = house.x + house.width * share
        canvas.rect(x, house.top - 46, 34, 32, brick)
        canvas.rect(x + 5, house.top - 56, 8, 12, pot)
        canvas.rect(x + 20, house.top - 56, 8, 12, pot)


def _dome(canvas: Canvas, light: Light, style: Style, house: House, depth: float) -> None:
    radius = house.width * 0.11
    _flat(canvas, light, style, house, depth)
    start = house.x + house.width * 0.3
    d = trace("M", start, house.top - 15, "a", radius, radius, 0, 0, 1, 2 * radius, 0, "z")
    canvas.path(d, lighter(light.on(style.roof_colour), 0.2))


_ROOFS: dict[str, Callable[[Canvas, Light, Style, House, float], None]] = {
    "tiles": _tiles,
    "mansard": _mansard,
    "gable": _gable,
    "pagoda": _pagoda,
    "deck": _deck,
    "flat": _flat,
    "parapet": _parapet,
    "dome": _dome,
}
