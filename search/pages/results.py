"""One page of results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from search import formatting
from search.domain.found import FoundStays
from search.domain.refinement import Refinement
from search.domain.site import Site
from search.domain.stay import StaySearch

from .cards import CardMaker, ListingCard
from .head import Head
from .links import Links, home_path, results_path
from .pager import Pager
from .prices import PriceWords
from .reader import Reader, chosen_stars, guests, nights
from .refine import RefineView
from .search_bar import SearchBar
from .texts import CardTexts


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Parameters of search/results.html. Empty strings are notices that don't apply.

    `nothing` is true for an answer without a single property, `beyond` for a page after the last one.
    """

    head: Head
    bar: SearchBar
    title: str
    count: str
    summary: str
    cards: tuple[ListingCard, ...]
    texts: CardTexts
    pager: Pager | None
    order_note: str
    refine: RefineView
    stale_note: str
    foreign_note: str
    searched_note: str
    nothing: bool
    beyond: bool
    with_map: bool
    map_search: str
    map_area: str
    first_page: str
    home: str

    @classmethod
    def build(
        cls, search: StaySearch, refinement: Refinement, found: FoundStays, site: Site, today: date
    ) -> ResultsPage:
        reader = Reader.of(site, search.market)
        links = Links.of(search, refinement, found.page)
        maker = CardMaker(reader, PriceWords.of(reader, links), found.anchor)
        days = formatting.stay_days(search.dates, reader.texts)
        title = _("Hotels in %(place)s") % {"place": search.place}
        refine = RefineView.of(search, refinement, found, reader)
        return cls(
            head=_head(title, days, links),
            bar=SearchBar.of_search(search, site, today, found.anchor),
            title=title,
            count=refine.matching or _count(found, reader),
            summary=" · ".join(
                filter(
                    None,
                    (days, nights(search.dates.nights), guests(search.guests), chosen_stars(search.stars)),
                )
            ),
            cards=maker.cards(found.listings),
            texts=CardTexts.translated(),
            pager=Pager.of(found, links, reader),
            order_note=_("In the order the providers' gateway gives, which isn't by price.")
            if found.refined is None
            else "",
            refine=refine,
            stale_note=stale_note(found, reader),
            foreign_note=_foreign_note(search, found),
            searched_note=_searched_note(search, found),
            nothing=not found.listings and found.page == 1,
            beyond=not found.listings and found.page > 1,
            with_map=site.map_enabled and any(one.listing.property.coordinates for one in found.listings),
            map_search=results_path(search, refinement.without("bbox")),
            map_area=str(refinement.bbox or ""),
            first_page=links.results(1),
            home=home_path(search.market),
        )


def _head(title: str, days: str, links: Links) -> Head:
    return Head(
        title=f"{title}, {days}",
        description=_("%(title)s for %(days)s: every provider's offer with its whole price.")
        % {"title": title, "days": days},
        canonical=links.results(),
        robots="noindex",
    )


def stale_note(found: FoundStays, reader: Reader) -> str:
    return reader.stale_note(found.fetched_at) if found.stale else ""


def _count(found: FoundStays, reader: Reader) -> str:
    if found.total is None:
        return ""
    return ngettext("%(count)s place to stay", "%(count)s places to stay", found.total) % {
        "count": reader.number(found.total)
    }


def _foreign_note(search: StaySearch, found: FoundStays) -> str:
    foreign = any(
        one.offers and one.offers[0].total and one.offers[0].total.total.currency != search.currency
        for one in found.listings
    )
    if not foreign:
        return ""
    return _(
        "Some prices are in another currency than %(currency)s. They are shown as they are, and not compared."
    ) % {"currency": search.currency}


def _searched_note(search: StaySearch, found: FoundStays) -> str:
    """Says what was searched when an airport was chosen: the gateway knows places, not airports."""
    if found.anchor is None:
        return ""
    return _("We searched %(place)s, for %(airport)s (%(code)s).") % {
        "place": search.place,
        "airport": found.anchor.name,
        "code": found.anchor.code,
    }
