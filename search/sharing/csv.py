"""The cards of a page as a table for spreadsheets."""

import csv
import re
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from babel.numbers import get_decimal_symbol
from django.http import HttpResponse
from django.utils.timezone import localtime

from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.offers import PricedOffer, StayTotal
from search.domain.words import CodeKind
from search.results.card import place_line
from search.results.dates import DateComparison
from search.results.dates_page import DatesTable
from search.results.listings import FoundStays, PricedListing
from search.web.formatting import Reader
from search.web.labels import property_name, without_included_breakfast
from search.web.links import Links
from search.web.translation import gettext as _

from .pages import change_line
from .price_change import OpenedLink, Turn

# What a spreadsheet would take for a formula or a command, also as East Asia writes it, and what it skips
# before one: blanks, quotes, signs without a width.
_FORMULA = r"[=+\-@%|＝＋－＠％｜]"
_SKIPPED = r"[\s\"\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*"
_BEGINS = re.compile(rf"{_SKIPPED}{_FORMULA}|[\t\r\n\0]")
# By the separator of a table: a formula behind the separator of other countries' spreadsheets, which begins a
# cell there, quoted or not.
_FORMULA_BEHIND = {
    separator: re.compile(rf"({other}{_SKIPPED})(?={_FORMULA})") for separator, other in (",;", ";,")
}
_FIRST_BYTES = "\ufeff"  # without it Excel reads UTF-8 as something else


def as_csv(page: FoundStays, context: SearchContext, origin: str) -> HttpResponse:
    """A row for each card of a page of results; `origin` is our https://host."""
    reader, links = Reader.for_search(context), Links(context, page.page)
    rows = (_cells(listing, page.fetched_at, links, reader, origin) for listing in page.listings)
    return download("hotels", _headings(), rows, reader.numbers)


def then_and_now_csv(opened: OpenedLink) -> HttpResponse:
    """`as_csv` of a link, with what each cost when it was shared; gone ones have a row, too."""
    headings = [*_headings(), _("Total when shared"), _("Currency when shared"), _("Since then")]
    reader, now, links = opened.reader, opened.now(), Links(opened.context, opened.link.page)
    rows = []
    for one in now.entries:
        is_hidden = one.turn is Turn.HIDDEN
        cells: list[object] = ["" if is_hidden else one.then.shown_name, *[""] * (len(_headings()) - 1)]
        if one.now is not None:
            cells = _cells(one.now, now.fetched_at, links, reader, opened.origin)
        rows.append([*cells, *_amount_cells(None if is_hidden else one.then.total), change_line(one, opened)])
    return download("hotels", headings, rows, reader.numbers)


def dates_csv(comparison: DateComparison, reader: Reader) -> HttpResponse:
    """A row for each date; a total has its note where it can't be compared with the others."""
    headings = [
        _("Check-in"), _("Check-out"), _("Total"), _("Currency"), _("Hotels"), _("Prices as of"), _("Note"),
    ]  # fmt: skip
    currency = comparison.context.search.currency
    rows = (
        [
            one.dates.check_in.isoformat(),
            one.dates.check_out.isoformat(),
            *_amount_cells(None if one.total is None else Money(one.total, currency)),
            one.measured.compared if one.measured else "",
            f"{localtime(one.measured.fetched_at):%Y-%m-%d %H:%M}" if one.measured else "",
            view.reason,
        ]
        for one, view in zip(comparison.totals, DatesTable(comparison).dates, strict=True)
    )
    return download("dates", headings, rows, reader.numbers)


def download(
    name: str, headings: list[str], rows: Iterable[list[object]], numbers: str = "en"
) -> HttpResponse:
    """A table as a file, without formulas; `numbers` is the reader's locale. Where decimals stand behind a
    comma, spreadsheets part cells at semicolons."""
    disposition = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    response = HttpResponse(_FIRST_BYTES, content_type="text/csv; charset=utf-8", headers=disposition)
    point = get_decimal_symbol(numbers)
    separator = ";" if point == "," else ","
    writer = csv.writer(response, delimiter=separator)
    writer.writerow(headings)
    for row in rows:
        values = (f"{one:f}".replace(".", point) if isinstance(one, Decimal) else one for one in row)
        writer.writerow([safe_cell(value, separator) for value in values])
    return response


def safe_cell(value: object, separator: str = ",") -> str:
    """The value as text that no spreadsheet takes for a formula."""
    text = "" if value is None else _FORMULA_BEHIND[separator].sub(r"\1'", str(value))
    return f"'{text}" if _BEGINS.match(text) else text


def _headings() -> list[str]:
    return [
        _("Name"), _("Stars"), _("Guest rating"), _("Rating in words"), _("Kind"), _("Address"), _("Country"),
        _("Check-in"), _("Check-out"), _("Guests"), _("Total"), _("Currency"), _("Prices as of"),
        _("Taxes and fees in the total"), _("Not in the total"), _("Provider"), _("Rate"),
        _("Free cancellation"), _("Link"), _("Facilities"),
    ]  # fmt: skip


def _cells(
    listing: PricedListing, fetched_at: datetime | None, links: Links, reader: Reader, origin: str
) -> list[object]:
    building, search = listing.listing.property, links.search
    page = links.property(*listing.at, listing.apart)
    front, rating = next(iter(listing.offers), None), building.rating
    facilities = without_included_breakfast(reader.facilities.of_hotel(listing.offers))
    return [
        property_name(building),
        building.stars,
        rating.value if rating else None,
        reader.label(CodeKind.RATING, rating.code) if rating else "",
        reader.label(CodeKind.PROPERTY_TYPE, building.type),
        place_line(building),
        reader.country(building.country),
        search.dates.check_in.isoformat(),
        search.dates.check_out.isoformat(),
        search.guests,
        *(_total_cells(front.total, fetched_at, reader) if front and front.total else [""] * 5),
        *(_offer_cells(front, reader) if front else [""] * 3),
        f"{origin}{page}" if page else "",
        # A comma between, which no spreadsheet splits in quotes.
        ", ".join(view.text for view in facilities),
    ]


def _total_cells(total: StayTotal, fetched_at: datetime | None, reader: Reader) -> list[object]:
    """What is left out is an amount with its currency, or the name of a surcharge without one."""
    amounts = sum((money.amount for _kind, money in total.surcharges), Decimal(0))
    # What is in the price itself may be named in another currency only: then its amount is unknown.
    surcharges = Decimal(Money(amounts, total.total.currency).plain) if total.names_all_surcharges else ""
    point = get_decimal_symbol(reader.numbers)
    apart = [f"{money.plain.replace('.', point)} {money.currency}" for _kind, money in total.apart]
    unread = [reader.label(CodeKind.SURCHARGE, kind) or _("surcharge") for kind in total.unread]
    asked = f"{localtime(fetched_at):%Y-%m-%d %H:%M}" if fetched_at else ""
    return [*_amount_cells(total.total), asked, surcharges, " + ".join([*apart, *unread])]


def _offer_cells(front: PricedOffer, reader: Reader) -> list[object]:
    free_cancellation = _("yes") if front.offer.free_cancellation else _("no")
    return [reader.site.provider_label(front.offer.provider), front.offer.rate, free_cancellation]


def _amount_cells(money: Money | None) -> list[object]:
    """An amount with the decimals of its currency, and that."""
    return [Decimal(money.plain), money.currency] if money else ["", ""]
