"""A page of results as a table for spreadsheets: exactly the cards that are shown, in their order."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext as _

from search.domain.found import PricedListing
from search.domain.money import Money
from search.domain.site import CodeKind

from .cards import place_line
from .links import Links
from .reader import Reader

# What a spreadsheet would take for a formula, a command or the end of a cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")
_FIRST_BYTES = "\ufeff"  # without it Excel reads UTF-8 as something else


def as_csv(listings: Iterable[PricedListing], links: Links, reader: Reader, origin: str) -> str:
    """The cards as CSV: one row each, amounts as plain decimals beside their currency, days as YYYY-MM-DD.

    `origin` (https://host) makes the links of the rows whole.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_headings())
    for found in listings:
        writer.writerow(safe_cell(value) for value in _cells(found, links, reader, origin))
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


def _plain(money: Money) -> str:
    return format(money.amount, "f")


def _sum(surcharges: tuple[tuple[str, Money], ...]) -> str:
    return format(sum((money.amount for _kind, money in surcharges), Decimal(0)), "f")
