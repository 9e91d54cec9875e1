"""A deliberately naive model of the site over the sandbox's raw JSON: no code of the site, no cleverness.

It walks every page one after another, reads amounts as Decimal, and sorts a list. What the pages print must
agree with it to the cent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Json = dict[str, Any]
# `ask(page, size)` gives one page of the listing.
Ask = Callable[[int, int], Json]

SIZE = 20
MOST_PAGES = 60
NO_TOTAL = (3, Decimal(0))


@dataclass(frozen=True)
class Rules:
    """How prices are to be read: the site's settings."""

    included: bool = False
    nightly: bool = False


@dataclass(frozen=True)
class Wish:
    """What a visitor asks for beyond place and dates."""

    stars: tuple[int, ...] = ()
    max_price: int | None = None
    min_rating: int | None = None
    free_cancellation: bool = False
    pay_later: bool = False
    provider: str = ""
    sort: str = "price"

    def parameters(self) -> dict[str, Any]:
        """The wish as the address of a page of results says it."""
        said = {**vars(self), "free_cancellation": "1" if self.free_cancellation else "",
                "pay_later": "1" if self.pay_later else ""}  # fmt: skip
        return {name: value for name, value in said.items() if value}


def every_entry(ask: Ask) -> list[Json]:
    """All entries the gateway gives, each property once, whatever Total says."""
    found: dict[str, Json] = {}
    empty = 0
    for page in range(MOST_PAGES):
        results = ask(page, SIZE)["results"]
        for entry in results:
            key = entry["propertySummary"]["ryanairId"]
            found[key] = _united(found[key], entry) if key in found else entry
        empty = 0 if results else empty + 1
        if empty == 2:
            break
    return list(found.values())


def _united(one: Json, other: Json) -> Json:
    """What is said of a property first, and the offers of both; of one offer at two prices the dearer."""
    offers = {_without_price(offer): offer for offer in one["offers"]}
    for offer in other["offers"]:
        before = offers.get(_without_price(offer), offer)
        offers[_without_price(offer)] = max(before, offer, key=_price_of)
    return {**one, "offers": list(offers.values())}


def _price_of(offer: Json) -> Decimal:
    amount = amount_of(offer["minPrice"]["price"], "customerPrice") if offer["minPrice"] else None
    return amount[0] if amount else Decimal(0)


def _without_price(offer: Json) -> str:
    quoted = offer["minPrice"] or {}
    return repr((offer["providerId"], offer["providerPropertyId"], quoted.get("rateDescription")))


def card_of(key: str) -> str:
    """The id of the property's card on a page."""
    return f"stay-{hashlib.blake2b(key.encode(), digest_size=5).hexdigest()}"


def amount_of(price: Any, member: str) -> tuple[Decimal, str] | None:
    """A member of a price triple as amount and currency; None for anything odd."""
    amount = price.get(member) if isinstance(price, dict) else None
    value = amount.get("value") if isinstance(amount, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0:
        return None
    return Decimal(value), amount["currencyCode"]


def total_of(offer: Json, currency: str, rules: Rules, nights: int) -> tuple[int, Decimal]:
    """Rank and total: 0 a complete total, 1 one with a surcharge left out, 3 none."""
    quoted = offer["minPrice"]
    price = amount_of(quoted["price"], "customerPrice") if quoted else None
    if price is None or price[0] == 0 or price[1] != currency:
        return NO_TOTAL
    total, complete = price[0], True
    for surcharge in quoted["surcharges"]:
        extra = amount_of(surcharge["price"], "customerPrice") or amount_of(
            surcharge["price"], "propertyPrice"
        )
        if rules.included:
            continue
        if extra is None or extra[1] != currency:
            complete = False
        else:
            total += extra[0]
    return (0 if complete else 1), total * (nights if rules.nightly else 1)


def passing(
    entry: Json, wish: Wish, totals: Callable[[Json], tuple[int, Decimal]]
) -> list[tuple[int, Decimal]]:
    """The totals of the offers that a visitor who wishes so may be shown, best first."""
    return sorted(totals(offer) for offer in entry["offers"] if _offer_passes(offer, wish, totals(offer)))


def _offer_passes(offer: Json, wish: Wish, total: tuple[int, Decimal]) -> bool:
    quoted = offer["minPrice"] or {}
    if wish.free_cancellation and offer["freeCancellation"] is not True:
        return False
    if wish.pay_later and quoted.get("paymentMode") != "PAY_LATER":
        return False
    if wish.provider and offer["providerId"] != wish.provider:
        return False
    return wish.max_price is None or (total[0] == 0 and total[1] <= wish.max_price)


def _filters_offers(wish: Wish) -> bool:
    return bool(wish.free_cancellation or wish.pay_later or wish.provider or wish.max_price is not None)


def _rating(entry: Json) -> Decimal | None:
    rating = entry["propertySummary"]["rating"]
    value = rating["value"] if rating else None
    return None if value is None else Decimal(value)


@dataclass(frozen=True)
class Row:
    """One card: the key that orders it, and its total (None: no price)."""

    card: str
    order: tuple[Any, ...]
    total: Decimal | None


def rows(entries: list[Json], wish: Wish, currency: str, rules: Rules, nights: int) -> list[Row]:
    """The cards of all pages in their order."""

    def totals(offer: Json) -> tuple[int, Decimal]:
        return total_of(offer, currency, rules, nights)

    return sorted(_rows(entries, wish, totals), key=lambda row: row.order)


def _rows(entries: list[Json], wish: Wish, totals: Callable[[Json], tuple[int, Decimal]]) -> Iterator[Row]:
    for entry in entries:
        summary, rating = entry["propertySummary"], _rating(entry)
        if wish.stars and summary["category"] not in wish.stars:
            continue
        if wish.min_rating is not None and (rating is None or rating < wish.min_rating):
            continue
        offers = passing(entry, wish, totals)
        if _filters_offers(wish) and not offers:
            continue
        best = offers[0] if offers else NO_TOTAL
        name = (summary["name"].casefold(), summary["ryanairId"])
        first: dict[str, tuple[Any, ...]] = {
            "price": (),
            "stars": (-summary["category"],),
            "rating": (rating is None, -(rating or 0)),
        }
        order = (*first[wish.sort], *best, name)
        yield Row(card_of(summary["ryanairId"]), order, None if best == NO_TOTAL else best[1])
