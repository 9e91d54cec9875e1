"""The pages of hotels side by side and of the shortlist."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.offers import Listing
from search.domain.process import Deadline
from search.domain.query import Refinement, encode_pairs
from search.domain.site_settings import Site
from search.gateway.errors import NotFound
from search.property.page import DatesForm
from search.property.price_history import PriceHistory, histories
from search.results.card import CardMaker, ListingCard
from search.results.context import context_of
from search.results.listings import FoundProperty, NoOffers, PricedListing
from search.results.map_pins import landmarks_of
from search.web.formatting import Reader, in_whole_parts
from search.web.labels import property_name
from search.web.links import (
    Head,
    Links,
    Stay,
    home_path,
    photo_addresses,
    property_path,
    reverse,
    search_pairs,
)
from search.web.search_form import SearchBar, StayForm
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import service
from .service import (
    MOST_KEPT,
    Found,
    KeptSearch,
    Listed,
    card_as_listed,
    compare_path,
    list_pairs,
    shortlist_path,
)
from .table import Column, CompareTable

# Each costs the calls of a results page; an address may name more, on the next page.
SEARCHES_A_PAGE = 4
DAYS = ("checkin", "checkout")


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Parameters of compare/page.html. `back` is an address and its words; `landmarks` are those of the map,
    empty without one; `dates` is the form for other dates and the bar with its days."""

    head: Head
    title: str
    stay: str
    back: tuple[str, str]
    table: CompareTable
    landmarks: str
    notices: tuple[str, ...] = ()
    dates: tuple[DatesForm, SearchBar] | None = None

    @classmethod
    def build(
        cls,
        context: SearchContext,
        columns: tuple[Column, ...],
        back: tuple[str, str],
        notices: Iterable[str],
    ) -> Self:
        """The page without empty notices."""
        reader, count = Reader.for_search(context), len(columns)
        text = ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
        title = text % {"count": count}
        return cls(
            head=Head(title=title, robots="noindex"),
            title=title,
            stay=in_whole_parts(reader.stay_line(context.search)),
            back=back,
            table=CompareTable.build(columns, context.search.currency, reader),
            landmarks=landmarks_of([one.now for one in columns], context, reader),
            notices=tuple(filter(None, notices)),
        )


def back_link(context: SearchContext) -> tuple[str, str]:
    """Address and words of the link to the results, or to the first page for a search without a place."""
    if context.search.place:
        return Links.of(context).results(), _("Back to the results")
    return home_path(context.search), _("Search for hotels")


def compare_page(context: SearchContext, hotels: dict[Stay, Found], left_out: bool) -> ComparePage:
    """The comparison of hotels that an address names; `left_out`: it names more than are compared."""
    maker = CardMaker.of(context, 1)
    there = {stay: one for stay, one in hotels.items() if isinstance(one, FoundProperty)}
    keys = {stay: there[stay].building.key if stay in there else stay.key for stay in hotels}
    columns: dict[str, Column] = {}
    for stay, one in hotels.items():
        column = _column(stay, one, context, maker)
        columns.setdefault(keys[stay], column._replace(remove=_without(keys[stay], keys, context)))
    bar = SearchBar.of_search(context)
    stale_from = min(filter(None, (one.stale_from for one in there.values())), default=None)
    notices = (
        _("At most four hotels are compared: these are the first four.") if left_out else "",
        maker.reader.stale_note(stale_from) if stale_from else "",
        bar.note,
    )
    form = DatesForm(context, reverse("compare"), *(("stay", str(stay)) for stay in hotels))
    page = ComparePage.build(context, tuple(columns.values()), back_link(context), notices)
    return replace(page, dates=(form, bar))


def _without(key: str, keys: Mapping[Stay, str], context: SearchContext) -> str:
    """The address of the comparison without the hotel of this key, if two are left."""
    others = [stay for stay in keys if keys[stay] != key]
    return compare_path(context, others) if len(others) > 1 else ""


def _column(stay: Stay, hotel: Found, context: SearchContext, maker: CardMaker) -> Column:
    if not isinstance(hotel, FoundProperty):
        building = Property(stay.key, stay.provider, stay.property_id)
        now = PricedListing(Listing(building, (), None), (), (), None)
        is_gone = isinstance(hotel, NotFound)
        note = _("No longer offered here") if is_gone else _("Not available right now")
        return Column(now, maker.card(now, 0), None, note=note, gone=True)
    now, details = card_as_listed(hotel, context), hotel.details if hotel.details.available else None
    is_known = hotel.offers is not None or hotel.no_offers is NoOffers.NOT_OFFERED
    note = "" if is_known else _("Its price is not known right now")
    return Column(now, maker.card(now, 0), details, note=note)


@dataclass(frozen=True, slots=True)
class ShortlistEntry:
    """One hotel: its card, or why there is none with what is known of it. `stays` are its names in addresses,
    `now` is its total in words."""

    stays: tuple[str, ...]
    card: ListingCard | None = None
    name: str = ""
    href: str = ""
    picture: str = ""
    note: str = ""
    history: PriceHistory | None = None

    @property
    def now(self) -> str:
        return self.card.pin if self.card else ""


@dataclass(frozen=True, slots=True)
class ShortlistGroup:
    """The hotels of one search and its parameters. `problem` says why it can't be repeated, `to_form` leads
    to its form for other days, `stale_note` says that its totals are older; all may be empty."""

    id: str
    title: str
    stay: str
    fields: tuple[tuple[str, str], ...]
    entries: tuple[ShortlistEntry, ...]
    to_results: str = ""
    problem: str = ""
    to_form: str = ""
    stale_note: str = ""

    @property
    def comparable(self) -> bool:
        return sum(1 for one in self.entries if one.card) > 1


@dataclass(frozen=True, slots=True)
class ShortlistPage:
    """Parameters of compare/shortlist.html. `pairs` are the parameters of the whole list, `address` is its
    address for any reader, `previous` and `next` are those of its other pages."""

    head: Head
    title: str
    count: str
    groups: tuple[ShortlistGroup, ...]
    pairs: list[tuple[str, str]]
    address: str
    previous: str
    next: str

    @property
    def counts(self) -> str:
        """`1 hotel|2 hotels`, up to as many as a list holds."""
        return "|".join(map(_hotels, range(1, MOST_KEPT + 1)))

    @classmethod
    def build(
        cls, searches: tuple[KeptSearch, ...], groups: tuple[ShortlistGroup, ...], page: int, market: str
    ) -> Self:
        count = sum(len(one.stays) for one in searches)
        return cls(
            head=Head(title=_("Shortlist"), robots="noindex"),
            title=_("Shortlist"),
            count=_hotels(count),
            groups=groups,
            pairs=[*list_pairs(searches), ("market", market)],
            address=shortlist_path(searches),
            previous=shortlist_path(searches, market, page - 1) if page > 1 else "",
            next=shortlist_path(searches, market, page + 1) if page * SEARCHES_A_PAGE < len(searches) else "",
        )


def _hotels(count: int) -> str:
    return ngettext("%(count)s hotel", "%(count)s hotels", count) % {"count": count}


@dataclass(slots=True)
class ListedSearch:
    """A search of the list: what its form says (no `context`: not valid), and the hotels it offers now."""

    kept: KeptSearch
    form: StayForm
    context: SearchContext | None
    listed: Listed = field(default_factory=lambda: Listed({}))

    @classmethod
    def read(cls, search: KeptSearch, site: Site, deadline: Deadline) -> Self:
        query = search.query(site.default_market)
        form = StayForm(query, site=site, today=localdate())
        return cls(search, form, context_of(form, query, deadline) if form.is_valid() else None)

    @property
    def missing(self) -> list[Stay]:
        return [one for one in self.kept.stays if one not in self.listed.found]

    def group(
        self, number: int, usual: SearchContext, buildings: dict[Stay, Property | None], *, several: bool
    ) -> ShortlistGroup:
        """The group, with its currency if the list has `several`; `usual` stands for a search that is not
        valid."""
        name, maker = f"compare-{number + 1}", CardMaker.of(self.context or usual, 1)
        seen = self._histories()
        entries = tuple(
            replace(self._entry(stay, maker, buildings), history=seen.get(stay)) for stay in self.kept.stays
        )
        if self.context is None:
            errors = " ".join(str(text) for texts in self.form.errors.values() for text in texts)
            pairs = [(name, value) for name, value in self._pairs() if name not in DAYS]
            to_form = f"{reverse('results')}?{encode_pairs(pairs)}"
            place = dict(self.kept.search).get("place", "")
            return ShortlistGroup(name, place, "", (), entries, problem=errors, to_form=to_form)
        search, reader, fields = self.context.search, maker.reader, search_pairs(self.context)
        # Without scripts the results hand the list on to the next heart.
        to_results = encode_pairs([*fields, *(("stay", str(stay)) for stay in self.kept.stays)])
        return ShortlistGroup(
            id=name,
            title=search.place,
            stay=" · ".join((reader.stay_line(search), *([search.currency] if several else ()))),
            fields=fields,
            entries=entries,
            to_results=f"{reverse('results')}?{to_results}" if search.place else "",
            stale_note=reader.stale_note(self.listed.stale_from) if self.listed.stale_from else "",
        )

    def _histories(self) -> dict[Stay, PriceHistory]:
        """What was seen of the hotels that are there now."""
        if self.context is None:
            return {}
        keys = {stay: card.listing.property.key for stay, card in self.listed.found.items()}
        offers = {keys[stay]: card.offers for stay, card in self.listed.found.items()}
        stale = self.listed.stale_from is not None
        seen = histories(self.context, offers, self.listed.fetched_at, stale=stale)
        return {stay: seen[key] for stay, key in keys.items() if key in seen}

    def _entry(self, stay: Stay, maker: CardMaker, buildings: dict[Stay, Property | None]) -> ShortlistEntry:
        if stay in self.listed.found:
            card = maker.card(self.listed.found[stay], 0)
            return ShortlistEntry(tuple(dict.fromkeys((str(stay), *card.stays))), card)
        building = buildings.get(stay)
        if building is None:
            return ShortlistEntry((str(stay),), note=self._note(not_here=stay in buildings))
        return ShortlistEntry(
            stays=(str(stay),),
            name=property_name(building),
            href=f"{property_path(stay.provider, stay.property_id)}?{encode_pairs(self._pairs())}",
            picture=next(iter(photo_addresses(building.images)), ""),
            note=self._note(),
        )

    def _pairs(self) -> list[tuple[str, str]]:
        return [*self.kept.search, ("market", self.form.data["market"])]

    def _note(self, *, not_here: bool = False) -> str:
        if not_here:
            return _("No longer offered here")
        if self.context is None:
            return ""
        if self.listed.complete:
            return _("No longer offered for these dates")
        return _("Its price is not known right now")


def shortlist_page(
    searches: tuple[KeptSearch, ...], page: int, site: Site, deadline: Deadline
) -> ShortlistPage:
    """Page `page` of the list: the totals of at most `SEARCHES_A_PAGE` searches, and the details of at most
    `service.AT_ONCE` hotels that are not among their results."""
    first = (page - 1) * SEARCHES_A_PAGE
    shown = [ListedSearch.read(one, site, deadline) for one in searches[first : first + SEARCHES_A_PAGE]]
    service.start(one.context for one in shown if one.context)
    for one in shown:
        if one.context:
            one.listed = service.listed(one.context, one.kept.stays)
    today = localdate()
    usual = SearchContext(site.usual_search("", today), Refinement(), site, today, deadline)
    missing = [stay for one in shown for stay in one.missing][: service.AT_ONCE]
    buildings = service.buildings(usual, missing)
    currencies = {one.context.search.currency for one in shown if one.context}
    groups = tuple(
        one.group(number, usual, buildings, several=len(currencies) > 1)
        for number, one in enumerate(shown, first)
    )
    return ShortlistPage.build(searches, groups, page, site.default_market)
