"""One page of results, with links to the others: never one that can't exist.

Which of several places of one name hotels are in: what a heading calls it, and which others there are.

The best trade-offs on a plot of total against rating, drawn on the server, and as a table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Self

import msgspec
from django.core.paginator import Paginator

from search.destinations import service as destinations
from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.text import fold
from search.web import formatting
from search.web.formatting import Reader, chosen_stars
from search.web.labels import name_or_place
from search.web.links import Head, Links, results_path, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from . import nearby_dates
from .card import CardMaker, ListingCard
from .full_results import FullResults
from .listings import BEYOND_SUBURBS_KM, FoundStays
from .selection import Point, Tradeoffs
from .toolbar import RefineView

# The country, empty where it isn't known, and the coordinates of a hotel.
Located = tuple[str, Coordinates | None]


class PlaceShown(msgspec.Struct, frozen=True):
    """`title` is the place, with what tells it from others of its name; `elsewhere` says where all hotels
    are, if that isn't the place that was asked for; `others` are the other places of the name, without the
    one whose hotels these are."""

    title: str
    elsewhere: str
    others: tuple[Destination, ...]

    @classmethod
    def of(cls, context: SearchContext, found: Sequence[Located] | None, reader: Reader) -> Self:
        """Of the hotels that were found; None as long as nobody knows of any. The gateway, which is asked for
        a name alone, decides which place it means by that."""
        place, chosen = context.search.place, context.refinement.country
        others = destinations.namesakes(place, chosen, context.deadline)
        if found is None or not any(country or at for country, at in found):
            around = _around_meant(context, others, reader) if chosen else ()
            return cls(_title(place, around), "", () if found is None else others)
        countries = {country for country, _at in found if country}
        elsewhere = _is_elsewhere(context, found, countries, others)
        shown = _among(others, found, countries, context) if elsewhere else ()
        if shown or (elsewhere and context.country not in countries):
            return cls._elsewhere(context, countries, others, shown, reader)
        around = _around_meant(context, others, reader) if chosen or others else ()
        return cls(_title(place, around), "", others)

    @classmethod
    def _elsewhere(
        cls,
        context: SearchContext,
        countries: set[str],
        others: tuple[Destination, ...],
        shown: tuple[Destination, ...],
        reader: Reader,
    ) -> Self:
        """Of hotels in these countries, of which `shown` may be the place, the likeliest first."""
        left = tuple(one for one in others if one not in shown)
        in_all = countries or {one.country for one in shown[:1]}
        if len(in_all) != 1:
            return cls(context.search.place, "", left)
        (country,) = in_all
        alike = country in (context.country, *(one.country for one in left))
        region = shown[0].region if shown and alike else ""
        around = [one for one in (region, reader.country(country)) if one]
        said = _said(", ".join(around), abroad=country != context.country)
        # A name that is nearly always one place is told from no other.
        named = around if context.refinement.country or others else ()
        return cls(_title(context.search.place, named), said, left)


def _said(where: str, *, abroad: bool) -> str:
    if abroad:
        text = _("The providers know a place of this name in another country: %(country)s.")
        return text % {"country": where}
    return _("The providers know another place of this name: %(place)s.") % {"place": where}


def located(found: FoundStays) -> tuple[Located, ...] | None:
    """Where the hotels of a page are; of one without any, where those are that its filters leave out. None
    behind the last page."""
    buildings = [one.listing.property for one in found.listings]
    if buildings:
        return tuple((one.country, one.coordinates) for one in buildings)
    if found.refined and found.refined.coverage.compared:
        return tuple(("", at) for at in found.refined.compared_at) or None
    return () if found.page == 1 else None


def _title(place: str, around: Iterable[str]) -> str:
    return ", ".join((place, *(one for one in around if one not in ("", place))))


def _around_meant(context: SearchContext, others: Iterable[Destination], reader: Reader) -> tuple[str, ...]:
    """The country of the place that was asked for, before it the region where another one of its name is in
    the same country."""
    place, chosen = context.search.place, context.refinement.country
    alike = any(one.country == context.country for one in others)
    region = destinations.region(place, chosen, context.deadline) if alike else ""
    return region, reader.country(context.country)


def _is_elsewhere(
    context: SearchContext, found: Sequence[Located], countries: set[str], others: Iterable[Destination]
) -> bool:
    """Whether all hotels are far from the place that was asked for or, where distances can't tell, in the
    one country of another place of its name: those of a city at a border may be on its other side."""
    at = [one for _country, one in found if one]
    if context.centre and at:
        return all(context.centre.km_to(one) > BEYOND_SUBURBS_KM for one in at)
    of_another = any(one.country in countries for one in others)
    return len(countries) == 1 and context.country not in countries and of_another


def _among(
    others: Iterable[Destination], found: Sequence[Located], countries: set[str], context: SearchContext
) -> tuple[Destination, ...]:
    """Those of the other places that the hotels may be in, the nearest first."""
    at = [one for _country, one in found if one]
    near: list[tuple[float, int, Destination]] = []
    for number, one in enumerate(others):
        if countries and one.country not in countries:
            continue
        middle = destinations.centre(one, context.deadline)
        # A region has no middle to measure from.
        km = min(map(middle.km_to, at)) if middle and at else 0.0
        if km <= BEYOND_SUBURBS_KM and (countries or (middle and at)):
            near.append((km, number, one))
    return tuple(one for _km, _number, one in sorted(near, key=lambda entry: entry[:2]))


# Where the dots are, in percent of the drawing: beside them stand the ratings, below them the totals. Those
# without a rating are on the lowest line, by themselves.
LEFT, RIGHT, TOP, LOWEST_RATED, BOTTOM = 16.0, 96.0, 9.0, 74.0, 85.0
# A number needs so much room, in percent of a phone's drawing.
NUMBER_WIDTH, NUMBER_HEIGHT = 7.0, 10.0

# What no other is, by whether any has a rating and any a distance.
_NO_OTHER = {
    (True, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper, better rated and nearer at once"),
    (True, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper and better rated at once"),
    (False, True): gettext_lazy("%(count)s of %(all)s: no other is cheaper and nearer at once"),
    (False, False): gettext_lazy("%(count)s of %(all)s: no other is cheaper"),
}


class Dot(msgspec.Struct, frozen=True):
    """One property on the plot and in the table; empty strings are unknown. `x` and `y` are percentages,
    `number` is its place in the table, 0 for those that aren't among the best; `numbered` says whether there
    is room to write it."""

    number: int
    name: str
    href: str
    total: str
    rating: str
    distance: str
    x: float
    y: float
    numbered: bool = False

    @property
    def words(self) -> str:
        """What the dot is called: its number first, which is what one sees of it."""
        return " · ".join(
            filter(None, (str(self.number or ""), self.name, self.total, self.rating, self.distance))
        )


class Tick(msgspec.Struct, frozen=True):
    """A mark of an axis: its words, and where, in percent of the drawing."""

    text: str
    at: float


@dataclass(frozen=True)
class TradeoffsPlot:
    """Parameters of results/tradeoffs.html."""

    tradeoffs: Tradeoffs
    reader: Reader
    links: Links

    @property
    def sentence(self) -> str:
        """`9 of 412: no other is cheaper, better rated and nearer at once`."""
        found, number = self.tradeoffs, self.reader.number
        text = str(_NO_OTHER[found.rated, found.measured])
        return text % {"count": number(len(found.best)), "all": number(found.among)}

    @cached_property
    def best(self) -> tuple[Dot, ...]:
        found: list[Dot] = []
        for number, point in enumerate(self.tradeoffs.best, 1):
            dot = self._dot(point, number)
            crowded = any(one.numbered and _touch(one, dot) for one in found)
            found.append(msgspec.structs.replace(dot, numbered=not crowded))
        return tuple(found)

    @cached_property
    def others(self) -> tuple[Dot, ...]:
        """Those that the scale holds: a few very dear ones would leave no room for all the rest."""
        return tuple(self._dot(point, 0) for point in self.tradeoffs.others if point.total <= self._totals[1])

    @property
    def totals(self) -> tuple[Tick, ...]:
        """The ends of the scale of totals, and its middle."""
        low, high = self._totals
        ends = dict.fromkeys((low, (low * high).sqrt(), high))
        return tuple(Tick(self._whole(total), self._x(total)) for total in ends)

    @property
    def ratings(self) -> tuple[Tick, ...]:
        """The best rating and the lowest, and the row of those without one."""
        low, high = self._ratings
        rated = dict.fromkeys((high, low)) if self.tradeoffs.rated else ()
        shown = tuple(Tick(self._rating(one), self._y(one)) for one in rated)
        return (*shown, Tick(_("none"), BOTTOM)) if self._unrated else shown

    @property
    def _unrated(self) -> bool:
        """Whether one of the best has no rating."""
        return any(point.row.rating is None for point in self.tradeoffs.best)

    @cached_property
    def _totals(self) -> tuple[Decimal, Decimal]:
        """The lowest total, and the highest of all but the dearest twentieth that aren't among the best."""
        best = [point.total for point in self.tradeoffs.best]
        others = sorted(point.total for point in self.tradeoffs.others)
        return min([*best, *others]), max([*best, *others[: len(others) * 19 // 20 + 1]])

    @cached_property
    def _ratings(self) -> tuple[Decimal, Decimal]:
        points = (*self.tradeoffs.best, *self.tradeoffs.others)
        found = [point.row.rating for point in points if point.row.rating is not None]
        return (min(found), max(found)) if found else (Decimal(0), Decimal(0))

    def _dot(self, point: Point, number: int) -> Dot:
        row, offer = point.row, point.offer
        return Dot(
            number,
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

    def _whole(self, total: Decimal) -> str:
        return formatting.whole_money(total, self.links.search.currency, self.reader.numbers)

    def _x(self, total: Decimal) -> float:
        """Twice the total is the same way anywhere: most totals are near the lowest."""
        low, high = self._totals
        return _between(total.ln(), low.ln(), high.ln(), LEFT, RIGHT)

    def _y(self, rating: Decimal | None) -> float:
        if rating is None:
            return BOTTOM
        return _between(rating, *self._ratings, LOWEST_RATED if self._unrated else BOTTOM, TOP)


def _between(value: Decimal, low: Decimal, high: Decimal, start: float, end: float) -> float:
    share = float((value - low) / (high - low)) if high > low else 0.5
    return round(start + share * (end - start), 1)


def _touch(one: Dot, other: Dot) -> bool:
    return abs(one.x - other.x) < NUMBER_WIDTH and abs(one.y - other.y) < NUMBER_HEIGHT


NEIGHBOURS = 2


class PageLink(msgspec.Struct, frozen=True):
    """`href` is empty for the page we are on, and for a gap (`number` is then empty too)."""

    number: str
    href: str


@dataclass(frozen=True, slots=True)
class Pager:
    """Parameters of results/pager.html. Empty addresses are links that don't exist."""

    previous: str
    next: str
    pages: tuple[PageLink, ...]
    position: str

    @classmethod
    def of(cls, found: FoundStays, links: Links, reader: Reader) -> Self | None:
        """The pager of the results, or None when everything is on one page."""
        page, last = found.page, found.last_page
        if page == 1 and not found.has_next:
            return None
        known = page + 1 if last is None else last
        current = _("Page %(page)s") if last is None else _("Page %(page)s of %(last)s")
        pages = Paginator(range(known), 1)
        shown = pages.get_elided_page_range(min(page, known), on_each_side=NEIGHBOURS, on_ends=1)
        return cls(
            previous=links.results(min(page - 1, known)) if page > 1 else "",
            next=links.results(page + 1) if found.has_next else "",
            pages=tuple(
                PageLink(reader.number(number), "" if number == page else links.results(number))
                if isinstance(number, int)
                else PageLink("", "")
                for number in shown
            ),
            position=current % {"page": reader.number(page), "last": reader.number(known)},
        )


@dataclass(frozen=True, slots=True)
class ResultsBeginning:
    """Parameters of results/skeleton.html: what a page of results says before anything is found.

    `namesakes` are other places of the same name, each with the address of its search.
    """

    head: Head
    bar: SearchBar
    title: str
    summary: str
    namesakes: tuple[tuple[str, str], ...]

    @classmethod
    def build(cls, context: SearchContext, page: int, *, place: PlaceShown | None = None) -> Self:
        """`place` is which one the hotels are in that were found; None as long as none are."""
        search, reader = context.search, Reader.for_search(context)
        days = formatting.stay_days(search.dates, reader.texts)
        shown = place or PlaceShown.of(context, None, reader)
        title = _("Hotels in %(place)s") % {"place": shown.title}
        text = _("%(title)s for %(days)s: every provider's offer with its whole price.")
        facts = (reader.stay_line(search), chosen_stars(search.stars))
        asked = context.refinement if context.anchor else context.refinement.without("near")
        return cls(
            head=Head(
                title=f"{formatting.before_days(title)}, {days}",
                description=text % {"title": formatting.before_days(title), "days": days},
                canonical=results_path(search, asked, page),
                robots="noindex",
            ),
            bar=SearchBar.of_search(context, nearby_dates.for_calendar(context)),
            title=title,
            summary=" · ".join(filter(None, facts)),
            namesakes=_namesakes(shown.others, context, reader),
        )


def _namesakes(
    others: Iterable[Destination], context: SearchContext, reader: Reader
) -> tuple[tuple[str, str], ...]:
    """Where other places of this name are (`Texas, United States`), each with the address of its search."""
    return tuple(
        (
            ", ".join(filter(None, (one.region, reader.country(one.country)))),
            results_path(context.with_search(place=one.place).search, one.anchor),
        )
        for one in others
    )


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Parameters of results/page.html. Empty strings are notices that don't apply.

    `elsewhere` says where the hotels are, if not in the place that was asked for.
    `near_name` is what an unknown place was perhaps meant to be: name, address and count, which may be empty.
    `other_currency`: some prices are in another currency than the one asked for.
    `chosen` are the parameters of the search, to which a form adds the hotels that are chosen.
    """

    head: Head
    bar: SearchBar
    title: str
    count: str
    summary: str
    namesakes: tuple[tuple[str, str], ...]
    elsewhere: str
    near_name: tuple[str, str, str] | None
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
    def build(cls, context: SearchContext, found: FoundStays) -> Self:
        search, maker = context.search, CardMaker.of(context, found.page)
        reader, links, cards = maker.reader, maker.prices.links, maker.cards(found.listings)
        place = PlaceShown.of(context, located(found), reader)
        beginning = ResultsBeginning.build(context, found.page, place=place)
        refine = RefineView(context, found, reader)
        return cls(
            head=beginning.head,
            bar=beginning.bar,
            title=beginning.title,
            summary=beginning.summary,
            namesakes=beginning.namesakes,
            elsewhere=place.elsewhere,
            near_name=_near_name(context, found, reader),
            count=refine.matching or _count(found, reader),
            cards=cards,
            pager=Pager.of(found, links, reader),
            refine=refine,
            plot=_plot(found, reader, links),
            stale_note=_stale_note(found, reader),
            other_currency=any(
                one.offers and one.offers[0].total and one.offers[0].total.total.currency != search.currency
                for one in found.listings
            ),
            with_map=context.site.map_enabled and any(card.coordinates for card in cards),
            first_page=links.results(1),
            chosen=view_pairs(context),
        )


def _stale_note(found: FoundStays, reader: Reader) -> str:
    if not found.stale or found.newer_coming:
        return ""
    return (reader.stale_note_of_none if found.is_empty else reader.stale_note)(found.fetched_at)


def _plot(found: FoundStays, reader: Reader, links: Links) -> TradeoffsPlot | None:
    """The best trade-offs, above the first page of an order or a filter that is about them."""
    tradeoffs = found.refined.tradeoffs if found.refined and found.page == 1 else None
    return TradeoffsPlot(tradeoffs, reader, links) if tradeoffs and tradeoffs.best else None


def _near_name(context: SearchContext, found: FoundStays, reader: Reader) -> tuple[str, str, str] | None:
    """What an unknown place was perhaps meant to be: its name, the address of its search, and how many places
    to stay it has, empty where that wasn't fetched of late. None where the gateway knows it by this name."""
    meant = destinations.did_you_mean(context.search.place, context.deadline)
    if meant is None or _is_city_of_any(context.search.place, found):
        return None
    known, names = destinations.index(context.deadline), context.site.place_name_language
    sent_place = destinations.sent_name(meant, known, names, context.search.market)
    other = replace(context.with_search(place=meant.place), sent_place=sent_place)
    coverage = FullResults(other).fresh_coverage()
    count = reader.number(coverage.total) if coverage and coverage.total else ""
    return meant.text, results_path(other.search, meant.anchor), count


def _is_city_of_any(place: str, found: FoundStays) -> bool:
    return fold(place) in {fold(one.listing.property.city) for one in found.listings}


def _count(found: FoundStays, reader: Reader) -> str:
    # Some gateways count hotels of which they give none: over an empty list such a number is no count.
    if not found.total or (found.page == 1 and not found.listings):
        return ""
    text = ngettext("%(count)s place to stay", "%(count)s places to stay", found.total)
    return text % {"count": reader.number(found.total)}
