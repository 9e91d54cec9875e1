"""The settings that an admin changes while the site runs, as one immutable value with built-in defaults."""

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar, get_type_hints

import msgspec
from babel.numbers import get_territory_currencies
from msgspec import Meta

from .offers import PriceBasis, PriceRules, SurchargeMode
from .query import Filter, Sort, StayDates, StaySearch
from .words import fold, printable, without_entities

T = TypeVar("T")


class CategoriesStyle(StrEnum):
    """How several star ratings are asked for: one list, a repeated parameter, one call each."""

    COMMA = "comma"
    REPEAT = "repeat"
    EACH = "each"


class PlaceNames(StrEnum):
    """Which name of a place the gateway is asked for."""

    ENGLISH = "english"
    LOCAL = "local"
    MARKET = "market"


class ProviderEntry(msgspec.Struct, frozen=True):
    """A provider as an admin presents it; a lower `order` comes first among equals. `address_template` is of
    `domain.hand_over`, `prices_change` marks one whose prices often change."""

    code: str
    label: str = ""
    order: int = 0
    enabled: bool = True
    address_template: str = ""
    prices_change: bool = False


# A label as short as this needs no initials beside it.
LONGEST_MARK = 3
UNLISTED = ProviderEntry("", order=1_000_000)


class Block(msgspec.Struct, frozen=True):
    """A property off the site, to the end of the day `until` or for good (None). `other_keys` are its other
    keys in the results of that time; None before a look at them."""

    key: str
    until: date | None = None
    other_keys: tuple[str, ...] | None = None


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


class CodeLabel(msgspec.Struct, frozen=True):
    """Words for a code of the gateway that the site doesn't know by itself."""

    kind: str
    code: str
    label: str


Market = Annotated[str, Meta(pattern=r"^[a-z]{2}-[a-z]{2}\Z")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]
# An https address, a path of this site's own host, or empty.
OWN_PAGE = r"^(|/[^/\\\s]\S*|https://[^\s/?#]+\S*)\Z"

BUILT_IN_PLACES = ("Barcelona", "Lisbon", "Rome", "Kraków", "Paris", "Dublin", "Athens", "Prague")


def setting(default: T, **limits: Any) -> T:
    """A field of `Site` that admins can change; `limits` are those of msgspec: for a number `ge` and `le`."""
    return field(default=default, metadata={"limits": Meta(**limits)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Every run-time setting, then the content that every page needs. `Site()` is the site out of the box.
    Columns, the admin's form and the documentation follow `SETTINGS`: these declarations, in the order of the
    form, and their words in settings.toml."""

    site_name: str = setting("Hotel search", min_length=1, max_length=60)
    contact_email: str = setting("", max_length=254, pattern=r"^(|[^@\s<>]+@[^@\s<>]+)\Z")
    contact_text: str = setting("", max_length=500)
    imprint_address: str = setting("", max_length=500, pattern=OWN_PAGE)
    privacy_address: str = setting("", max_length=500, pattern=OWN_PAGE)
    accessibility_address: str = setting("", max_length=500, pattern=OWN_PAGE)

    banner_text: str = setting("", max_length=300)
    banner_until: date | None = setting(None)

    default_market: Market = setting("en-gb")
    markets: tuple[Market, ...] = setting(
        ("en-gb", "en-ie", "en-us", "de-de", "es-es", "fr-fr", "it-it", "pl-pl", "pt-pt"),
        min_length=1,
        max_length=60,
    )
    default_currency: Annotated[str, Meta(pattern=r"^([A-Z]{3})?\Z")] = setting("")
    currencies: tuple[Currency, ...] = setting(
        ("EUR", "GBP", "USD", "CHF", "PLN", "SEK", "DKK", "NOK", "CZK", "HUF", "RON", "MAD", "JPY"),
        min_length=1,
        max_length=60,
    )

    nights_ahead: int = setting(14, ge=0, le=365)
    nights: int = setting(2, ge=1, le=27)
    guests: int = setting(2, ge=1, le=20)
    max_guests: int = setting(8, ge=1, le=20)

    page_size: int = setting(20, ge=1, le=100)
    cap: int = setting(600, ge=20, le=5_000)
    compare_all_limit: int = setting(3_000, ge=0, le=5_000)
    parallel_calls: int = setting(4, ge=1, le=8)
    sorts: tuple[Sort, ...] = setting(tuple(Sort), min_length=1)
    default_sort: Sort = setting(Sort.PRICE)
    filters: tuple[Filter, ...] = setting(tuple(Filter))

    map_enabled: bool = setting(True)
    compare_enabled: bool = setting(True)
    date_strip_enabled: bool = setting(True)
    built_in_places: tuple[str, ...] = setting(BUILT_IN_PLACES)
    export_enabled: bool = setting(True)

    sharing_enabled: bool = setting(True)
    sender_shown: bool = setting(True)
    share_days: int = setting(90, ge=1, le=365)

    surcharge_mode: SurchargeMode = setting(SurchargeMode.ADDED)
    price_basis: PriceBasis = setting(PriceBasis.STAY)
    categories_style: CategoriesStyle = setting(CategoriesStyle.COMMA)
    place_name_language: PlaceNames = setting(PlaceNames.ENGLISH)
    sold_out_errors: bool = setting(False)
    rating_scale: Literal[5, 10, 100] | None = setting(None)

    search_fresh_seconds: int = setting(300, ge=0, le=86_400)
    details_fresh_seconds: int = setting(3_600, ge=0, le=604_800)
    airports_fresh_seconds: int = setting(86_400, ge=0, le=2_592_000)

    remember_prices: bool = setting(True)
    remembered_days: int = setting(120, ge=1, le=800)
    remembered_rows: int = setting(100_000, ge=1_000, le=5_000_000)
    watch_calls: int = setting(120, ge=0, le=10_000)
    watch_percent: int = setting(3, ge=0, le=50)
    often_changed_percent: int = setting(20, ge=1, le=100)
    most_watches: int = setting(1_000, ge=1, le=100_000)

    providers: tuple[ProviderEntry, ...] = ()
    blocks: tuple[Block, ...] = ()
    overrides: tuple[DestinationOverride, ...] = ()
    featured: tuple[FeaturedDestination, ...] = ()
    code_labels: tuple[CodeLabel, ...] = ()

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """The site of stored values and of built-in defaults for the others. Raises ValueError with the names
        of those out of range or at odds with each other."""
        usable: dict[str, Any] = {}
        for name, value in values.items():
            with suppress(ValueError, TypeError, OverflowError):
                usable[name] = msgspec.convert(value, SETTINGS[name].type)
        site = cls(**usable)
        if wrong := [name for name in values if name not in usable] or [*site.contradictions()]:
            raise ValueError(", ".join(wrong))
        return site

    def contradictions(self) -> dict[str, str]:
        """What is wrong with values that are fine by themselves, by the setting to change."""
        rules = (
            (self.default_market in self.markets,
             "default_market", "The default market must be among the offered ones."),
            (self.default_currency in ("", *self.currencies),
             "default_currency", "The default currency must be among the offered ones."),
            (self.default_sort in self.sorts,
             "default_sort", "The default order must be among the offered ones."),
            (self.guests <= self.max_guests,
             "guests", "The default party is larger than the largest party."),
            (self.page_size <= self.cap,
             "cap", "At least one page of hotels must be compared."),
            (self.banner_text or not self.banner_until,
             "banner_until", "There is no banner to end on this day."),
        )  # fmt: skip
        return {name: reason for holds, name, reason in rules if not holds}

    def for_market(self, market: str) -> Self:
        return self if market == self.default_market else replace(self, default_market=market)

    def currency_of(self, market: str) -> str:
        """The currency of a search that names none."""
        own = next(iter(get_territory_currencies(market[-2:].upper())), "")
        return self.default_currency or (own if own in self.currencies else self.currencies[0])

    def banner(self, today: date) -> str:
        """The banner's text, empty once its last day is over."""
        over = self.banner_until is not None and self.banner_until < today
        return "" if over else self.banner_text

    @property
    def price_rules(self) -> PriceRules:
        """How the gateway's prices are read, for `domain.offers`."""
        codes = sorted((entry.code for entry in self.providers), key=self.provider_order)
        return PriceRules(self.surcharge_mode, self.price_basis, tuple(codes))

    def weekend(self, today: date) -> StayDates:
        """From Friday to Sunday in the week of the usual check-in, of the next one if that is over."""
        usual = today + timedelta(days=self.nights_ahead)
        friday = usual + timedelta(days=4 - usual.weekday())
        friday += timedelta(days=0 if friday > today else 7)
        return StayDates(friday, friday + timedelta(days=2))

    def usual_search(self, place: str, today: date) -> StaySearch:
        """The search for a place without dates and guests."""
        check_in = today + timedelta(days=self.nights_ahead)
        return StaySearch(
            place=place,
            dates=StayDates(check_in, check_in + timedelta(days=self.nights)),
            guests=self.guests,
            stars=(),
            currency=self.currency_of(self.default_market),
            market=self.default_market,
        )

    def provider_label(self, code: str) -> str:
        """The name of a provider for visitors: its label, else its code."""
        return self.provider(code).label or printable(without_entities(code))

    def provider_mark(self, code: str) -> str:
        """The initials that stand for a provider's logo; empty where its label is no longer than a mark."""
        label = self.provider_label(code)
        initials = (word[0] for word in label.split() if word[0].isalnum())
        return "".join(islice(initials, 2)).upper() if len(label) > LONGEST_MARK else ""

    def provider_order(self, code: str) -> tuple[int, str]:
        """A sort key for providers: as the admin ordered them, unlisted ones last, then by code."""
        return (self.provider(code).order, code)

    @property
    def disabled_providers(self) -> frozenset[str]:
        return frozenset(entry.code for entry in self.providers if not entry.enabled)

    def blocked_keys(self, today: date) -> frozenset[str]:
        """All keys of every property that is off the site today."""
        in_force = (block for block in self.blocks if block.until is None or today <= block.until)
        return frozenset(key for block in in_force for key in (block.key, *(block.other_keys or ())))

    def override(self, airport: str) -> DestinationOverride | None:
        return next((entry for entry in self.overrides if entry.airport == airport), None)

    def featured_on(self, today: date) -> tuple[FeaturedDestination, ...]:
        seasons = ((one, one.first_day or today, one.last_day or today) for one in self.featured)
        return tuple(one for one, first, last in seasons if first <= today <= last)

    def home_places(self, today: date) -> tuple[FeaturedDestination, ...]:
        """The featured destinations in season, then the built-in places that no season features."""
        taken = {fold(entry.place) for entry in self.featured}
        built_in = (FeaturedDestination(one) for one in self.built_in_places if fold(one) not in taken)
        return (*self.featured_on(today), *built_in)

    def code_label(self, kind: str, code: str) -> str | None:
        asked = (kind, code)
        return next((entry.label for entry in self.code_labels if (entry.kind, entry.code) == asked), None)

    def provider(self, code: str) -> ProviderEntry:
        """A provider as the admin presents it; unlisted ones are enabled and come last."""
        return next((entry for entry in self.providers if entry.code == code), UNLISTED)


class Setting(NamedTuple):
    """One setting as `Site` declares it, with its words of settings.toml; `choices` are texts by value."""

    name: str
    type: Any
    default: Any
    limits: Meta
    group: str
    label: str
    help_text: str
    choices: dict[Any, str]


def _settings() -> dict[str, Setting]:
    """All settings, in the order of their declarations."""
    groups = tomllib.loads(Path(__file__).with_name("settings.toml").read_text(encoding="utf-8"))
    words = {name: {"group": group, **about} for group in groups for name, about in groups[group].items()}
    types = get_type_hints(Site, include_extras=True)
    settings = {}
    for one in fields(Site):
        if limits := one.metadata.get("limits"):
            about = {**words[one.name], "choices": dict(words[one.name].get("choices", ()))}
            kind = {"type": Annotated[types[one.name], limits], "default": one.default, "limits": limits}
            settings[one.name] = Setting(one.name, **kind, **about)
    settings["sorts"].choices.update(settings["default_sort"].choices)
    settings["built_in_places"].choices.update(zip(BUILT_IN_PLACES, BUILT_IN_PLACES, strict=True))
    return settings


SETTINGS = _settings()
