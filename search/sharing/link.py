"""What a link remembers of the properties it shows, and the rules of how long it works."""

from datetime import date, timedelta
from enum import StrEnum
from urllib.parse import parse_qs

import msgspec

from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.offers import PricedOffer, StayTotal
from search.domain.query import StayDates, StaySearch
from search.results.listings import PricedListing
from search.web.labels import name_or_place

MAX_PICKS = 20


class LinkKind(StrEnum):
    """What was shared: a page of results, one property, or properties picked by hand."""

    RESULTS = "results"
    PROPERTY = "property"
    PICKS = "picks"


class LinkState(StrEnum):
    LIVE = "live"
    REVOKED = "revoked"
    PAST = "past"
    EXPIRED = "expired"


class Snapshot(msgspec.Struct, frozen=True):
    """One property as the sender saw it. `provider` and `property_id` are those of the offer in front,
    whose total is `total` (None: it had no price), `complete` unless a surcharge is left out of it, and
    `counting` by which rules it was made, empty in older links; `picture` is the gateway's address or empty;
    `page` is the page of results the card was on; `country` and `coordinates` are empty and None in older
    links."""

    key: str
    provider: str
    property_id: str
    name: str
    city: str
    picture: str
    total: Money | None
    page: int = 1
    address: str = ""
    complete: bool = True
    counting: str = ""
    country: str = ""
    coordinates: Coordinates | None = None

    @property
    def shown_name(self) -> str:
        """As `property_name`."""
        return name_or_place(self.name, self.address or self.city)


# msgspec learns the struct before there are threads: two that met it at once would end the process.
msgspec.json.Decoder(Snapshot)


def last_day(check_in: date, today: date, days: int) -> date:
    """The last day a link works when nobody says otherwise: after `days`, but never beyond check-in."""
    return min(check_in, today + timedelta(days=days))


def snapshot_of(found: PricedListing, page: int) -> Snapshot:
    """What a card shows now, to be remembered; `page` is the page of results it is on."""
    building, (provider, property_id) = found.listing.property, found.at
    total = total_of(found.offers)
    return Snapshot(
        key=building.key,
        provider=provider,
        property_id=property_id,
        name=building.name,
        address=building.address,
        city=building.city,
        picture=building.images[0] if building.images else "",
        total=total.total if total else None,
        complete=total is None or total.complete,
        counting=total.rules.counting if total else "",
        page=page,
        country=building.country,
        coordinates=building.coordinates,
    )


def total_of(offers: tuple[PricedOffer, ...]) -> StayTotal | None:
    """The headline total of ranked offers, None without a price."""
    return offers[0].total if offers else None


def read_search(query: str) -> StaySearch:
    """The search of a canonical query string; ValueError when it is none.

    This only reads what was validated when it was stored. Whether the site still offers its market and
    currency is for the search form to say.
    """
    values = parse_qs(query, keep_blank_values=True)
    try:
        days = (date.fromisoformat(values[name][0]) for name in ("checkin", "checkout"))
        return StaySearch(
            place=values["place"][0],
            dates=StayDates(*days),
            guests=int(values["guests"][0]),
            stars=tuple(int(star) for star in values.get("stars", ())),
            currency=values["currency"][0],
            market=values["market"][0],
        )
    except KeyError as missing:
        raise ValueError(f"no {missing} in a stored search") from None
