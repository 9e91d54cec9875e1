"""How houses look in different parts of the world."""

from __future__ import annotations

from dataclasses import dataclass

from search.sandbox.rng import Dice


@dataclass(frozen=True, slots=True)
class Style:
    """How a house of some region looks: colours of its walls, its roof, and the form of its openings."""

    walls: tuple[str, ...]
    roof: str
    roof_colour: str
    window: str
    shutters: tuple[str, ...] = ()


_WARM = ("#f0d3a8", "#e9b98e", "#f3e2c4", "#e2a47f", "#f2c7a0", "#e8d6b8")
_SHUTTERS = ("#4d7a68", "#5b7f95", "#8a5a44", "#3f6a58")
SOUTHERN = Style(_WARM, "tiles", "#c26a4a", "arch", _SHUTTERS)
ATLANTIC = Style(
    ("#f6ecd9", "#bcd4dc", "#f0d9a8", "#e9c4b4", "#d5dfe0"), "tiles", "#c4704f", "sash", ("#40688a",)
)
AEGEAN = Style(("#fbf8f1", "#f5f1e6", "#fdfaf4"), "flat", "#e9e4d8", "arch", ("#2f6fb0", "#3a8ac0"))
PARISIAN = Style(("#efe4cf", "#e6d8c0", "#f2eadb"), "mansard", "#5b6678", "tall", ("#e9e6df", "#8fa0a8"))
GABLED = Style(
    ("#f1e6d0", "#e7cfa6", "#d9e2d0", "#f0d5c4", "#cfdbe3"),
    "gable",
    "#9a5744",
    "sash",
    ("#5a7d5c", "#7a4a3c"),
)
NORDIC = Style(("#c9503f", "#e0a640", "#4f7f9c", "#f0ebe0", "#6f8f6a", "#d9773f"), "gable", "#4a4f5c", "sash")
BRICK = Style(("#b5654a", "#a9573f", "#c47a58", "#efe9dd", "#8f6a58"), "parapet", "#6a6470", "sash")
DESERT = Style(
    ("#e6c79a", "#dcb184", "#efd9b4", "#d99f78"), "dome", "#d2ab7c", "arch", ("#3f7f86", "#7a5236")
)
EASTERN = Style(("#f4ead8", "#e9ddc8", "#d9c9b0", "#efe0d0"), "pagoda", "#3f4f5c", "wide")
MODERN = Style(("#e9eaec", "#cfd8de", "#f1ece4", "#46566a", "#d8c9b8"), "deck", "#8b95a1", "wide")

STYLES = {
    "spanish": SOUTHERN,
    "italian": SOUTHERN,
    "portuguese": ATLANTIC,
    "greek": AEGEAN,
    "french": PARISIAN,
    "german": GABLED,
    "dutch": GABLED,
    "polish": GABLED,
    "czech": PARISIAN,
    "hungarian": PARISIAN,
    "romanian": PARISIAN,
    "south slavic": SOUTHERN,
    "bulgarian": SOUTHERN,
    "latvian": GABLED,
    "lithuanian": GABLED,
    "ukrainian": PARISIAN,
    "east slavic": PARISIAN,
    "nordic": NORDIC,
    "english": BRICK,
    "arabic": DESERT,
    "turkish": DESERT,
    "hebrew": DESERT,
    "japanese": EASTERN,
    "chinese": EASTERN,
    "asian": EASTERN,
}


@dataclass(frozen=True, slots=True)
class House:
    """Where a building stands and how large it is, in pixels of the sheet."""

    x: float
    ground: float
    width: float
    floors: int
    columns: int
    storey: float

    @property
    def top(self) -> float:
        return self.ground - self.floors * self.storey


def style_for(dice: Dice, language: str, stars: int) -> Style:
    """The style of a hotel: mostly its country's, now and then (with five stars often) a modern one."""
    return MODERN if dice.below(100) < (8, 8, 8, 14, 24, 40)[stars] else STYLES[language]
