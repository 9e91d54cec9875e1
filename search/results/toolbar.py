"""Coverage, order and filters of a results page: how far they reach and what is still coming in, then links,
chips and choices with counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from itertools import chain
from math import inf
from typing import NamedTuple

import msgspec
from django.utils.functional import cached_property

from search.destinations.index import Destination
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import NO_FILTERS, Filter, Refinement, Sort, encode_pairs, spelled
from search.web import formatting
from search.web.formatting import Reader
from search.web.labels import facility_heading
from search.web.links import results_path, reverse, search_pairs, view_pairs
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .dates import dates_path
from .filters import FILTERS, RATING_STEPS, FilterWords, ResultsFilter
from .full_results import Deeper
from .listings import FoundStays
from .pagination import Coverage, CoverageState
from .selection import Bar, FacetValue

# More choices than this fold away, unless one of them is chosen.
CHOICES_SHOWN = 6
MOST_CHOICES = 40
# For everybody, where a value changes anything: the first of each.
_QUICK = {
    Filter.FREE_CANCELLATION: ("1",),
    Filter.MIN_RATING: [spelled(steps[1]) for steps in reversed(RATING_STEPS.values())],
    # Another code that says breakfast may be NO_BREAKFAST.
    Filter.FACILITY: ("FREE_BREAKFAST", "BREAKFAST"),
}
# The view box of the histogram.
BARS_WIDTH = 240
BARS_HEIGHT = 56


def progress_text(coverage: Coverage, reader: Reader) -> str:
    """`Hotels compared: 240 of 412`, so that no word has to agree with two numbers."""
    compared = reader.number(coverage.compared)
    if coverage.goal is None:
        return _("Hotels compared: %(compared)s") % {"compared": compared}
    goal = reader.number(coverage.goal)
    return _("Hotels compared: %(compared)s of %(goal)s") % {"compared": compared, "goal": goal}


class Pill(NamedTuple):
    """One value of a choice as a link: what it says, its address, and whether it is in force."""

    label: str
    href: str
    chosen: bool


class Chip(msgspec.Struct, frozen=True):
    """A filter as a link. In force, `remove` is the label for taking it off and `href` the address without
    it; else a quick filter, `remove` is empty and `href` the address with it. Quick filters have a `name`."""

    text: str
    remove: str
    href: str
    name: str = ""


class FilterChoice(msgspec.Struct, frozen=True):
    """One checkbox or radio button. `count` is the effect of a click, may be empty; `none` disables it."""

    name: str
    value: str
    label: str
    count: str
    chosen: bool
    none: bool


class ChoiceGroup:
    """A fieldset. `kind` is the type of its inputs; `more` are the choices folded away, under a heading each
    (empty if they need none); `hint` explains several chosen ones."""

    def __init__(self, legend: str, of: ResultsFilter, choices: list[FilterChoice]) -> None:
        self.legend, self.kind, self.choices = legend, of.input, choices
        chosen = sum(choice.chosen for choice in choices)
        if of.input == "radio":
            choices.insert(0, FilterChoice(of.name, "", _("Any"), "", not chosen, False))
        # A choice alone is none, unless it can be taken back.
        self.is_shown = len(choices) > 1 or chosen > 0
        self.more: dict[str, list[FilterChoice]] = {}
        folded = [choice for choice in choices[CHOICES_SHOWN:] if not choice.chosen]
        for choice in folded:
            choices.remove(choice)
            about = facility_heading(choice.value) if choice.name == Filter.FACILITY else ""
            self.more.setdefault(about, []).append(choice)
        self.more_label = ngettext("%(count)s more", "%(count)s more", len(folded)) % {"count": len(folded)}
        # A hotel has one kind and one number of stars, but may well have a pool and a bar.
        several = of.name == Filter.FACILITY and chosen > 1
        self.hint = _("Any one of those ticked is enough.") if several else ""


@dataclass(frozen=True)
class RefineView:
    """Parameters of results/toolbar.html, results/coverage.html and other parts of the page. Empty strings
    are things not to show."""

    context: SearchContext
    results: FoundStays
    reader: Reader

    @property
    def is_unrefined(self) -> bool:
        """Whether the page is in the gateway's order: later hotels change nothing on it."""
        return self.context.sort is Sort.PROVIDER and not self.context.refinement.narrows

    @property
    def address(self) -> str:
        page = self.results.page if self.results.listings else 1
        return results_path(self.context.search, self.context.refinement, page)

    @cached_property
    def sentence(self) -> str:
        """`Exact order of all 412`, `Prices of 600 compared`, the latter with its time if a visitor asked for
        it, and why it is no more; empty for one result or none, and while results are coming in."""
        coverage, deeper, number = self.results.coverage, self.results.deeper, self.reader.number
        # One hotel alone is in no order.
        too_few = coverage.compared < 1 + coverage.exact and not coverage.worth_another_try
        if too_few or coverage.state is CoverageState.FETCHING or (coverage.exact and self.is_unrefined):
            return ""
        sentence = self._reach % {"compared": number(coverage.compared), "total": number(coverage.total or 0)}
        if deeper and deeper.state is Deeper.SHOWN:
            ago = self.reader.ago(self.results.fetched_at)
            sentence = _("%(all)s, checked %(ago)s") % {"all": sentence, "ago": ago}
        lost = _("the others could not be loaded")
        return f"{sentence} \u2013 {lost}" if coverage.worth_another_try else sentence

    @property
    def _reach(self) -> str:
        coverage = self.results.coverage
        if coverage.exact:
            in_order = self.context.sort is not Sort.PROVIDER
            return _("Exact order of all %(compared)s") if in_order else _("Filtered from all %(compared)s")
        if coverage.total and coverage.gives_less:
            return _("The %(compared)s that came; the provider counts %(total)s")
        return _("Prices of %(compared)s compared")

    @cached_property
    def progress(self) -> str:
        """How far results are that are still coming in, or that newer ones are coming in."""
        if self.results.newer_coming:
            text = _("Prices checked %(ago)s; newer ones are coming in")
            if self.results.is_empty:
                text = _("Answered %(ago)s; a newer answer is coming in")
            return text % {"ago": self.reader.ago(self.results.fetched_at)}
        coming = not self.is_unrefined and self.results.coverage.state is CoverageState.FETCHING
        return self.progress_of(self.results.coverage) if coming else ""

    def progress_of(self, coverage: Coverage) -> str:
        return progress_text(coverage, self.reader)

    def progress_address(self, *, deeper: bool = False) -> str:
        """The address of the progress of the full results, or of a deeper pass."""
        pairs = (*search_pairs(self.context), *([("all", "1")] if deeper else ()))
        return f"{reverse('progress')}?{encode_pairs(pairs)}"

    @property
    def compare_all_path(self) -> str:
        pairs = self.context.search.pairs() + self.context.refinement.replace(all=False).pairs()
        return f"{reverse('compare-all')}?{encode_pairs(pairs)}"

    @property
    def all_address(self) -> str:
        return self._path(self.context.refinement.replace(all=True))

    @cached_property
    def sorts(self) -> tuple[Pill, ...]:
        context, usual = self.context, self.context.site.default_sort
        near = context.anchor.code if context.anchor else ""
        return tuple(
            Pill(
                sort_label(sort, near=near, from_centre=self.results.from_centre),
                self._path(context.refinement.replace(sort=None if sort is usual else sort)),
                sort is context.sort,
            )
            for sort in context.site.sorts
        )

    @property
    def matching(self) -> str:
        """`23 of 412 places match`; the verb agrees with the number of those that match."""
        matching, compared, number = self.results.matching, self.results.coverage.compared, self.reader.number
        if not compared or not self.context.refinement.narrows:
            return ""
        if compared == 1:
            whole = ngettext("%(count)s place to stay", "%(count)s places to stay", 1)
            none = ngettext("%(count)s place matches", "%(count)s places match", 0)
            return (whole if matching else none) % {"count": number(matching)}
        text = ngettext("%(count)s of %(all)s places matches", "%(count)s of %(all)s places match", matching)
        return text % {"count": number(matching), "all": number(compared)}

    @property
    def show(self) -> str:
        """The words of the link from the filters to the list: `Show 445 places`."""
        coverage, all_come = self.results.coverage, (CoverageState.COMPLETE, CoverageState.PARTIAL)
        is_final = self.context.refinement.narrows or coverage.state in all_come
        count = self.results.matching if is_final else coverage.total
        if count is None:
            return _("Show the places")
        text = ngettext("Show %(count)s place", "Show %(count)s places", count)
        return text % {"count": self.reader.number(count)}

    @property
    def can_sort(self) -> bool:
        return bool(self.results.listings) and len(self.sorts) > 1

    @property
    def can_filter(self) -> bool:
        """Whether there is anything to filter, or a filter to take off."""
        return bool(self.results.coverage.compared or self.progress or self.chips)

    @property
    def has_panel(self) -> bool:
        """Whether there is a filter to choose beside the list."""
        return self.can_filter and any(FILTERS[one].input != "hidden" for one in self.context.site.filters)

    @cached_property
    def quick(self) -> list[Chip]:
        """Free cancellation, well rated, breakfast, below the middle total: those that change anything."""
        chips = []
        for name, texts in _QUICK.items():
            there = [one.value for one in self.results.facets.get(name, ()) if one.count != 0]
            chips += [self._quick_filter(name, text) for text in texts if text in there][:1]
        middle = self._rounded_middle
        if middle and self.limit(Filter.MAX_PRICE) in ("", middle):
            chips.append(self._quick_filter(Filter.MAX_PRICE, middle))
        return chips

    @cached_property
    def chips(self) -> tuple[Chip, ...]:
        """The filters in force, each value of a filter with several by itself."""
        return tuple(
            self._chip(FILTERS[name], text) for name, texts in self.in_force.items() for text in texts
        )

    @property
    def other_chips(self) -> list[Chip]:
        quick = {one.href for one in self.quick}
        return [chip for chip in self.chips if chip.href not in quick]

    @cached_property
    def clear(self) -> str:
        """The address without any filter; order and airport stay."""
        refinement = self.context.refinement
        bare = Refinement(**{name: getattr(refinement, name) for name in NO_FILTERS})
        return results_path(self.context.with_search(stars=()).search, bare) if self.in_force else ""

    @property
    def drops(self) -> list[Chip]:
        """If no row passes the filters: each as a link that says how many match without it."""
        chips = []
        for name, regains in self.results.drops.items():
            one = FILTERS[name]
            label = ", ".join(one.label(text, self._words) for text in self.in_force[name])
            text = ngettext("%(count)s place matches", "%(count)s places match", regains or 0)
            back = text % {"count": self.reader.number(regains)} if regains else _("not counted yet")
            if regains != 0:
                chips.append(Chip(_("Without “%(filter)s”") % {"filter": label}, back, self._without(one)))
        return chips

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The hidden fields of the form: search without stars, order, airport, filters without an input."""
        own = {name for name, one in FILTERS.items() if one.input != "hidden"}
        return [pair for pair in view_pairs(self.context) if pair[0] not in own]

    @property
    def price_units(self) -> tuple[Pill, ...]:
        """What limits of price are for: the whole stay, or each of its nights."""
        refinement, nights = self.context.refinement, self.context.search.dates.nights
        whole = Pill(_("Whole stay"), self._path(refinement.of_stay(nights)), not refinement.per_night)
        night = Pill(_("Per night"), self._path(refinement.of_night(nights)), refinement.per_night)
        return (whole, night) if nights > 1 else ()

    def limit(self, name: str) -> str:
        """The limit in force as its field shows it; empty without one."""
        return "".join(self.in_force.get(name, ()))

    @property
    def price_scale(self) -> tuple[str, ...]:
        """The ends of the histogram's scale and its step, a bar; empty with nothing to choose between."""
        bars = self._bars
        if len(bars) < 2 or bars[0].high is None:
            return ()
        step = bars[0].high - bars[0].low
        return tuple(map(spelled, (bars[0].low, bars[0].low + step * len(bars), step)))

    @property
    def _bars(self) -> tuple[Bar, ...]:
        return self.results.histogram.bars if self.results.histogram else ()

    def drawn(self, *, out: bool) -> str:
        """The bars of the histogram outside the price limits, or the others, as one path: `BARS_WIDTH` by
        `BARS_HEIGHT`, with a gap of 1 between two bars, and none too low or too narrow to see."""
        step, tallest = BARS_WIDTH / len(self._bars), max(bar.count for bar in self._bars)
        least, most = self.context.refinement.min_price or 0, self.context.refinement.max_price or inf
        return "".join(
            f"M{place * step + 0.5:.1f} {BARS_HEIGHT}"
            f"v-{max(2, BARS_HEIGHT * bar.count / tallest):.1f}h{max(1, step - 1):.1f}V{BARS_HEIGHT}z"
            for place, bar in enumerate(self._bars)
            if bar.count and (bar.low >= most or (bar.high or inf) <= least) is out
        )

    def prices_of(self, bar: Bar) -> str:
        """The totals of a bar of the histogram: `€100 – €200`."""
        if bar.high is None:
            return _("%(low)s and more") % {"low": self.money(bar.low)}
        return f"{self.money(bar.low)} \u2013 {self.money(bar.high)}"

    def money(self, amount: Decimal) -> str:
        return self.reader.limit(Money(amount, self.context.search.currency))

    @property
    def groups(self) -> list[ChoiceGroup]:
        by_legend: dict[str, list[ResultsFilter]] = {}
        for one in map(FILTERS.__getitem__, self.results.facets):
            by_legend.setdefault(one.legend_text(self._words), []).append(one)
        groups = [
            ChoiceGroup(legend, filters[0], [*chain.from_iterable(map(self._choices, filters))])
            for legend, filters in by_legend.items()
        ]
        return [one for one in groups if one.is_shown]

    @cached_property
    def dates(self) -> str:
        """Where it says when the stay is cheapest; empty for an unknown place, one without hotels or any hint
        at its whereabouts, which has no hotels on any date."""
        context, results = self.context, self.results
        there = context.anchor or results.listings or results.page > 1 or self.progress
        measured = any(km is not None for _one, km in self.results.alternative_places)
        return dates_path(context) if there or context.refinement.narrows or measured else ""

    @property
    def elsewhere(self) -> Iterator[tuple[str, str, str]]:
        """Name, distance (may be empty) and address of other places for the same stay."""
        for destination, km in self.results.alternative_places:
            distance = "" if km is None else formatting.kilometres(km, self.reader.numbers)
            yield destination.label or destination.name, distance, place_path(self.context, destination)

    @cached_property
    def _words(self) -> FilterWords:
        context = self.context
        # With its code: many an airport has the name of its city, whose centre is somewhere else.
        near = f"{context.anchor.name} ({context.anchor.code})" if context.anchor else ""
        return FilterWords(self.reader, context.search.currency, near, context.refinement.per_night)

    def _path(self, refinement: Refinement) -> str:
        return results_path(self.context.search, refinement)

    @cached_property
    def in_force(self) -> dict[str, list[str]]:
        """The values of each filter in force, as the address spells them."""
        refinement, stars = self.context.refinement, self.context.search.stars
        chosen = {name: one.values(refinement, stars) for name, one in FILTERS.items()}
        return {name: list(map(spelled, values)) for name, values in chosen.items() if values}

    def _without(self, one: ResultsFilter, text: str = "") -> str:
        return results_path(*one.removed(self.context.search, self.context.refinement, text))

    def _chip(self, one: ResultsFilter, text: str) -> Chip:
        label = one.label(text, self._words)
        remove = _("Remove filter: %(filter)s") % {"filter": label}
        return Chip(label, remove, self._without(one, text if one.several else ""))

    @property
    def _rounded_middle(self) -> str:
        """The middle total, up to the next whole amount; empty without the price filter, and below the lower
        limit: two limits the wrong way round change places."""
        spread = self.results.histogram
        if spread is None or Filter.MAX_PRICE not in self.context.site.filters:
            return ""
        middle = spread.middle.to_integral_value(ROUND_CEILING)
        return spelled(middle) if middle > (self.context.refinement.min_price or 0) else ""

    def _quick_filter(self, name: str, text: str) -> Chip:
        one, words = FILTERS[name], FILTERS[name].label(text, self._words)
        if name == Filter.MIN_RATING:
            # As short as a label beside others can be.
            words = _("Rated %(rating)s+") % {"rating": self.reader.number(Decimal(text))}
        if text in self.in_force.get(name, ()):
            return msgspec.structs.replace(self._chip(one, text), text=words, name=name)
        refinement = self.context.refinement
        value = (*refinement.values(name), text) if one.several else one.read(text)
        return Chip(words, "", self._path(refinement.replace(**{name: value})), name)

    def _choices(self, one: ResultsFilter) -> Iterator[FilterChoice]:
        """The choices of a filter; beside a chosen value each says how many it adds."""
        values = self.results.facets[one.name]
        adds = one.several and any(value.selected for value in values)
        for value in values[:MOST_CHOICES] if one.several else values:
            count = self._count(value, adds=adds and not value.selected)
            none = not value.selected and count in ("0", "+0")
            label = one.choice_label(value.value, self._words)
            yield FilterChoice(one.name, value.value, label, count, value.selected, none)

    def _count(self, value: FacetValue, *, adds: bool) -> str:
        number = value.own if value.selected else value.count
        if number is None:
            return f"{self.reader.number(value.least)}+" if value.least else ""
        text = self.reader.number(number - self.results.matching if adds else number)
        return f"+{text}" if adds else text


def place_path(context: SearchContext, destination: Destination) -> str:
    """The address of the search for another place, for the same stay."""
    return results_path(context.with_search(place=destination.place).search, destination.anchor)


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
