"""Cards as a table for spreadsheets: exactly those that are shown, in their order."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import Decimal

from search.domain.money import Money
from search.domain.site_settings import CodeKind
from search.results.card import place_line
from search.results.listings import PricedListing
from search.web.formatting import Reader
from search.web.links import Links
from search.web.translation import gettext as _

from .entries import ThenWords
from .price_change import ThenAndNow, Turn

# What a spreadsheet would take for a formula, a command or the end of a cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")
_FIRST_BYTES = "\ufeff"  # without it Excel reads UTF-8 as something else


def as_csv(listings: Iterable[PricedListing], links: Links, reader: Reader, origin: str) -> str:
    """The cards as CSV: one row each, amounts as plain decimals beside their currency, days as YYYY-MM-DD.

    `origin` (https://host) makes the links of the rows whole.
    """
    return _table(_headings(), (_cells(found, links, reader, origin) for found in listings))


def then_and_now_csv(entries: Iterable[ThenAndNow], words: ThenWords, links: Links, origin: str) -> str:
    """`as_csv` of what a link shows, with what each cost when it was shared; what is gone keeps its row."""
    headings = [*_headings(), _("Total when shared"), _("Currency when shared"), _("Since then")]
    return _table(headings, (_entry_cells(one, words, links, origin) for one in entries))


def _table(headings: list[str], rows: Iterable[list[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return _FIRST_BYTES + out.getvalue()


def safe_cell(value: object) -> str:
    """The value as text that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) or text.startswith(_FORMULA) else text


def _headings() -> list[str]:
    return [
        _("Name"), _("Stars"), _("Guest rating"), _("Rating in words"), _("Kind"), _("Address"), _("Country"),
        _("Check-in"), _("Check-out"), _("Guests"), _("Total"), _("Currency"), _("Taxes and fees in it"),
        _("Not in the total"), _("Provider"), _("Rate"), _("Free cancellation"), _("Link"),
    ]  # fmt: skip


def _cells(found: PricedListing, links: Links, reader: Reader, origin: str) -> list[object]:
    building, search = found.listing.property, links.search
    front = found.offers[0] if found.offers else None
    total = front.total if front else None
    at = (front.offer.provider, front.offer.property_id) if front else (building.provider, building.id)
    return [
        building.name,
        building.stars,
        building.rating.value if building.rating else None,
        reader.label(CodeKind.RATING, building.rating.code) if building.rating else "",
        reader.label(CodeKind.PROPERTY_TYPE, building.type),
        place_line(building),
        reader.country(building.country),
        search.dates.check_in.isoformat(),
        search.dates.check_out.isoformat(),
        search.guests,
        _plain(total.total) if total else None,
        total.total.currency if total else None,
        _sum(total.surcharges) if total else None,
        " + ".join(f"{_plain(money)} {money.currency}" for _kind, money in total.apart) if total else "",
        reader.site.provider_label(front.offer.provider) if front else "",
        front.offer.rate if front else "",
        (_("yes") if front.offer.free_cancellation else _("no")) if front else "",
        f"{origin}{links.property(*at)}",
    ]


def _entry_cells(one: ThenAndNow, words: ThenWords, links: Links, origin: str) -> list[object]:
    hidden = one.turn is Turn.HIDDEN
    then = None if hidden else one.then.total
    cells: list[object] = [""] * len(_headings())
    if one.now is not None:
        cells = _cells(one.now, links, words.reader, origin)
    elif not hidden:
        cells[0] = one.then.name
    return [*cells, _plain(then) if then else None, then.currency if then else None, words.line(one)]


def _plain(money: Money) -> str:
    return format(money.amount, "f")


def _sum(surcharges: tuple[tuple[str, Money], ...]) -> str:
    return format(sum((money.amount for _kind, money in surcharges), Decimal(0)), "f")
