"""How far an order and its counts reach, and how far a collection has come: partial truth said aloud."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from search.domain.found import RefinedAnswer
from search.domain.gathering import Coverage, Reach
from search.domain.refinement import Sort
from search.domain.stay import StaySearch, encode_pairs

from .reader import Reader


@dataclass(frozen=True, slots=True)
class Progress:
    """Of an answer still coming in. `most` is 0 while nobody knows how many there are; `ask` is the address
    that tells how far it is now."""

    text: str
    compared: int
    most: int
    ask: str

    @classmethod
    def of(cls, coverage: Coverage, search: StaySearch, reader: Reader) -> Progress | None:
        """None for an answer that isn't coming in any more."""
        if coverage.reach is not Reach.GATHERING:
            return None
        return cls(
            text=progress_text(coverage, reader),
            compared=coverage.compared,
            most=coverage.goal or 0,
            ask=f"{reverse('progress')}?{encode_pairs(search.pairs())}",
        )


def progress_text(coverage: Coverage, reader: Reader) -> str:
    """`240 of 412 hotels compared`."""
    compared = reader.number(coverage.compared)
    if coverage.goal is None:
        text = ngettext("%(compared)s hotel compared", "%(compared)s hotels compared", coverage.compared)
        return text % {"compared": compared}
    text = ngettext(
        "%(compared)s of %(goal)s hotel compared", "%(compared)s of %(goal)s hotels compared", coverage.goal
    )
    return text % {"compared": compared, "goal": reader.number(coverage.goal)}


def coverage_line(refined: RefinedAnswer, reader: Reader) -> str:
    """`Exact order over all 412`, `Sorted among the first 600 of 8,214`; empty for an empty answer."""
    coverage = refined.coverage
    if coverage.exact and not coverage.compared:
        return ""
    if refined.sort is Sort.PROVIDER:
        exact = _("Filtered over all %(compared)s")
        known = _("Filtered among the first %(compared)s of %(total)s")
        unknown = _("Filtered among the first %(compared)s")
    else:
        exact = _("Exact order over all %(compared)s")
        known = _("Sorted among the first %(compared)s of %(total)s")
        unknown = _("Sorted among the first %(compared)s")
    numbers = {"compared": reader.number(coverage.compared)}
    if coverage.exact:
        return exact % numbers
    if coverage.total is None:
        return unknown % numbers
    return known % {**numbers, "total": reader.number(coverage.total)}


def advice(coverage: Coverage, search: StaySearch) -> str:
    """Why it doesn't reach further, and what a visitor can do about it."""
    if coverage.reach is Reach.CAPPED:
        if len(search.stars) == 1:
            return ""
        return _("choose fewer stars to sort all") if search.stars else _("choose stars to sort all")
    if coverage.reach is Reach.PARTIAL:
        return _("the others could not be fetched")
    if coverage.reach is Reach.GATHERING:
        return _("the others are still coming in")
    return ""
