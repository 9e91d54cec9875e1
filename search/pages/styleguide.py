"""The style page: every component with its named examples."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from search.domain.refinement import Refinement
from search.domain.site import Site

from . import samples
from .cards import ListingCard
from .head import Head
from .results import ResultsPage
from .rooms import RoomTypeView

COLOURS = (
    "ground", "surface", "surface-raised", "surface-sunken", "text", "text-muted", "line", "line-strong",
    "accent", "accent-strong", "accent-soft", "good", "good-soft", "caution", "caution-soft", "bad",
    "bad-soft", "star", "lit",
)  # fmt: skip
SIZES = tuple(range(1, 8))
ICONS = (
    "wifi", "coffee", "square-parking", "waves-horizontal", "dumbbell", "flower-2", "utensils", "snowflake",
    "accessibility", "map-pin", "bed-double", "users", "check", "info", "clock", "search", "map", "images",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StyleguidePage:
    """Parameters of search/styleguide.html. `results` is a page of the sample listings."""

    head: Head
    results: ResultsPage
    cards: tuple[tuple[str, ListingCard], ...]
    room_type: RoomTypeView
    colours: tuple[str, ...] = COLOURS
    sizes: tuple[int, ...] = SIZES
    icons: tuple[str, ...] = ICONS

    @classmethod
    def build(cls, today: date) -> StyleguidePage:
        results = ResultsPage.build(samples.SEARCH, Refinement(), samples.answer(), Site(), today)
        return cls(
            head=Head(title="Style", robots="noindex"),
            results=results,
            cards=tuple(zip(samples.listings(), results.cards, strict=True)),
            room_type=RoomTypeView.of(samples.room_type()),
        )
