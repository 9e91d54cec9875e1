"""Order, filters and coverage of a results page in words: partial truth said aloud."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import msgspec

from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import Filter, Refinement, Sort, StaySearch, encode_pairs
from search.web import formatting
from search.web.formatting import Reader
from search.web.links import results_path, reverse
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import filter_panel
from .facets import Histogram
from .filters import FilterWords
from .listings import FoundStays, RefinedResults
from .pagination import Coverage, CoverageState

# Coverage that loading the page again may improve.
UNFINISHED = (CoverageState.FETCHING, CoverageState.PARTIAL)


@dataclass(frozen=True, slots=True)
class Progress:
    """Of results still coming in. `most` is 0 while nobody knows how many there are; `ask` is the address
    that tells how far it is now."""

    text: str
    compared: int
    most: int
    ask: str

    @classmethod
    def of(cls, coverage: Coverage, search: StaySearch, reader: Reader) -> Progress | None:
        """None for results that aren't coming in any more."""
        if coverage.state is not CoverageState.FETCHING:
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


def coverage_line(refined: RefinedResults, reader: Reader) -> str:
    """`Exact order over all 412`, `Sorted among the first 600 of 8,214`; empty for empty results."""
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
    if coverage.state is CoverageState.CAPPED:
        if len(search.stars) == 1:
            return ""
        return _("choose fewer stars to sort all") if search.stars else _("choose stars to sort all")
    if coverage.state is CoverageState.PARTIAL:
        return _("the others could not be fetched")
    if coverage.state is CoverageState.FETCHING:
        return _("the others are still coming in")
    return ""


HISTOGRAM_WIDTH = 240
HISTOGRAM_HEIGHT = 56


@dataclass(frozen=True, slots=True)
class SortLink:
    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class BarView:
    """A bar of the histogram in the units of its drawing, and as a row of a table. `out`: above the limit."""

    x: str
    y: str
    width: str
    height: str
    out: bool
    label: str
    count: str


@dataclass(frozen=True, slots=True)
class HistogramView:
    bars: tuple[BarView, ...]
    lowest: str
    highest: str
    width: int = HISTOGRAM_WIDTH
    height: int = HISTOGRAM_HEIGHT


@dataclass(frozen=True, slots=True)
class AlternativePlace:
    """Another place for the same stay; `distance` may be empty."""

    name: str
    distance: str
    href: str


@dataclass(frozen=True, slots=True)
class RefineView:
    """Parameters of results/toolbar.html and its parts. Empty strings are things not to show.

    `address` is the canonical address of the view and `action` that of the form; `kept` are the parameters
    the form carries along, `order` the names of all parameters in their canonical order.
    """

    address: str
    action: str
    kept: tuple[tuple[str, str], ...]
    sorts: tuple[SortLink, ...]
    coverage: str
    advice: str
    progress: Progress | None
    again: str
    matching: str
    chips: tuple[filter_panel.Chip, ...]
    clear: str
    groups: tuple[filter_panel.ChoiceGroup, ...]
    histogram: HistogramView | None
    max_price: str
    currency: str
    by_price: bool
    name: str
    by_name: bool
    drops: tuple[filter_panel.Chip, ...]
    ranking: tuple[str, ...]
    dates: str
    elsewhere: tuple[AlternativePlace, ...]

    @classmethod
    def of(cls, context: SearchContext, found: FoundStays, reader: Reader) -> RefineView:
        search, refinement, site = context.search, context.refinement, context.site
        refined = found.refined
        words = FilterWords(
            reader, search.currency, context.anchor.name if context.anchor else refinement.near
        )
        chips = filter_panel.chips(search, refinement, words)
        coverage = refined.coverage if refined else None
        address = results_path(search, refinement, found.page if found.listings else 1)
        return cls(
            address=address,
            action=reverse("results"),
            kept=filter_panel.kept(search, refinement),
            sorts=_sorts(context),
            coverage=coverage_line(refined, reader) if refined else "",
            advice=advice(coverage, search) if coverage else "",
            progress=Progress.of(coverage, search, reader) if coverage else None,
            again=address
            if coverage and coverage.state in (CoverageState.FETCHING, CoverageState.PARTIAL)
            else "",
            matching=matching_line(refined, reader) if refined and refinement.narrows else "",
            chips=chips,
            clear=filter_panel.cleared(search, refinement) if chips else "",
            groups=filter_panel.groups(search, refinement, refined, words),
            histogram=_histogram(refined.histogram, context, reader) if refined else None,
            max_price="" if refinement.max_price is None else format(refinement.max_price, "f"),
            currency=search.currency,
            by_price=Filter.MAX_PRICE in site.filters,
            name=refinement.name,
            by_name=Filter.NAME in site.filters,
            drops=filter_panel.drop_links(refined.drops, search, refinement, words) if refined else (),
            ranking=_ranking(context),
            dates=_dates(search, refinement) if site.date_strip_enabled else "",
            elsewhere=_alternative_places(refined, search, reader) if refined else (),
        )


def _dates(search: StaySearch, refinement: Refinement) -> str:
    """The address of the same stay on other dates."""
    return f"{reverse('nearby-dates')}?{encode_pairs(search.pairs() + refinement.pairs())}"


def _alternative_places(
    refined: RefinedResults, search: StaySearch, reader: Reader
) -> tuple[AlternativePlace, ...]:
    return tuple(
        AlternativePlace(
            name=destination.name,
            distance="" if km is None else formatting.kilometres(km, reader.numbers),
            href=results_path(
                msgspec.structs.replace(search, place=destination.place), Refinement(near=destination.near)
            ),
        )
        for destination, km in refined.alternative_places
    )


def sort_label(sort: Sort, *, near: str = "") -> str:
    words = {
        Sort.PRICE: _("Lowest total"),
        Sort.RATING: _("Highest rating"),
        Sort.STARS: _("Most stars"),
        Sort.DISTANCE: _("Nearest to %(airport)s") % {"airport": near} if near else _("Nearest"),
        Sort.PROVIDER: _("Provider order"),
    }
    return words[sort]


def _sorts(context: SearchContext) -> tuple[SortLink, ...]:
    refinement, usual = context.refinement, context.site.default_sort
    near = context.anchor.code if context.anchor else ""
    return tuple(
        SortLink(
            sort_label(sort, near=near),
            results_path(context.search, refinement.replace(sort=None if sort is usual else sort)),
            sort is context.sort,
        )
        for sort in context.site.sorts
    )


def matching_line(refined: RefinedResults, reader: Reader) -> str:
    """`23 of 412 places match`."""
    compared = refined.coverage.compared
    return ngettext("%(count)s of %(all)s place matches", "%(count)s of %(all)s places match", compared) % {
        "count": reader.number(refined.matching),
        "all": reader.number(compared),
    }


def _histogram(histogram: Histogram | None, context: SearchContext, reader: Reader) -> HistogramView | None:
    if histogram is None:
        return None

    currency = context.search.currency

    def money(amount: Decimal) -> str:
        if amount == amount.to_integral_value():
            return formatting.whole_money(amount, currency, reader.numbers)
        return reader.money(Money(amount, currency))

    limit, tallest = context.refinement.max_price, max(bar.count for bar in histogram.bars)
    step = HISTOGRAM_WIDTH / len(histogram.bars)
    bars = []
    for place, bar in enumerate(histogram.bars):
        height = max(2.0, HISTOGRAM_HEIGHT * bar.count / tallest) if bar.count else 0.0
        label = (
            _("%(low)s and more") % {"low": money(bar.low)}
            if bar.high is None
            else f"{money(bar.low)} \u2013 {money(bar.high)}"
        )
        bars.append(
            BarView(
                x=f"{place * step + 0.5:.1f}",
                y=f"{HISTOGRAM_HEIGHT - height:.1f}",
                width=f"{max(1.0, step - 1):.1f}",
                height=f"{height:.1f}",
                out=limit is not None and bar.low >= limit,
                label=label,
                count=reader.number(bar.count),
            )
        )
    return HistogramView(tuple(bars), money(histogram.lowest), money(histogram.highest))


def _ranking(context: SearchContext) -> tuple[str, ...]:
    """How the order is made, in words; no part of it is for sale."""
    sort = context.sort
    if sort is Sort.DISTANCE and context.anchor:
        nearest = _("By distance from %(airport)s in a straight line, nearest first.")
        nearest %= {"airport": context.anchor.name}
    else:
        nearest = _("By the distance from the destination that the gateway gives, nearest first.")
    rules = {
        Sort.PRICE: _("By the lowest total for the stay, taxes and fees included, of any provider."),
        Sort.RATING: _("By guest rating, highest first; places without a rating come last."),
        Sort.STARS: _("By stars, most first; places without stars come last."),
        Sort.DISTANCE: nearest,
        Sort.PROVIDER: _("As the gateway of the providers sends them; how it orders them isn't known."),
    }
    return (
        rules[sort],
        _("Equal places are ordered by total, then as the gateway sends them."),
        _("A total in another currency, or one that isn't complete, comes after those that can be compared."),
        _("Nobody pays for a place in this list, and every visitor gets the same order."),
    )
