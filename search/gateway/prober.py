"""Raw calls in spellings that the client never uses, to find out what the gateway makes of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import msgspec

from search.domain.deadline import Deadline
from search.domain.hotels import Airport
from search.domain.offers import Listing, Offer, SearchPage
from search.domain.query import StaySearch, encode_pairs

from . import parsing
from .client import AIRPORTS, ROOMS, Carrier, Client
from .errors import GatewayError
from .http import Call

# The transport may repeat a call once.
CALLS_PER_QUESTION = 2
NOT_ASKED = "not asked: the limit of calls is reached"
UNTYPED = ("checkinTime", "checkoutTime", "policies", "facilities", "acceptedCreditCards")
IDENTIFIERS = ("providerId", "ryanairId", "id")
UNTYPED_IN_ROOM = ("maxOccupancy", "policies", "cancellationPolicies", "bedTypes")
_TEXT_AMOUNT = re.compile(rb'"value"\s*:\s*"')


class Sample(msgspec.Struct, frozen=True):
    """One search call: its page, or why there is none; `seconds` is what it took.

    `text_amounts` says that amounts came as strings.
    """

    page: SearchPage | None
    failure: str = ""
    seconds: float = 0.0
    text_amounts: bool = False

    @property
    def listings(self) -> tuple[Listing, ...]:
        return self.page.listings if self.page else ()

    @property
    def total(self) -> int | None:
        return self.page.total if self.page else None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(listing.property.key for listing in self.listings)

    @property
    def stars(self) -> set[int]:
        return {listing.property.stars for listing in self.listings if listing.property.stars}

    def offers(self) -> Iterator[Offer]:
        for listing in self.listings:
            yield from listing.offers

    @property
    def says(self) -> str:
        """The sample in a few words."""
        if self.page is None:
            return self.failure
        return f"{self.page.received} results of {'?' if self.total is None else self.total}"

    def prices(self) -> dict[tuple[str, str, str], Decimal]:
        """The customer price of every offer, before any reading of ours."""
        return {
            (listing.property.key, offer.provider, offer.property_id): offer.price.customer.amount
            for listing in self.listings
            for offer in listing.offers
            if offer.price and offer.price.customer and offer.price.customer.amount > 0
        }


class ProbeSearch(msgspec.Struct, frozen=True, kw_only=True):
    """One search for two guests, spelled exactly so: one `categories` parameter per entry, no parameter for
    None.
    """

    place: str
    check_in: date
    currency: str
    market: str
    nights: int = 1
    categories: tuple[str, ...] = ("4",)
    size: int | None = 20
    page: int | None = 0

    def query_string(self) -> str:
        pairs = [
            ("checkinDate", self.check_in.isoformat()),
            ("checkoutDate", (self.check_in + timedelta(days=self.nights)).isoformat()),
            ("roomAllocations", "2"),
            ("place", self.place),
        ]
        paging = [
            (name, str(value)) for name in ("size", "page") if (value := getattr(self, name)) is not None
        ]
        return "&".join(
            [
                encode_pairs(pairs),
                # The comma of "4,5" stays a comma, as the client sends it.
                *(f"categories={value}" for value in self.categories),
                encode_pairs([("currencyCode", self.currency), ("market", self.market), *paging]),
            ]
        )


class Prober:
    """Makes calls over `carrier` as long as `spent()`, the calls made so far, leaves room below `most`.

    `deadline` makes the deadline of one call. Calls beyond the limit fail with "not asked".
    """

    def __init__(
        self,
        carrier: Carrier,
        *,
        deadline: Callable[[], Deadline],
        spent: Callable[[], int],
        most: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._carrier = carrier
        self._deadline = deadline
        self._spent = spent
        self._most = most
        self._clock = clock

    def airports(self) -> tuple[Airport, ...]:
        body = self._ask(Call("airports", AIRPORTS, ""))
        if isinstance(body, str):
            return ()
        try:
            return parsing.airport_list(body)
        except GatewayError:
            return ()

    def search(self, search: ProbeSearch) -> Sample:
        began = self._clock()
        body = self._ask(Call("search", ROOMS, search.query_string()))
        took = self._clock() - began
        if isinstance(body, str):
            return Sample(None, body, took)
        try:
            return Sample(parsing.search_page(body), "", took, bool(_TEXT_AMOUNT.search(body)))
        except GatewayError as error:
            return Sample(None, str(error), took)

    def details_shapes(self, provider: str, property_id: str, search: StaySearch) -> Mapping[str, str]:
        """The JSON type of the details, of each field whose type the interface doesn't show, and which
        identifiers the answer names."""
        body = b""

        def remember(call: Call, deadline: Deadline) -> bytes:
            nonlocal body
            body = self._carrier.get(call, deadline)
            return body

        if self._exhausted:
            return {"call": NOT_ASKED}
        try:
            Client(_FunctionCarrier(remember)).details(
                provider, property_id, search, deadline=self._deadline()
            )
            document = msgspec.json.decode(body)
        except (GatewayError, msgspec.DecodeError, RecursionError) as error:
            return {"call": str(error)}
        details = _member(document, "propertyDetails")
        room = _first(_member(_first(_member(document, "roomTypes")), "rooms"))
        summary = _member(details, "propertySummary")
        return {
            "propertyDetails": _shape(details),
            "identifiers": ", ".join(one for one in IDENTIFIERS if _member(summary, one)) or "none",
            **{name: _shape(_member(details, name)) for name in UNTYPED},
            **{f"room {name}": _shape(_member(room, name)) for name in UNTYPED_IN_ROOM},
        }

    @property
    def _exhausted(self) -> bool:
        return self._spent() + CALLS_PER_QUESTION > self._most

    def _ask(self, call: Call) -> bytes | str:
        """The body, or the failure in words."""
        if self._exhausted:
            return NOT_ASKED
        try:
            return self._carrier.get(call, self._deadline())
        except GatewayError as error:
            return str(error)


class _FunctionCarrier:
    """A carrier that is one function."""

    def __init__(self, get: Callable[[Call, Deadline], bytes]) -> None:
        self.get = get


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def _shape(value: Any) -> str:
    """`list of object`, `string`, `missing`..."""
    if isinstance(value, list):
        return f"list of {_shape(value[0])}" if value else "empty list"
    names = {str: "string", dict: "object", bool: "boolean", int: "number", float: "number"}
    return "missing" if value is None else names.get(type(value), "number")
