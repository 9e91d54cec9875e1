"""The page of the hotels that somebody keeps: each search of its address looked up anew, a few on a page."""

from dataclasses import dataclass, field
from typing import Self

from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.deadline import Deadline
from search.domain.hotels import Property
from search.domain.query import Refinement, encode_pairs
from search.domain.site_settings import Site
from search.results.card import CardMaker, ListingCard
from search.results.context import context_of
from search.web.labels import property_name
from search.web.links import property_path, results_path, reverse, search_pairs
from search.web.meta import Head
from search.web.photos import photo_addresses
from search.web.search_form import SearchForm
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import service
from .address import MOST_KEPT, KeptSearch, Stay, list_pairs, shortlist_path
from .service import Listed

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
    form = SearchForm(query, site=site, today=localdate(), needs_place=False)
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
