"""A page of results, with every text and link ready-made; before it its parts: the place of its name that the
hotels are in, the best trade-offs on a plot of total against rating, and the links to other pages.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from math import inf
from operator import itemgetter

import msgspec
from django.core.paginator import Paginator
from django.utils.functional import cached_property

from search.destinations import service as destinations
from search.destinations.index import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.query import Refinement
from search.domain.words import fold
from search.web import formatting
from search.web.formatting import Reader, chosen_stars
from search.web.labels import name_or_place
from search.web.links import Head, Links, results_path, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from . import dates
from .card import CardMaker
from .listings import BEYOND_SUBURBS_KM, FoundStays
from .selection import Point, Tradeoffs
from .toolbar import RefineView, place_path

# The country of a hotel, empty if unknown, and its coordinates.
Located = tuple[str, Coordinates | None]


class PlaceShown:
    """The place of the search and the one that its hotels are in: the gateway, which is asked for a name
    alone, decides which place of the name it means.

    `title` is the place, with the region or country that tells it from `others` of its name, which are
    without the place of these hotels. `sold` is the place that all hotels are in if that is another one, and
    `instead` the address of its search if the visitor picked this one.
    """

    def __init__(self, context: SearchContext, hotels: Iterable[Located] | None, reader: Reader) -> None:
        """By the hotels of a page, None before any is known."""
        located = list(hotels or ())
        self._context, self._reader, self._around = context, reader, context.refinement.around
        self._countries: set[str] = {*filter(None, map(itemgetter(0), located))}
        self._points: list[Coordinates] = [*filter(None, map(itemgetter(1), located))]
        others = destinations.namesakes(context.search.place, self._around, context.deadline)
        left = tuple(one for one in others if one not in self._possible_places)
        self.sold = self._place_of_hotels()
        is_picked = self._around or context.anchor
        self.instead = self._search_of_hotels() if self.sold and is_picked else ""
        self.others = () if hotels is None or self.instead else left
        self.title = self._title(others, left)

    @cached_property
    def _namesakes(self) -> tuple[Destination, ...]:
        """The others of the name; if a country was picked, the little ones, too."""
        place, around, deadline = self._context.search.place, self._around, self._context.deadline
        return destinations.namesakes(place, around, deadline, every=bool(around))

    def _title(self, others: tuple[Destination, ...], left: tuple[Destination, ...]) -> str:
        if others and not self.instead and (self.sold or left != others):
            # The title of a name that is nearly always one place is the name alone.
            return self.sold or self._context.search.place
        return self._with_country(others)

    def _with_country(self, others: Sequence[Destination]) -> str:
        """The place of the search, with its country if that was picked or tells it from others, behind its
        region if another place of the name is in the same country."""
        context, place = self._context, self._context.search.place
        if not (self._around or (others and (self._countries or self._points))):
            return place
        alike = any(one.country == context.country for one in self._namesakes)
        region = destinations.region(place, self._around, context.deadline) if alike else ""
        return _joined(place, region, self._reader.country(context.country))

    @cached_property
    def _is_elsewhere(self) -> bool:
        """Whether all hotels are far from the place of the search or, without distances, in one country, that
        of another place of its name: hotels of a city at a border may be on its other side."""
        centre, own, countries = self._context.centre, self._context.country, self._countries
        if centre and self._points:
            return all(centre.km_to(point) > BEYOND_SUBURBS_KM for point in self._points)
        of_another = any(one.country in countries for one in self._namesakes)
        return len(countries) == 1 and own not in countries and of_another

    @cached_property
    def _possible_places(self) -> list[Destination]:
        """The other places of the name that the hotels elsewhere may be in, the nearest first."""
        measured = [(self._km_to(one), one) for one in self._namesakes] if self._is_elsewhere else []
        near = [(km, one) for km, one in measured if km <= BEYOND_SUBURBS_KM]
        return [one for _km, one in sorted(near, key=itemgetter(0))]

    def _km_to(self, other: Destination) -> float:
        """From the nearest hotel, 0 without a middle, such as of a region, in the country of a hotel;
        infinite if it can't be the place of the hotels."""
        if self._countries and other.country not in self._countries:
            return inf
        middle = destinations.centre(other, self._context.deadline)
        if middle and self._points:
            return min(map(middle.km_to, self._points))
        return 0.0 if self._countries else inf

    def _place_of_hotels(self) -> str:
        """The place of the search in the country of the hotels, with its region if that alone tells it from
        the others; empty where it is in no other country or region that is known."""
        possible, own_country = self._possible_places, self._context.country
        countries = self._countries or {one.country for one in possible[:1]}
        is_known = len(countries) == 1 and (possible or own_country not in countries)
        if not (self._is_elsewhere and is_known):
            return ""
        (country,) = countries
        alike = country in {own_country, *(one.country for one in {*self._namesakes} - {*possible})}
        region = possible[0].region if possible and alike else ""
        return _joined(self._context.search.place, region, self._reader.country(country))

    def _search_of_hotels(self) -> str:
        """The address of the search for the place of the hotels, by their country if it isn't known."""
        if self._possible_places:
            return place_path(self._context, self._possible_places[0])
        country = next(iter(self._countries), "").upper()
        return results_path(self._context.search, Refinement(country=country))


def located(results: FoundStays) -> list[Located] | None:
    """The whereabouts of the hotels of a page, and of the one that is nearest to the place of the search;
    without any, of those that its filters leave out. None behind the last page."""
    buildings = [one.listing.property for one in results.listings]
    hotels = [(one.country, one.coordinates) for one in buildings]
    hotels += [("", point) for point in results.compared_at]
    is_none_at_all = results.page == 1 and not results.coverage.compared
    return hotels if hotels or is_none_at_all else None


def _joined(place: str, *around: str) -> str:
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


class TradeoffsPlot:
    """Parameters of results/tradeoffs.html: the `best` by total, and the `others` within the scale. A mark of
    an axis is its words, and its place in percent."""

    def __init__(self, tradeoffs: Tradeoffs, reader: Reader, links: Links) -> None:
        best, others = tradeoffs.best, tradeoffs.others
        self._reader, self._links, self._rated = reader, links, tradeoffs.rated
        counts = {"count": reader.number(len(best)), "all": reader.number(tradeoffs.among)}
        self.sentence = str(_NO_OTHER[tradeoffs.rated, tradeoffs.measured]) % counts
        # Without the dearest twentieth of the others: a few very dear ones would leave no room for the rest.
        dear = sorted(point.total for point in others)
        totals = [point.total for point in best] + dear[: len(dear) * 19 // 20 + 1]
        self._lowest, self._highest = min(totals), max(totals)
        rated = [one.row.rating for one in (*best, *others) if one.row.rating is not None]
        self._worst, self._top = min(rated, default=Decimal(0)), max(rated, default=Decimal(0))
        # The lowest rating stands a line higher if one of the best has no rating.
        self._foot = LOWEST_RATED if any(point.row.rating is None for point in best) else BOTTOM
        self.best = [Dot(point, self, reader, links) for point in best]
        self.others = [Dot(point, self, reader, links) for point in others if point.total <= self._highest]
        self._write_names()

    @property
    def totals(self) -> list[tuple[str, float]]:
        """The ends of the scale of totals, and its middle."""
        low, high, currency = self._lowest, self._highest, self._links.search.currency
        marks = dict.fromkeys((low, (low * high).sqrt(), high))
        return [(formatting.whole_money(one, currency, self._reader.numbers), self.x(one)) for one in marks]

    @property
    def ratings(self) -> list[tuple[str, float]]:
        """The best rating and the lowest, and the line of those without one."""
        marks = dict.fromkeys((self._top, self._worst)) if self._rated else ()
        unrated = [(_("none"), BOTTOM)] if self._foot < BOTTOM else []
        return [(_rating(one, self._reader), self.y(one)) for one in marks] + unrated

    def x(self, total: Decimal) -> float:
        """On a logarithmic scale: most totals are near the lowest."""
        return _between(total.ln(), self._lowest.ln(), self._highest.ln(), LEFT, RIGHT)

    def y(self, rating: Decimal | None) -> float:
        return BOTTOM if rating is None else _between(rating, self._worst, self._top, self._foot, TOP)

    def _write_names(self) -> None:
        """Beside each dot where its name covers no other name or number, and none of the dots."""
        taken = [(one.x - DOT_RADIUS, one.x + DOT_RADIUS, one.y) for one in self.best]
        taken += [(0, LEFT, at) for _rating, at in self.ratings]
        for dot in self.best:
            gap, width = 1.5 * DOT_RADIUS, LETTER_WIDTH * len(dot.name)
            beside = [(left, right) for left, right, y in taken if abs(y - dot.y) < LINE_HEIGHT]
            beside += [(-inf, 0), (100, inf)]
            for side, start in (("end", dot.x + gap), ("start", dot.x - gap - width)):
                if all(right < start or start + width < left for left, right in beside):
                    dot.name_at = side
                    taken.append((start, start + width, dot.y))
                    break


class Dot:
    """One property on the plot and in the table; empty strings are unknown. `x` and `y` are percentages,
    `name_at` says on which side of it there is room for its name: `start`, `end` or empty."""

    def __init__(self, point: Point, plot: TradeoffsPlot, reader: Reader, links: Links) -> None:
        row, offer = point.row, point.offer
        self.name, self.name_at = name_or_place(row.name, row.place), ""
        self.href = links.property(offer.provider, offer.property_id)
        self.total = reader.money(Money(point.total, links.search.currency))
        self.rating = _rating(row.rating, reader)
        self.distance = "" if point.km is None else formatting.kilometres(point.km, reader.numbers)
        self.x, self.y = plot.x(point.total), plot.y(row.rating)
        self.words = " · ".join(filter(None, (self.name, self.total, self.rating, self.distance)))


def _rating(rating: Decimal | None, reader: Reader) -> str:
    return "" if rating is None else formatting.one_decimal(rating, reader.numbers)


def _between(value: Decimal, low: Decimal, high: Decimal, start: float, end: float) -> float:
    share = float((value - low) / (high - low)) if high > low else 0.5
    return round(start + share * (end - start), 1)


class Pager:
    """Parameters of results/pager.html. An empty address is no link. `pages` are numbers with their
    addresses; for a gap both are empty."""

    def __init__(self, results: FoundStays, links: Links, reader: Reader) -> None:
        page, last = results.page, results.last_page
        self.previous = links.results(min(page - 1, last)) if page > 1 else ""
        self.next = links.results(page + 1) if results.has_next else ""
        shown = Paginator(range(last), 1).get_elided_page_range(min(page, last), on_each_side=2, on_ends=1)
        self.pages = [
            (reader.number(one), "" if one == page else links.results(one))
            if isinstance(one, int)
            else ("", "")
            for one in shown
        ]
        position = {"page": reader.number(page), "last": reader.number(last)}
        self.position = _("Page %(page)s of %(last)s") % position


class ResultsBeginning:
    """Parameters of results/skeleton.html: the page before its results. `namesakes` are other places of the
    name (`Texas, United States`), each with the address of its search."""

    def __init__(self, context: SearchContext, page: int, hotels: Iterable[Located] | None = None) -> None:
        """`hotels` are those of the page, None before any is known."""
        search, reader = context.search, Reader.for_search(context)
        self.place = place = PlaceShown(context, hotels, reader)
        words = _("No hotels in %(place)s") if place.instead else _("Hotels in %(place)s")
        self.title = words % {"place": place.title}
        before_days = formatting.before_days(self.title)
        description = _("%(title)s for %(days)s: every provider's offer with its whole price.")
        days = formatting.stay_days(search.dates, reader.texts)
        refinement = context.refinement if context.anchor else context.refinement.without("near")
        self.head = Head(
            title=f"{before_days}, {days}",
            description=description % {"title": before_days, "days": days},
            canonical=results_path(search, refinement, 1 if place.instead else page),
            robots="noindex",
        )
        self.bar = SearchBar.of_search(context, dates.for_calendar(context))
        self.summary = " · ".join(filter(None, (reader.stay_line(search), chosen_stars(search.stars))))
        self.namesakes = [
            (", ".join(filter(None, (one.region, reader.country(one.country)))), place_path(context, one))
            for one in place.others
        ]


class ResultsPage(ResultsBeginning):
    """Parameters of results/page.html. Empty strings are notices that don't apply.

    If another place of the name was picked than the hotels are in, the page shows none of them. `near_name`
    is the place that an unknown one perhaps means, with the address of its search. `other_currency`: some
    prices are not in that of the search. A form adds the chosen hotels to the parameters of the search,
    `chosen`.
    """

    def __init__(self, context: SearchContext, results: FoundStays) -> None:
        super().__init__(context, results.page, located(results))
        if self.place.instead:
            others = destinations.alternative_places(context)
            results = msgspec.structs.replace(
                results, listings=(), page=1, last_page=1, alternative_places=others
            )
        maker = CardMaker(context, results.page)
        reader, links = maker.reader, maker.links
        self.near_name = _near_name(context, results)
        self.cards = maker.cards(results.listings)
        self.pager = Pager(results, links, reader) if results.page > 1 or results.has_next else None
        self.refine = RefineView(context, results, reader)
        self.count = "" if self.place.instead else self.refine.matching or _count(results, reader)
        self.stale_note = _stale_note(results, reader)
        self.with_map = context.site.map_enabled and any(card.coordinates for card in self.cards)
        self.first_page, self.chosen = links.results(1), view_pairs(context)

    @cached_property
    def plot(self) -> TradeoffsPlot | None:
        refine, tradeoffs = self.refine, self.refine.results.tradeoffs
        if refine.results.page > 1 or tradeoffs is None or not tradeoffs.best:
            return None
        return TradeoffsPlot(tradeoffs, refine.reader, Links(refine.context))

    @property
    def other_currency(self) -> bool:
        prices = [card.best.price for card in self.cards if card.best and card.best.price]
        return any(price.of.total.currency != price.search.currency for price in prices)

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
    return meant.text, place_path(context, meant)


def _stale_note(results: FoundStays, reader: Reader) -> str:
    if not results.stale or results.newer_coming:
        return ""
    note = reader.stale_note_of_none if results.is_empty else reader.stale_note
    return note(results.fetched_at)


def _count(results: FoundStays, reader: Reader) -> str:
    # Some gateways count more hotels than they give, and count some where they give none.
    coverage = results.coverage
    total = coverage.compared if coverage.gives_less else coverage.total
    if not total or (results.page == 1 and not results.listings):
        return ""
    text = ngettext("%(count)s place to stay", "%(count)s places to stay", total)
    return text % {"count": reader.number(total)}
