"""Order and filters of a results page: links, and choices with counts.

How far the order and the filters of a results page reach, and what is still coming in.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import cached_property
from itertools import groupby
from math import inf
from operator import attrgetter

import msgspec

from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import ALL_STARS, Filter, Refinement, Sort, encode_pairs, spelled
from search.web import formatting
from search.web.facilities import facility_heading
from search.web.formatting import Reader
from search.web.links import results_path, reverse, search_pairs, view_pairs
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .filters import FILTERS, MIN_PRICE, RATING_STEPS, FilterWords, ResultsFilter
from .full_results import Deeper, DeeperResults
from .listings import FoundStays, RefinedResults
from .pagination import Coverage, CoverageState
from .selection import Bar, Drop, Facet, FacetValue

# What partial results are worth, sorted or only filtered: by whether they are the first ones, and whether it
# is known how many there are.
_PARTIAL_COVERAGE = {
    (True, True): (
        gettext_lazy("Sorted among the first %(compared)s of %(total)s"),
        gettext_lazy("Filtered among the first %(compared)s of %(total)s"),
    ),
    (True, False): (
        gettext_lazy("Sorted among the first %(compared)s"),
        gettext_lazy("Filtered among the first %(compared)s"),
    ),
    (False, True): (
        gettext_lazy("Sorted among %(compared)s of %(total)s"),
        gettext_lazy("Filtered among %(compared)s of %(total)s"),
    ),
    (False, False): (
        gettext_lazy("Sorted among %(compared)s"),
        gettext_lazy("Filtered among %(compared)s"),
    ),
}

_ALL_COMES = (CoverageState.COMPLETE, CoverageState.FETCHING)


@dataclass(frozen=True)
class CoverageView:
    """Parameters of results/coverage.html. Empty strings are things not to show."""

    context: SearchContext
    found: FoundStays
    reader: Reader

    @property
    def refined(self) -> RefinedResults | None:
        return self.found.refined

    @property
    def address(self) -> str:
        """The canonical address of the page."""
        page = self.found.page if self.found.listings else 1
        return results_path(self.context.search, self.context.refinement, page)

    @cached_property
    def sentence(self) -> str:
        """`Exact order of all 412`, `Sorted among the first 600 of 8,214`; empty for one result or none."""
        if self.refined is None or (self._is_unrefined and self._state in _ALL_COMES):
            return ""
        coverage, sorts = self.refined.coverage, self._is_unrefined or self.refined.sort is not Sort.PROVIDER
        if coverage.exact:
            text = _("Exact order of all %(compared)s") if sorts else _("Filtered from all %(compared)s")
        else:
            # Only up to the cap are they the first ones; else pages between them may be missing.
            in_order, known = coverage.state is CoverageState.CAPPED, coverage.total is not None
            of_sorted, of_filtered = _PARTIAL_COVERAGE[in_order, known]
            text = str(of_sorted if sorts else of_filtered)
        number = self.reader.number
        numbers = {"compared": number(coverage.compared), "total": number(coverage.total or 0)}
        # One hotel alone is in no order.
        fewest = 2 if coverage.exact else 1
        said = text % numbers if coverage.compared >= fewest or coverage.worth_another_try else ""
        return self._with_time(said) if self.deeper and self.deeper.state is Deeper.SHOWN else said

    def _with_time(self, said: str) -> str:
        """`Exact order of all 3,000, checked 14:02 UTC`."""
        checked = self.deeper.checked_at if self.deeper else None
        time = self.reader.clock(checked or self.found.fetched_at)
        return _("%(all)s, checked %(time)s") % {"all": said, "time": time}

    @property
    def deeper(self) -> DeeperResults | None:
        return self.refined.deeper if self.refined else None

    @property
    def compare_all(self) -> str:
        """What the button for a deeper pass says, or the link to what one found: `Compare all 2,100`,
        `Compare 3,000`."""
        if self.refined is None or self.deeper is None:
            return ""
        count, total = self.reader.number(self.deeper.count), self.refined.coverage.total
        if self.deeper.state is Deeper.READY:
            return self._with_time(_("Show the order of %(count)s") % {"count": count})
        whole = total is not None and self.deeper.count >= total
        return (_("Compare all %(count)s") if whole else _("Compare %(count)s")) % {"count": count}

    @property
    def compare_all_path(self) -> str:
        """The address that the button sends its form to, with the search, its order and filters."""
        pairs = self.context.search.pairs() + self.context.refinement.replace(all=False).pairs()
        return f"{reverse('compare-all')}?{encode_pairs(pairs)}"

    @property
    def progress_address(self) -> str:
        """The address that tells how far the full results are."""
        return f"{reverse('progress')}?{encode_pairs(search_pairs(self.context))}"

    @property
    def deeper_progress_address(self) -> str:
        """The address that tells how far the deeper pass is."""
        return f"{reverse('progress')}?{encode_pairs((*search_pairs(self.context), ('all', '1')))}"

    @property
    def all_address(self) -> str:
        """The address of the page over the results of a deeper pass."""
        return results_path(self.context.search, self.context.refinement.replace(all=True))

    @property
    def deeper_progress(self) -> str:
        """How far a deeper pass is; empty where none is under way."""
        deeper = self.deeper
        if deeper is None or deeper.coverage is None or deeper.state is not Deeper.RUNNING:
            return ""
        return progress_text(deeper.coverage, self.reader)

    @property
    def advice(self) -> str:
        """Why it doesn't reach further; empty where all that the gateway gives is there."""
        if self.worth_another_try:
            return _("the others could not be loaded")
        return _("the others are still coming in") if self._state is CoverageState.FETCHING else ""

    @property
    def worth_another_try(self) -> bool:
        return self.refined is not None and self.refined.coverage.worth_another_try

    @property
    def stars_advice(self) -> str:
        """The words of the link to the filter of stars, where the hotels of some of them must be few enough
        to compare all: of so many shares of a total, one is at most the cap."""
        if Filter.STARS not in self.context.site.filters:
            return ""
        stars, coverage = self.context.search.stars, self.refined.coverage if self.refined else None
        if coverage is None or coverage.state is not CoverageState.CAPPED or len(stars) == 1:
            return ""
        if (coverage.total or inf) > max(coverage.compared, self.context.site.cap) * len(stars or ALL_STARS):
            return ""
        return _("choose fewer stars to sort all") if stars else _("choose stars to sort all")

    @cached_property
    def progress(self) -> str:
        """How far it is, of results still coming in, or that newer ones are."""
        if self.refined and self.found.newer_coming:
            if self.found.is_empty:
                return self.reader.with_time(
                    _("This answer is from %(time)s; a newer one is coming in"),
                    _("This answer is from %(day)s, %(time)s; a newer one is coming in"),
                    self.found.fetched_at,
                )
            return self.reader.with_time(
                _("Prices from %(time)s; newer ones are coming in"),
                _("Prices from %(day)s, %(time)s; newer ones are coming in"),
                self.found.fetched_at,
            )
        if self.refined is None or self._is_unrefined or self._state is not CoverageState.FETCHING:
            return ""
        return progress_text(self.refined.coverage, self.reader)

    @property
    def _is_unrefined(self) -> bool:
        """Whether the page is as the gateway sends it: what comes later changes nothing of it."""
        return self.context.sort is Sort.PROVIDER and not self.context.refinement.narrows

    @property
    def _state(self) -> CoverageState | None:
        return self.refined.coverage.state if self.refined else None


def progress_text(coverage: Coverage, reader: Reader) -> str:
    """`Hotels compared: 240 of 412`, so that no word has to agree with two numbers."""
    compared = reader.number(coverage.compared)
    if coverage.goal is None:
        return _("Hotels compared: %(compared)s") % {"compared": compared}
    goal = reader.number(coverage.goal)
    return _("Hotels compared: %(compared)s of %(goal)s") % {"compared": compared, "goal": goal}


# More choices than this fold away, unless one of them is chosen.
CHOICES_SHOWN = 6
MOST_CHOICES = 40
# The view box that the histogram is drawn in.
BARS_WIDTH = 240
BARS_HEIGHT = 56


class SortLink(msgspec.Struct, frozen=True):
    label: str
    href: str
    current: bool


class Chip(msgspec.Struct, frozen=True):
    """A filter in force: its words, what removing it is called, and the address without it."""

    text: str
    remove: str
    href: str


class QuickFilter(msgspec.Struct, frozen=True):
    """A filter one press away, above the list. `remove` is what taking it off is called, empty where it isn't
    in force; `href` the address with it, or without it."""

    name: str
    text: str
    remove: str
    href: str


class FilterChoice(msgspec.Struct, frozen=True):
    """One checkbox or radio button. `count` is what a click gives, in words or empty; `none` disables it."""

    name: str
    value: str
    label: str
    count: str
    chosen: bool
    none: bool


class ChoiceGroup(msgspec.Struct, frozen=True):
    """A fieldset. `kind` is the type of its inputs; `more` are the choices folded away, under a heading each
    (empty where they need none); `hint` says what several chosen ones mean where that is not plain."""

    legend: str
    kind: str
    choices: tuple[FilterChoice, ...]
    more: tuple[tuple[str, tuple[FilterChoice, ...]], ...] = ()
    more_label: str = ""
    hint: str = ""


class PriceScale(msgspec.Struct, frozen=True):
    """The scale of the two handles under the histogram: its ends and its step, as a browser reads them."""

    start: str
    end: str
    step: str


class RefineView(CoverageView):
    """Parameters of results/toolbar.html and its parts. Empty strings are things not to show."""

    @cached_property
    def sorts(self) -> tuple[SortLink, ...]:
        context, usual = self.context, self.context.site.default_sort
        near = context.anchor.code if context.anchor else ""
        return tuple(
            SortLink(
                sort_label(sort, near=near, from_centre=self.from_centre),
                self._path(context.refinement.replace(sort=None if sort is usual else sort)),
                sort is context.sort,
            )
            for sort in context.site.sorts
        )

    @property
    def from_centre(self) -> bool:
        """Whether the nearest are those to the centre, where no airport is chosen."""
        return self.context.centre is not None and (self.refined is None or self.refined.from_centre)

    @property
    def matching(self) -> str:
        """`23 of 412 places match`; the verb is what agrees with a number, so that of those that match."""
        if self.refined is None or not self.context.refinement.narrows:
            return ""
        matching, compared, number = self.refined.matching, self.refined.coverage.compared, self.reader.number
        if not compared:
            return ""
        if compared == 1:
            whole = ngettext("%(count)s place to stay", "%(count)s places to stay", 1)
            none = ngettext("%(count)s place matches", "%(count)s places match", 0)
            return (whole if matching else none) % {"count": number(matching)}
        text = ngettext("%(count)s of %(all)s places matches", "%(count)s of %(all)s places match", matching)
        return text % {"count": number(matching), "all": number(compared)}

    @property
    def show(self) -> str:
        """What leads from the filters to the list: `Show 445 places`."""
        count, all_come = self.found.total, (CoverageState.COMPLETE, CoverageState.PARTIAL)
        if self.refined and (self.context.refinement.narrows or self.refined.coverage.state in all_come):
            count = self.refined.matching
        if count is None:
            return _("Show the places")
        text = ngettext("Show %(count)s place", "Show %(count)s places", count)
        return text % {"count": self.reader.number(count)}

    @property
    def can_sort(self) -> bool:
        """Whether there is anything to put in order."""
        return bool(self.found.listings) and len(self.sorts) > 1

    @property
    def can_filter(self) -> bool:
        """Whether there is anything to filter, or a filter to take off."""
        compared = self.refined.coverage.compared if self.refined else len(self.found.listings)
        return bool(compared or self.progress or self.chips)

    @property
    def has_panel(self) -> bool:
        """Whether there is a filter to choose beside the list."""
        return self.can_filter and any(FILTERS[one].input != "hidden" for one in self.context.site.filters)

    @cached_property
    def quick(self) -> tuple[QuickFilter, ...]:
        """Free cancellation, well rated, breakfast, below the middle total: those that change anything."""
        return tuple(
            self._quick_filter(name, text) for name, text in self._worth_a_press() if name in FILTERS
        )

    @cached_property
    def chips(self) -> tuple[Chip, ...]:
        """The filters in force, each value of a filter with several for itself."""
        return tuple(self._chip(one, text) for one, texts in self._in_force() for text in texts)

    @cached_property
    def other_chips(self) -> tuple[Chip, ...]:
        """The filters in force that `quick` doesn't hold."""
        quick = {one.href for one in self.quick}
        return tuple(chip for chip in self.chips if chip.href not in quick)

    @cached_property
    def clear(self) -> str:
        """The address without any filter; order and airport stay."""
        asked = self.context.refinement
        bare = Refinement(sort=asked.sort, near=asked.near, country=asked.country, all=asked.all)
        return results_path(self.context.with_search(stars=()).search, bare) if self.chips else ""

    @property
    def drops(self) -> tuple[Chip, ...]:
        """Where no row passes the filters: each as a link that says what comes back without it."""
        in_force = {
            one: ", ".join(one.label(text, self._words) for text in texts) for one, texts in self._in_force()
        }
        return tuple(
            Chip(_("Without “%(filter)s”") % {"filter": in_force[one]}, back, self._without(one))
            for drop in (self.refined.drops if self.refined else ())
            if (one := FILTERS[drop.name]) in in_force and (back := self._regained(drop))
        )

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What the form carries along: search without stars, order, airport, what has no input."""
        own = {name for name, one in FILTERS.items() if one.input != "hidden"}
        return [pair for pair in view_pairs(self.context) if pair[0] not in own]

    @property
    def min_price(self) -> str:
        return "".join(map(spelled, self.context.refinement.values(MIN_PRICE)))

    @property
    def max_price(self) -> str:
        return "".join(map(spelled, self.context.refinement.values(Filter.MAX_PRICE)))

    @property
    def price_scale(self) -> PriceScale | None:
        """That of the histogram, a bar a step; None where there is nothing to choose between."""
        bars = self.refined.histogram.bars if self.refined and self.refined.histogram else ()
        if len(bars) < 2 or bars[0].high is None:
            return None
        step = bars[0].high - bars[0].low
        return PriceScale(spelled(bars[0].low), spelled(bars[0].low + step * len(bars)), spelled(step))

    def drawn(self, *, out: bool) -> str:
        """The bars of the histogram that the price limits leave out, or the others, as one path: `BARS_WIDTH`
        by `BARS_HEIGHT`, with a gap of 1 between two bars, and none too low or too narrow to see."""
        bars = self.refined.histogram.bars if self.refined and self.refined.histogram else ()
        step, tallest = BARS_WIDTH / len(bars), max(bar.count for bar in bars)
        return "".join(
            f"M{place * step + 0.5:.1f} {BARS_HEIGHT}"
            f"v-{max(2, BARS_HEIGHT * bar.count / tallest):.1f}h{max(1, step - 1):.1f}V{BARS_HEIGHT}z"
            for place, bar in enumerate(bars)
            if bar.count and self._is_out(bar) is out
        )

    def _is_out(self, bar: Bar) -> bool:
        """Whether the price limits leave out what the bar stands for."""
        least, most = self.context.refinement.min_price, self.context.refinement.max_price
        above = most is not None and bar.low >= most
        return above or (least is not None and bar.high is not None and bar.high <= least)

    @property
    def groups(self) -> tuple[ChoiceGroup, ...]:
        """The form's fieldsets, those with nothing to choose left out."""
        facets = self.refined.facets if self.refined else self._facets_without_rows()
        known = {facet.name: facet for facet in facets}
        filters = sorted((one for name, one in FILTERS.items() if name in known), key=attrgetter("place"))
        return tuple(
            self._group([(one, known[one.name]) for one in together])
            for _place, together in groupby(filters, key=attrgetter("place"))
        )

    @cached_property
    def dates(self) -> str:
        """The address of the same stay on other dates; none for a place that nobody knows, where nothing
        was found and would be on any date."""
        offered = self.context.site.date_strip_enabled and not self._is_unknown_place
        return f"{reverse('nearby-dates')}?{encode_pairs(view_pairs(self.context))}" if offered else ""

    @property
    def elsewhere(self) -> Iterator[tuple[str, str, str]]:
        """Name, distance (may be empty) and address of other places for the same stay."""
        for destination, km in self.refined.alternative_places if self.refined else ():
            search = self.context.with_search(place=destination.place).search
            distance = "" if km is None else formatting.kilometres(km, self.reader.numbers)
            yield destination.label or destination.name, distance, results_path(search, destination.anchor)

    def prices_of(self, bar: Bar) -> str:
        """`€100 – €200`: what a bar of the histogram stands for."""
        if bar.high is None:
            return _("%(low)s and more") % {"low": self.money(bar.low)}
        return f"{self.money(bar.low)} \u2013 {self.money(bar.high)}"

    def money(self, amount: Decimal) -> str:
        return self.reader.limit(Money(amount, self.context.search.currency))

    @property
    def _is_unknown_place(self) -> bool:
        """Whether nothing was found, and nobody knows where that would be."""
        known = self.context.anchor or self.found.listings or self.found.page > 1 or self.progress
        others = self.refined.alternative_places if self.refined else ()
        return not (known or self.context.refinement.narrows or any(km is not None for _one, km in others))

    @cached_property
    def _words(self) -> FilterWords:
        context = self.context
        # With its code: many an airport has the name of its city, whose centre is somewhere else.
        near = f"{context.anchor.name} ({context.anchor.code})" if context.anchor else ""
        return FilterWords(self.reader, context.search.currency, near)

    def _path(self, refinement: Refinement) -> str:
        return results_path(self.context.search, refinement)

    def _in_force(self) -> Iterator[tuple[ResultsFilter, list[str]]]:
        """Each filter that is set, with its values as the address spells them."""
        for one in FILTERS.values():
            values = one.values(self.context.refinement, self.context.search.stars)
            if values:
                yield one, list(map(spelled, values))

    def _without(self, one: ResultsFilter, text: str = "") -> str:
        """The address without this value of the filter, or without the filter."""
        return results_path(*one.removed(self.context.search, self.context.refinement, text))

    def _chip(self, one: ResultsFilter, text: str) -> Chip:
        label = one.label(text, self._words)
        remove = _("Remove filter: %(filter)s") % {"filter": label}
        return Chip(label, remove, self._without(one, text if one.several else ""))

    def _worth_a_press(self) -> Iterator[tuple[str, str]]:
        """Filters and values, spelled as in the address, that most visitors reach for."""
        there = self._values_there
        best = [spelled(steps[1]) for steps in reversed(RATING_STEPS.values())]
        facilities = there.get(Filter.FACILITY, ())
        # Another code that says breakfast may be NO_BREAKFAST.
        breakfast = filter(facilities.__contains__, ("FREE_BREAKFAST", "BREAKFAST"))
        middle = self._rounded_middle
        wanted = (
            (Filter.FREE_CANCELLATION, there.get(Filter.FREE_CANCELLATION, ())),
            (Filter.MIN_RATING, filter(there.get(Filter.MIN_RATING, ()).__contains__, best)),
            (Filter.FACILITY, breakfast),
            (Filter.MAX_PRICE, [middle] if self.max_price in ("", middle) else ()),
            (Filter.TRADEOFFS, there.get(Filter.TRADEOFFS, ())),
        )
        for name, values in wanted:
            if first := next(iter(values), ""):
                yield name, first

    @property
    def _values_there(self) -> dict[str, list[str]]:
        """By filter, the values that some hotel has, or may have."""
        facets = self.refined.facets if self.refined else self._facets_without_rows()
        return {facet.name: [one.value for one in facet.values if one.count != 0] for facet in facets}

    @property
    def _rounded_middle(self) -> str:
        """The middle total, up to the next whole amount; empty where the site has no price filter, and where
        the visitor looks above it: two limits the wrong way round are taken the other way."""
        spread = self.refined.histogram if self.refined else None
        if spread is None or Filter.MAX_PRICE not in self.context.site.filters:
            return ""
        middle = spread.middle.to_integral_value(ROUND_CEILING)
        return spelled(middle) if middle > (self.context.refinement.min_price or 0) else ""

    def _quick_filter(self, name: str, text: str) -> QuickFilter:
        one, asked = FILTERS[name], self.context.refinement
        chosen = [spelled(value) for value in one.values(asked, ())]
        words = _quick_words(self, name, text)
        if text in chosen:
            chip = self._chip(one, text)
            return QuickFilter(name, words, chip.remove, chip.href)
        value = one.read(text) if not one.several else (*one.values(asked, ()), text)
        return QuickFilter(name, words, "", self._path(asked.replace(**{name: value})))

    def _regained(self, drop: Drop) -> str:
        """What comes back, in words; empty where that is nothing."""
        if drop.regains is None:
            return _("not counted yet")
        text = ngettext("%(count)s place matches", "%(count)s places match", drop.regains)
        return text % {"count": self.reader.number(drop.regains)} if drop.regains else ""

    def _facets_without_rows(self) -> Iterator[Facet]:
        """What can be offered before any row is known, without counts."""
        for name, one in FILTERS.items():
            if one.always and one.offered(self.context.site):
                chosen = one.values(self.context.refinement, self.context.search.stars)
                values = (FacetValue(spelled(value), None, None, value in chosen) for value in one.always)
                yield Facet(name, tuple(values))

    def _group(self, members: list[tuple[ResultsFilter, Facet]]) -> ChoiceGroup:
        """The fieldset of the filters that share a place."""
        first, facet = members[0]
        legend = first.legend_text(self._words)
        choices = [choice for one, facet in members for choice in self._choices(one, facet)]
        if first.input == "radio":
            free = not any(value.selected for value in facet.values)
            return ChoiceGroup(
                legend, "radio", (FilterChoice(first.name, "", _("Any"), "", free, False), *choices)
            )
        shown = [choice for place, choice in enumerate(choices) if place < CHOICES_SHOWN or choice.chosen]
        more = [choice for choice in choices if choice not in shown]
        label = ngettext("%(count)s more", "%(count)s more", len(more)) % {"count": len(more)}
        # A hotel has one kind and one number of stars, but may well have a pool and a bar.
        several = first.name == Filter.FACILITY and sum(choice.chosen for choice in choices) > 1
        hint = _("Any one of those ticked is enough.") if several else ""
        return ChoiceGroup(legend, first.input, tuple(shown), _in_sections(more), label if more else "", hint)

    def _choices(self, one: ResultsFilter, facet: Facet) -> Iterator[FilterChoice]:
        """The choices of a filter; with another value chosen already, each says what it adds."""
        adds = one.several and any(value.selected for value in facet.values)
        for value in facet.values[:MOST_CHOICES] if one.several else facet.values:
            count = self._count(value, adds=adds and not value.selected)
            none = not value.selected and count in ("0", "+0")
            yield FilterChoice(
                one.name, value.value, one.label(value.value, self._words), count, value.selected, none
            )

    def _count(self, value: FacetValue, *, adds: bool) -> str:
        number = value.own if value.selected else value.count
        if number is None:
            return f"{self.reader.number(value.least)}+" if value.least else ""
        matching = self.refined.matching if self.refined else 0
        return f"+{self.reader.number(number - matching)}" if adds else self.reader.number(number)


def _in_sections(choices: list[FilterChoice]) -> tuple[tuple[str, tuple[FilterChoice, ...]], ...]:
    """Facilities under what they are about, other choices together."""
    sections: dict[str, list[FilterChoice]] = {}
    for choice in choices:
        about = facility_heading(choice.value) if choice.name == Filter.FACILITY else ""
        sections.setdefault(about, []).append(choice)
    return tuple((about, tuple(members)) for about, members in sections.items())


def _quick_words(view: RefineView, name: str, text: str) -> str:
    """As short as a label beside others can be."""
    if name == Filter.MIN_RATING:
        return _("Rated %(rating)s+") % {"rating": view.reader.number(Decimal(text))}
    if name == Filter.MAX_PRICE:
        return _("Up to %(amount)s") % {"amount": view.money(Decimal(text))}
    return FILTERS[name].label(text, view._words)


def sort_label(sort: Sort, *, near: str = "", from_centre: bool = False) -> str:
    """The order in words; `near` is the code of the airport that distances are measured from."""
    nearest = _("Nearest to the centre") if from_centre else _("Nearest")
    return {
        Sort.PRICE: _("Lowest total"),
        Sort.RATING: _("Highest rating"),
        Sort.STARS: _("Most stars"),
        Sort.DISTANCE: _("Nearest to %(airport)s") % {"airport": near} if near else nearest,
        Sort.TRADEOFFS: _("Best trade-offs"),
        Sort.PROVIDER: _("Provider order"),
    }[sort]
