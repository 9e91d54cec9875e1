"""The settings that an admin changes while the site runs, as one immutable value with built-in defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeVar, get_type_hints

import msgspec
from babel.numbers import get_territory_currencies
from msgspec import Meta

from .offers import PriceBasis, PriceRules, SurchargeMode
from .query import Filter, Sort, StayDates, StaySearch
from .text import fold, printable, without_entities

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
    """A provider as an admin presents it; a lower `order` comes first among equals."""

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

SORT_LABELS = {
    Sort.PRICE: "Lowest total",
    Sort.RATING: "Highest guest rating",
    Sort.STARS: "Most stars",
    Sort.DISTANCE: "Nearest",
    Sort.TRADEOFFS: "Best trade-offs",
    Sort.PROVIDER: "Provider order",
}


BUILT_IN_PLACES = ("Barcelona", "Lisbon", "Rome", "Kraków", "Paris", "Dublin", "Athens", "Prague")


class Group(StrEnum):
    """A part of the admin's settings page, in the page's order."""

    NAME = "Name and contact"
    BANNER = "Banner"
    MARKETS = "Languages and currencies"
    FORM = "The empty search form"
    RESULTS = "Results"
    FEATURES = "What pages offer"
    SHARING = "Sharing"
    GATEWAY = "How the gateway is read"
    CACHE = "How long answers are kept"
    MEMORY = "Prices remembered"


def setting(default: T, group: Group, label: str, help_text: str, choices: Any = None, **limits: Any) -> T:
    """A field of `Site` that admins can change; `choices` are texts by value, `limits` those of msgspec: for
    a number both ends, `ge` and `le`."""
    about = {"group": group, "label": label, "help_text": help_text, "choices": choices}
    return field(default=default, metadata={**about, "limits": Meta(**limits)})


class UnusableSettings(ValueError):
    """Values out of range or at odds with each other; `reasons` by setting."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__(", ".join(reasons))
        self.reasons = reasons


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Every run-time setting, then the content that every page needs. `Site()` is the site out of the box.

    Columns, the admin's form and the documentation follow `SETTINGS`, which is read from these declarations.
    """

    # A setting's value and range in the first lines, its help text in the last.
    # fmt: off
    site_name: str = setting("Hotel search", Group.NAME, "site name", min_length=1, max_length=60,
        help_text="Shown in the header, in every page title and in link previews.")
    contact_email: str = setting("", Group.NAME, "contact address",
        max_length=254, pattern=r"^(|[^@\s<>]+@[^@\s<>]+)\Z",
        help_text="Shown in the footer and on error pages as a mail link. Empty: no link.")
    contact_text: str = setting("", Group.NAME, "contact text", max_length=500,
        help_text="A line or two in the footer: who runs the site, when somebody answers.")
    imprint_address: str = setting("", Group.NAME, "imprint", max_length=500, pattern=OWN_PAGE,
        help_text="The footer's link to it: an https address or a path, such as /imprint. Empty: no link.")
    privacy_address: str = setting("", Group.NAME, "privacy policy", max_length=500, pattern=OWN_PAGE,
        help_text="The same for the privacy policy.")
    accessibility_address: str = setting("", Group.NAME, "accessibility statement", max_length=500,
        pattern=OWN_PAGE, help_text="The same for the accessibility statement.")

    banner_text: str = setting("", Group.BANNER, "banner", max_length=300,
        help_text="A message above every page. Empty: no banner.")
    banner_until: date | None = setting(None, Group.BANNER, "banner until",
        help_text="The last day the banner is shown. Empty: until you take it down.")

    default_market: Market = setting("en-gb", Group.MARKETS, "default market",
        help_text="Language and country for visitors who chose none, such as en-gb: the words, "
        "the number format and which offers providers return.")
    markets: tuple[Market, ...] = setting(
        ("en-gb", "en-ie", "en-us", "de-de", "es-es", "fr-fr", "it-it", "pl-pl", "pt-pt"),
        Group.MARKETS, "offered markets", min_length=1, max_length=60,
        help_text="What visitors can choose, in this order; newly chosen ones come last.")
    default_currency: Annotated[str, Meta(pattern=r"^([A-Z]{3})?\Z")] = setting(
        "", Group.MARKETS, "default currency",
        help_text="Prices are in this currency until a visitor chooses another. Empty: that of the visitor's "
        "country.")
    currencies: tuple[Currency, ...] = setting(
        ("EUR", "GBP", "USD", "CHF", "PLN", "SEK", "DKK", "NOK", "CZK", "HUF", "RON", "MAD", "JPY"),
        Group.MARKETS, "offered currencies", min_length=1, max_length=60,
        help_text="What visitors can choose, in this order; newly chosen ones come last.")

    nights_ahead: int = setting(14, Group.FORM, "days ahead", ge=0, le=365,
        help_text="The check-in day filled into an empty form: this many days from today.")
    nights: int = setting(2, Group.FORM, "nights", ge=1, le=27,
        help_text="The length of stay filled into an empty form.")
    guests: int = setting(2, Group.FORM, "guests", ge=1, le=20,
        help_text="The party filled into an empty form.")
    max_guests: int = setting(8, Group.FORM, "most guests", ge=1, le=20,
        help_text="The largest party the form offers; larger ones are refused.")

    page_size: int = setting(20, Group.RESULTS, "hotels per page", ge=1, le=100,
        help_text="Cards on one page of results. More means slower pages.")
    cap: int = setting(600, Group.RESULTS, "hotels compared at most", ge=20, le=5_000,
        help_text="Sorting and filtering reach this many hotels of an answer; "
        "the page says when there are more.")
    compare_all_limit: int = setting(3_000, Group.RESULTS, "hotels compared on request at most",
        ge=0, le=5_000,
        help_text="How far “Compare all” reaches, a button where there are more hotels than are compared. "
        "It fetches them behind pages, two searches at a time. 0: no button.")
    parallel_calls: int = setting(4, Group.RESULTS, "calls at once", ge=1, le=8,
        help_text="Pages of an answer fetched side by side. More is quicker for one visitor, "
        "harder on the gateway.")
    sorts: tuple[Sort, ...] = setting(tuple(Sort), Group.RESULTS, "offered orders", min_length=1,
        help_text="The choices beside “Sort by”.")
    default_sort: Sort = setting(Sort.PRICE, Group.RESULTS, "default order", choices=SORT_LABELS,
        help_text="The order of results until a visitor chooses another.")
    filters: tuple[Filter, ...] = setting(tuple(Filter), Group.RESULTS, "offered filters",
        help_text="The groups of the filter panel.")

    map_enabled: bool = setting(True, Group.FEATURES, "map",
        help_text="The map beside results and on hotel pages.")
    compare_enabled: bool = setting(True, Group.FEATURES, "compare",
        help_text="Picking hotels and looking at them side by side.")
    date_strip_enabled: bool = setting(True, Group.FEATURES, "cheapest dates",
        help_text="What a stay costs on other days, weekends and in a month, on request.")
    built_in_places: tuple[str, ...] = setting(
        BUILT_IN_PLACES, Group.FEATURES, "built-in places",
        help_text="Cities on the home page after those that are featured.")
    export_enabled: bool = setting(True, Group.FEATURES, "export",
        help_text="The download of a result list as a table, for staff.")

    sharing_enabled: bool = setting(True, Group.SHARING, "sharing",
        help_text="The share button for staff. Off: links made earlier stop opening until it is on again, "
        "and there is no export.")
    sender_shown: bool = setting(True, Group.SHARING, "name of the sender",
        help_text="On: shared links name who made them, by first and last name, and replies go to them.")
    share_days: int = setting(90, Group.SHARING, "links live for (days)", ge=1, le=365,
        help_text="A link ends after this time, or on its check-in day.")

    surcharge_mode: SurchargeMode = setting(SurchargeMode.ADDED, Group.GATEWAY, "taxes and fees",
        choices={SurchargeMode.ADDED: "come on top of the gateway's price",
                 SurchargeMode.INCLUDED: "are inside the gateway's price"},
        help_text="Decides the total on every card: on top never promises too low a price.")
    price_basis: PriceBasis = setting(PriceBasis.STAY, Group.GATEWAY, "the gateway's price is",
        choices={PriceBasis.STAY: "for the whole stay", PriceBasis.NIGHT: "for one night"},
        help_text="For one night: totals are multiplied by the nights of the stay.")
    categories_style: CategoriesStyle = setting(
        CategoriesStyle.COMMA, Group.GATEWAY, "several star ratings",
        choices={CategoriesStyle.COMMA: "one parameter, commas between (4,5)",
                 CategoriesStyle.REPEAT: "the parameter repeated",
                 CategoriesStyle.EACH: "one call for each star rating"},
        help_text="How the gateway wants to be asked; the wrong way finds too few hotels of several stars.")
    place_name_language: PlaceNames = setting(PlaceNames.ENGLISH, Group.GATEWAY, "places are asked for in",
        choices={PlaceNames.ENGLISH: "English (Munich)",
                 PlaceNames.LOCAL: "the language of their country (M\u00fcnchen)",
                 PlaceNames.MARKET: "the visitor's language"},
        help_text="Where the gateway knows another name, a search finds nothing.")
    sold_out_errors: bool = setting(False, Group.GATEWAY, "sold out may come as an error",
        help_text="On: an error (400 or 404) that says there are no rooms, or an empty object, "
        "is nothing found for these dates.")
    rating_scale: Literal[5, 10, 100] | None = setting(None, Group.GATEWAY, "guest rating scale",
        choices={5: "out of 5", 10: "out of 10", 100: "out of 100"},
        help_text="Shown behind the number, such as 8.4/10. Empty: the bare number.")

    search_fresh_seconds: int = setting(
        300, Group.CACHE, "prices are fresh for", ge=0, le=86_400,
        help_text="Within this time the same search shows the same prices without asking again. "
        "0: always ask.")
    details_fresh_seconds: int = setting(
        3_600, Group.CACHE, "descriptions are fresh for", ge=0, le=604_800,
        help_text="The same for the descriptions and rooms of a hotel. 0: always ask.")
    airports_fresh_seconds: int = setting(
        86_400, Group.CACHE, "airports are fresh for", ge=0, le=2_592_000,
        help_text="The same for the list of airports behind the destination field. 0: always ask.")

    remember_prices: bool = setting(True, Group.MEMORY, "remember totals",
        help_text="What hotels cost that visitors open, keep or share, to say what their stay cost before. "
        "Nothing about visitors is kept.")
    remembered_days: int = setting(120, Group.MEMORY, "remembered for (days)", ge=1, le=800,
        help_text="Totals that were last seen so long ago are deleted.")
    remembered_rows: int = setting(100_000, Group.MEMORY, "most remembered totals", ge=1_000, le=5_000_000,
        help_text="Beyond this many rows the oldest are deleted. A total that stays the same is one row.")
    watch_calls: int = setting(120, Group.MEMORY, "calls for watched totals an hour", ge=0, le=10_000,
        help_text="“Watch this price” looks totals up with at most so many calls; visitors come first. "
        "A search takes several. 0: nothing is watched.")
    watch_percent: int = setting(3, Group.MEMORY, "a watch tells changes above (%)", ge=0, le=50,
        help_text="A watched total that falls or rises by more than this is told. Holds for new watches.")
    often_changed_percent: int = setting(20, Group.MEMORY, "totals often change above (%)", ge=1, le=100,
        help_text="The gateway panel says “often” of a provider of whose totals more had changed at the next "
        "look, in the last seven days. You can mark such a provider.")
    most_watches: int = setting(1_000, Group.MEMORY, "most watches", ge=1, le=100_000,
        help_text="While so many are live no visitor can begin another.")
    # fmt: on

    providers: tuple[ProviderEntry, ...] = ()
    blocks: tuple[Block, ...] = ()
    overrides: tuple[DestinationOverride, ...] = ()
    featured: tuple[FeaturedDestination, ...] = ()
    code_labels: tuple[CodeLabel, ...] = ()

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """The site of stored values and of built-in defaults for the others; raises UnusableSettings."""
        usable: dict[str, Any] = {}
        wrong: dict[str, str] = {}
        for name, value in values.items():
            try:
                usable[name] = msgspec.convert(value, SETTINGS[name].type)
            except (ValueError, TypeError, OverflowError) as error:
                wrong[name] = str(error)
        site = cls(**usable)
        if wrong := wrong or site.contradictions():
            raise UnusableSettings(wrong)
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
        return self._provider(code).label or printable(without_entities(code))

    def provider_mark(self, code: str) -> str:
        """The initials that stand for a provider's logo; empty where its label is no longer than a mark."""
        label = self.provider_label(code)
        initials = (word[0] for word in label.split() if word[0].isalnum())
        return "".join(islice(initials, 2)).upper() if len(label) > LONGEST_MARK else ""

    def provider_order(self, code: str) -> tuple[int, str]:
        """A sort key for providers: as the admin ordered them, unlisted ones last, then by code."""
        return (self._provider(code).order, code)

    def address_template(self, code: str) -> str:
        """The template of a provider's addresses (`domain.hand_over`), if an admin gave one."""
        return self._provider(code).address_template

    def is_enabled(self, code: str) -> bool:
        """Whether pages show offers of this provider; an unlisted one is enabled."""
        return self._provider(code).enabled

    @property
    def disabled_providers(self) -> frozenset[str]:
        """The codes of the providers that aren't enabled."""
        return frozenset(entry.code for entry in self.providers if not entry.enabled)

    def blocked_keys(self, today: date) -> frozenset[str]:
        """All keys of every property that is off the site today."""
        in_force = (block for block in self.blocks if block.until is None or today <= block.until)
        return frozenset(key for block in in_force for key in (block.key, *(block.other_keys or ())))

    def override(self, airport: str) -> DestinationOverride | None:
        """The correction for one airport (IATA code), if an admin made one."""
        return next((entry for entry in self.overrides if entry.airport == airport), None)

    def featured_on(self, today: date) -> tuple[FeaturedDestination, ...]:
        """The featured destinations in season, in their order."""
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

    def prices_change(self, code: str) -> bool:
        """Whether an admin marked the provider as one whose prices often change."""
        return self._provider(code).prices_change

    def _provider(self, code: str) -> ProviderEntry:
        return next((entry for entry in self.providers if entry.code == code), UNLISTED)


class Setting(NamedTuple):
    """One setting as `Site` declares it."""

    name: str
    type: Any
    default: Any
    group: Group
    label: str
    help_text: str
    choices: Mapping[Any, str] | None
    limits: Meta


_types = get_type_hints(Site, include_extras=True)
SETTINGS = {
    one.name: Setting(
        one.name, Annotated[_types[one.name], one.metadata["limits"]], one.default, **one.metadata
    )
    for one in fields(Site)
    if one.metadata
}
