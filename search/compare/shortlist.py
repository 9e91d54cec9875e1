"""The shortlist: hotels that its address names, with the totals of now.

`stay=<provider>/<property>` names a hotel. In an address of several searches each `place` begins one, and the
hotels up to the next belong to it; what it doesn't say (days, guests, currency) is that of the one before it.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import msgspec
from django.http import HttpRequest, QueryDict
from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.process import Deadline
from search.domain.query import Refinement, encode_pairs
from search.domain.site_settings import Site
from search.gateway import GatewayError, NotFound
from search.property import observed
from search.property import service as properties
from search.property.price_history import PriceHistory, histories
from search.results.card import CardMaker, ListingCard
from search.results.context import context_of
from search.results.full_results import FullResults
from search.results.listings import FoundProperty, PricedListing, priced, visible
from search.web.labels import property_name
from search.web.links import Head, Stay, photo_addresses, property_path, reverse, search_pairs
from search.web.search_form import MAX_PLACE, StayForm
from search.web.shortcuts import address_pairs
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .side_by_side import AT_ONCE, hotels_of, of_each

MOST_KEPT = 50
# Each costs the calls of a results page; an address may name more, on the next page.
SEARCHES_A_PAGE = 4
DAYS = ("checkin", "checkout")
SEARCH = ("place", *DAYS, "guests", "currency", "country", "region", "near")
INHERITED = (*DAYS, "guests", "currency")

Pairs = tuple[tuple[str, str], ...]


class KeptSearch(NamedTuple):
    """Some hotels of an address and the parameters of their search."""

    search: Pairs
    stays: tuple[Stay, ...]


def stays_of(texts: Iterable[str], most: int) -> tuple[Stay, ...]:
    """The first `most` hotels that the texts name, each once."""
    stays = filter(None, map(Stay.of, islice(texts, 4 * MOST_KEPT)))
    return tuple(islice(dict.fromkeys(stays), most))


def kept_searches(request: HttpRequest) -> tuple[KeptSearch, ...]:
    """The different searches of an address with their hotels, at most `MOST_KEPT` in all, each once, without
    those that `drop` names."""
    seen = {*stays_of(request.GET.getlist("drop"), MOST_KEPT)}
    most = MOST_KEPT + len(seen)
    searches: dict[Pairs, list[Stay]] = {}
    for values, texts in _parts(address_pairs(request)):
        stays = [one for one in stays_of(texts, MOST_KEPT) if one not in seen][: most - len(seen)]
        seen.update(stays)
        if stays:
            search = tuple((name, values[name]) for name in SEARCH if values.get(name))
            searches.setdefault(search, []).extend(stays)
    return tuple(KeptSearch(search, tuple(stays)) for search, stays in searches.items())


def _parts(pairs: list[tuple[str, str]]) -> Iterable[tuple[dict[str, str], list[str]]]:
    """The parameters of each search of an address, and its hotels as they are spelled."""
    values: dict[str, str] = {}
    texts: list[str] = []
    for name, value in pairs:
        if name == "place" and "place" in values:
            yield values, texts
            values, texts = {one: values[one] for one in INHERITED if one in values}, []
        if name in SEARCH and len(value) <= MAX_PLACE:
            values[name] = value
        elif name in ("stay", "add"):
            texts.append(value)
    yield values, texts


def list_pairs(searches: Iterable[KeptSearch]) -> list[tuple[str, str]]:
    """The parameters of a list's address: what a search shares with the one before it is said once."""
    pairs: list[tuple[str, str]] = []
    before: dict[str, str] = {}
    for one in searches:
        values = dict(one.search)
        # Its place begins a search, even an empty one; what only the one before has is taken back.
        pairs.append(("place", values.get("place", "")))
        own = {name: values.get(name, "") for name in SEARCH[1:]}
        pairs += [(name, value) for name, value in own.items() if value != before.get(name, "")]
        pairs += [("stay", str(stay)) for stay in one.stays]
        before = {name: own[name] for name in INHERITED}
    return pairs


def shortlist_path(searches: Iterable[KeptSearch], market: str = "", page: int = 1) -> str:
    """The address of a list; `page` says which of its searches are looked up."""
    pairs = list_pairs(searches)
    pairs += [("market", market)] if market else []
    pairs += [("page", str(page))] if page > 1 else []
    return reverse("shortlist", pairs=pairs).replace("%2F", "/")


class Listed(NamedTuple):
    """The hotels of a search that are there now. `complete`: others aren't offered; else they may be in what
    was not compared. `stale_from` is when the totals were fetched, if no newer ones are available."""

    found: dict[Stay, PricedListing]
    complete: bool = False
    stale_from: datetime | None = None
    fetched_at: datetime | None = None


def listed(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    """The hotels of one search from its results; without a place the first `AT_ONCE`, each by itself."""
    if not context.search.place:
        return _listed_one_by_one(context, stays[:AT_ONCE])
    offered = properties.offered_now(context, {one.key for one in stays})
    if offered is None:
        return Listed({})
    cards = {}
    for stay in stays:
        listing = offered.listing(stay.key)
        if listing and (shown := visible(listing, context)):
            card = msgspec.structs.replace(priced(shown, context), shared=bool(stay.hotel))
            observed.note(context, card.listing.property.key, card.offers, offered.fetched_at)
            cards[stay] = card
    return Listed(cards, offered.complete, offered.fetched_at if offered.stale else None, offered.fetched_at)


def _listed_one_by_one(context: SearchContext, stays: tuple[Stay, ...]) -> Listed:
    try:
        hotels = hotels_of(context, stays)
    except GatewayError:
        return Listed({})
    there = {one: hotel for one, hotel in hotels.items() if isinstance(hotel, FoundProperty)}
    stale_from = min((hotel.stale_from for hotel in there.values() if hotel.stale_from), default=None)
    return Listed(
        {one: properties.card_in_list(hotel) for one, hotel in there.items()}, stale_from=stale_from
    )


def buildings_of(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Property | None]:
    """The details of hotels that no result shows: None for one that isn't offered here; without those that
    are not available right now."""

    def building(stay: Stay) -> Property:
        if not context.site.provider(stay.provider).enabled:
            raise NotFound("request", 404)
        return properties.details(context, stay.provider, stay.property_id, dated=False).value.property

    return {
        stay: one if isinstance(one, Property) else None
        for stay, one in of_each(building, stays).items()
        if isinstance(one, Property | NotFound)
    }


class ShortlistEntry(NamedTuple):
    """One hotel: its card, or what is known without one. `stays` are its names in addresses."""

    stays: tuple[str, ...]
    card: ListingCard | None = None
    name: str = ""
    href: str = ""
    picture: str = ""
    note: str = ""
    history: PriceHistory | None = None


class ShortlistGroup:
    """The hotels of one search and its parameters. `problem` says why it can't be repeated, `to_form` leads
    to its form for other days, `stale_note` says that its totals are older; all may be empty."""

    stay = to_results = problem = to_form = stale_note = ""
    fields: Pairs = ()

    def __init__(self, number: int, kept: KeptSearch, site: Site, deadline: Deadline) -> None:
        self.id = f"compare-{number + 1}"
        self.kept, self.listed = kept, Listed({})
        self.title = dict(kept.search).get("place", "")
        self._pairs = [*kept.search, ("market", site.default_market)]
        query = QueryDict(encode_pairs(self._pairs))
        form = StayForm(query, site=site, today=localdate())
        self.context = context_of(form, query, deadline) if form.is_valid() else None
        if self.context is None:
            self.problem = " ".join(str(text) for texts in form.errors.values() for text in texts)
            pairs = [(name, value) for name, value in self._pairs if name not in DAYS]
            self.to_form = reverse("results", pairs=pairs)

    @property
    def missing(self) -> list[Stay]:
        return [one for one in self.kept.stays if one not in self.listed.found]

    @property
    def comparable(self) -> bool:
        return sum(1 for one in self.entries if one.card) > 1

    def show(self, usual: SearchContext, buildings: dict[Stay, Property | None], *, several: bool) -> None:
        """Put it into words, with its currency if the list has `several`."""
        maker, listed = CardMaker(self.context or usual, 1), self.listed
        seen: dict[str, PriceHistory] = {}
        if self.context:
            search, reader = self.context.search, maker.reader
            self.title, self.fields = search.place, search_pairs(self.context)
            self.stay = " · ".join((reader.stay_line(search), *([search.currency] if several else ())))
            if search.place:
                # Without scripts the results hand the list on to the next heart.
                pairs = [*self.fields, *(("stay", str(stay)) for stay in self.kept.stays)]
                self.to_results = reverse("results", pairs=pairs)
            if listed.stale_from:
                self.stale_note = reader.stale_note(listed.stale_from)
            offers = {card.listing.property.key: card.offers for card in listed.found.values()}
            seen = histories(self.context, offers, listed.fetched_at, stale=listed.stale_from is not None)
        self.entries = [self._entry(stay, maker, seen, buildings) for stay in self.kept.stays]

    def _entry(
        self,
        stay: Stay,
        maker: CardMaker,
        seen: dict[str, PriceHistory],
        buildings: dict[Stay, Property | None],
    ) -> ShortlistEntry:
        if now := self.listed.found.get(stay):
            card, history = maker.card(now), seen.get(now.listing.property.key)
            return ShortlistEntry(tuple(dict.fromkeys((str(stay), *card.stays))), card, history=history)
        building = buildings.get(stay)
        if building is None and stay in buildings:
            note = _("No longer offered here")
        elif self.context is None:
            note = ""
        elif self.listed.complete:
            note = _("No longer offered for these dates")
        else:
            note = _("Its price is not known right now")
        if building is None:
            return ShortlistEntry((str(stay),), note=note)
        return ShortlistEntry(
            (str(stay),),
            name=property_name(building),
            href=f"{property_path(stay.provider, stay.property_id)}?{encode_pairs(self._pairs)}",
            picture=next(iter(photo_addresses(building.images)), ""),
            note=note,
        )


class ShortlistPage:
    """Parameters of compare/shortlist.html: one page of a list, with the totals of `SEARCHES_A_PAGE` searches
    at most. `pairs` are the parameters of the whole list, `address` is its address for any reader."""

    def __init__(self, searches: tuple[KeptSearch, ...], page: int, site: Site, deadline: Deadline) -> None:
        market, first, after = site.default_market, (page - 1) * SEARCHES_A_PAGE, page * SEARCHES_A_PAGE
        self.title = _("Shortlist")
        self.head = Head(title=self.title, robots="noindex")
        self.count = _hotels(sum(len(one.stays) for one in searches))
        # `1 hotel|2 hotels`, up to as many as a list holds.
        self.counts = "|".join(map(_hotels, range(1, MOST_KEPT + 1)))
        self.pairs = [*list_pairs(searches), ("market", market)]
        self.address = shortlist_path(searches)
        self.previous = shortlist_path(searches, market, page - 1) if page > 1 else ""
        self.next = shortlist_path(searches, market, page + 1) if after < len(searches) else ""
        shown = enumerate(searches[first:after], first)
        self.groups = [ShortlistGroup(number, one, site, deadline) for number, one in shown]
        self._look_up(site, deadline)

    def _look_up(self, site: Site, deadline: Deadline) -> None:
        """The hotels of each group, and the details of at most `AT_ONCE` that are not among the results."""
        searched = [(one, one.context) for one in self.groups if one.context]
        for _group, context in searched:
            if context.search.place:
                FullResults(context).start_unless_fresh()
        for group, context in searched:
            group.listed = listed(context, group.kept.stays)
        today = localdate()
        usual = SearchContext(site.usual_search("", today), Refinement(), site, today, deadline)
        missing = [stay for one in self.groups for stay in one.missing]
        buildings = buildings_of(usual, missing[:AT_ONCE])
        currencies = {context.search.currency for _group, context in searched}
        for group in self.groups:
            group.show(usual, buildings, several=len(currencies) > 1)


def _hotels(count: int) -> str:
    return ngettext("%(count)s hotel", "%(count)s hotels", count) % {"count": count}
