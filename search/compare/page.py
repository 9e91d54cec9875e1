"""The page of hotels side by side, of a shared link or for everybody."""

from dataclasses import dataclass
from typing import Self

from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.offers import Listing
from search.gateway.errors import NotFound
from search.property.page import DatesForm
from search.results.card import CardMaker
from search.results.listings import FoundProperty, NoOffers, PricedListing
from search.web.formatting import Reader, in_whole_parts
from search.web.links import Links, home_path, reverse
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .address import Stay, compare_path
from .service import Found, card_as_listed
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
