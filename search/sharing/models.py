"""Links that staff share: what was shared, until when, and roughly how often it was opened."""

import hashlib
from contextlib import suppress
from datetime import date, timedelta
from enum import StrEnum

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.functional import cached_property

from search.domain.hotels import Coordinates, at_provider
from search.domain.money import Money
from search.domain.offers import PricedOffer, StayTotal
from search.domain.query import StayDates, StaySearch, earliest_day
from search.domain.text import BIDI_CONTROL
from search.results.listings import PricedListing
from search.web.labels import name_or_place


class LinkKind(models.TextChoices):
    """What was shared, with the admin's words."""

    RESULTS = "results", "page of results"
    PROPERTY = "property", "one property"
    PICKS = "picks", "picked by hand"


class LinkState(StrEnum):
    LIVE = "live"
    REVOKED = "revoked"
    PAST = "past"
    EXPIRED = "expired"


class Snapshot(msgspec.Struct, frozen=True):
    """One property as the sender saw it, at the provider of the leading offer. `complete`: no surcharge is
    missing in `total`, which was made by the rules of `counting`."""

    key: str
    provider: str
    property_id: str
    name: str
    city: str
    picture: str
    total: Money | None
    address: str = ""
    complete: bool = True
    counting: str = ""
    country: str = ""
    coordinates: Coordinates | None = None

    @property
    def shown_name(self) -> str:
        """As `property_name`."""
        return name_or_place(self.name, self.address or self.city)

    @property
    def names(self) -> tuple[str, str]:
        """The keys that results may have for it."""
        return self.key, at_provider(self.provider, self.property_id)


# msgspec learns the struct before there are threads: two that met it at once would end the process.
msgspec.json.Decoder(Snapshot)


def last_day(check_in: date, today: date, days: int) -> date:
    """The last day a link works: after `days`, at check-in at the latest."""
    return min(check_in, today + timedelta(days=days))


def snapshot_of(card: PricedListing) -> Snapshot:
    """What a card shows now."""
    building, (provider, property_id) = card.listing.property, card.at
    total = total_of(card.offers)
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
        country=building.country,
        coordinates=building.coordinates,
    )


def total_of(offers: tuple[PricedOffer, ...]) -> StayTotal | None:
    """The headline total of ranked offers, None without a price."""
    return offers[0].total if offers else None


def read_search(query: str) -> StaySearch:
    """The search of a stored query string, which was valid then. Raises ValueError for another text."""
    values = QueryDict(query)
    try:
        check_in, check_out = (date.fromisoformat(values[name]) for name in ("checkin", "checkout"))
        return StaySearch(
            place=values["place"],
            dates=StayDates(check_in, check_out),
            guests=int(values["guests"]),
            stars=tuple(map(int, values.getlist("stars"))),
            currency=values["currency"],
            market=values["market"],
        )
    except KeyError as missing:
        raise ValueError(f"no {missing} in a stored search") from None


class SharedLink(models.Model):
    """`search` and `refinement` are canonical query strings, so a link leads nowhere but into this site.
    `place` and `check_in` repeat `search` for lists and filters. `digest` identifies the content of a link in
    use: sharing the same again gives the same link."""

    code = models.CharField("code", max_length=16, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="shared by",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="shared_links",
    )
    kind = models.CharField("what", max_length=10, choices=LinkKind.choices)
    search = models.TextField("search")
    refinement = models.TextField("order and filters", blank=True)
    page = models.PositiveIntegerField("page", default=1, validators=[MinValueValidator(1)])
    snapshot = models.JSONField("as it was shown", default=list, blank=True)
    place = models.CharField("place", max_length=200, blank=True)
    check_in = models.DateField("check-in")

    title = models.CharField("title", max_length=120, blank=True)
    note = models.TextField("note to the client", max_length=1000, blank=True)
    label = models.CharField("internal label", max_length=80, blank=True)

    shared_at = models.DateTimeField("shared", db_index=True)
    expires = models.DateField("last day")
    revoked_at = models.DateTimeField("revoked", null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True, editable=False)

    opens = models.PositiveIntegerField("opens, about", default=0, editable=False)
    first_opened_at = models.DateTimeField("first opened", null=True, blank=True, editable=False)
    last_opened_at = models.DateTimeField("last opened", null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "shared link"
        verbose_name_plural = "shared links"
        ordering = ["-shared_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "digest"],
                condition=~models.Q(digest=""),
                name="one_live_link_per_content",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.label or f"{self.place} ({self.code})"

    def clean(self) -> None:
        """Drop characters that turn the reading order; refuse a last day after check-in."""
        for name in ("title", "note", "label"):
            setattr(self, name, BIDI_CONTROL.sub("", getattr(self, name)))
        if self.expires and self.expires > self.check_in:
            raise ValidationError({"expires": "A link works until check-in at the latest."})

    @cached_property
    def shown(self) -> tuple[Snapshot, ...]:
        """The properties in the sender's order, without entries that can't be read."""
        shown = []
        for entry in self.snapshot if isinstance(self.snapshot, list) else ():
            with suppress(msgspec.ValidationError):
                shown.append(msgspec.convert(entry, Snapshot))
        return tuple(shown)

    def state(self, today: date) -> LinkState:
        first = earliest_day(today)
        if self.revoked_at is not None:
            return LinkState.REVOKED
        if self.check_in < first:
            return LinkState.PAST
        return LinkState.EXPIRED if self.expires < first else LinkState.LIVE

    def content_digest(self) -> str:
        """The same for the same content: a page of results with any content, else the same properties."""
        content = {
            "kind": self.kind,
            "search": self.search,
            "refinement": self.refinement,
            "page": self.page,
            "keys": [] if self.kind == LinkKind.RESULTS else [one.key for one in self.shown],
            "title": self.title,
            "note": self.note,
        }
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()


class LinkOpens(models.Model):
    """How often a link was opened on one day, roughly."""

    link = models.ForeignKey(SharedLink, on_delete=models.CASCADE, related_name="daily")
    day = models.DateField()
    opens = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = "opens of one day"
        verbose_name_plural = "opens by day"
        constraints = [models.UniqueConstraint(fields=["link", "day"], name="one_count_per_link_and_day")]

    def __str__(self) -> str:
        return f"{date_format(self.day)}, about {self.opens}"
