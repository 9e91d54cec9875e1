"""Colours of rooms."""

from __future__ import annotations

from typing import NamedTuple

from search.sandbox.rng import Dice


class Palette(NamedTuple):
    """Colours that go together in one house."""

    wall: str
    accent: str
    floor: str
    textile: str
    wood: str


PALETTES = (
    Palette("#efe6d8", "#7d9a8c", "#c99f6d", "#d98a5a", "#8a5f3f"),
    Palette("#f2ece2", "#34506b", "#b98a5c", "#e0b04f", "#6f4a35"),
    Palette("#ece5dd", "#b5654a", "#a97c55", "#40686a", "#5d4032"),
    Palette("#eef0ec", "#a9c0b0", "#d8b88c", "#e58f7b", "#a9764b"),
    Palette("#f3eadf", "#8a5a6b", "#b48a66", "#c9a24f", "#6a4540"),
    Palette("#e9ebee", "#5d6f86", "#9a8068", "#c0584f", "#4a3f3a"),
    Palette("#f6efe0", "#d9a441", "#c4915f", "#3f6f7f", "#7a5236"),
)


def furnish(dice: Dice) -> Palette:
    """A palette whose floor and textiles may come from another one: they are all of one muted family."""
    house, other = dice.pick(PALETTES), dice.pick(PALETTES)
    return house._replace(floor=other.floor, textile=other.textile if dice.below(2) else house.textile)
