"""A page of results, with every text and link ready-made; before it its parts: the place of its name that the
hotels are in, the best trade-offs on a plot of total against rating, and the links to other pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import inf
from operator import itemgetter
from typing import NamedTuple, Self

import msgspec
from django.core.paginator import Paginator

from search.destinations import service as destinations
from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.query import Refinement
from search.domain.text import fold
from search.web import formatting
from search.web.formatting import Reader, chosen_stars
from search.web.labels import name_or_place
from search.web.links import Head, Links, results_path, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from . import dates
from .card import CardMaker, ListingCard
from .listings import BEYOND_SUBURBS_KM, FoundStays
from .selection import Point, Tradeoffs
from .toolbar import RefineView

# The country of a hotel, empty if unknown, and its coordinates.
Located = tuple[str, Coordinates | None]


class PlaceShown(msgspec.Struct, frozen=True):
    """`title` is the place, with the region or country that tells it from others of its name; `sold` is the
    place that all hotels are in if that isn't the place of the search; `others` are the other places of the
    name, without the place of these hotels. `instead` is the address of the search for the hotels' place if
    another one of the name was picked."""

    title: str
    sold: str = ""
    others: tuple[Destination, ...] = ()
    instead: str = ""

    @classmethod
    def of(cls, context: SearchContext, hotels: Sequence[Located] | None, reader: Reader) -> Self:
        """By the hotels of a page, None before any is known: the gateway, which is asked for a name alone,
        decides which place of the name it means."""
        place, around = context.search.place, context.refinement.around
        others = destinations.namesakes(place, around, context.deadline)
        where = _Whereabouts(context, tuple(hotels or ()), reader)
        sold, left = where.place_of_hotels, tuple(one for one in others if one not in where.possible_places)
        if sold and (around or context.anchor):
            return cls(where.title(others), sold, (), where.search_of_hotels)
        if sold or left != others:
            # The title of a name that is nearly always one place is the name alone.
            return cls(sold if others and sold else place, sold, left)
        return cls(where.title(others), "", () if hotels is None else others)


@dataclass(frozen=True)
class _Whereabouts:
    """The hotels of a page, beside the place of the search and the others of its name."""

    context: SearchContext
    hotels: tuple[Located, ...]
    reader: Reader

    @cached_property
    def others(self) -> tuple[Destination, ...]:
        """If a country was picked, the little ones, too."""
        context, around = self.context, self.context.refinement.around
        return destinations.namesakes(context.search.place, around, context.deadline, every=bool(around))

    @cached_property
    def countries(self) -> frozenset[str]:
        return frozenset(country for country, _point in self.hotels if country)

    @cached_property
    def points(self) -> tuple[Coordinates, ...]:
        return tuple(point for _country, point in self.hotels if point)

    def title(self, others: Sequence[Destination]) -> str:
        """The place of the search, with its country if that was picked or tells it from others, behind its
        region if another place of the name is in the same country."""
        context, place, around = self.context, self.context.search.place, self.context.refinement.around
        if not (around or (others and (self.countries or self.points))):
            return place
        alike = any(one.country == context.country for one in self.others)
        region = destinations.region(place, around, context.deadline) if alike else ""
        return _title(place, (region, self.reader.country(context.country)))

    @cached_property
    def is_elsewhere(self) -> bool:
        """Whether all hotels are far from the place of the search or, without distances, in one country, that
        of another place of its name: hotels of a city at a border may be on its other side."""
        if self.context.centre and self.points:
            return all(self.context.centre.km_to(point) > BEYOND_SUBURBS_KM for point in self.points)
        of_another = any(one.country in self.countries for one in self.others)
        return len(self.countries) == 1 and self.context.country not in self.countries and of_another

    @cached_property
    def possible_places(self) -> tuple[Destination, ...]:
        """The other places of the name that the hotels elsewhere may be in, the nearest first."""
        measured = [(self._km_to(one), one) for one in self.others] if self.is_elsewhere else []
        near = [(km, one) for km, one in measured if km <= BEYOND_SUBURBS_KM]
        return tuple(one for _km, one in sorted(near, key=itemgetter(0)))

    def _km_to(self, other: Destination) -> float:
        """From the nearest hotel, 0 without a middle, such as of a region, in the country of a hotel;
        infinite if it can't be the place of the hotels."""
        if self.countries and other.country not in self.countries:
            return inf
        middle = destinations.centre(other, self.context.deadline)
        if middle and self.points:
            return min(map(middle.km_to, self.points))
        return 0.0 if self.countries else inf

    @property
    def place_of_hotels(self) -> str:
        """The place of the search in the country of the hotels, with its region if that alone tells it from
        the others; empty where it is in no other country or region that is known."""
        possible, own_country = self.possible_places, self.context.country
        countries = self.countries or {one.country for one in possible[:1]}
        is_known = len(countries) == 1 and (possible or own_country not in countries)
        if not (self.is_elsewhere and is_known):
            return ""
        (country,) = countries
        alike = country in (own_country, *(one.country for one in self.others if one not in possible))
        regions = [one.region for one in possible[:1] if alike]
        return _title(self.context.search.place, (*regions, self.reader.country(country)))

    @property
    def search_of_hotels(self) -> str:
        """The address of the search for the place of the hotels, by their country if it isn't known."""
        if self.possible_places:
            other = self.possible_places[0]
            return results_path(self.context.with_search(place=other.place).search, other.anchor)
        country = next(iter(self.countries), "").upper()
        return results_path(self.context.search, Refinement(country=country))


def located(results: FoundStays) -> tuple[Located, ...] | None:
    """The whereabouts of the hotels of a page, and of the one that is nearest to the place of the search;
    without any, of those that its filters leave out. None behind the last page."""
    buildings = [one.listing.property for one in results.listings]
    hotels = [(one.country, one.coordinates) for one in buildings]
    hotels += [("", point) for point in results.refined.compared_at]
    is_none_at_all = results.page == 1 and not results.refined.coverage.compared
    return tuple(hotels) if hotels or is_none_at_all else None


def _title(place: str, around: Iterable[str]) -> str:
    return ", ".join((place, *(one for one in around if one not in ("", place))))


# The area of the dots, in percent of the drawing: ratings stand beside it, totals below it. Hotels without a
# rating are on the lowest line, by themselves.
LEFT, RIGHT, TOP, LOWEST_RATED, BOTTOM = 16.0, 96.0, 9.0, 74.0, 85.0
# The room of a letter of a name, and of a dot, in percent of a phone's drawing.
LETTER_WIDTH, LINE_HEIGHT, DOT_RADIUS = 1.9, 5.5, 2.0

# By whether any hotel has a rating, and any a distance.
_NO_OTHER = {
    (True, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper, better rated and nearer at once"),
    (True, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper and better rated at once"),
    (False, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper and nearer at once"),
    (False, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper"),
}


class Dot(NamedTuple):
    """One property on the plot and in the table; empty strings are unknown. `x` and `y` are percentages,
    `name_at` says on which side of it there is room for its name: `start`, `end` or empty."""

    name: str
    href: str
    total: str
    rating: str
    distance: str
    x: float
    y: float
    name_at: str = ""

    @property
    def words(self) -> str:
        return " · ".join(filter(None, (self.name, self.total, self.rating, self.distance)))


@dataclass(frozen=True)
class TradeoffsPlot:
    """Parameters of results/tradeoffs.html. A mark of an axis is its words, and its place in percent."""

    tradeoffs: Tradeoffs
    reader: Reader
    links: Links

    @classmethod
    def of(cls, results: FoundStays, reader: Reader, links: Links) -> Self | None:
        tradeoffs = results.refined.tradeoffs
        return cls(tradeoffs, reader, links) if results.page == 1 and tradeoffs and tradeoffs.best else None

    @property
    def sentence(self) -> str:
        """`9 of 412: no other is cheaper, better rated and nearer at once`."""
        tradeoffs, number = self.tradeoffs, self.reader.number
        text = str(_NO_OTHER[tradeoffs.rated, tradeoffs.measured])
        return text % {"count": number(len(tradeoffs.best)), "all": number(tradeoffs.among)}

    @cached_property
    def best(self) -> list[Dot]:
        """By total; a name is written where it covers no other name or number, and none of these dots."""
        dots = [self._dot(point) for point in self.tradeoffs.best]
        taken = [(one.x - DOT_RADIUS, one.x + DOT_RADIUS, one.y) for one in dots]
        taken += [(0, LEFT, at) for _rating, at in self.ratings]
        for place, dot in enumerate(dots):
            for side, start, end in _rooms_beside(dot, taken)[:1]:
                dots[place] = dot._replace(name_at=side)
                taken.append((start, end, dot.y))
        return dots

    @cached_property
    def others(self) -> tuple[Dot, ...]:
        """Those within the scale: a few very dear ones would leave no room for the rest."""
        return tuple(self._dot(point) for point in self.tradeoffs.others if point.total <= self._totals[1])

    @property
    def totals(self) -> tuple[tuple[str, float], ...]:
        """The ends of the scale of totals, and its middle."""
        low, high = self._totals
        ends = dict.fromkeys((low, (low * high).sqrt(), high))
        currency, numbers = self.links.search.currency, self.reader.numbers
        return tuple((formatting.whole_money(total, currency, numbers), self._x(total)) for total in ends)

    @property
    def ratings(self) -> tuple[tuple[str, float], ...]:
        """The best rating and the lowest, and the line of those without one."""
        low, high = self._ratings
        rated = dict.fromkeys((high, low)) if self.tradeoffs.rated else ()
        shown = tuple((self._rating(one), self._y(one)) for one in rated)
        return (*shown, (_("none"), BOTTOM)) if self._foot < BOTTOM else shown

    @cached_property
    def _foot(self) -> float:
        """Where the lowest rating stands: a line higher if one of the best has no rating."""
        return LOWEST_RATED if any(point.row.rating is None for point in self.tradeoffs.best) else BOTTOM

    @cached_property
    def _totals(self) -> tuple[Decimal, Decimal]:
        """The lowest total, and the highest of the best and of the others but the dearest twentieth."""
        best = [point.total for point in self.tradeoffs.best]
        others = sorted(point.total for point in self.tradeoffs.others)
        return min([*best, *others]), max([*best, *others[: len(others) * 19 // 20 + 1]])

    @cached_property
    def _ratings(self) -> tuple[Decimal, Decimal]:
        points = (*self.tradeoffs.best, *self.tradeoffs.others)
        ratings = [point.row.rating for point in points if point.row.rating is not None]
        return (min(ratings), max(ratings)) if ratings else (Decimal(0), Decimal(0))

    def _dot(self, point: Point) -> Dot:
        row, offer = point.row, point.offer
        return Dot(
            name_or_place(row.name, row.place),
            self.links.property(offer.provider, offer.property_id),
            self.reader.money(Money(point.total, self.links.search.currency)),
            self._rating(row.rating),
            "" if point.km is None else formatting.kilometres(point.km, self.reader.numbers),
            self._x(point.total),
            self._y(row.rating),
        )

    def _rating(self, rating: Decimal | None) -> str:
        return "" if rating is None else formatting.one_decimal(rating, self.reader.numbers)

    def _x(self, total: Decimal) -> float:
        """On a logarithmic scale: most totals are near the lowest."""
        low, high = self._totals
        return _between(total.ln(), low.ln(), high.ln(), LEFT, RIGHT)

    def _y(self, rating: Decimal | None) -> float:
        return BOTTOM if rating is None else _between(rating, *self._ratings, self._foot, TOP)


def _rooms_beside(dot: Dot, taken: list[tuple[float, float, float]]) -> list[tuple[str, float, float]]:
    """Where its name may stand: the side, and where it begins and ends in percent."""
    gap, width = 1.5 * DOT_RADIUS, LETTER_WIDTH * len(dot.name)
    beside = [(left, right) for left, right, y in taken if abs(y - dot.y) < LINE_HEIGHT]
    beside += [(-inf, 0), (100, inf)]
    starts = (("end", dot.x + gap), ("start", dot.x - gap - width))
    return [
        (side, start, start + width)
        for side, start in starts
        if all(right < start or start + width < left for left, right in beside)
    ]


def _between(value: Decimal, low: Decimal, high: Decimal, start: float, end: float) -> float:
    share = float((value - low) / (high - low)) if high > low else 0.5
    return round(start + share * (end - start), 1)


@dataclass(frozen=True, slots=True)
class Pager:
    """Parameters of results/pager.html. An empty address is no link. `pages` are numbers with their
    addresses; for a gap both are empty."""

    previous: str
    next: str
    pages: tuple[tuple[str, str], ...]
    position: str

    @classmethod
    def of(cls, results: FoundStays, links: Links, reader: Reader) -> Self | None:
        """The pager of the results, or None if everything is on one page."""
        page, last = results.page, results.last_page
        if page == 1 and not results.has_next:
            return None
        shown = Paginator(range(last), 1).get_elided_page_range(min(page, last), on_each_side=2, on_ends=1)
        position = _("Page %(page)s of %(last)s")
        return cls(
            previous=links.results(min(page - 1, last)) if page > 1 else "",
            next=links.results(page + 1) if results.has_next else "",
            pages=tuple(
                (reader.number(number), "" if number == page else links.results(number))
                if isinstance(number, int)
                else ("", "")
                for number in shown
            ),
            position=position % {"page": reader.number(page), "last": reader.number(last)},
        )


@dataclass(frozen=True)
class ResultsBeginning:
    """Parameters of results/skeleton.html: the page before its results. `namesakes` are other places of the
    name (`Texas, United States`), each with the address of its search."""

    head: Head
    bar: SearchBar
    title: str
    summary: str
    place: PlaceShown
    namesakes: tuple[tuple[str, str], ...]

    @staticmethod
    def of(context: SearchContext, page: int, *, place: PlaceShown | None = None) -> "ResultsBeginning":
        """`place` is the place of the hotels, None before any is known."""
        search, reader = context.search, Reader.for_search(context)
        days = formatting.stay_days(search.dates, reader.texts)
        shown = place or PlaceShown.of(context, None, reader)
        words = _("No hotels in %(place)s") if shown.instead else _("Hotels in %(place)s")
        title = words % {"place": shown.title}
        before_days = formatting.before_days(title)
        text = _("%(title)s for %(days)s: every provider's offer with its whole price.")
        refinement = context.refinement if context.anchor else context.refinement.without("near")
        return ResultsBeginning(
            head=Head(
                title=f"{before_days}, {days}",
                description=text % {"title": before_days, "days": days},
                canonical=results_path(search, refinement, page),
                robots="noindex",
            ),
            bar=SearchBar.of_search(context, dates.for_calendar(context)),
            title=title,
            summary=" · ".join(filter(None, (reader.stay_line(search), chosen_stars(search.stars)))),
            place=shown,
            namesakes=tuple(
                (
                    ", ".join(filter(None, (one.region, reader.country(one.country)))),
                    results_path(context.with_search(place=one.place).search, one.anchor),
                )
                for one in shown.others
            ),
        )


@dataclass(frozen=True)
class ResultsPage(ResultsBeginning):
    """Parameters of results/page.html. Empty strings are notices that don't apply.

    If another place of the name was picked than the hotels are in, the page shows none of them. `near_name`
    is the place that an unknown one perhaps means, with the address of its search.
    `other_currency`: some prices are not in that of the search. A form adds the chosen hotels to the
    parameters of the search, `chosen`.
    """

    count: str
    near_name: tuple[str, str] | None
    cards: tuple[ListingCard, ...]
    pager: Pager | None
    refine: RefineView
    plot: TradeoffsPlot | None
    stale_note: str
    other_currency: bool
    with_map: bool
    first_page: str
    chosen: tuple[tuple[str, str], ...]

    @classmethod
    def build(cls, context: SearchContext, results: FoundStays) -> Self:
        maker = CardMaker(context, results.page)
        reader, links = maker.reader, maker.links
        place = PlaceShown.of(context, located(results), reader)
        if place.instead:
            others = destinations.alternative_places(context)
            refined = msgspec.structs.replace(results.refined, alternative_places=others)
            results = msgspec.structs.replace(results, listings=(), page=1, last_page=1, refined=refined)
        cards = maker.cards(results.listings)
        beginning = ResultsBeginning.of(context, results.page, place=place)
        refine = RefineView(context, results, reader)
        stale_note = reader.stale_note_of_none if results.is_empty else reader.stale_note
        return cls(
            **vars(beginning),
            near_name=_near_name(context, results),
            count="" if place.instead else refine.matching or _count(results, reader),
            cards=cards,
            pager=Pager.of(results, links, reader),
            refine=refine,
            plot=TradeoffsPlot.of(results, reader, links),
            stale_note=stale_note(results.fetched_at) if results.stale and not results.newer_coming else "",
            other_currency=any(
                one.best and one.best.price and one.best.price.of.total.currency != links.search.currency
                for one in cards
            ),
            with_map=context.site.map_enabled and any(card.coordinates for card in cards),
            first_page=links.results(1),
            chosen=view_pairs(context),
        )

    @property
    def elsewhere(self) -> str:
        """Where the hotels are, if not in the place of the search."""
        text = _("Providers look places up by name only; under this name they sell %(place)s.")
        return text % {"place": self.place.sold} if self.place.sold else ""


def _near_name(context: SearchContext, results: FoundStays) -> tuple[str, str] | None:
    """The place that an unknown one perhaps means, and the address of its search; None if the gateway knows
    the place by this name."""
    place = context.search.place
    meant = destinations.did_you_mean(place, context.deadline)
    if meant is None or fold(place) in {fold(one.listing.property.city) for one in results.listings}:
        return None
    return meant.text, results_path(context.with_search(place=meant.place).search, meant.anchor)


def _count(results: FoundStays, reader: Reader) -> str:
    # Some gateways count more hotels than they give, and count some where they give none.
    total, coverage = results.total, results.refined.coverage
    if coverage.gives_less:
        total = coverage.compared
    if not total or (results.page == 1 and not results.listings):
        return ""
    text = ngettext("%(count)s place to stay", "%(count)s places to stay", total)
    return text % {"count": reader.number(total)}
