"""The pages of hotels side by side and of the shortlist."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

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


class ComparePage:
    """Parameters of compare/page.html. `back` is an address and its words; `dates` is the form for other
    dates and the bar with its days."""

    dates: tuple[DatesForm, SearchBar] | None = None

    def __init__(
        self,
        context: SearchContext,
        columns: Sequence[Column],
        back: tuple[str, str],
        notices: Iterable[str],
    ) -> None:
        """The page without empty notices."""
        reader, count = Reader.for_search(context), len(columns)
        text = ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
        self.title = text % {"count": count}
        self.head = Head(title=self.title, robots="noindex")
        self.stay = in_whole_parts(reader.stay_line(context.search))
        self.back = back
        self.table = CompareTable(columns, context.search.currency, reader)
        self.landmarks = landmarks_of([one.now for one in columns], context, reader)
        self.notices = [*filter(None, notices)]


def back_link(context: SearchContext) -> tuple[str, str]:
    """Address and words of the link to the results, or to the first page for a search without a place."""
    if context.search.place:
        return Links.of(context).results(), _("Back to the results")
    return home_path(context.search), _("Search for hotels")


def compare_page(context: SearchContext, hotels: dict[Stay, Found], left_out: bool) -> ComparePage:
    """The comparison of hotels that an address names; `left_out`: it names more than are compared."""
    maker = CardMaker(context, 1)
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
    page = ComparePage(context, [*columns.values()], back_link(context), notices)
    page.dates = (form, bar)
    return page


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
    fields: tuple[tuple[str, str], ...] = ()

    def __init__(self, number: int, kept: KeptSearch, site: Site, deadline: Deadline) -> None:
        query = kept.query(site.default_market)
        self.id = f"compare-{number + 1}"
        self.kept = kept
        self.listed = Listed({})
        self.title = dict(kept.search).get("place", "")
        self._pairs = [*kept.search, ("market", site.default_market)]
        form = StayForm(query, site=site, today=localdate())
        self.context = context_of(form, query, deadline) if form.is_valid() else None
        if self.context is None:
            self.problem = " ".join(str(text) for texts in form.errors.values() for text in texts)
            pairs = [(name, value) for name, value in self._pairs if name not in DAYS]
            self.to_form = f"{reverse('results')}?{encode_pairs(pairs)}"

    @property
    def missing(self) -> list[Stay]:
        return [one for one in self.kept.stays if one not in self.listed.found]

    @property
    def comparable(self) -> bool:
        return sum(1 for one in self.entries if one.card) > 1

    def show(self, usual: SearchContext, buildings: dict[Stay, Property | None], *, several: bool) -> None:
        """Put it into words, with its currency if the list has `several`."""
        maker = CardMaker(self.context or usual, 1)
        self.entries = [self._entry(stay, maker, buildings) for stay in self.kept.stays]
        if self.context is None:
            return
        search, reader = self.context.search, maker.reader
        self.title, self.fields = search.place, search_pairs(self.context)
        self.stay = " · ".join((reader.stay_line(search), *([search.currency] if several else ())))
        if search.place:
            # Without scripts the results hand the list on to the next heart.
            pairs = [*self.fields, *(("stay", str(stay)) for stay in self.kept.stays)]
            self.to_results = f"{reverse('results')}?{encode_pairs(pairs)}"
        if self.listed.stale_from:
            self.stale_note = reader.stale_note(self.listed.stale_from)

    @cached_property
    def _histories(self) -> dict[str, PriceHistory]:
        """What was seen of the hotels that are there now, by their keys."""
        listed, cards = self.listed, self.listed.found.values()
        if self.context is None:
            return {}
        offers = {card.listing.property.key: card.offers for card in cards}
        return histories(self.context, offers, listed.fetched_at, stale=listed.stale_from is not None)

    def _entry(self, stay: Stay, maker: CardMaker, buildings: dict[Stay, Property | None]) -> ShortlistEntry:
        if now := self.listed.found.get(stay):
            card = maker.card(now, 0)
            history = self._histories.get(now.listing.property.key)
            return ShortlistEntry(tuple(dict.fromkeys((str(stay), *card.stays))), card, history=history)
        building = buildings.get(stay)
        if building is None:
            return ShortlistEntry((str(stay),), note=self._note(not_here=stay in buildings))
        return ShortlistEntry(
            stays=(str(stay),),
            name=property_name(building),
            href=f"{property_path(stay.provider, stay.property_id)}?{encode_pairs(self._pairs)}",
            picture=next(iter(photo_addresses(building.images)), ""),
            note=self._note(),
        )

    def _note(self, *, not_here: bool = False) -> str:
        if not_here:
            return _("No longer offered here")
        if self.context is None:
            return ""
        if self.listed.complete:
            return _("No longer offered for these dates")
        return _("Its price is not known right now")


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
        service.start(context for _group, context in searched)
        for group, context in searched:
            group.listed = service.listed(context, group.kept.stays)
        today = localdate()
        usual = SearchContext(site.usual_search("", today), Refinement(), site, today, deadline)
        missing = [stay for one in self.groups for stay in one.missing][: service.AT_ONCE]
        buildings = service.buildings(usual, missing)
        currencies = {context.search.currency for _group, context in searched}
        for group in self.groups:
            group.show(usual, buildings, several=len(currencies) > 1)


def _hotels(count: int) -> str:
    return ngettext("%(count)s hotel", "%(count)s hotels", count) % {"count": count}
