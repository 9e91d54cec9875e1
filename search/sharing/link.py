"""Shared links: what a sender saw, and how long it may be seen."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from enum import StrEnum
from urllib.parse import parse_qs

import msgspec

from search.domain.hotels import Property
from search.domain.money import Money
from search.domain.offers import PricedOffer
from search.domain.query import StayDates, StaySearch
from search.results.listings import FoundProperty, PricedListing

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
    """One property as the sender saw it. `provider` and `property_id` are those of the offer in front, whose
    total is `total` (None: it had no price); `picture` is the gateway's address or empty; `page` is the page
    of results the card was on."""

    key: str
    provider: str
    property_id: str
    name: str
    city: str
    picture: str
    total: Money | None
    page: int = 1


class Shared(msgspec.Struct, frozen=True):
    """What a link leads to. `search` and `refinement` are canonical query strings, never addresses; `keys`
    are the picked properties in their order, or the one property, and empty for a page of results."""

    kind: LinkKind
    search: str
    refinement: str
    page: int
    keys: tuple[str, ...]
    title: str
    note: str

    def digest(self) -> str:
        """The same for the same content, so that sharing it again gives the same link."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


class NewLink(msgspec.Struct, frozen=True):
    """A link as a sender makes it: `label` is for the sender alone, `expires` the last day it works."""

    shared: Shared
    snapshot: tuple[Snapshot, ...]
    label: str
    expires: date


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A shared link as its pages show it. `expires` is the last day it works; `snapshot` is what was shown at
    `shared_at`, in the sender's order; `opens` is approximate by nature; `owner` is empty when their account
    is gone."""

    code: str
    shared: Shared
    snapshot: tuple[Snapshot, ...]
    shared_at: datetime
    place: str
    check_in: date
    expires: date
    revoked_at: datetime | None
    label: str
    owner: str
    opens: int
    first_opened_at: datetime | None
    last_opened_at: datetime | None

    def state(self, today: date) -> LinkState:
        if self.revoked_at is not None:
            return LinkState.REVOKED
        if self.check_in < today:
            return LinkState.PAST
        return LinkState.EXPIRED if self.expires < today else LinkState.LIVE


def last_day(check_in: date, today: date, days: int) -> date:
    """The last day a link works when nobody says otherwise: after `days`, but never beyond check-in."""
    return min(check_in, today + timedelta(days=days))


def snapshot_of(found: PricedListing, page: int) -> Snapshot:
    """What a card shows now, to be remembered; `page` is the page of results it is on."""
    building = found.listing.property
    return _snapshot(building, found.offers, (building.provider, building.id), page)


def snapshot_of_property(found: FoundProperty, page: int) -> Snapshot:
    """What a property page shows now, to be remembered; `page` is the page of results its card is on."""
    return _snapshot(found.building, found.offers or (), (found.provider, found.property_id), page)


def _snapshot(
    building: Property, offers: tuple[PricedOffer, ...], at: tuple[str, str], page: int
) -> Snapshot:
    provider, property_id = (offers[0].offer.provider, offers[0].offer.property_id) if offers else at
    return Snapshot(
        key=building.key,
        provider=provider,
        property_id=property_id,
        name=building.name,
        city=building.city,
        picture=building.images[0] if building.images else "",
        total=total_of(offers),
        page=page,
    )


def total_of(offers: tuple[PricedOffer, ...]) -> Money | None:
    """The headline total of ranked offers, None without a price."""
    total = offers[0].total if offers else None
    return total.total if total else None


def read_search(query: str) -> StaySearch:
    """The search of a canonical query string; ValueError when it is none.

    This only reads what was validated when it was stored. Whether the site still offers its market and
    currency is for the search form to say.
    """
    values = parse_qs(query, keep_blank_values=True)
    try:
        return StaySearch(
            place=values["place"][0],
            dates=StayDates(
                date.fromisoformat(values["checkin"][0]), date.fromisoformat(values["checkout"][0])
            ),
            guests=int(values["guests"][0]),
            stars=tuple(int(star) for star in values.get("stars", ())),
            currency=values["currency"][0],
            market=values["market"][0],
        )
    except KeyError as missing:
        raise ValueError(f"no {missing} in a stored search") from None
