"""The same stay a few days earlier or later, each with the lowest total found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import msgspec
from django.utils.translation import gettext as _

from search import formatting
from search.domain.nearby_dates import DatesTotal
from search.domain.refinement import Refinement
from search.domain.site import Site
from search.domain.stay import StaySearch

from .head import Head
from .links import results_path
from .reader import Reader, guests, nights
from .search_bar import SearchBar


@dataclass(frozen=True, slots=True)
class DatesLink:
    """One choice of dates. `total` is a text whatever is known; `current` are the dates searched for."""

    days: str
    total: str
    href: str
    current: bool
    cheapest: bool


@dataclass(frozen=True, slots=True)
class NearbyDatesPage:
    """Parameters of search/nearby_dates.html. `note` says what the totals are worth."""

    head: Head
    bar: SearchBar
    title: str
    summary: str
    dates: tuple[DatesLink, ...]
    note: str
    back: str

    @classmethod
    def build(
        cls,
        search: StaySearch,
        refinement: Refinement,
        totals: tuple[DatesTotal, ...],
        site: Site,
        today: date,
    ) -> NearbyDatesPage:
        reader = Reader.of(site, search.market)
        title = _("%(place)s on other dates") % {"place": search.place}
        priced = [one.lowest.amount for one in totals if one.lowest is not None]
        cheapest = min(priced, default=None)
        return cls(
            head=Head(title=title, robots="noindex"),
            bar=SearchBar.of_search(search, site, today),
            title=title,
            summary=" · ".join((nights(search.dates.nights), guests(search.guests))),
            dates=tuple(
                DatesLink(
                    days=formatting.stay_days_short(one.dates, reader.texts),
                    total=_total(one, reader),
                    href=results_path(msgspec.structs.replace(search, dates=one.dates), refinement),
                    current=one.dates == search.dates,
                    cheapest=one.lowest is not None and one.lowest.amount == cheapest,
                )
                for one in totals
            ),
            note=_note(totals),
            back=results_path(search, refinement),
        )


def _total(one: DatesTotal, reader: Reader) -> str:
    if not one.known:
        return _("can't be had right now")
    if one.lowest is None:
        return _("no price found")
    return _("from %(amount)s") % {"amount": reader.money(one.lowest)}


def _note(totals: tuple[DatesTotal, ...]) -> str:
    if all(one.whole for one in totals if one.known):
        return _("Lowest totals of all places, whatever the filters.")
    return _(
        "Lowest totals among the first places of each date, whatever the filters: there may be lower ones."
    )
