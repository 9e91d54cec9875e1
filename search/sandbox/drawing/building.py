"""Hotels from the street: walls, windows and entrances, finer with more stars."""

from __future__ import annotations

from search.sandbox.drawing.canvas import Canvas, Point, darker, lighter, mix
from search.sandbox.drawing.light import Light
from search.sandbox.drawing.roofs import draw_roof
from search.sandbox.drawing.styles import AEGEAN, MODERN, House, Style
from search.sandbox.rng import Dice

WINDOW_GLOW = "#ffd98a"
_FLOWERS = ("#d9506a", "#e8a33c", "#c65aa8")
_AWNINGS = ("#b23a48", "#2f5d62", "#34487a", "#c2853a", "#5a3f5f", "#3f7a4d")


def draw_house(canvas: Canvas, dice: Dice, light: Light, style: Style, house: House, stars: int) -> None:
    """The whole building with its shadow, roof, windows, entrance and awning."""
    wall = light.on(dice.pick(style.walls))
    trim = light.on("#fbf5e8") if wall < "#e" or style is MODERN else lighter(wall, 0.5)
    depth = house.width * 0.13
    canvas.polygon(
        [
            (house.x + house.width, house.ground),
            (house.x + house.width + depth * 2.4, house.ground + 14),
            (house.x + 20, house.ground + 16),
            (house.x, house.ground),
        ],
        "#10182c",
        opacity=0.2,
    )
    side = [
        (house.x + house.width, house.ground),
        (house.x + house.width, house.top),
        (house.x + house.width + depth, house.top + depth * 0.5),
        (house.x + house.width + depth, house.ground),
    ]
    canvas.polygon(side, darker(wall, 0.3))
    face = canvas.fade([(0, lighter(wall, 0.12), 1), (1, darker(wall, 0.08), 1)])
    canvas.rect(house.x, house.top, house.width, house.floors * house.storey, face)
    draw_roof(canvas, light, style, house, depth)
    for floor in range(1, house.floors):
        y = house.ground - floor * house.storey
        canvas.rect(house.x - 3, y - 4, house.width + 6, 5, trim, opacity=0.75)
        canvas.rect(house.x, y + 1, house.width, 3, darker(wall, 0.35), opacity=0.25)
    _windows(canvas, dice, light, style, house, wall, trim, stars)
    _ground_floor(canvas, dice, light, house, wall, stars)


def _windows(
    canvas: Canvas, dice: Dice, light: Light, style: Style, house: House, wall: str, trim: str, stars: int
) -> None:
    pitch = house.width / house.columns
    w = pitch * (0.66 if style.window == "wide" else 0.4)
    h = house.storey * (0.62 if style.window in ("tall", "arch") else 0.54)
    shutter = light.on(dice.pick(style.shutters)) if style.shutters else ""
    glass = mix(light.on("#5d7f9c"), light.middle, 0.35)
    dark: list[Point] = []
    bright: list[Point] = []
    railings: list[Point] = []
    flowers: list[Point] = []
    blossom = light.on(dice.pick(_FLOWERS))
    for floor in range(1, house.floors):
        has_balconies = stars >= 3 and (floor % 2 == 1 or stars == 5)
        for column in range(house.columns):
            sill = (
                house.x + (column + 0.5) * pitch,
                house.ground - floor * house.storey - house.storey * 0.14,
            )
            (bright if dice.below(100) < light.lit else dark).append(sill)
            if has_balconies and (style is MODERN or column % 2 == floor % 2):
                railings.append(sill)
            elif style.window != "wide" and dice.below(4) == 0:
                flowers.append(sill)
    window = canvas.define(_window(style, w, h, wall, trim, glass, shutter))
    unlit = Canvas()
    unlit.place(window, 0, 0)
    canvas.repeat(unlit, dark)
    canvas.repeat(_lit(window, style, w, h, trim), bright)
    canvas.repeat(_balcony(w, trim if style is AEGEAN else darker(wall, 0.55)), railings)
    canvas.repeat(_flower_box(w, darker(wall, 0.5), blossom), flowers)


def _window(style: Style, w: float, h: float, wall: str, trim: str, glass: str, shutter: str) -> Canvas:
    """One window; its sill's middle is the origin."""
    sheet = Canvas()
    if style.window == "arch":
        rim = w / 2 + 4
        sheet.path(f"M{-rim:.1f} 0v{-h + rim:.1f}a{rim:.1f} {rim:.1f} 0 0 1 {2 * rim:.1f} 0V0z", trim)
    else:
        sheet.rect(-w / 2 - 4, -h - 4, w + 8, h + 4, trim)
    _pane(sheet, style, w, h, glass)
    sheet.polygon(
        [(-w / 2, 0), (-w / 2, -h * 0.5), (w * 0.1, -h * 0.75), (w * 0.1, 0)], "#ffffff", opacity=0.14
    )
    sheet.rect(-w / 2, -h * 0.08, w, h * 0.08, darker(glass, 0.25), opacity=0.6)
    _bars(sheet, style, w, h, trim)
    if shutter:
        for x in (-w / 2 - w * 0.34, w / 2 + w * 0.06):
            sheet.rect(x, -h + 4, w * 0.28, h - 4, shutter)
            sheet.rect(x + 2, -h * 0.5, w * 0.28 - 4, 2, darker(shutter, 0.3))
    sheet.rect(-w / 2 - 6, 0, w + 12, 5, darker(wall, 0.18))
    return sheet


def _lit(window: str, style: Style, w: float, h: float, trim: str) -> Canvas:
    """The same window with the light on."""
    sheet = Canvas()
    sheet.place(window, 0, 0)
    _pane(sheet, style, w, h, WINDOW_GLOW)
    _bars(sheet, style, w, h, trim)
    return sheet


def _pane(sheet: Canvas, style: Style, w: float, h: float, glass: str) -> None:
    if style.window == "arch":
        r = w / 2
        sheet.path(f"M{-r:.1f} 0v{-h + r + 4:.1f}a{r:.1f} {r:.1f} 0 0 1 {w:.1f} 0V0z", glass)
    else:
        sheet.rect(-w / 2, -h, w, h, glass)


def _bars(sheet: Canvas, style: Style, w: float, h: float, trim: str) -> None:
    bars: list[tuple[Point, Point]] = [((0, 0), (0, -h + 2))]
    if style.window == "sash":
        bars.append(((-w / 2, -h / 2), (w / 2, -h / 2)))
    sheet.lines(bars, trim, 2.4)


def _flower_box(w: float, box: str, flowers: str) -> Canvas:
    sheet = Canvas()
    sheet.rect(-w / 2, -2, w, 6, box, round=2)
    for share in (-0.33, 0, 0.33):
        sheet.ellipse(w * share, -4, 6, 5, flowers)
    return sheet


def _balcony(w: float, colour: str) -> Canvas:
    sheet = Canvas()
    reach = w * 0.78
    sheet.rect(-reach, 2, 2 * reach, 6, colour)
    sheet.rect(-reach, -20, 2 * reach, 3, colour)
    sheet.lines(
        [((-reach + k * reach / 5, -18), (-reach + k * reach / 5, 2)) for k in range(11)], colour, 1.8
    )
    return sheet


def _ground_floor(canvas: Canvas, dice: Dice, light: Light, house: House, wall: str, stars: int) -> None:
    """Shop windows with striped awnings on both sides of the entrance."""
    height, pitch = house.storey * 0.82, house.width / house.columns
    middle, y = house.x + house.width / 2, house.ground
    canvas.rect(house.x, y - house.storey + 4, house.width, house.storey - 4, darker(wall, 0.16))
    canvas.rect(house.x - 2, y - 9, house.width + 4, 9, darker(wall, 0.4))
    shine = canvas.fade([(0, "#fff0c4", 1), (1, "#f2b866", 1)])
    awning = light.on(dice.pick(_AWNINGS))
    centres = [house.x + (column + 0.5) * pitch for column in range(house.columns)]
    bays = [(x, y) for x in centres if abs(x - middle) > 66]
    canvas.repeat(_bay(pitch * 0.36, height, wall, shine, awning), bays)
    _entrance(canvas, middle, y, height, (wall, shine, awning), stars)
    canvas.repeat(_pot(light), [(middle - 66, y), (middle + 66, y)])


def _bay(half: float, height: float, wall: str, shine: str, awning: str) -> Canvas:
    sheet = Canvas()
    sheet.rect(-half, 6 - height, 2 * half, height - 22, darker(wall, 0.5))
    sheet.rect(3 - half, 9 - height, 2 * half - 6, height - 28, shine, opacity=0.92)
    sheet.path(f"M{-half - 4:.0f} {24 - height:.0f}l6 -20h{2 * half - 4:.0f}l6 20z", awning)
    stripes = [((half * s, 5 - height), (half * s * 1.08, 23 - height)) for s in (-0.6, -0.2, 0.2, 0.6)]
    sheet.lines(stripes, lighter(awning, 0.7), 5, opacity=0.75)
    return sheet


def _entrance(
    canvas: Canvas, x: float, y: float, height: float, colours: tuple[str, str, str], stars: int
) -> None:
    wall, shine, awning = colours
    frame = darker(wall, 0.55)
    canvas.ellipse(x, y - 30, 130, 90, canvas.glow("#ffd98a", 0.55))
    canvas.rect(x - 50, y - height, 100, height, frame)
    canvas.rect(x - 42, y - height + 8, 84, height - 8, shine)
    canvas.rect(x - 2, y - height + 8, 4, height - 8, frame)
    canvas.rect(x - 42, y - height + 24, 84, 3, frame)
    canvas.path(f"M{x - 78:.0f} {y - height + 8:.0f}l14 -22h128l14 22z", awning)
    canvas.rect(x - 78, y - height + 8, 156, 8, darker(awning, 0.25))
    for star in range(stars):
        canvas.ellipse(x - (stars - 1) * 9 + star * 18, y - height - 3, 4, 4, "#ffe7a0")
    canvas.rect(x - 60, y, 120, 6, "#d5cfc4")


def _pot(light: Light) -> Canvas:
    sheet, leaf = Canvas(), light.on("#4c8a55")
    sheet.polygon([(-12, -26), (12, -26), (8, 2), (-8, 2)], light.on("#5a5148"))
    sheet.ellipse(0, -42, 19, 22, leaf)
    sheet.ellipse(-5, -48, 10, 10, lighter(leaf, 0.2), opacity=0.7)
    return sheet
