"""What an admin may change while the site runs, as one immutable value with built-in defaults.

Pure data: the types carry the ranges, so the admin's validators and the reading of a stored row obey
the same rule (`limits`, `Site.read`). Where the values are kept is the business of site_settings/store.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta

from .offers import PriceBasis, PriceRules, SurchargeMode
from .query import Sort, StayDates, StaySearch


class CategoriesStyle(StrEnum):
    """How several star ratings are asked for: one list, a repeated parameter, one call each."""

    COMMA = "comma"
    REPEAT = "repeat"
    EACH = "each"


class Filter(StrEnum):
    """A filter over results; the value is its parameter in the address."""

    MAX_PRICE = "max_price"
    MIN_RATING = "min_rating"
    STARS = "stars"
    TYPE = "type"
    FACILITY = "facility"
    PROVIDER = "provider"
    FREE_CANCELLATION = "free_cancellation"
    PAY_LATER = "pay_later"
    DEALS = "deals"
    NAME = "name"
    MAX_KM = "max_km"
    BBOX = "bbox"


class CodeKind(StrEnum):
    """Which of the gateway's open code lists a code belongs to."""

    PROPERTY_TYPE = "property_type"
    RATING = "rating"
    FACILITY = "facility"
    AVAILABILITY = "availability"
    PAYMENT_MODE = "payment_mode"
    PROMO_TYPE = "promo_type"
    SURCHARGE = "surcharge"


class ProviderEntry(msgspec.Struct, frozen=True):
    """A provider as an admin presents it; a lower `order` comes first among equals."""

    code: str
    label: str
    order: int = 0
    enabled: bool = True


class Block(msgspec.Struct, frozen=True):
    """A property taken off the site, to the end of the day `until`, or for good (None)."""

    key: str
    until: date | None = None


class DestinationOverride(msgspec.Struct, frozen=True):
    """Corrections to one airport: what to send as place, more words to find it by, or hide it."""

    airport: str
    place: str = ""
    search_words: str = ""
    hidden: bool = False


class FeaturedDestination(msgspec.Struct, frozen=True):
    """A destination the home page offers; `picture` is an address of ours or https, or empty."""

    place: str
    airport: str = ""
    text: str = ""
    picture: str = ""
    first_day: date | None = None
    last_day: date | None = None

    def in_season(self, today: date) -> bool:
        """Whether `today` lies within the season; both ends belong to it."""
        return (self.first_day is None or self.first_day <= today) and (
            self.last_day is None or today <= self.last_day
        )


class CodeLabel(msgspec.Struct, frozen=True):
    """Words for a code of the gateway that the site doesn't know by itself."""

    kind: str
    code: str
    label: str


Market = Annotated[str, Meta(pattern=r"^[a-z]{2}-[a-z]{2}\Z")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]

CONTENT = ("providers", "blocks", "overrides", "featured", "code_labels")


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Every run-time setting, then the content pages need each time. `Site()` is the site out of the box."""

    site_name: Annotated[str, Meta(min_length=1, max_length=60)] = "Hotel search"
    contact_email: Annotated[str, Meta(max_length=254, pattern=r"^(|[^@\s<>]+@[^@\s<>]+)\Z")] = ""
    contact_text: Annotated[str, Meta(max_length=500)] = ""
    banner_text: Annotated[str, Meta(max_length=300)] = ""
    banner_until: date | None = None

    default_market: Market = "en-gb"
    markets: Annotated[tuple[Market, ...], Meta(min_length=1, max_length=60)] = (
        "en-gb", "en-ie", "en-us", "de-de", "es-es", "fr-fr", "it-it", "pl-pl", "pt-pt",
    )  # fmt: skip
    default_currency: Currency = "EUR"
    currencies: Annotated[tuple[Currency, ...], Meta(min_length=1, max_length=60)] = (
        "EUR", "GBP", "USD", "CHF", "PLN", "SEK", "DKK", "NOK", "CZK", "HUF", "RON", "MAD", "JPY",
    )  # fmt: skip

    nights_ahead: Annotated[int, Meta(ge=0, le=365)] = 14
    nights: Annotated[int, Meta(ge=1, le=27)] = 2
    guests: Annotated[int, Meta(ge=1, le=20)] = 2
    max_guests: Annotated[int, Meta(ge=1, le=20)] = 8

    page_size: Annotated[int, Meta(ge=1, le=100)] = 20
    cap: Annotated[int, Meta(ge=20, le=5_000)] = 600
    parallel_calls: Annotated[int, Meta(ge=1, le=8)] = 4
    search_fresh_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 300
    details_fresh_seconds: Annotated[int, Meta(ge=0, le=604_800)] = 3_600
    airports_fresh_seconds: Annotated[int, Meta(ge=0, le=2_592_000)] = 86_400

    surcharge_mode: SurchargeMode = SurchargeMode.ADDED
    price_basis: PriceBasis = PriceBasis.STAY
    categories_style: CategoriesStyle = CategoriesStyle.COMMA
    rating_scale: Literal[5, 10, 100] | None = None

    sorts: Annotated[tuple[Sort, ...], Meta(min_length=1, max_length=len(Sort))] = tuple(Sort)
    default_sort: Sort = Sort.PRICE
    filters: Annotated[tuple[Filter, ...], Meta(max_length=len(Filter))] = tuple(Filter)

    map_enabled: bool = True
    compare_enabled: bool = True
    date_strip_enabled: bool = True
    sharing_enabled: bool = True
    export_enabled: bool = True
    share_days: Annotated[int, Meta(ge=1, le=365)] = 90

    providers: tuple[ProviderEntry, ...] = ()
    blocks: tuple[Block, ...] = ()
    overrides: tuple[DestinationOverride, ...] = ()
    featured: tuple[FeaturedDestination, ...] = ()
    code_labels: tuple[CodeLabel, ...] = ()

    @classmethod
    def read(cls, values: Mapping[str, object]) -> tuple[Site, tuple[str, ...]]:
        """The site of stored values, and the names that were unusable and fell back to their default."""
        kept: dict[str, Any] = {}
        fallen = []
        for name in SETTINGS:
            if name not in values:
                continue
            try:
                kept[name] = msgspec.convert(values[name], _types()[name], strict=True)
            except (msgspec.ValidationError, TypeError, ValueError, OverflowError):
                fallen.append(name)
        return cls(**kept).agreeing(), tuple(fallen)

    def agreeing(self) -> Site:
        """The same site with defaults that are among what is offered, whatever was stored."""
        changes: dict[str, Any] = {}
        if self.default_market not in self.markets:
            changes["default_market"] = self.markets[0]
        if self.default_currency not in self.currencies:
            changes["default_currency"] = self.currencies[0]
        if self.default_sort not in self.sorts:
            changes["default_sort"] = self.sorts[0]
        if self.guests > self.max_guests:
            changes["guests"] = self.max_guests
        if self.page_size > self.cap:
            changes["page_size"] = self.cap
        return msgspec.structs.replace(self, **changes) if changes else self

    def for_market(self, market: str) -> Site:
        """The same site with another default market."""
        return self if market == self.default_market else msgspec.structs.replace(self, default_market=market)

    def banner(self, today: date) -> str:
        """The banner's text, empty once its last day is over."""
        over = self.banner_until is not None and self.banner_until < today
        return "" if over else self.banner_text

    @property
    def price_rules(self) -> PriceRules:
        """How the gateway's prices are read, for `domain.offers`."""
        return PriceRules(surcharges=self.surcharge_mode, basis=self.price_basis)

    def usual_search(self, place: str, today: date) -> StaySearch:
        """What a visitor who only names a place is taken to ask."""
        check_in = today + timedelta(days=self.nights_ahead)
        return StaySearch(
            place=place,
            dates=StayDates(check_in, check_in + timedelta(days=self.nights)),
            guests=self.guests,
            stars=(),
            currency=self.default_currency,
            market=self.default_market,
        )

    def provider_label(self, code: str) -> str:
        """What visitors read for a provider: its label, else its code."""
        entry = self._provider(code)
        return entry.label if entry and entry.label else code

    def provider_order(self, code: str) -> tuple[int, str]:
        """A sort key for providers: as the admin ordered them, unlisted ones last, then by code."""
        entry = self._provider(code)
        return (entry.order if entry else 1_000_000, code)

    def is_enabled(self, code: str) -> bool:
        """Whether offers of this provider are shown; a provider nobody listed is."""
        entry = self._provider(code)
        return entry is None or entry.enabled

    def blocked_keys(self, today: date) -> frozenset[str]:
        """The keys of every property that is off the site today."""
        return frozenset(block.key for block in self.blocks if block.until is None or today <= block.until)

    def override(self, airport: str) -> DestinationOverride | None:
        """The correction for one airport (IATA code), if an admin made one."""
        return next((entry for entry in self.overrides if entry.airport == airport), None)

    def featured_on(self, today: date) -> tuple[FeaturedDestination, ...]:
        """The featured destinations in season, in their order."""
        return tuple(entry for entry in self.featured if entry.in_season(today))

    def code_label(self, kind: str, code: str) -> str | None:
        """An admin's words for a code, or None."""
        asked = (kind, code)
        return next((entry.label for entry in self.code_labels if (entry.kind, entry.code) == asked), None)

    def _provider(self, code: str) -> ProviderEntry | None:
        return next((entry for entry in self.providers if entry.code == code), None)


SETTINGS: tuple[str, ...] = tuple(name for name in Site.__struct_fields__ if name not in CONTENT)


@cache
def _types() -> dict[str, Any]:
    return get_type_hints(Site, include_extras=True)


def limits(name: str) -> Meta:
    """The range a setting's type declares (`ge`, `le`, `max_length`...), empty when it declares none."""
    declared: tuple[Any, ...] = getattr(_types()[name], "__metadata__", ())
    return next((meta for meta in declared if isinstance(meta, Meta)), Meta())
