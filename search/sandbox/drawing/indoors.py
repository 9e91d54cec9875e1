"""Where guests stay and arrive: room, suite and lobby."""

from __future__ import annotations

from search.sandbox.drawing.canvas import Canvas, darker, lighter, mix, trace
from search.sandbox.drawing.furniture import armchair, bed, bouquet, nightstand, pendant, picture, plant, rug
from search.sandbox.drawing.light import DAY, DUSK, GOLDEN, MORNING, NIGHT
from search.sandbox.drawing.palettes import Palette, furnish
from search.sandbox.drawing.space import Space
from search.sandbox.drawing.subject import Subject
from search.sandbox.rng import Dice

_LIGHTS = (MORNING, DAY, DAY, GOLDEN, GOLDEN, DUSK, NIGHT)


def room(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """A double room with a window to the left."""
    _bedroom(canvas, dice, subject, twin=False)


def twin(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The same with two single beds."""
    _bedroom(canvas, dice, subject, twin=True)


def _bedroom(canvas: Canvas, dice: Dice, subject: Subject, *, twin: bool) -> None:
    colours, light = furnish(dice), dice.pick(_LIGHTS)
    space = Space(canvas, 470 + dice.below(30))
    space.shell(colours.wall, colours.floor, accent=colours.accent)
    space.planks(colours.floor)
    space.skirting(lighter(colours.wall, 0.4))
    space.side_window(light, lighter(colours.wall, 0.6))
    space.curtains(mix(colours.textile, colours.wall, 0.55))
    rug(space, (-0.62, 0.78), (0.2, 0.62), mix(colours.textile, colours.wall, 0.35))
    space.sunlight(light)
    picture(space, dice, 0.1, 0.6, 0.5 if dice.below(2) else 0.36, 0.26, lighter(colours.wood, 0.2))
    if twin:
        _twin_beds(space, colours)
    else:
        nightstand(space, -0.56, colours.wood)
        nightstand(space, 0.76, colours.wood)
        bed(space, (-0.4, 0.6), colours.textile, colours.wood)
    if subject.stars >= 3:
        armchair(space, -0.62, 0.34, mix(colours.accent, "#e9dfd0", 0.25))
    if dice.below(3):
        plant(space, dice, 0.86, 0.45, 0.42, lighter(colours.textile, 0.2))


def suite(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """A sitting room with a sofa and a wide window in the back wall."""
    colours, light = furnish(dice), dice.pick((DAY, GOLDEN, DUSK, MORNING))
    space = Space(canvas)
    space.shell(colours.wall, colours.floor)
    space.planks(colours.floor)
    _panorama(
        space,
        dice,
        light.far("#6b8a80", 0.5),
        light.far("#4f6f6a", 0.25),
        (light.top, light.middle, light.horizon),
    )
    space.skirting(lighter(colours.wall, 0.4))
    rug(space, (-0.7, 0.7), (0.16, 0.66), mix(colours.accent, "#efe6d8", 0.5))
    space.quad(
        [(-0.6, 0, 0.98), (0.6, 0, 0.98), (0.8, 0, 0.4), (-0.4, 0, 0.4)],
        light.sun,
        opacity=0.2 if light.lit < 40 else 0.06,
    )
    plant(space, dice, -0.88, 0.8, 0.5, lighter(colours.wood, 0.3))
    pendant(space, 0, 0.55, 0.2, colours.accent)
    _sofa(space, (-0.52, 0.42), 0.6, colours.accent, colours.textile)
    armchair(space, 0.72, 0.36, colours.textile)
    _coffee_table(space, dice, colours.wood)


def lobby(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """Reception: a desk under lamps, keys behind it, somewhere to sit."""
    colours = furnish(dice)
    space = Space(canvas)
    space.shell(colours.wall, mix(colours.floor, "#e6ded0", 0.55), accent=colours.accent)
    space.tiles(darker(colours.floor, 0.1), 4)
    space.side_window(dice.pick(_LIGHTS), lighter(colours.wall, 0.6), (0.3, 0.72), low=0.1)
    _key_shelf(space, dice, colours)
    space.shadow((-0.52, 0.62), (0.58, 0.86))
    space.box((-0.46, 0.56), (0.0, 0.36), (0.68, 0.84), colours.wood)
    space.box((-0.49, 0.59), (0.36, 0.39), (0.66, 0.86), lighter(colours.wood, 0.55))
    space.canvas.lines(
        [
            (space.at(-0.46 + k * 0.102, 0.03, 0.68), space.at(-0.46 + k * 0.102, 0.33, 0.68))
            for k in range(1, 10)
        ],
        darker(colours.wood, 0.35),
        3,
        opacity=0.6,
    )
    for x in (-0.36, 0.05, 0.46):
        pendant(space, x, 0.7, 0.22, darker(colours.textile, 0.1))
    bouquet(space, dice, 0.34, 0.39, 0.72)
    rug(space, (-0.5, 0.6), (0.12, 0.5), mix(colours.textile, colours.wall, 0.3))
    armchair(space, -0.72, 0.34, colours.textile)
    plant(space, dice, -0.92, 0.74, 0.5, darker(colours.textile, 0.1))
    plant(space, dice, 0.86, 0.62, 0.6 if subject.stars > 3 else 0.42, lighter(colours.wood, 0.25))


def _twin_beds(space: Space, colours: Palette) -> None:
    nightstand(space, 0.1, colours.wood)
    for x in ((-0.48, -0.04), (0.24, 0.68)):
        bed(space, x, colours.textile, colours.wood)


def _panorama(space: Space, dice: Dice, far: str, near: str, sky: tuple[str, str, str]) -> None:
    (left, top), (right, bottom) = space.at(-0.72, 0.88, 1), space.at(0.72, 0.16, 1)
    w, h = right - left, bottom - top
    canvas = space.canvas
    canvas.rect(left - 7, top - 7, w + 14, h + 14, "#f7f2e8")
    canvas.rect(left, top, w, h, canvas.fade([(0, sky[0], 1), (0.6, sky[1], 1), (1, sky[2], 1)]))
    canvas.ellipse(left + w * 0.7, top + h * 0.34, 60, 60, canvas.glow("#fff3d2", 0.8))
    canvas.ellipse(left + w * 0.7, top + h * 0.34, 13, 13, "#fff3d2")
    rise = dice.between(20, 60)
    canvas.path(
        trace("M", left, bottom, "v", -h * 0.36, "q", w * 0.3, -rise, w * 0.55, rise * 0.3)
        + trace("T", right, bottom - h * 0.3, "V", bottom, "z"),
        far,
    )
    canvas.path(
        trace("M", left, bottom, "v", -h * 0.14, "q", w * 0.2, -rise * 0.8, w * 0.45, 0)
        + trace("T", right, bottom - h * 0.2, "V", bottom, "z"),
        near,
    )
    for k in (1, 2, 3):
        canvas.rect(left + w * k / 4 - 3, top, 6, h, "#f7f2e8")
    for x in (left - 46, right + 6):
        canvas.rect(x, top - 18, 42, h + 60, "#efe3d0")
        canvas.lines(
            [((x + 12, top - 14), (x + 10, bottom + 40)), ((x + 28, top - 14), (x + 29, bottom + 40))],
            "#c9b99f",
            3,
            opacity=0.7,
        )


def _sofa(space: Space, x: tuple[float, float], z: float, colour: str, cushion: str) -> None:
    space.shadow((x[0] - 0.1, x[1] + 0.1), (z - 0.1, z + 0.2))
    space.box(x, (0.05, 0.42), (z + 0.14, z + 0.2), darker(colour, 0.1))
    space.box(x, (0.05, 0.2), (z, z + 0.16), colour, top=0.2)
    for edge in x:
        space.box((edge - 0.05, edge + 0.05), (0.03, 0.29), (z - 0.01, z + 0.18), darker(colour, 0.05))
    for share, tone in ((0.2, cushion), (0.8, lighter(cushion, 0.4))):
        cx, cy = space.at(x[0] + (x[1] - x[0]) * share, 0.27, z + 0.1)
        space.canvas.rect(cx - 30, cy - 26, 60, 50, tone, round=12)


def _coffee_table(space: Space, dice: Dice, wood: str) -> None:
    space.shadow((-0.36, 0.32), (0.2, 0.42))
    for x in (-0.26, 0.22):
        space.box((x - 0.015, x + 0.015), (0, 0.11), (0.26, 0.28), darker(wood, 0.2))
    space.box((-0.32, 0.28), (0.11, 0.135), (0.22, 0.44), wood, top=0.3)
    bouquet(space, dice, 0.02, 0.135, 0.34)


def _key_shelf(space: Space, dice: Dice, colours: Palette) -> None:
    (left, top), (right, bottom) = space.at(-0.5, 0.8, 1), space.at(0.6, 0.45, 1)
    canvas, w, h = space.canvas, right - left, bottom - top
    canvas.rect(left - 8, top - 8, w + 16, h + 16, colours.wood)
    for row in range(3):
        for column in range(9):
            x, y = left + column * w / 9 + 2, top + row * h / 3 + 2
            canvas.rect(x, y, w / 9 - 4, h / 3 - 4, darker(colours.wood, 0.35))
            if dice.below(3):
                canvas.ellipse(x + w / 18 - 2, y + h / 8, 4, 4, "#f2cf7a")
                canvas.rect(x + w / 18 - 3.5, y + h / 8, 3, h / 7, "#f2cf7a")
