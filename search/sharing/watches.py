"""Watched totals: a hotel and a stay whose lowest total is looked up without visitors, and what is told.

A visitor's watch has an address that can't be guessed and no account; a colleague's belongs to a shared link.
"""

import secrets
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID, uuid5

from django.conf import settings
from django.core import signing
from django.db import models
from django.db.models import Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.hotels import at_provider
from search.domain.money import Money
from search.domain.query import Refinement, StaySearch, earliest_day, encode_pairs, place_parts
from search.domain.site_settings import Site
from search.property import observed
from search.property.observed import Runs, Terms
from search.results.listings import FoundProperty
from search.web.formatting import Reader
from search.web.labels import property_name
from search.web.links import search_pairs
from search.web.translation import gettext as _

from .models import LinkState, SharedLink, read_search
from .service import CODE_BYTES, usable_code

# Names of entries, the same in every feed of a watch and after a restored backup.
ENTRIES = UUID("6f6b2c1e-8f0d-4c7e-9a52-5b1c4a7d9e30")
SIGNER = signing.Signer(salt="watch", sep=".")


class Watch(models.Model):
    """`search` is the canonical query string of a search of the hotel's place; `percent` the limit as it was
    when the watch began. `told_at`: what happened before it was mailed."""

    code = models.CharField(max_length=16, unique=True)
    search = models.TextField()
    hotel = models.CharField(max_length=600)
    provider = models.CharField(max_length=500)
    property_id = models.CharField(max_length=500)
    name = models.CharField(max_length=500, blank=True)
    check_in = models.DateField(db_index=True)
    percent = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True)
    calls = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True)
    link = models.ForeignKey(SharedLink, null=True, on_delete=models.CASCADE, related_name="watches")
    origin = models.CharField(max_length=300, blank=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "watches"

    def __str__(self) -> str:
        return f"{self.name}, {self.check_in}"

    @property
    def address(self) -> str:
        """The signed part of its addresses."""
        return SIGNER.sign(self.code)

    @property
    def stay(self) -> StaySearch:
        return read_search(self.search)

    @property
    def names(self) -> tuple[str, str]:
        """The keys that results may have for its hotel."""
        return self.hotel, at_provider(self.provider, self.property_id)

    def state(self, today: date) -> LinkState:
        """It ends with its stay."""
        if self.revoked_at is not None:
            return LinkState.REVOKED
        return LinkState.PAST if self.check_in < earliest_day(today) else LinkState.LIVE

    def runs(self, site: Site) -> Runs:
        """What was seen, as totals are counted now."""
        return observed.stored(Terms.of(self.stay, site), [self.hotel])[self.hotel]

    def entries(self, site: Site) -> tuple["Entry", ...]:
        return entries(self.runs(site), self.made_at, self.percent)

    def unmailed(self, site: Site) -> list["Entry"]:
        return [one for one in self.entries(site) if self.told_at and one.at > self.told_at]

    def name_of(self, what: str) -> str:
        """A name that stays the same and tells nothing about the watch."""
        return f"urn:uuid:{uuid5(ENTRIES, f'{self.code} {what}')}"


class WatchRun(models.Model):
    """The one row of the look-ups: until when a process has the lock, and the calls of the hour."""

    busy_until = models.DateTimeField(null=True)
    hour = models.DateTimeField()
    calls = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.calls} calls since {self.hour}"


class Change(StrEnum):
    LOWER = "lower"
    HIGHER = "higher"
    GONE = "gone"
    BACK = "back"


class Entry(NamedTuple):
    """What a watch tells: what happened, when it was seen, the total now and the one that was told before."""

    change: Change
    at: datetime
    total: Decimal | None
    before: Decimal | None

    @property
    def moment(self) -> datetime:
        """To the second: some backups keep no more, and names of entries stay."""
        return self.at.replace(microsecond=0)


def entries(runs: Runs, since: datetime, percent: int) -> tuple[Entry, ...]:
    """The changes after `since`: the lowest total moved by more than `percent` from the one last told, or the
    hotel is gone or offered again."""
    told: Decimal | None = None
    is_gone, changes = False, []
    for run in runs:
        change = _change(run.amount, told, percent, is_gone=is_gone)
        if run.first_seen > since and change:
            changes.append(Entry(change, run.first_seen, run.amount, told))
        if change or told is None or run.first_seen <= since:
            told = told if run.amount is None else run.amount
        is_gone = run.amount is None
    return tuple(changes)


def _change(total: Decimal | None, told: Decimal | None, percent: int, *, is_gone: bool) -> Change | None:
    if total is None:
        return None if is_gone else Change.GONE
    if is_gone:
        return Change.BACK
    if told is None or abs(total - told) * 100 <= percent * told:
        return None
    return Change.LOWER if total < told else Change.HIGHER


class WatchWords:
    """A watch in words, in its own market or in that of its reader."""

    def __init__(self, watch: Watch, site: Site, market: str = "") -> None:
        self.name, search = watch.name, watch.stay
        self.reader, self.currency = Reader.of(site, market or search.market), search.currency
        self.stay = self.reader.stay_line(search)

    def _money(self, amount: Decimal) -> str:
        return self.reader.money(Money(amount, self.currency))

    def what(self, entry: Entry) -> str:
        """`€398.00, €14.00 less`."""
        if entry.total is None:
            return _("No longer offered for these dates")
        total = self._money(entry.total)
        if entry.change is Change.BACK:
            return _("Offered again: %(amount)s") % {"amount": total}
        text = _("%(amount)s less") if entry.change is Change.LOWER else _("%(amount)s more")
        return f"{total}, {text % {'amount': self._money(abs(entry.total - (entry.before or 0)))}}"

    def title(self, entry: Entry) -> str:
        return _("%(name)s: %(text)s") % {"name": self.name, "text": self.what(entry)}

    def latest(self, runs: Runs) -> str:
        """`€398.00, seen 2 hours ago`."""
        if not runs:
            return _("No total was seen yet")
        amount, ago = runs[-1].amount, self.reader.ago(runs[-1].last_seen)
        if amount is None:
            return _("No longer offered for these dates, seen %(ago)s") % {"ago": ago}
        return _("%(amount)s, seen %(ago)s") % {"amount": self._money(amount), "ago": ago}


def live(today: date) -> models.QuerySet[Watch]:
    """The watches that are looked up: of stays to come, neither revoked nor of a link that is over."""
    first = earliest_day(today)
    of_visitors, of_links = Q(link=None), Q(link__revoked_at=None, link__expires__gte=first)
    return Watch.objects.filter(of_visitors | of_links, revoked_at=None, check_in__gte=first)


def ended_before(day: date) -> models.QuerySet[Watch]:
    """The watches that ended before a day, to be deleted."""
    return Watch.objects.filter(Q(check_in__lt=earliest_day(day)) | Q(revoked_at__date__lt=day))


def begin(context: SearchContext, hotel: FoundProperty) -> Watch:
    """A new watch of a hotel for the stay of a search."""
    building, search = hotel.building, context.search
    place = context.with_search(place=search.place or building.city)
    return Watch.objects.create(
        **_common(encode_pairs(search_pairs(place)), context.site),
        hotel=building.key,
        provider=hotel.provider,
        property_id=hotel.property_id,
        name=property_name(building)[:500],
        check_in=search.dates.check_in,
    )


def _common(search: str, site: Site) -> dict[str, object]:
    code = secrets.token_urlsafe(CODE_BYTES)
    return {"code": code, "search": search, "percent": site.watch_percent, "made_at": timezone.now()}


def begin_for_link(link: SharedLink, site: Site, origin: str) -> None:
    """Watch every hotel of a link that isn't watched yet."""
    around = Refinement(**place_parts(QueryDict(link.refinement))).pairs()
    search = "&".join(filter(None, (link.search, encode_pairs(around))))
    watched, now = set(Watch.objects.filter(link=link).values_list("hotel", flat=True)), timezone.now()
    Watch.objects.bulk_create(
        Watch(
            **_common(search, site),
            hotel=one.key,
            provider=one.provider,
            property_id=one.property_id,
            name=one.shown_name[:500],
            check_in=link.check_in,
            link=link,
            origin=origin,
            told_at=now,
        )
        for one in link.shown
        if one.key not in watched
    )


def find(address: str) -> Watch | None:
    """The visitor's watch of a signed address, in any state. A wrong signature asks no database."""
    try:
        code = usable_code(SIGNER.unsign(address))
    except signing.BadSignature:
        return None
    return Watch.objects.filter(code=code, link=None).first()


def can_mail(link: SharedLink, site: Site) -> bool:
    """Whether the owner of a link may have it watched and get mails about it."""
    has_mail = bool(settings.EMAIL_URL and link.owner and link.owner.email)
    is_to_come = link.check_in >= earliest_day(localdate())
    return has_mail and is_to_come and bool(link.shown) and observed.can_watch(site)
