"""Raw calls in spellings that the client never uses, to find out what the gateway makes of them."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import msgspec

from search.domain.hotels import Airport
from search.domain.offers import Listing, Offer
from search.domain.process import Deadline

from . import parsing
from .client import AIRPORTS_CALL, WireSearch
from .errors import GatewayError
from .search_page import SearchPage, search_page
from .transport import Call, Transport

# The transport may repeat a call once.
CALLS_PER_QUESTION = 2
NOT_ASKED = "not asked: the limit of calls is reached"
_TEXT_AMOUNT = re.compile(rb'"value"\s*:\s*"')


class Sample(msgspec.Struct, frozen=True, dict=True):
    """One search call: its page, or why there is none; `text_amounts`: amounts came as strings."""

    page: SearchPage | None
    failure: str = ""
    text_amounts: bool = False

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        return self.page.listings if self.page else ()

    @property
    def total(self) -> int | None:
        return self.page.total if self.page else None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(entry.outline.key for entry in self.page.entries) if self.page else ()

    @property
    def stars(self) -> set[int]:
        return {one for entry in self.page.entries if (one := entry.outline.stars)} if self.page else set()

    def offers(self) -> Iterator[Offer]:
        return (offer for listing in self.listings for offer in listing.offers)

    @property
    def says(self) -> str:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Prober:
    """Makes calls as long as `spent()`, the calls made so far, leaves room below `most`."""

    transport: Transport
    deadline: Callable[[], Deadline]
    spent: Callable[[], int]
    most: int

    def airports(self) -> tuple[Airport, ...]:
        body, _failure = self._ask(AIRPORTS_CALL)
        with suppress(GatewayError):
            return parsing.airport_list(body)
        return ()

    def search(self, search: WireSearch) -> Sample:
        body, failure = self._ask(search.call())
        if failure:
            return Sample(None, failure)
        try:
            return Sample(search_page(body), "", bool(_TEXT_AMOUNT.search(body)))
        except GatewayError as error:
            return Sample(None, str(error))

    def _ask(self, call: Call) -> tuple[bytes, str]:
        if self.spent() + CALLS_PER_QUESTION > self.most:
            return b"", NOT_ASKED
        try:
            return self.transport.get(call, self.deadline()), ""
        except GatewayError as error:
            return b"", str(error)
