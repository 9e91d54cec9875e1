"""Scenes under the sky: facade, street, view, pool, garden and balcony."""

from __future__ import annotations

from search.sandbox.drawing.building import draw_house
from search.sandbox.drawing.canvas import HEIGHT, WIDTH, Canvas, darker, lighter, mix
from search.sandbox.drawing.light import DAY, DUSK, GOLDEN, NIGHT, OUTDOORS, Light, draw_sky
from search.sandbox.drawing.nature import bushes, cypress, hills, lawn, leafy_tree, palm, sea, skyline
from search.sandbox.drawing.styles import AEGEAN, DESERT, SOUTHERN, House, Style, style_for
from search.sandbox.drawing.subject import Subject
from search.sandbox.rng import Dice

_WARM = ("spanish", "italian", "portuguese", "greek", "arabic", "turkish", "hebrew", "asian")


def facade(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The hotel from across the street."""
    light = dice.pick(OUTDOORS)
    style = style_for(dice, subject.language, subject.stars)
    draw_sky(canvas, dice, light, horizon=520)
    _background(canvas, dice, light, subject, 520)
    floors = min(8, 2 + subject.stars + dice.below(2) - (1 if style in (SOUTHERN, AEGEAN, DESERT) else 0))
    storey = min(92, 390 / floors)
    columns = dice.between(4, 6)
    width = columns * dice.between(84, 100)
    house = House((WIDTH - width) / 2 + dice.between(-60, 30), 530, width, floors, columns, storey)
    _pavement(canvas, light)
    draw_house(canvas, dice, light, style, house, subject.stars)
    _planting(canvas, dice, light, subject, house)


def street(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The street in the evening: houses, lamps, light on the pavement."""
    light = dice.pick((GOLDEN, DUSK, DUSK, NIGHT))
    draw_sky(canvas, dice, light, horizon=510)
    _pavement(canvas, light)
    corner = canvas.define(_street_house(canvas, dice, light, subject))
    middle = canvas.define(_street_house(canvas, dice, light, subject))
    for house, x in ((middle, 906), (corner, 592), (middle, 278), (corner, -36)):
        canvas.place(house, x, 530)
    canvas.repeat(_lamp(canvas), [(140, 0), (470, 0), (800, 0)])


def _street_house(canvas: Canvas, dice: Dice, light: Light, subject: Subject) -> Canvas:
    drawing, style = canvas.part(), style_for(dice, subject.language, 2)
    draw_house(drawing, dice, light, style, House(0, 0, 312, dice.between(3, 4), 4, 78), 0)
    return drawing


def _lamp(canvas: Canvas) -> Canvas:
    drawing = canvas.part()
    drawing.ellipse(0, 330, 150, 150, canvas.glow("#ffdf9a", 0.6))
    drawing.rect(-3, 335, 6, 235, "#20263a")
    drawing.rect(-11, 312, 22, 28, "#ffeab8", round=5)
    drawing.path("M-15 312l15 -16l15 16z", "#20263a")
    drawing.ellipse(0, 575, 90, 14, "#ffdf9a", opacity=0.25)
    return drawing


def view(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """What guests see from above: sea, hills or roofs."""
    light = dice.pick(OUTDOORS)
    coastal = subject.language in _WARM and dice.below(10) < 7
    draw_sky(canvas, dice, light, horizon=400)
    hills(canvas, dice, light, 380)
    if coastal:
        sea(canvas, dice, light, 396, HEIGHT)
        boat = dice.between(200, 760)
        canvas.path(f"M{boat} 452h64l-10 14h-44z", light.on("#f5f0e6"))
        canvas.path(f"M{boat + 30} 448v-60l30 60z", light.on("#ffffff"))
        canvas.path(f"M{boat + 26} 448v-46l-20 46z", light.on("#e9e2d4"))
    else:
        canvas.rect(0, 380, WIDTH, HEIGHT - 380, light.far("#6b7590", 0.5))
        skyline(canvas, dice, light, 480, tall=170)
    style = style_for(dice, subject.language, 1)
    if not coastal:
        _roofs(canvas, dice, light, style, HEIGHT - 56, 0.34)
    _roofs(canvas, dice, light, style, HEIGHT, 0)
    for x in (dice.between(40, 160), dice.between(780, 900)):
        cypress(canvas, light, x, HEIGHT, dice.between(190, 260))


def pool(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The pool with loungers and parasols, the hotel behind."""
    light = dice.pick((DAY, DAY, GOLDEN, GOLDEN, DUSK))
    draw_sky(canvas, dice, light, horizon=360)
    hills(canvas, dice, light, 330)
    style = style_for(dice, subject.language, subject.stars)
    draw_house(canvas, dice, light, style, House(dice.between(60, 300), 352, 420, 3, 6, 62), 0)
    bushes(canvas, dice, light, (0, WIDTH, 362))
    tree = canvas.part()
    (palm if subject.language in _WARM else leafy_tree)(tree, dice, light, 0, 0, 230)
    shape = canvas.define(tree)
    for x in (60, 820, 905):
        canvas.place(shape, x + dice.between(-20, 20), 372, dice.between(80, 118) / 100)
    _deck(canvas, light)
    _water(canvas, dice, light)
    parasol = light.on(dice.pick(("#e2725b", "#f0c35a", "#f6efe2", "#3f8f8c", "#e58fa0")))
    canvas.repeat(_loungers(light, parasol), [(90, 404), (350, 404), (640, 404)])


def garden(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """The garden: a path between flower beds to a bench under the trees."""
    light = dice.pick((DAY, DAY, GOLDEN, OUTDOORS[0]))
    draw_sky(canvas, dice, light, horizon=360)
    hills(canvas, dice, light, 330, colour="#6b9a70")
    lawn(canvas, light, 350)
    style = style_for(dice, subject.language, 2)
    draw_house(canvas, dice, light, style, House(540, 380, 300, 3, 4, 66), 0)
    sand = light.on("#ead9b8")
    canvas.path(
        "M300 640C360 540 520 500 560 430S640 390 690 380L720 380C690 400 660 430 640 470S560 560 600 640z",
        sand,
    )
    canvas.path(
        "M300 640C360 540 520 500 560 430S640 390 690 380L696 380C640 400 600 420 580 450S420 550 340 640z",
        darker(sand, 0.12),
    )
    warm = subject.language in _WARM
    for x, ground, size in ((90, 420, 250), (220, 400, 190), (420, 384, 150), (900, 450, 290)):
        if warm and dice.below(2):
            cypress(canvas, light, x, ground, size)
        else:
            leafy_tree(canvas, dice, light, x, ground, size)
    bushes(canvas, dice, light, (-10, 330, 540), (660, 990, 560), (730, 990, 640), (-10, 230, 640))


def balcony(canvas: Canvas, dice: Dice, subject: Subject) -> None:
    """A table for two on the balcony."""
    light = dice.pick((DAY, GOLDEN, GOLDEN, DUSK, OUTDOORS[0]))
    draw_sky(canvas, dice, light, horizon=380)
    hills(canvas, dice, light, 360)
    if subject.language in _WARM:
        sea(canvas, dice, light, 372, 520)
    else:
        skyline(canvas, dice, light, 520, tall=190)
    stone = light.on("#e6dac6")
    canvas.rect(0, 500, WIDTH, 140, canvas.fade([(0, darker(stone, 0.12), 1), (1, lighter(stone, 0.1), 1)]))
    canvas.lines(
        [((480 + k * 60, 505), (480 + k * 190, 640)) for k in range(-7, 8)],
        darker(stone, 0.3),
        2,
        opacity=0.4,
    )
    rail = light.on("#3a4258")
    canvas.rect(0, 388, WIDTH, 9, rail)
    canvas.rect(0, 492, WIDTH, 8, rail)
    canvas.lines([((x, 394), (x, 494)) for x in range(12, WIDTH, 26)], rail, 4)
    _table_for_two(canvas, dice, light)
    curtain = light.on("#f7efe0")
    canvas.path(
        "M0 0h150c-20 180 -60 300 -30 640H0z",
        canvas.fade([(0, curtain, 1), (1, darker(curtain, 0.2), 1)], across=True),
    )
    canvas.lines(
        [((40, 0), (24, 640)), ((84, 0), (62, 640)), ((120, 0), (94, 640))],
        darker(curtain, 0.3),
        5,
        opacity=0.35,
    )
    canvas.rect(0, 0, WIDTH, 22, darker(light.on("#8a6a4c"), 0.2))


def _background(canvas: Canvas, dice: Dice, light: Light, subject: Subject, ground: float) -> None:
    if subject.size > 1500 or subject.stars == 5:
        skyline(canvas, dice, light, ground, tall=dice.between(120, 260))
    else:
        hills(canvas, dice, light, ground - 60)
        skyline(canvas, dice, light, ground, tall=90)


def _pavement(canvas: Canvas, light: Light) -> None:
    stone, road = light.on("#cfc6b8"), light.on("#6d7180")
    canvas.rect(0, 508, WIDTH, 72, canvas.fade([(0, lighter(stone, 0.1), 1), (1, darker(stone, 0.12), 1)]))
    canvas.lines(
        [((480 + k * 70, 530), (480 + k * 92, 578)) for k in range(-8, 9)],
        darker(stone, 0.3),
        1.6,
        opacity=0.5,
    )
    canvas.rect(0, 576, WIDTH, 8, darker(stone, 0.3))
    canvas.rect(0, 584, WIDTH, 56, canvas.fade([(0, darker(road, 0.2), 1), (1, road, 1)]))
    canvas.lines(
        [((x, 614), (x + 60, 614)) for x in range(20, WIDTH, 130)], light.on("#f0ead8"), 5, opacity=0.8
    )


def _planting(canvas: Canvas, dice: Dice, light: Light, subject: Subject, house: House) -> None:
    edges = (house.x - dice.between(40, 70), house.x + house.width + dice.between(70, 110))
    for x in edges:
        size = dice.between(190, 270)
        if subject.language in _WARM and dice.below(3):
            (
                palm(canvas, dice, light, x, 566, size)
                if dice.below(3)
                else cypress(canvas, light, x, 566, size)
            )
        else:
            leafy_tree(canvas, dice, light, x, 566, size)
    right = house.x + house.width + 60
    bushes(canvas, dice, light, (-10, house.x - 60, 572), (right, WIDTH + 20, 572))


def _roofs(canvas: Canvas, dice: Dice, light: Light, style: Style, bottom: float, haze: float) -> None:
    """A row of houses seen from above their ridges; ``haze`` is how far away they seem."""
    x = dice.between(-90, -20)
    roof = light.far(style.roof_colour, haze)
    while x < WIDTH:
        width, height = dice.between(110, 200), dice.between(70, 150)
        wall, top = light.far(dice.pick(style.walls), haze), bottom - height
        canvas.rect(x, top, width, height, canvas.fade([(0, wall, 1), (1, darker(wall, 0.25 - haze / 2), 1)]))
        ridge = [(x + width - 18, top - 34), (x + 18, top - 34)]
        canvas.polygon([(x - 8, top + 4), (x + width + 8, top + 4), *ridge], roof)
        canvas.rect(x - 8, top, width + 16, 6, darker(roof, 0.3 - haze / 2))
        for column in range(width // 46):
            lit = dice.below(100) < light.lit
            pane = "#ffd98a" if lit else darker(light.far("#5d7f9c", haze), 0.1)
            canvas.rect(x + 18 + column * 46, top + 24, 20, 30, pane)
        x += width + dice.between(-6, 12)


def _deck(canvas: Canvas, light: Light) -> None:
    wood = light.on("#dcc3a0")
    canvas.rect(0, 360, WIDTH, 280, canvas.fade([(0, darker(wood, 0.1), 1), (1, lighter(wood, 0.12), 1)]))
    canvas.lines(
        [((480 + k * 60, 362), (480 + k * 150, 640)) for k in range(-10, 11)],
        darker(wood, 0.35),
        1.6,
        opacity=0.35,
    )


def _water(canvas: Canvas, dice: Dice, light: Light) -> None:
    rim, far, near = light.on("#f3ece0"), light.on("#5cc6d6"), light.on("#1f93b8")
    canvas.polygon([(150, 436), (810, 436), (1010, 640), (-50, 640)], rim)
    canvas.polygon([(168, 446), (792, 446), (970, 640), (-10, 640)], darker(far, 0.35))
    canvas.polygon([(164, 456), (796, 456), (966, 640), (-6, 640)], canvas.fade([(0, far, 1), (1, near, 1)]))
    ripples = []
    for _ in range(16):
        x, y = dice.between(190, 760), dice.between(470, 630)
        reach = dice.between(20, 50) * (y - 380) // 160
        ripples.append(f"M{x - reach} {y}q{reach} -7 {2 * reach} 0q{-reach} -4 {-2 * reach} 0z")
    canvas.path("".join(ripples), mix(far, "#ffffff", 0.7), opacity=0.7)
    canvas.polygon([(560, 456), (660, 456), (620, 640), (470, 640)], "#ffffff", opacity=0.12)
    for x in (842, 868):
        canvas.line([(x, 540), (x - 6, 462), (x - 36, 470)], light.on("#c9d2da"), 6, curve=True)


def _loungers(light: Light, parasol: str) -> Canvas:
    """Two loungers under a parasol."""
    sheet, cloth = Canvas(), light.on("#fbf6ea")
    sheet.ellipse(70, 30, 110, 12, "#10182c", opacity=0.2)
    sheet.rect(74, -116, 5, 140, light.on("#8a6a4c"))
    sheet.path("M-6 -84q80 -74 164 0q-42 -14 -54 0q-28 -14 -56 0q-26 -14 -54 0z", parasol)
    sheet.path("M76 -122q58 6 82 38q-42 -14 -54 0z", darker(parasol, 0.16))
    for x in (-20, 84):
        sheet.polygon([(x, -6), (x + 26, -30), (x + 32, -26), (x + 12, -2)], cloth)
        sheet.polygon([(x + 8, -6), (x + 78, 2), (x + 74, 12), (x, 4)], cloth)
        sheet.polygon([(x, 4), (x + 74, 12), (x + 72, 17), (x, 9)], darker(light.on("#cbb697"), 0.1))
    return sheet


def _table_for_two(canvas: Canvas, dice: Dice, light: Light) -> None:
    metal, cloth = light.on("#4a5064"), light.on("#fbf6ec")
    for side in (-1, 1):
        x = 520 + side * 190
        canvas.ellipse(x, 606, 80, 12, "#10182c", opacity=0.22)
        canvas.line([(x + side * 50, 600), (x + side * 58, 400)], metal, 8)
        canvas.line([(x - side * 44, 600), (x - side * 40, 510)], metal, 8)
        canvas.rect(x - 56, 492, 112, 20, light.on(dice.pick(("#d98a5a", "#6f9aa0", "#c9a24f"))), round=9)
        canvas.rect(x + side * 54 - 8, 400, 16, 96, light.on("#e8ddca"), round=8)
    canvas.ellipse(520, 612, 110, 14, "#10182c", opacity=0.22)
    canvas.rect(514, 470, 12, 140, metal)
    canvas.ellipse(520, 474, 138, 26, darker(cloth, 0.22))
    canvas.ellipse(520, 466, 138, 26, cloth)
    for x in (450, 590):
        canvas.ellipse(x, 464, 30, 7, light.on("#e7e0d2"))
        canvas.rect(x - 12, 440, 24, 22, light.on("#ffffff"), round=6)
        canvas.ellipse(x, 441, 12, 4, light.on("#6a4530"))
    canvas.rect(508, 424, 24, 36, light.on("#8fb8c0"), round=8, opacity=0.85)
    for dx, dy in ((-12, -22), (10, -28), (0, -44), (20, -12), (-22, -8)):
        canvas.ellipse(
            520 + dx, 420 + dy, 12, 11, light.on(dice.pick(("#f2a3b3", "#f7d26a", "#e86a8a", "#fff3e0")))
        )
