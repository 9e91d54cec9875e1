"""What stands in rooms: beds, lamps, plants, chairs, pictures."""

from __future__ import annotations

from search.sandbox.drawing.canvas import darker, lighter, trace
from search.sandbox.drawing.space import Space
from search.sandbox.rng import Dice

LEAVES = ("#3f7f5c", "#4f8f55", "#2f6f5a")
LINEN = "#f4efe6"
LAMPSHADE = "#fbe9c6"


def bed(space: Space, x: tuple[float, float], throw: str, headboard: str) -> None:
    """A bed with its head at the back wall, pillows, a folded cover and a throw."""
    left, right = x
    near, foot = 0.38, 0.5
    space.shadow((left - 0.08, right + 0.12), (near - 0.08, 0.9))
    space.box((left - 0.05, right + 0.05), (0.0, 0.52), (0.955, 0.985), headboard)
    for seam in (0.25, 0.5, 0.75):
        at = left + (right - left) * seam
        space.canvas.lines(
            [(space.at(at, 0.3, 0.955), space.at(at, 0.52, 0.955))], darker(headboard, 0.3), 2, opacity=0.6
        )
    space.box((left, right), (0.03, 0.13), (near, 0.95), darker(headboard, 0.15))
    space.box((left, right), (0.12, 0.25), (near, 0.95), LINEN, top=0.35)
    space.quad([(left, 0.255, foot), (right, 0.255, foot), (right, 0.255, near), (left, 0.255, near)], throw)
    space.quad(
        [(left, 0.255, near), (right, 0.255, near), (right, 0.1, near - 0.004), (left, 0.1, near - 0.004)],
        darker(throw, 0.14),
    )
    space.quad(
        [(left, 0.258, 0.8), (right, 0.258, 0.8), (right, 0.258, 0.73), (left, 0.258, 0.73)],
        darker(LINEN, 0.1),
    )
    count = 1 if right - left < 0.6 else 2
    width = (right - left) / count
    for start in (left + width * place for place in range(count)):
        _pillow(space, start + width * 0.08, start + width * 0.92, 0.9, lighter(LINEN, 0.6), 0.13)
    inset = (right - left) * 0.3
    _pillow(space, left + inset, right - inset, 0.84, throw, 0.085)


def _pillow(space: Space, x0: float, x1: float, z: float, colour: str, height: float) -> None:
    (left, base), (right, top) = space.at(x0, 0.25, z), space.at(x1, 0.25 + height, z)
    space.canvas.rect(left, top, right - left, base - top, darker(colour, 0.1), round=(base - top) * 0.42)
    space.canvas.rect(left + 3, top, right - left - 6, (base - top) * 0.7, colour, round=(base - top) * 0.34)


def nightstand(space: Space, x: float, wood: str) -> None:
    """A small table with a lamp that is on."""
    space.box((x - 0.1, x + 0.1), (0.0, 0.22), (0.86, 0.97), wood)
    knob, handle = space.at(x, 0.12, 0.86)
    space.canvas.ellipse(knob, handle, 4, 4, lighter(wood, 0.5))
    lamp_x, lamp_y = space.at(x, 0.22, 0.9)
    space.canvas.ellipse(lamp_x, lamp_y - 60, 120, 110, space.canvas.glow("#ffdf9c", 0.75))
    space.canvas.rect(lamp_x - 3, lamp_y - 38, 6, 38, lighter(wood, 0.4))
    space.canvas.ellipse(lamp_x, lamp_y, 16, 4, lighter(wood, 0.3))
    space.canvas.polygon(
        [
            (lamp_x - 17, lamp_y - 74),
            (lamp_x + 17, lamp_y - 74),
            (lamp_x + 27, lamp_y - 34),
            (lamp_x - 27, lamp_y - 34),
        ],
        LAMPSHADE,
    )


def picture(space: Space, dice: Dice, x: float, y: float, width: float, height: float, frame: str) -> None:
    """A framed abstract landscape on the back wall."""
    (left, top), (right, bottom) = space.at(x - width / 2, y + height, 1), space.at(x + width / 2, y, 1)
    w, h = right - left, bottom - top
    canvas = space.canvas
    canvas.rect(left + 4, top + 6, w, h, "#10182c", opacity=0.18)
    canvas.rect(left, top, w, h, frame)
    canvas.rect(left + 5, top + 5, w - 10, h - 10, "#f8f1e2")
    tones = dice.pick(
        (
            ("#e8a87c", "#c38d9e", "#41b3a3"),
            ("#f2cc8f", "#81b29a", "#3d405b"),
            ("#e07a5f", "#f4d6a0", "#5f797b"),
        )
    )
    inner = left + 12, top + 12, w - 24, h - 24
    canvas.rect(*inner, tones[0], opacity=0.55)
    canvas.ellipse(left + w * (0.35 + dice.below(30) / 100), top + h * 0.42, h * 0.14, h * 0.14, "#fff4d8")
    base, rise = inner[1] + inner[3], h * 0.32
    canvas.path(
        trace(
            "M", inner[0], base, "v", -rise, "q", w * 0.25, -rise * 0.7, inner[2], rise * 0.3, "V", base, "z"
        ),
        tones[1],
    )
    canvas.path(
        trace(
            "M",
            inner[0],
            base,
            "v",
            -rise * 0.4,
            "q",
            w * 0.5,
            rise * 0.3,
            inner[2],
            -rise * 0.3,
            "V",
            base,
            "z",
        ),
        tones[2],
    )


def plant(space: Space, dice: Dice, x: float, z: float, size: float, pot: str) -> None:
    """A large-leaved plant in a pot; ``size`` in room heights."""
    foot_x, foot_y = space.at(x, 0, z)
    unit = space.size(z) * size
    canvas, leaf = space.canvas, dice.pick(LEAVES)
    canvas.ellipse(foot_x, foot_y, unit * 0.26, unit * 0.05, "#10182c", opacity=0.22)
    for dx, dy, lean in (
        (-0.34, 0.72, -1),
        (0.34, 0.78, 1),
        (-0.2, 0.98, -1),
        (0.22, 1.0, 1),
        (0.0, 1.08, 1),
        (-0.4, 0.5, -1),
        (0.42, 0.54, 1),
    ):
        tip_x, tip_y = foot_x + dx * unit, foot_y - dy * unit
        root = foot_y - unit * 0.3
        bend = lean * unit * 0.2
        tone = darker(leaf, 0.2) if lean > 0 else lighter(leaf, 0.1)
        canvas.path(
            f"M{foot_x:.0f} {root:.0f}Q{foot_x - bend * 0.4:.0f} {tip_y:.0f} {tip_x:.0f} {tip_y:.0f}"
            f"Q{foot_x + bend * 1.3:.0f} {(tip_y + root) / 2:.0f} {foot_x:.0f} {root:.0f}z",
            tone,
        )
    canvas.polygon(
        [
            (foot_x - unit * 0.17, foot_y - unit * 0.32),
            (foot_x + unit * 0.17, foot_y - unit * 0.32),
            (foot_x + unit * 0.12, foot_y),
            (foot_x - unit * 0.12, foot_y),
        ],
        pot,
    )
    canvas.rect(
        foot_x - unit * 0.19, foot_y - unit * 0.36, unit * 0.38, unit * 0.07, lighter(pot, 0.2), round=3
    )


def armchair(space: Space, x: float, z: float, colour: str) -> None:
    """An upholstered chair, seen from the front."""
    space.shadow((x - 0.24, x + 0.24), (z - 0.06, z + 0.14))
    space.box((x - 0.15, x + 0.15), (0.06, 0.4), (z + 0.1, z + 0.16), darker(colour, 0.08))
    space.box((x - 0.16, x + 0.16), (0.05, 0.19), (z, z + 0.14), colour, top=0.22)
    for side in (-1, 1):
        edge = x + side * 0.18
        space.box((edge - 0.03, edge + 0.03), (0.04, 0.27), (z - 0.01, z + 0.15), darker(colour, 0.04))


def rug(space: Space, x: tuple[float, float], z: tuple[float, float], colour: str) -> None:
    """A rectangular rug with a border."""
    space.quad([(x[0], 0, z[0]), (x[1], 0, z[0]), (x[1], 0, z[1]), (x[0], 0, z[1])], colour)
    inset = 0.06
    space.quad(
        [
            (x[0] + inset, 0, z[0] + 0.03),
            (x[1] - inset, 0, z[0] + 0.03),
            (x[1] - inset, 0, z[1] - 0.03),
            (x[0] + inset, 0, z[1] - 0.03),
        ],
        lighter(colour, 0.35),
    )
    inset = 0.09
    space.quad(
        [
            (x[0] + inset, 0, z[0] + 0.045),
            (x[1] - inset, 0, z[0] + 0.045),
            (x[1] - inset, 0, z[1] - 0.045),
            (x[0] + inset, 0, z[1] - 0.045),
        ],
        lighter(colour, 0.1),
    )


def pendant(space: Space, x: float, z: float, drop: float, colour: str) -> None:
    """A lamp that hangs from the ceiling and is on."""
    top_x, top_y = space.at(x, 1, z)
    _, low = space.at(x, 1 - drop, z)
    unit = space.size(z) * 0.06
    shade = unit * 1.3
    space.canvas.rect(top_x - 1.5, top_y, 3, low - top_y, "#2a2f3f")
    space.canvas.ellipse(top_x, low + unit, unit * 4.4, unit * 4, space.canvas.glow("#ffe2a6", 0.7))
    space.canvas.path(
        trace("M", top_x - shade, low + unit, "a", shade, shade, 0, 0, 1, 2 * shade, 0, "z"),
        colour,
    )
    space.canvas.ellipse(top_x, low + unit, unit * 0.9, unit * 0.22, "#fff3cf")


def bouquet(space: Space, dice: Dice, x: float, y: float, z: float) -> None:
    """Flowers in a vase that stands at a point of the room."""
    foot_x, foot_y = space.at(x, y, z)
    canvas = space.canvas
    for dx, dy in ((-20, -52), (16, -58), (0, -72), (28, -40), (-30, -36), (4, -46)):
        canvas.line([(foot_x, foot_y - 20), (foot_x + dx, foot_y + dy)], "#4f7f55", 3)
        canvas.ellipse(
            foot_x + dx,
            foot_y + dy,
            12,
            11,
            dice.pick(("#f2a3b3", "#f7d26a", "#e2708a", "#fff6e6", "#c9a0dc")),
        )
    canvas.path(f"M{foot_x - 13:.0f} {foot_y - 32:.0f}h26l-4 16q8 12 -2 18h-14q-10 -6 -2 -18z", "#a9c9cf")
