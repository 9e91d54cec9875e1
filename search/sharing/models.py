"""Links that staff share: what was shared, until when, and roughly how often it was opened."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Self
from urllib.parse import parse_qsl

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import IntegrityError, models, transaction
from django.db.models import Case, Q, QuerySet, Value, When
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates, at_provider
from search.domain.money import Money
from search.domain.offers import PricedOffer, StayTotal
from search.domain.query import Refinement, StayDates, StaySearch, earliest_day, encode_pairs, place_parts
from search.domain.site_settings import Site
from search.domain.words import BIDI_CONTROL
from search.monitoring.metrics import SHARED_LINKS
from search.results.listings import PricedListing
from search.web.labels import name_or_place
from search.web.shortcuts import page_deadline

# 72 bits: a billion links and a million guesses a second find one in about two months of nothing else.
CODE_BYTES = 9
CODE = "[A-Za-z0-9_-]{12}"


class LinkKind(models.TextChoices):
    """What was shared, with the admin's words."""

    RESULTS = "results", "page of results"
    PROPERTY = "property", "one property"
    PICKS = "picks", "picked by hand"


# Each kind's count begins with 0: to Prometheus one that begins with 1 has not grown.
for _kind in LinkKind:
    SHARED_LINKS.labels(_kind.value)


class LinkState(StrEnum):
    LIVE = "live"
    REVOKED = "revoked"
    PAST = "past"
    EXPIRED = "expired"


class Snapshot(msgspec.Struct, frozen=True):
    """One property as the sender saw it, at the provider of the leading offer. `complete`: no surcharge is
    missing in `total`, which was made by the rules of `counting`. `shared` as in `PricedListing`."""

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
    shared: bool = False

    @classmethod
    def of(cls, card: PricedListing) -> Self:
        """What a card shows now."""
        building, (provider, property_id) = card.listing.property, card.at
        total = total_of(card.offers)
        return cls(
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
            shared=card.shared,
        )

    @property
    def shown_name(self) -> str:
        """As `property_name`."""
        return name_or_place(self.name, self.address or self.city)

    @property
    def names(self) -> tuple[str, str]:
        """The keys that results may have for it."""
        return self.key, at_provider(self.provider, self.property_id)

    @property
    def apart(self) -> str:
        """Its key in addresses, where its identifiers aren't enough."""
        return self.key if self.shared else ""


# msgspec learns the struct before there are threads: two that met it at once would end the process.
msgspec.json.Decoder(Snapshot)


def total_of(offers: tuple[PricedOffer, ...]) -> StayTotal | None:
    """The headline total of ranked offers, None without a price."""
    return offers[0].total if offers else None


class StoredSearch(models.Model):
    """Hotels of a search, until its dates have passed or it is revoked. `search` and `refinement` are
    canonical query strings, so it leads nowhere but into this site; `place` and `check_in` repeat `search`
    for lists and filters."""

    code = models.CharField("code", max_length=16, unique=True, editable=False)
    search = models.TextField("search")
    refinement = models.TextField("order and filters", blank=True)
    snapshot = models.JSONField("as it was shown", default=list, blank=True)
    place = models.CharField("place", max_length=200, blank=True)
    check_in = models.DateField("check-in")
    revoked_at = models.DateTimeField("revoked", null=True, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def of(cls, context: SearchContext, shown: Iterable[Snapshot], **values: Any) -> Self:
        """An unsaved row of these properties."""
        return cls(
            search=context.search.query_string(),
            refinement=encode_pairs(context.refinement.pairs()),
            snapshot=[msgspec.to_builtins(one) for one in shown],
            place=context.search.place,
            check_in=context.search.dates.check_in,
            **values,
        )

    @cached_property
    def shown(self) -> tuple[Snapshot, ...]:
        """The properties in the sender's order."""
        return msgspec.convert(self.snapshot, tuple[Snapshot, ...])

    @property
    def query(self) -> QueryDict:
        """The parameters from which a form reads the search, its order and its filters."""
        return QueryDict(f"{self.search}&{self.refinement}")

    @property
    def around(self) -> Refinement:
        """Which place of its name was picked, and the airport beside it."""
        return Refinement(**place_parts(self.query))

    @property
    def stay(self) -> StaySearch:
        """The search, which was valid when it was stored."""
        pairs = parse_qsl(self.search, keep_blank_values=True)
        values = dict(pairs)
        return StaySearch(
            place=values["place"],
            dates=StayDates(*(date.fromisoformat(values[name]) for name in ("checkin", "checkout"))),
            guests=int(values["guests"]),
            stars=tuple(int(value) for name, value in pairs if name == "stars"),
            currency=values["currency"],
            market=values["market"],
        )

    def context(self, site: Site) -> SearchContext:
        """The stored search for its words alone."""
        deadline = page_deadline()
        _search, _refinement, meant = destinations.resolved(self.stay, self.around, deadline)
        return SearchContext(
            self.stay,
            self.around,
            site,
            localdate(),
            deadline,
            country=meant.country if meant else "",
            centre=destinations.centre(meant, deadline) if meant else None,
        )

    @property
    def first_day(self) -> date:
        """The earliest check-in that the search form takes for its place."""
        today = localdate()
        if self.check_in > today:
            return earliest_day(today)
        there = destinations.day_at(self.place, self.around.around, timezone.now(), page_deadline())
        return there or earliest_day(today)

    @property
    def state(self) -> LinkState:
        """What its reader finds now; the dates have passed once check-in is over where the stay is."""
        if self.revoked_at is not None:
            return LinkState.REVOKED
        return LinkState.PAST if self.check_in < self.first_day else LinkState.LIVE


class SharedLink(StoredSearch):
    """`digest` identifies the content: sharing the same again gives the same link while it lives. It is empty
    once another link has the content."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="shared by",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="shared_links",
    )
    kind = models.CharField("what", max_length=10, choices=LinkKind.choices)
    page = models.PositiveIntegerField("page", default=1, validators=[MinValueValidator(1)])

    title = models.CharField("title", max_length=120, blank=True)
    note = models.TextField("note to the client", max_length=1000, blank=True)
    label = models.CharField("internal label", max_length=80, blank=True)

    shared_at = models.DateTimeField("shared", db_index=True)
    expires = models.DateField("last day")
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
                fields=["owner", "digest"], condition=~Q(digest=""), name="one_live_link_per_content"
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

    @property
    def state(self) -> LinkState:
        state, is_over = super().state, self.expires < earliest_day(localdate())
        return LinkState.EXPIRED if state is LinkState.LIVE and is_over else state

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


def last_day(check_in: date, days: int) -> date:
    """The last day a link works: after `days`, at check-in at the latest."""
    return min(check_in, localdate() + timedelta(days=days))


def share(new: SharedLink, owner: User) -> SharedLink:
    """The owner's live link to this content: the new one, or the one they have, which keeps its snapshot and
    gets the new last day and label."""
    new.owner, new.shared_at = owner, timezone.now()
    new.code, new.digest = secrets.token_urlsafe(CODE_BYTES), new.content_digest()
    same = SharedLink.objects.filter(owner=owner, digest=new.digest)
    try:
        with transaction.atomic():
            old = same.first()
            if old is not None and old.state is LinkState.LIVE:
                old.expires, old.label = new.expires, new.label or old.label
                old.save(update_fields=["expires", "label"])
                return old
            if old is not None:  # only this row: a second click's link may be there by now
                SharedLink.objects.filter(pk=old.pk).update(digest="")
            new.save(force_insert=True)
        SHARED_LINKS.labels(new.kind).inc()
        return new
    except IntegrityError:  # a second click won the race: its link is the one
        return same.get()


def usable_code(code: str) -> str:
    """The code as a database takes it; empty for a text that can't be one."""
    return code if re.fullmatch(CODE, code) else ""


def links_of(owner: User, text: str = "") -> QuerySet[SharedLink]:
    """The owner's links, newest first; with `text` those that have its words in a text or as their code."""
    links = SharedLink.objects.filter(owner=owner)
    for word in text.split():
        # SQLite's own comparison knows the capitals of unaccented letters only.
        lookup, pattern = ("icontains", word) if word.isascii() else ("iregex", re.escape(word))
        matches = Q(code=word)
        for field in ("title", "note", "label", "place"):
            matches |= Q(**{f"{field}__{lookup}": pattern})
        for field in ("name", "address", "city"):
            matches |= Q(**{f"snapshot__0__{field}__{lookup}": pattern}, kind=LinkKind.PROPERTY.value)
        links = links.filter(matches)
    return links


def ended_before(day: date) -> QuerySet[SharedLink]:
    """The links that ended before a day, to be counted or deleted."""
    first = earliest_day(day)
    over = Q(expires__lt=first) | Q(check_in__lt=first) | Q(revoked_at__date__lt=day)
    return SharedLink.objects.filter(over)


def state_now() -> Case:
    """`SharedLink.state` as an expression of the database."""
    today = localdate()
    first = earliest_day(today)
    # Only of these the place decides.
    due = SharedLink.objects.filter(check_in__range=(first, today))
    over = [link.pk for link in due if link.check_in < link.first_day]
    return Case(
        When(revoked_at__isnull=False, then=Value(LinkState.REVOKED.value)),
        When(Q(check_in__lt=first) | Q(pk__in=over), then=Value(LinkState.PAST.value)),
        When(expires__lt=first, then=Value(LinkState.EXPIRED.value)),
        default=Value(LinkState.LIVE.value),
    )


def revoke_all(links: QuerySet[SharedLink]) -> int:
    """End links until they are restored; how many weren't ended before."""
    return links.filter(revoked_at=None).update(revoked_at=timezone.now())


def restore(links: QuerySet[SharedLink]) -> int:
    """Let revoked links work again; how many were revoked."""
    return links.exclude(revoked_at=None).update(revoked_at=None)


def extend_all(links: QuerySet[SharedLink], days: int) -> int:
    """Let links work for `days` from today, up to check-in; how many weren't revoked or past."""
    able = links.filter(revoked_at__isnull=True, check_in__gte=earliest_day(localdate()))
    for link in able:
        link.expires = max(link.expires, last_day(link.check_in, days))
        link.save(update_fields=["expires"])
    return len(able)
