"""Pictures of properties: where they are and how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from search.sandbox.drawing import amenities, indoors, outdoors
from search.sandbox.drawing.canvas import Canvas
from search.sandbox.drawing.subject import Subject
from search.sandbox.rng import Dice
from search.sandbox.world import stars_of, world

ORIGIN = "https://sandbox.invalid"

_SCENES: dict[str, Callable[[Canvas, Dice, Subject], None]] = {
    "facade": outdoors.facade,
    "lobby": indoors.lobby,
    "room": indoors.room,
    "bath": amenities.bath,
    "pool": outdoors.pool,
    "breakfast": amenities.breakfast,
    "view": outdoors.view,
    "suite": indoors.suite,
    "balcony": outdoors.balcony,
    "street": outdoors.street,
    "garden": outdoors.garden,
    "bar": amenities.bar,
    "twin": indoors.twin,
}
KINDS = tuple(_SCENES)


def addresses(number: int, kinds: Iterable[str]) -> list[str]:
    """Where the pictures of a property are found."""
    folder = f"{ORIGIN}/photos/{number}/"
    return [f"{folder}{kind}.svg" for kind in kinds]


def draw(number: int, kind: str) -> bytes:
    """The picture itself: an SVG document of 960 x 640 units, the same for ever.

    KeyError for a kind that is not in ``KINDS``.
    """
    scene = _SCENES[kind]
    city = world().city_of(number)
    subject = Subject(stars_of(number), city.country.language, city.stop - city.start)
    canvas, dice = Canvas(), Dice("photo", number, kind)
    mirrored = dice.below(2) == 1
    scene(canvas, dice, subject)
    return canvas.document(mirrored=mirrored)
