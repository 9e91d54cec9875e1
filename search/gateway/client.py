"""The three calls of the gateway's interface as three methods, domain objects in and out."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import quote

import msgspec

from search.domain.deadline import Deadline
from search.domain.hotels import Airport, PropertyDetails
from search.domain.offers import Listing, SearchPage
from search.domain.query import ALL_STARS, StaySearch, encode_pairs
from search.domain.site_settings import CategoriesStyle

from . import parsing
from .http import Call

ROOMS = "/pub/v1/rooms/ha/v2/propertyOffers"
AIRPORTS = "/pub/v1/core/3/airports"


class Carrier(Protocol):
    """What the client needs of a transport: the body of a response, or a GatewayError."""

    def get(self, call: Call, deadline: Deadline) -> bytes: ...


class Client:
    def __init__(self, transport: Carrier) -> None:
        self._transport = transport

    def search(
        self,
        search: StaySearch,
        *,
        page: int,
        size: int,
        categories_style: CategoriesStyle,
        deadline: Deadline,
    ) -> SearchPage:
        """`GET /pub/v1/rooms/ha/v2/propertyOffers` (section 4.1 of the interface); `page` counts from 0.

        Properties of other stars than asked for are left out, whatever the gateway made of the request;
        the gateway's total is then not theirs and becomes None.
        """
        if categories_style is CategoriesStyle.EACH and len(search.stars) > 1:
            return self._one_star_after_another(search, page, size, deadline)
        return self._search(search, page, size, categories_style, deadline)

    def details(
        self, provider: str, property_id: str, search: StaySearch, *, deadline: Deadline
    ) -> PropertyDetails:
        """`GET .../propertyOffers/provider/{providerId}/property/{providerPropertyId}` (section 4.2)."""
        path = f"{ROOMS}/provider/{_path_part(provider)}/property/{_path_part(property_id)}"
        query = encode_pairs([*_stay_pairs(search), *_money_pairs(search)])
        return parsing.property_details(self._transport.get(Call("details", path, query), deadline))

    def airports(self, *, deadline: Deadline) -> tuple[Airport, ...]:
        """`GET /pub/v1/core/3/airports` (section 4.3 of the interface)."""
        return parsing.airport_list(self._transport.get(Call("airports", AIRPORTS, ""), deadline))

    def _search(
        self, search: StaySearch, page: int, size: int, style: CategoriesStyle, deadline: Deadline
    ) -> SearchPage:
        query = "&".join(
            [
                encode_pairs([*_stay_pairs(search), ("place", search.place)]),
                _categories(search.stars or ALL_STARS, style),
                encode_pairs([*_money_pairs(search), ("size", str(size)), ("page", str(page))]),
            ]
        )
        answer = parsing.search_page(self._transport.get(Call("search", ROOMS, query), deadline))
        kept = tuple(one for one in answer.listings if not search.stars or one.property.stars in search.stars)
        if len(kept) == len(answer.listings):
            return answer
        return msgspec.structs.replace(answer, listings=kept, total=None)

    def _one_star_after_another(
        self, search: StaySearch, page: int, size: int, deadline: Deadline
    ) -> SearchPage:
        """One page of the answers to each star rating laid end to end: a call or two per star."""
        found: list[Listing] = []
        received = total = 0
        known = True
        skip = page * size
        for star in search.stars:
            one_star = msgspec.structs.replace(search, stars=(star,))
            number, offset = divmod(skip, size)
            answer = self._search(one_star, number, size, CategoriesStyle.COMMA, deadline)
            known = known and answer.total is not None
            count = answer.total if answer.total is not None else number * size + answer.received
            entries = list(answer.listings[offset:])
            if entries and len(found) + len(entries) < size and count > (number + 1) * size:
                entries += self._search(one_star, number + 1, size, CategoriesStyle.COMMA, deadline).listings
            taken = entries[: size - len(found)]
            found += taken
            received += len(taken)
            total += count
            skip = max(0, skip - count)
        return SearchPage(tuple(found), total if known else None, received)


def _stay_pairs(search: StaySearch) -> list[tuple[str, str]]:
    return [
        ("checkinDate", search.dates.check_in.isoformat()),
        ("checkoutDate", search.dates.check_out.isoformat()),
        ("roomAllocations", str(search.guests)),
    ]


def _money_pairs(search: StaySearch) -> list[tuple[str, str]]:
    return [("currencyCode", search.currency), ("market", search.market.lower())]


def _categories(stars: tuple[int, ...], style: CategoriesStyle) -> str:
    """A series of stars as the setting says; the interface shows no separator."""
    if style is CategoriesStyle.REPEAT:
        return "&".join(f"categories={star}" for star in stars)
    return "categories=" + ",".join(map(str, stars))


def _path_part(identifier: str) -> str:
    """One path part that no server or client folds away, whatever the identifier holds."""
    quoted = quote(identifier, safe="")
    return quoted.replace(".", "%2E") if not identifier.strip(".") else quoted
