"""What else is under the roof: bath, breakfast room and bar."""

from __future__ import annotations

from search.sandbox.drawing.canvas import Canvas, darker, lighter, mix, trace
from search.sandbox.drawing.furniture import pendant, picture, plant, rug
from search.sandbox.drawing.light import DAY, GOLDEN, MORNING
from search.sandbox.drawing.palettes import Palette, furnish
from search.sandbox.drawing.space import Space
from search.sandbox.drawing.subject import Subject
from search.sandbox.rng import Dice


def bath(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """A bathroom: tub, basin, mirror and tiles."""
    tile = dice.pick(("#cfe3e4", "#e4dccb", "#d8e4d2", "#efd9cd", "#c9d6e4", "#3f6a70"))
    colours = furnish(dice)
    space = Space(canvas)
    space.shell("#f5f2ec", "#dcd6ca", accent=tile)
    space.tiles("#b9b2a4", 5)
    _wall_tiles(space, tile)
    space.side_window(dice.pick((MORNING, DAY, GOLDEN)), "#ffffff", (0.45, 0.8), low=0.42)
    _basin(space, dice, colours)
    _tub(space, subject)
    rug(space, (-0.15, 0.42), (0.28, 0.52), mix(colours.textile, "#ffffff", 0.4))
    plant(space, dice, -0.86, 0.3, 0.34, lighter(colours.wood, 0.3))


def breakfast(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The breakfast room in the morning: laid tables and a buffet."""
    colours = furnish(dice)
    space = Space(canvas)
    space.shell(colours.wall, colours.floor, accent=mix(colours.accent, colours.wall, 0.35))
    space.planks(colours.floor)
    space.skirting(lighter(colours.wall, 0.4))
    space.side_window(MORNING, lighter(colours.wall, 0.6), (0.2, 0.5))
    space.side_window(MORNING, lighter(colours.wall, 0.6), (0.6, 0.9))
    space.sunlight(MORNING, (0.5, 0.75))
    picture(space, dice, -0.55, 0.56, 0.4, 0.26, colours.wood)
    picture(space, dice, 0.55, 0.56, 0.4, 0.26, colours.wood)
    _buffet(space, dice, colours)
    for x in (-0.5, 0.1, 0.7):
        pendant(space, x, 0.5, 0.18, colours.textile)
    _laid_table(space, dice, 0.62, 0.5, colours)
    _laid_table(space, dice, -0.42, 0.3, colours)


def bar(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The bar at night: lit shelves, stools, warm lamps."""
    colours = furnish(dice)
    space = Space(canvas)
    wall = darker(colours.accent, 0.45)
    space.shell(wall, darker(colours.floor, 0.45), accent=darker(colours.accent, 0.3), lamp="#ffcf8a")
    space.planks(darker(colours.floor, 0.5))
    _bottles(space, dice, colours)
    space.box((-0.7, 0.7), (0.0, 0.4), (0.64, 0.84), darker(colours.wood, 0.1))
    space.box((-0.74, 0.74), (0.4, 0.43), (0.62, 0.86), lighter(colours.wood, 0.3))
    space.canvas.lines(
        [
            (space.at(-0.7 + k * 0.14, 0.05, 0.64), space.at(-0.7 + k * 0.14, 0.36, 0.64))
            for k in range(1, 10)
        ],
        darker(colours.wood, 0.5),
        3,
        opacity=0.7,
    )
    for x in (-0.5, 0.0, 0.5):
        pendant(space, x, 0.66, 0.3, lighter(colours.textile, 0.1))
    for x in (-0.52, -0.18, 0.18, 0.52):
        _stool(space, x, 0.48, colours.textile)
    plant(space, dice, 0.9, 0.4, 0.5, colours.wood)


def _wall_tiles(space: Space, tile: str) -> None:
    seam = lighter(tile, 0.5) if tile < "#9" else darker(tile, 0.12)
    rows = [(space.at(-1, k / 12, 1), space.at(1, k / 12, 1)) for k in range(1, 9)]
    uprights = [(space.at(-1 + k / 8, 0, 1), space.at(-1 + k / 8, 0.667, 1)) for k in range(1, 16)]
    right = [(space.at(1, k / 12, 1), space.at(1, k / 12, 0)) for k in range(1, 9)]
    space.canvas.lines([*rows, *uprights, *right], seam, 1.5, opacity=0.7)
    space.quad([(-1, 0.667, 1), (1, 0.667, 1), (1, 0.69, 1), (-1, 0.69, 1)], lighter(tile, 0.6))


def _basin(space: Space, dice: Dice, colours: Palette) -> None:
    canvas = space.canvas
    x, y = space.at(-0.42, 0.68, 1)
    canvas.ellipse(x, y, 170, 170, canvas.glow("#fff3d6", 0.7))
    canvas.ellipse(x, y, 70, 78, "#f8f3e8")
    canvas.ellipse(x, y, 63, 71, canvas.fade([(0, "#dcebf0", 1), (1, "#a9c4cf", 1)]))
    canvas.polygon(
        [(x - 40, y + 44), (x + 8, y - 66), (x + 28, y - 62), (x - 22, y + 60)], "#ffffff", opacity=0.35
    )
    space.box((-0.74, -0.1), (0.16, 0.36), (0.84, 0.98), colours.wood)
    space.box((-0.76, -0.08), (0.36, 0.385), (0.82, 0.98), "#f3eee4", top=0.4)
    bx, by = space.at(-0.42, 0.4, 0.88)
    canvas.path(f"M{bx - 58:.0f} {by - 14:.0f}h116q-4 34 -34 34h-48q-30 0 -34 -34z", "#fdfcf8")
    canvas.ellipse(bx, by - 14, 58, 10, "#dfe7e8")
    canvas.line([(bx, by - 22), (bx, by - 58), (bx + 24, by - 46)], "#b9923f", 6, curve=True)
    for dx, tone in ((-86, colours.textile), (-72, "#f6efe2")):
        canvas.rect(bx + dx, by - 18, 12, 26, tone, round=4)


def _tub(space: Space, subject: Subject) -> None:
    canvas = space.canvas
    (left, top), (right, bottom) = space.at(0.12, 0.31, 0.62), space.at(0.92, 0.02, 0.62)
    w, h = right - left, bottom - top
    canvas.ellipse((left + right) / 2, bottom, w * 0.56, 16, "#10182c", opacity=0.2)
    shade = canvas.fade([(0, "#ffffff", 1), (1, "#cfd3d6", 1)])
    canvas.path(
        f"M{left:.0f} {top:.0f}h{w:.0f}q-6 {h:.0f} -60 {h:.0f}h{120 - w:.0f}q-54 0 -60 {-h:.0f}z", shade
    )
    canvas.ellipse((left + right) / 2, top, w / 2 + 6, 22, "#ffffff")
    canvas.ellipse((left + right) / 2, top + 2, w / 2 - 6, 16, "#8fc7d4")
    for dx, size in ((-0.3, 22), (-0.16, 28), (0.0, 24), (0.14, 30), (0.28, 20)):
        canvas.ellipse((left + right) / 2 + dx * w, top - 2, size, 13, "#fbfdff", opacity=0.95)
    canvas.line(
        [(right - 26, top - 6), (right - 26, top - 110), (right - 76, top - 96)], "#b9923f", 7, curve=True
    )
    canvas.ellipse(right - 80, top - 92, 20, 6, "#b9923f")
    if subject.stars >= 3:
        canvas.path(f"M{left + 24:.0f} {top - 16:.0f}h58v74q-29 10 -58 0z", "#f4e6d2")
        canvas.rect(left + 24, top + 34, 58, 6, "#d9a86a")


def _buffet(space: Space, dice: Dice, colours: Palette) -> None:
    space.box((-0.8, 0.8), (0.0, 0.33), (0.84, 0.98), mix(colours.wood, "#f2ece2", 0.15))
    space.box((-0.83, 0.83), (0.33, 0.355), (0.82, 0.98), "#f7f1e6")
    canvas = space.canvas
    for k in range(7):
        x, y = space.at(-0.7 + k * 0.235, 0.355, 0.88)
        kind = dice.below(4)
        if kind == 0:
            canvas.path(f"M{x - 22:.0f} {y:.0f}a22 22 0 0 1 44 0z", "#c9d2d8")
            canvas.ellipse(x, y - 24, 4, 4, "#8a94a0")
        elif kind == 1:
            for dx, dy in ((-13, -6), (0, -6), (13, -6), (-6, -17), (7, -17)):
                canvas.ellipse(x + dx, y + dy, 8, 8, dice.pick(("#e2894a", "#d9534f", "#9fbf4f", "#f2c14e")))
        elif kind == 2:
            canvas.rect(x - 11, y - 44, 22, 44, dice.pick(("#f2a541", "#e06a5f", "#f5efe0")), round=5)
            canvas.rect(x - 7, y - 50, 14, 8, "#c9d2d8")
        else:
            canvas.ellipse(x, y - 8, 26, 12, "#c98f4f")
            canvas.ellipse(x - 4, y - 11, 18, 7, "#e2b06f")


def _laid_table(space: Space, dice: Dice, x: float, z: float, colours: Palette) -> None:
    canvas = space.canvas
    for side in (-1, 1):
        at = x + side * 0.34
        space.shadow((at - 0.14, at + 0.14), (z - 0.02, z + 0.12))
        space.box((at - 0.1, at + 0.1), (0.0, 0.2), (z + 0.02, z + 0.12), darker(colours.wood, 0.05), top=0.2)
        space.box(
            (at + side * 0.08 - 0.02, at + side * 0.08 + 0.02),
            (0.0, 0.42),
            (z + 0.01, z + 0.13),
            colours.wood,
        )
    centre, top = space.at(x, 0.3, z + 0.06)
    unit = space.size(z)
    foot = space.at(x, 0, z + 0.06)[1]
    canvas.ellipse(centre, foot, unit * 0.24, unit * 0.035, "#10182c", opacity=0.22)
    canvas.rect(centre - 8, top, 16, foot - top, darker(colours.wood, 0.2))
    cloth = "#fbf7ee"
    canvas.path(
        trace("M", centre - unit * 0.27, top, "h", unit * 0.54, "l", unit * -0.03, unit * 0.12)
        + trace("q", unit * -0.24, unit * 0.05, unit * -0.48, 0, "z"),
        darker(cloth, 0.14),
    )
    canvas.ellipse(centre, top, unit * 0.27, unit * 0.06, cloth)
    for side in (-1, 1):
        px = centre + side * unit * 0.14
        canvas.ellipse(px, top, unit * 0.075, unit * 0.019, darker(cloth, 0.16))
        canvas.ellipse(px, top - 2, unit * 0.05, unit * 0.013, "#ffffff")
        canvas.ellipse(px, top - 5, unit * 0.032, unit * 0.014, "#d9a05a")
        canvas.rect(px + side * unit * 0.07 - 9, top - 24, 18, 18, "#ffffff", round=5)
    glass = dice.pick(("#f2a541", "#e8705f", "#f7d26a"))
    canvas.rect(centre - 8, top - 38, 16, 32, glass, round=4, opacity=0.9)
    canvas.ellipse(centre - 24, top - 18, 10, 14, "#f2a3b3")
    canvas.ellipse(centre - 24, top - 24, 8, 8, "#fff1d8")


def _bottles(space: Space, dice: Dice, colours: Palette) -> None:
    canvas = space.canvas
    (left, top), (right, bottom) = space.at(-0.66, 0.86, 1), space.at(0.66, 0.46, 1)
    canvas.rect(left - 10, top - 10, right - left + 20, bottom - top + 14, darker(colours.wood, 0.2))
    canvas.rect(left, top, right - left, bottom - top, canvas.fade([(0, "#ffdf9c", 1), (1, "#c9803f", 1)]))
    tones = ("#3f6f55", "#7a3b3f", "#d9a441", "#e8e2d2", "#2f4f6a", "#a9562f")
    for row in (1, 2):
        shelf = top + (bottom - top) * row / 2
        x = left + 10
        while x < right - 18:
            tall = dice.between(32, 52)
            tone = dice.pick(tones)
            canvas.path(
                trace(
                    "M",
                    x,
                    shelf,
                    "v",
                    tall * -0.6,
                    "l4-8v",
                    tall * -0.3,
                    "h6v",
                    tall * 0.3,
                    "l4 8v",
                    tall * 0.6,
                    "z",
                ),
                tone,
            )
            x += dice.between(17, 27)
        canvas.rect(left, shelf - 2, right - left, 5, darker(colours.wood, 0.35))


def _stool(space: Space, x: float, z: float, colour: str) -> None:
    centre, seat = space.at(x, 0.3, z)
    foot = space.at(x, 0, z)[1]
    canvas = space.canvas
    canvas.ellipse(centre, foot, 36, 8, "#05070f", opacity=0.35)
    canvas.lines(
        [
            ((centre - 16, seat + 6), (centre - 26, foot)),
            ((centre + 16, seat + 6), (centre + 26, foot)),
            ((centre - 22, foot - 50), (centre + 22, foot - 50)),
        ],
        "#c9a15f",
        5,
    )
    canvas.rect(centre - 34, seat - 8, 68, 20, darker(colour, 0.15), round=9)
    canvas.rect(centre - 32, seat - 10, 64, 14, colour, round=7)
