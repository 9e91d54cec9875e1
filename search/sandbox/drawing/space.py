"""A room in one-point perspective: walls, floor, and boxes that stand in it."""

from __future__ import annotations

from collections.abc import Iterable

from search.sandbox.drawing.canvas import HEIGHT, WIDTH, Canvas, Point, darker, lighter, mix
from search.sandbox.drawing.light import Light

_HALF_WIDTH, _TALL, _DEEP, _EYE = 640.0, 720.0, 1.25, 0.5


class Space:
    """Coordinates: x from -1 (left wall) to 1, y from 0 (floor) to 1, z from 0 (here) to 1 (back wall)."""

    def __init__(self, canvas: Canvas, vanishing: float = WIDTH / 2) -> None:
        self.canvas = canvas
        self._vanishing = vanishing

    def at(self, x: float, y: float, z: float) -> Point:
        """Where a point of the room is on the sheet."""
        scale = 1 / (1 + _DEEP * z)
        return self._vanishing + x * _HALF_WIDTH * scale, 305 + (_EYE - y) * _TALL * scale

    def size(self, z: float) -> float:
        """Pixels per unit of height at a depth."""
        return _TALL / (1 + _DEEP * z)

    def quad(self, corners: Iterable[tuple[float, float, float]], fill: str, *, opacity: float = 1) -> None:
        """A surface by its corners in the room."""
        self.canvas.polygon([self.at(*corner) for corner in corners], fill, opacity=opacity)

    def box(
        self,
        x: tuple[float, float],
        y: tuple[float, float],
        z: tuple[float, float],
        colour: str,
        *,
        top: float = 0.14,
    ) -> None:
        """A block: its front, its top where the eye is above it, and the side that faces the middle."""
        (x0, x1), (y0, y1), (z0, z1) = x, y, z
        if x0 > 0:
            self.quad([(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)], darker(colour, 0.28))
        if x1 < 0:
            self.quad([(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)], darker(colour, 0.18))
        if y1 < _EYE:
            self.quad([(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)], lighter(colour, top))
        if y0 > _EYE:
            self.quad([(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)], darker(colour, 0.3))
        self.quad([(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)], darker(colour, 0.07))

    def shadow(self, x: tuple[float, float], z: tuple[float, float]) -> None:
        """A soft patch of shade on the floor."""
        left, right = self.at(x[0], 0, sum(z) / 2)[0], self.at(x[1], 0, sum(z) / 2)[0]
        far, near = self.at(0, 0, z[1])[1], self.at(0, 0, z[0])[1]
        self.canvas.ellipse(
            (left + right) / 2,
            (far + near) / 2,
            (right - left) / 2,
            max(5.0, (near - far) / 2),
            "#10182c",
            opacity=0.2,
        )

    def shell(self, wall: str, floor: str, *, accent: str = "", lamp: str = "#fff1d0") -> None:
        """Ceiling, walls and floor, shaded towards the corners."""
        canvas = self.canvas
        back = accent or wall
        canvas.rect(0, 0, WIDTH, HEIGHT, wall)
        self.quad(_face(y=1), mix(wall, "#ffffff", 0.55))
        self.quad(
            _side(-1), canvas.fade([(0, lighter(wall, 0.1), 1), (1, darker(wall, 0.16), 1)], across=True)
        )
        self.quad(_side(1), canvas.fade([(0, darker(wall, 0.2), 1), (1, darker(wall, 0.06), 1)], across=True))
        self.quad(_back(), canvas.fade([(0, lighter(back, 0.1), 1), (1, darker(back, 0.1), 1)]))
        self.quad(_face(y=0), canvas.fade([(0, darker(floor, 0.2), 1), (1, lighter(floor, 0.1), 1)]))
        x, y = self.at(0, 0.95, 0.7)
        canvas.ellipse(x, y, 420, 260, canvas.glow(lamp, 0.45))

    def skirting(self, colour: str) -> None:
        """The strip where back wall and floor meet."""
        self.quad([(-1, 0, 1), (1, 0, 1), (1, 0.035, 1), (-1, 0.035, 1)], colour)

    def planks(self, colour: str) -> None:
        """Floorboards that run away from the eye."""
        seams = [(self.at(k / 7, 0, 0), self.at(k / 7, 0, 1)) for k in range(-6, 7)]
        ends = [(self.at(k / 7, 0, z), self.at((k + 1) / 7, 0, z)) for k, z in _BOARD_ENDS]
        self.canvas.lines([*seams, *ends], darker(colour, 0.4), 1.6, opacity=0.4)

    def tiles(self, colour: str, count: int) -> None:
        """A square grid on the floor."""
        along = [(self.at(k / count, 0, 0), self.at(k / count, 0, 1)) for k in range(1 - count, count)]
        across = [(self.at(-1, 0, k / 7), self.at(1, 0, k / 7)) for k in range(8)]
        self.canvas.lines([*along, *across], colour, 1.8, opacity=0.55)

    def sunlight(self, light: Light, z: tuple[float, float] = (0.45, 0.78)) -> None:
        """What falls through a window of the left wall onto the floor."""
        strength = 0.08 if light.lit > 40 else 0.26
        self.quad(
            [(-0.7, 0, z[0]), (-0.7, 0, z[1]), (0.25, 0, z[1] - 0.16), (0.35, 0, z[0] - 0.2)],
            light.sun,
            opacity=strength,
        )

    def side_window(
        self, light: Light, frame: str, z: tuple[float, float] = (0.35, 0.8), *, low: float = 0.24
    ) -> None:
        """A tall window in the left wall, with what is outside."""
        sky = self.canvas.fade([(0, light.top, 1), (0.6, light.middle, 1), (1, light.horizon, 1)])
        high = 0.86
        self.quad(_left(z[0] - 0.02, z[1] + 0.02, low - 0.03, high + 0.03), frame)
        self.quad(_left(*z, low, high), sky)
        self.quad(_left(*z, low, low + 0.16), light.far("#5f8a68", 0.25))
        self.quad(_left(z[0], z[0] + 0.2, low, low + 0.28), light.far("#7d869c", 0.4))
        middle = sum(z) / 2
        self.quad(_left(middle - 0.006, middle + 0.006, low, high), frame)
        self.quad(_left(z[0], z[1], 0.585, 0.6), frame)

    def curtains(self, colour: str, z: tuple[float, float] = (0.35, 0.8)) -> None:
        """Drawn back to either side of the left wall's window."""
        for start, end in ((z[0] - 0.12, z[0] + 0.03), (z[1] - 0.04, z[1] + 0.08)):
            self.quad(_left(start, end, 0.02, 0.93), colour)
            folds = [
                (
                    self.at(-1, 0.03, start + (end - start) * k / 4),
                    self.at(-1, 0.92, start + (end - start) * k / 4),
                )
                for k in (1, 2, 3)
            ]
            self.canvas.lines(folds, darker(colour, 0.35), 3, opacity=0.5)
        self.canvas.line([self.at(-1, 0.94, z[0] - 0.16), self.at(-1, 0.94, z[1] + 0.12)], "#6a4a38", 5)


_BOARD_ENDS = (
    (-6, 0.3),
    (-5, 0.6),
    (-3, 0.18),
    (-2, 0.45),
    (-1, 0.72),
    (0, 0.28),
    (2, 0.55),
    (3, 0.14),
    (4, 0.4),
    (5, 0.7),
)

Corners = list[tuple[float, float, float]]


def _face(*, y: float) -> Corners:
    return [(-1, y, 0), (1, y, 0), (1, y, 1), (-1, y, 1)]


def _side(x: float) -> Corners:
    return [(x, 0, 0), (x, 1, 0), (x, 1, 1), (x, 0, 1)]


def _back() -> Corners:
    return [(-1, 0, 1), (1, 0, 1), (1, 1, 1), (-1, 1, 1)]


def _left(z0: float, z1: float, y0: float, y1: float) -> Corners:
    return [(-0.999, y0, z0), (-0.999, y1, z0), (-0.999, y1, z1), (-0.999, y0, z1)]
