"""The page of hotels side by side, of a shared link or for everybody."""

from dataclasses import dataclass, field
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
from search.results.card import CardMaker, ListingCard
from search.results.context import context_of
from search.results.listings import FoundProperty, NoOffers, PricedListing
from search.web.formatting import Reader, in_whole_parts
from search.web.labels import property_name
from search.web.links import (
    Head,
    Links,
    home_path,
    photo_addresses,
    property_path,
    results_path,
    reverse,
    search_pairs,
)
from search.web.search_form import SearchBar, SearchForm, StayForm
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import service
from .service import (
    MOST_KEPT,
    Found,
    KeptSearch,
    Listed,
    Stay,
    card_as_listed,
    compare_path,
    list_pairs,
    shortlist_path,
)
from .table import Column, CompareTable


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Parameters of compare/page.html. `back` is an address and its words; `notices` say what was left
    out; `dates` is the form for other dates and the bar with its days."""

    head: Head
    title: str
    stay: str
    back: tuple[str, str]
    table: CompareTable
    with_map: bool
    notices: tuple[str, ...] = ()
    dates: tuple[DatesForm, SearchBar] | None = None

    @classmethod
    def build(
        cls,
        context: SearchContext,
        columns: tuple[Column, ...],
        back: tuple[str, str],
        head: Head | None = None,
        notices: tuple[str, ...] = (),
        dates: tuple[DatesForm, SearchBar] | None = None,
    ) -> Self:
        reader, title = Reader.for_search(context), _title(len(columns))
        placed = any(one.card.coordinates for one in columns)
        return cls(
            head=head or Head(title=title, robots="noindex"),
            title=title,
            stay=in_whole_parts(reader.stay_line(context.search)),
            back=back,
            table=CompareTable.build(columns, context.search.currency, reader),
            with_map=context.site.map_enabled and placed,
            notices=notices,
            dates=dates,
        )


def back_link(context: SearchContext) -> tuple[str, str]:
    """Address and words of the link to the results of the search, or to the first page if it has no place."""
    if context.search.place:
        return Links.of(context).results(), _("Back to the results")
    return home_path(context.search.market), _("Search for hotels")


def compare_page(context: SearchContext, found: dict[Stay, Found], left_out: bool) -> ComparePage:
    """The comparison of hotels that an address names; `left_out`: it names more than are compared."""
    maker = CardMaker.of(context, 1)
    columns: dict[str, Column] = {}
    keys = {
        stay: one.building.key if isinstance(one, FoundProperty) else stay.key for stay, one in found.items()
    }
    for stay, one in found.items():
        others = [other for other in found if keys[other] != keys[stay]]
        remove = compare_path(context, others) if len(others) > 1 else ""
        if isinstance(one, FoundProperty):
            columns.setdefault(keys[stay], _column(one, context, maker, remove))
        else:
            columns[stay.key] = _missing(stay, maker, remove, gone=isinstance(one, NotFound))
    notices = [_("At most four hotels are compared: these are the first four.")] if left_out else []
    stale = [one.stale_from for one in found.values() if isinstance(one, FoundProperty) and one.stale_from]
    notices += [maker.reader.stale_note(min(stale))] if stale else []
    shown = tuple(columns.values())
    bar = SearchBar.of_search(context)
    notices += [bar.note] if bar.note else []
    form = DatesForm.of(context, reverse("compare"), *(("stay", str(stay)) for stay in found))
    back, dates = back_link(context), (form, bar)
    return ComparePage.build(context, shown, back, notices=tuple(notices), dates=dates)


def _column(found: FoundProperty, context: SearchContext, maker: CardMaker, remove: str) -> Column:
    now, details = card_as_listed(found, context), found.details if found.details.available else None
    known = found.offers is not None or found.no_offers is NoOffers.NOT_OFFERED
    note = "" if known else _("Its price is not known right now")
    return Column(now, maker.card(now, 0), details, note=note, remove=remove)


def _missing(stay: Stay, maker: CardMaker, remove: str, *, gone: bool) -> Column:
    """The column of a hotel that isn't offered any more, or of which nothing is available right now."""
    building = Property(stay.key, stay.provider, stay.property_id)
    now = PricedListing(Listing(building, (), None), (), (), None)
    note = _("No longer offered here") if gone else _("Not available right now")
    return Column(now, maker.card(now, 0), None, note=note, remove=remove, gone=True)


def _title(count: int) -> str:
    text = ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
    return text % {"count": count}


# Each costs the calls of a results page; what more an address names is on its next page.
SEARCHES_A_PAGE = 4
DAYS = ("checkin", "checkout")


@dataclass(frozen=True, slots=True)
class ShortlistEntry:
    """One hotel: its card or, where no total of now is known, its name (maybe empty), address and picture,
    and why. `stays` are how addresses name it, `now` its total in words."""

    stays: tuple[str, ...]
    card: ListingCard | None = None
    name: str = ""
    href: str = ""
    picture: str = ""
    note: str = ""

    @property
    def now(self) -> str:
        return self.card.pin if self.card else ""


@dataclass(frozen=True, slots=True)
class ShortlistGroup:
    """The hotels of one search. `fields` are the parameters of the search, `to_results` the address of its
    results; `problem` says why it can't be repeated, `to_form` leads to its form for other days, `stale_note`
    says that its totals are older; all may be empty."""

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
    """Parameters of compare/shortlist.html. `pairs` are the parameters of the whole list, `address` its own
    for any reader, `previous` and `next` those of its other pages, which may be empty."""

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
class _Looked:
    """A search of the list on its way to a group: what its form says, and what was found."""

    kept: KeptSearch
    form: SearchForm
    context: SearchContext | None
    listed: Listed = field(default_factory=lambda: Listed({}))

    @property
    def missing(self) -> list[Stay]:
        return [one for one in self.kept.stays if one not in self.listed.found]


def shortlist_page(
    searches: tuple[KeptSearch, ...], page: int, site: Site, deadline: Deadline
) -> ShortlistPage:
    """Page `page` of the list: the totals of at most `SEARCHES_A_PAGE` searches, and the details of at most
    `service.AT_ONCE` hotels that are not among their results."""
    first = (page - 1) * SEARCHES_A_PAGE
    looked = [_read(one, site, deadline) for one in searches[first : first + SEARCHES_A_PAGE]]
    service.start(one.context for one in looked if one.context)
    for one in looked:
        if one.context:
            one.listed = service.listed(one.context, one.kept.stays)
    today = localdate()
    usual = SearchContext(site.usual_search("", today), Refinement(), site, today, deadline)
    missing = [stay for one in looked for stay in one.missing][: service.AT_ONCE]
    buildings = service.buildings(usual, missing)
    currencies = {one.context.search.currency for one in looked if one.context}
    groups = tuple(
        _group(one, number, usual, buildings, with_currency=len(currencies) > 1)
        for number, one in enumerate(looked, first)
    )
    return ShortlistPage.build(searches, groups, page, site.default_market)


def _read(kept: KeptSearch, site: Site, deadline: Deadline) -> _Looked:
    query = kept.query(site.default_market)
    form = StayForm(query, site=site, today=localdate())
    return _Looked(kept, form, context_of(form, query, deadline) if form.is_valid() else None)


def _group(
    looked: _Looked,
    number: int,
    usual: SearchContext,
    buildings: dict[Stay, Property | None],
    *,
    with_currency: bool,
) -> ShortlistGroup:
    context = looked.context or usual
    maker, search = CardMaker.of(context, 1), context.search
    known = looked.context is not None
    facts = [maker.reader.stay_line(search), *([search.currency] if with_currency else ())]
    errors = " ".join(str(text) for texts in looked.form.errors.values() for text in texts)
    stale = looked.listed.stale_from
    return ShortlistGroup(
        id=f"compare-{number + 1}",
        title=dict(looked.kept.search).get("place", "") if not known else search.place,
        stay=" · ".join(facts) if known else "",
        fields=search_pairs(context) if known else (),
        entries=tuple(_entry(one, looked, maker, buildings) for one in looked.kept.stays),
        to_results=results_path(search) if known and search.place else "",
        problem=errors,
        to_form="" if known else _form_path(looked),
        stale_note=maker.reader.stale_note(stale) if stale else "",
    )


def _form_path(looked: _Looked) -> str:
    """The address of the search without its days, which asks for others."""
    asked = {**dict(looked.kept.search), "market": looked.form.data["market"]}
    return f"{reverse('results')}?{encode_pairs(pair for pair in asked.items() if pair[0] not in DAYS)}"


def _entry(
    stay: Stay, looked: _Looked, maker: CardMaker, buildings: dict[Stay, Property | None]
) -> ShortlistEntry:
    if stay in looked.listed.found:
        card = maker.card(looked.listed.found[stay], 0)
        return ShortlistEntry(tuple(dict.fromkeys((str(stay), *card.stays))), card)
    building = buildings.get(stay)
    query = encode_pairs([*looked.kept.search, ("market", looked.form.data["market"])])
    return ShortlistEntry(
        stays=(str(stay),),
        name=property_name(building) if building else "",
        href=f"{property_path(stay.provider, stay.property_id)}?{query}" if building else "",
        picture=next(iter(photo_addresses(building.images)), "") if building else "",
        note=_note(looked, not_here=stay in buildings and not building),
    )


def _note(looked: _Looked, *, not_here: bool) -> str:
    if not_here:
        return _("No longer offered here")
    if looked.context is None:
        return ""
    if looked.listed.complete:
        return _("No longer offered for these dates")
    return _("Its price is not known right now")
