"""Times of day: the sky, and what it does to everything beneath it."""

from __future__ import annotations

from typing import NamedTuple

from search.sandbox.drawing.canvas import WIDTH, Canvas, mix, trace
from search.sandbox.rng import Dice


class Light(NamedTuple):
    """Colours of the sky from top to horizon, of sun, clouds and haze; ``lit`` per cent of windows shine."""

    top: str
    middle: str
    horizon: str
    sun: str
    cloud: str
    ambient: str
    strength: float
    lit: int

    def on(self, colour: str) -> str:
        """A surface's colour in this light."""
        return mix(colour, self.ambient, self.strength)

    def far(self, colour: str, distance: float) -> str:
        """A surface's colour behind haze; distance from 0 to 1."""
        return mix(self.on(colour), self.horizon, distance)


MORNING = Light("#8fb7dd", "#c9dcea", "#fbe6d0", "#fff3d6", "#ffffff", "#ffe9cf", 0.10, 12)
DAY = Light("#4f9bd9", "#8cc3ea", "#dff0f8", "#fff8dc", "#ffffff", "#ffffff", 0.0, 4)
GOLDEN = Light("#6d8fc4", "#e9b48c", "#ffd9a0", "#fff0c2", "#ffe3c9", "#f2a65e", 0.20, 30)
DUSK = Light("#2b3569", "#8a5a8c", "#f19a7b", "#ffd0a0", "#c98aa0", "#4a3a75", 0.42, 65)
NIGHT = Light("#0c1533", "#1d2a55", "#41497c", "#eef1ff", "#2c3867", "#141b40", 0.62, 72)

OUTDOORS = (MORNING, DAY, DAY, DAY, GOLDEN, GOLDEN, GOLDEN, DUSK, DUSK, NIGHT)


def draw_sky(canvas: Canvas, dice: Dice, light: Light, *, horizon: float) -> None:
    """Sky, sun or moon with its glow, stars or clouds, down to the horizon."""
    sky = canvas.fade([(0, light.top, 1), (0.55, light.middle, 1), (1, light.horizon, 1)])
    canvas.rect(0, 0, WIDTH, horizon, sky)
    x, y = dice.between(90, WIDTH - 90), dice.between(60, int(horizon * 0.36))
    if light is NIGHT:
        for size in (1.6, 2.4, 3.2):
            stars = [(dice.below(WIDTH), dice.below(int(horizon * 0.6))) for _ in range(13)]
            canvas.lines([(star, star) for star in stars], "#ffffff", size, opacity=0.7)
    canvas.ellipse(x, y, 190, 190, canvas.glow(light.sun, 0.75))
    canvas.ellipse(x, y, 26, 26, light.sun, opacity=0.95)
    for _ in range(dice.between(2, 4)):
        _cloud(canvas, dice, light, dice.between(-60, WIDTH), dice.between(40, int(horizon * 0.42)))


def _cloud(canvas: Canvas, dice: Dice, light: Light, x: int, y: int) -> None:
    size = dice.between(50, 110)
    d = trace("M", x, y, "h", size * 3, "a", size / 5, size / 5, 0, 0, 0, -size / 3, -size / 4)
    d += trace("a", size / 2, size / 2, 0, 0, 0, -size, -size / 5)
    d += trace("a", size / 3, size / 3, 0, 0, 0, -size * 0.75, size / 6)
    d += trace("a", size / 4, size / 4, 0, 0, 0, -size * 0.92, size * 0.283, "z")
    canvas.path(d, light.cloud, opacity=0.28 + dice.below(40) / 100)
