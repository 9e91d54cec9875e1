"""Pictures of properties: their addresses, and templates filled in for a property.

`pictures/` has one template for each kind of picture, `pictures/parts/` what several of them show. A `$name`
in a template stands for a value or for the part of that name. `photos.toml` lists the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from search.sandbox import read_toml
from search.sandbox.rng import Dice
from search.sandbox.world import stars_of, world

ORIGIN = "https://sandbox.invalid"

_FOLDER = Path(__file__).parent / "pictures"
_VALUES = read_toml("photos.toml")
KINDS = tuple(_VALUES["kinds"])
_STYLES, _PALETTES = _VALUES["styles"], list(_VALUES["palettes"].values())
# Per cent of hotels that are modern buildings, by stars.
_MODERN = (0, 8, 8, 14, 24, 40)
# Cities with more properties have towers.
_BIG_CITY = 1500
# The side of the square that a window stands in, and the height of the ground floor.
_WINDOW, _GROUND_FLOOR = 64, 80
# Rooms get this share of the light outdoors.
_INDOORS = 0.4
_COLOUR = re.compile("#[0-9a-f]{6}")


class _Values(dict[str, Any]):
    """Values by name. A missing name is a part: the hotel's choice of `parts`, or the file of that name."""

    parts: Mapping[str, str]

    def __missing__(self, name: str) -> str:
        return _template(f"parts/{self.parts.get(name, name)}").substitute(self)


def addresses(number: int, kinds: Iterable[str]) -> list[str]:
    """Where the pictures of a property are found."""
    folder = f"{ORIGIN}/photos/{number}/"
    return [f"{folder}{kind}.svg" for kind in kinds]


def draw(number: int, kind: str) -> bytes:
    """An SVG document of 960 x 640 units, always the same for a number and a kind. KeyError for a kind that
    is not in `KINDS`."""
    dice = Dice("photo", number, kind)
    light = _VALUES["lights"][dice.pick(_VALUES["kinds"][kind])]
    values = _hotel(number)
    values.update(light)
    values.update({name: dice.between(*ends) for name, ends in _VALUES["places"].items()})
    values["turn"], values["edge"] = dice.pick(((1, 0), (-1, 960)))
    values["lit"] = _outline(at for at in values["windows"] if dice.below(100) < light["lit"])
    template = _template(kind)
    values["scene"] = template.substitute(values)
    strength = light["strength"] * (1 if "$sky" in template.template else _INDOORS)
    return _in_light(values["picture"], light["ambient"], strength).encode()


def _hotel(number: int) -> _Values:
    """What all pictures of a property have in common: building, colours, furniture and surroundings."""
    dice, stars, city = Dice("hotel", number), stars_of(number), world().city_of(number)
    language = city.country.language
    local = dice.pick([name for name, style in _STYLES.items() if language in style["languages"]])
    name = "modern" if dice.below(100) < _MODERN[stars] else local
    style, palette = _STYLES[name], dice.pick(_PALETTES)
    warm = language in _VALUES["countries"]["warm"]
    values = _Values(palette, roof=style["roof"], shutter=dice.pick(style["shutters"]))
    values.parts = {
        "style": name,
        "tree": dice.pick(("palm", "cypress", "leafy")) if warm else "leafy",
        "backdrop": "skyline" if city.stop - city.start > _BIG_CITY or stars == 5 else "hills",
        "panorama": "coast" if warm and dice.below(10) < 7 else "town",
    }
    values.update({name: dice.pick(choices) for name, choices in _VALUES["hotel"].items()})
    upper, lower = dice.pick((("wall", "accent"), ("accent", "wall"), ("accent", "accent")))
    values.update(upper=palette[upper], lower=palette[lower])
    values.update(front=dice.pick(style["fronts"]), neighbour=dice.pick(style["fronts"]))
    values.update(_building(dice, stars, style["peak"]))
    return values


def _building(dice: Dice, stars: int, peak: int) -> dict[str, Any]:
    """The measures of a building with a roof as high as `peak`; more stars have more floors and balconies."""
    columns, floors = dice.between(4, 7), max(3, stars + dice.between(1, 3))
    width, height = columns * _WINDOW, _GROUND_FLOOR + (floors - 1) * _WINDOW
    windows = [(column, floor) for floor in range(1, floors) for column in range(columns)]
    return {
        "windows": windows,
        "rails": _outline(at for at in windows if stars >= 4 and at[1] % 2),
        "width": width,
        "height": height,
        "centre": width // 2,
        "chimney": width - 50,
        "ridge": width - 20,
        "brim": width + 8,
        "eaves": width + 14,
        "back": width + 44,
        "close": round(min(1.25, 510 / (height + peak)), 3),
        "away": round(min(0.75, 320 / (height + peak)), 3),
        "rating": stars * 16,
        "half_rating": stars * 8,
    }


def _outline(windows: Iterable[tuple[int, int]]) -> str:
    """The path around these windows, each a column and a floor."""
    return "".join(
        f"M{column * _WINDOW}-{_GROUND_FLOOR + floor * _WINDOW}h{_WINDOW}v{_WINDOW}h-{_WINDOW}z"
        for column, floor in windows
    )


def _in_light(picture: str, ambient: str, strength: float) -> str:
    """The picture with its colours in small letters mixed with the ambient colour."""
    light = bytes.fromhex(ambient[1:])

    def mix(colour: re.Match[str]) -> str:
        pairs = zip(bytes.fromhex(colour[0][1:]), light, strict=True)
        return "#" + bytes(round(own + (other - own) * strength) for own, other in pairs).hex()

    return _COLOUR.sub(mix, picture)


@cache
def _template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.svg").read_text(encoding="utf-8").strip())
