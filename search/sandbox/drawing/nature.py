"""Trees, hills, water and what else grows around a hotel."""

from __future__ import annotations

from search.sandbox.drawing.canvas import HEIGHT, WIDTH, Canvas, darker, lighter, mix, trace
from search.sandbox.drawing.light import Light
from search.sandbox.rng import Dice

GREENS = ("#4f8a55", "#5d9a52", "#3f7a5c", "#6f9e4a", "#47806a")


def hills(canvas: Canvas, dice: Dice, light: Light, horizon: float, *, colour: str = "#5f8a78") -> None:
    """Three ranges, each nearer and darker."""
    for layer in range(3):
        base = horizon - 60 + 30 * layer
        rise = 90 - 24 * layer
        points = [f"M0 {horizon + 30:.0f}V{base - dice.below(rise)}"]
        for step in range(1, 5):
            peak, valley = base - rise * 0.4 - dice.below(rise), base - dice.below(30)
            points.append(f"Q{step * 240 - 120} {peak:.0f} {step * 240} {valley:.0f}")
        canvas.path("".join(points) + f"V{horizon + 30:.0f}z", light.far(colour, 0.66 - 0.24 * layer))


def skyline(canvas: Canvas, dice: Dice, light: Light, ground: float, *, tall: int) -> None:
    """Roofs of the town behind, in two hazy layers."""
    for layer, haze in enumerate((0.72, 0.52)):
        x, d = -20, f"M-20 {ground:.0f}"
        while x < WIDTH + 20:
            width, height = dice.between(36, 92), dice.between(tall // 3, tall) * (1 - layer * 0.3)
            roof = dice.below(3)
            top = ground - height
            peak = f"l{width / 2:.0f} -18l{width / 2:.0f} 18" if roof == 0 else f"h{width}"
            d += f"V{top:.0f}{peak}"
            x += width
        canvas.path(d + f"V{ground:.0f}z", light.far("#6b7590", haze))


def leafy_tree(canvas: Canvas, dice: Dice, light: Light, x: float, ground: float, size: float) -> None:
    """A round tree of three overlapping crowns, lit from the upper left."""
    leaf = light.on(dice.pick(GREENS))
    canvas.ellipse(x, ground, size * 0.5, size * 0.07, "#10182c", opacity=0.22)
    canvas.polygon(
        [
            (x - size * 0.035, ground),
            (x + size * 0.035, ground),
            (x + size * 0.015, ground - size * 0.6),
            (x - size * 0.015, ground - size * 0.6),
        ],
        light.on("#6a4a38"),
    )
    for dx, dy, r, shade in ((0.12, 0.62, 0.30, 0.22), (-0.14, 0.68, 0.31, 0.1), (0.02, 0.86, 0.30, 0.0)):
        canvas.ellipse(x + dx * size, ground - dy * size, r * size, r * size * 0.92, darker(leaf, shade))
    canvas.ellipse(
        x - size * 0.08, ground - size * 0.94, size * 0.15, size * 0.11, lighter(leaf, 0.22), opacity=0.7
    )


def cypress(canvas: Canvas, light: Light, x: float, ground: float, size: float) -> None:
    """A slender cypress with a lit side."""
    leaf = light.on("#2f6350")
    w, top = size * 0.12, ground - size
    canvas.ellipse(x, ground, w * 1.3, size * 0.03, "#10182c", opacity=0.22)
    canvas.path(
        trace("M", x, top, "q", w * 2, size * 0.72, 0, size, "q", -w * 2, -size * 0.28, 0, -size, "z"),
        darker(leaf, 0.12),
    )
    canvas.path(f"M{x:.0f} {top:.0f}q{-w * 2:.0f} {size * 0.72:.0f} 0 {size:.0f}z", lighter(leaf, 0.12))


def palm(canvas: Canvas, dice: Dice, light: Light, x: float, ground: float, size: float) -> None:
    """A palm that leans a little."""
    lean = dice.between(-18, 18) * size / 200
    top = ground - size
    canvas.ellipse(x, ground, size * 0.2, size * 0.03, "#10182c", opacity=0.22)
    canvas.line(
        [(x, ground), (x + lean * 0.2, ground - size * 0.5), (x + lean, top)],
        light.on("#8a6a4c"),
        size * 0.05,
        curve=True,
    )
    leaf = light.on(dice.pick(("#3f8a5c", "#4c9450", "#2f7a5a")))
    tx = x + lean
    for dx, dy in (
        (-0.46, 0.14),
        (-0.40, -0.10),
        (-0.2, -0.22),
        (0.2, -0.22),
        (0.42, -0.08),
        (0.46, 0.16),
        (0.05, 0.2),
    ):
        ex, ey = tx + dx * size, top + dy * size
        mx, my = tx + dx * size * 0.55, top + dy * size * 0.4 - size * 0.16
        canvas.path(
            trace("M", tx, top, "Q", mx, my, ex, ey, "Q", mx, my + size * 0.1, tx, top, "z"),
            darker(leaf, 0.18 if dx > 0 else 0.0),
        )


def bushes(canvas: Canvas, dice: Dice, light: Light, *spans: tuple[float, float, float]) -> None:
    """Hedges of round bushes, some in flower, each from x to x on its ground."""
    kinds = [canvas.define(_bush(dice, light, flowers=kind == 2)) for kind in range(3)]
    for start, end, ground in spans:
        x = start
        while x < end:
            scale = dice.between(22, 40) / 32
            canvas.place(dice.pick(kinds), x, ground, scale)
            x += 38 * scale


def _bush(dice: Dice, light: Light, *, flowers: bool) -> Canvas:
    sheet, leaf = Canvas(), light.on(dice.pick(GREENS))
    sheet.ellipse(0, -10, 32, 23, darker(leaf, 0.1))
    sheet.ellipse(-8, -16, 18, 13, lighter(leaf, 0.12), opacity=0.6)
    if flowers:
        bloom = light.on(dice.pick(("#e86a8a", "#f2c14e", "#f5f0e6", "#c86bc0")))
        for x, y in ((-16, -14), (-2, -24), (12, -12), (3, -6)):
            sheet.ellipse(x, y, 3.6, 3.6, bloom)
    return sheet


def sea(canvas: Canvas, dice: Dice, light: Light, top: float, bottom: float) -> None:
    """Water to the horizon with a path of light on it."""
    deep, shallow = light.on("#1f6f9f"), light.on("#4fb3c4")
    surface = canvas.fade([(0, mix(deep, light.horizon, 0.45), 1), (0.35, deep, 1), (1, shallow, 1)])
    canvas.rect(0, top, WIDTH, bottom - top, surface)
    glints = []
    for _ in range(26):
        y = top + 4 + dice.below(max(8, int(bottom - top - 8)))
        x, reach = dice.below(WIDTH), 10 + (y - top) * 0.22
        glints.append(((x, y), (x + reach, y)))
    canvas.lines(glints, light.sun, 2, opacity=0.5)


def lawn(canvas: Canvas, light: Light, top: float) -> None:
    """Grass to the lower edge."""
    green = light.on("#78a858")
    canvas.rect(
        0, top, WIDTH, HEIGHT - top, canvas.fade([(0, lighter(green, 0.12), 1), (1, darker(green, 0.22), 1)])
    )
