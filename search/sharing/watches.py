"""Watched totals: hotels of a stay that are looked up behind visitors, and what is told of their changes.

A visitor's watch of a hotel has an address that can't be guessed and no account; the watch of a shared link
mails its owner. The oldest is looked up first. Several machines share a budget of calls, a row of the
database: a process reserves there what a look-up may take.
"""

import logging
import secrets
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from threading import Thread
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import connections, models, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import Refinement, earliest_day
from search.domain.site_settings import Site
from search.gateway import factory
from search.gateway.resilience import behind_pages
from search.monitoring.metrics import reports
from search.property import observed
from search.property.observed import Runs, Terms
from search.results.context import context_of
from search.results.listings import FoundProperty
from search.site_settings import store
from search.web import translation
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.markets import language_of
from search.web.search_form import MAX_PLACE, StayForm
from search.web.shortcuts import page_deadline
from search.web.translation import gettext as _

from .models import CODE_BYTES, LinkState, SharedLink, Snapshot, StoredSearch, usable_code
from .price_change import now_of

logger = logging.getLogger(__name__)

# Names of entries, the same in every feed of a watch and after a restored backup.
ENTRIES = UUID("6f6b2c1e-8f0d-4c7e-9a52-5b1c4a7d9e30")
SIGNER = signing.Signer(salt="watch", sep=".")

ONE_HOUR = timedelta(hours=1)
# A run begins so often, so that the calls of an hour are spread over it.
BETWEEN_RUNS = timedelta(minutes=5)
# A stay is looked up at most so often.
BETWEEN_LOOKS = timedelta(minutes=55)
# What a search may take that was never looked up: its pages hold 50 hotels or more.
HOTELS_A_CALL = 50
# The gateway rests while so many of the last calls of all processes failed.
FAILING_CALLS, OF_CALLS = 5, 8
FAILING_SECONDS = 60


class Watch(StoredSearch):
    """A visitor's watch of one hotel or, with a `link`, its owner's. `percent` is the limit as it was when
    the watch began. `told_at`: what happened before it was mailed; `origin`: where the link is."""

    percent = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True)
    calls = models.PositiveIntegerField(default=0)
    link = models.OneToOneField(SharedLink, null=True, on_delete=models.CASCADE)
    origin = models.CharField(max_length=300, blank=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "watches"

    def __str__(self) -> str:
        return f"{self.place}, {self.check_in}"

    @property
    def address(self) -> str:
        """The signed part of its addresses."""
        return SIGNER.sign(self.code)

    def runs(self, site: Site) -> dict[str, Runs]:
        """What was seen of each hotel, as totals are counted now."""
        return observed.stored(Terms.of(self.stay, site), [one.key for one in self.shown])

    def name_of(self, what: str) -> str:
        """A name that stays the same and tells nothing about the watch."""
        return f"urn:uuid:{uuid5(ENTRIES, f'{self.code} {what}')}"


class WatchHour(models.Model):
    """The one row of the look-ups: the calls since an hour began, with those that are reserved."""

    began_at = models.DateTimeField()
    calls = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.calls} calls since {self.began_at}"


def begin(context: SearchContext, hotel: FoundProperty) -> Watch:
    """A new watch of a hotel for the stay of a search."""
    asked = context.refinement
    around = Refinement(near=asked.near, country=asked.country, region=asked.region)
    in_place = context.with_search(place=context.search.place or hotel.building.city[:MAX_PLACE])
    return _begun(replace(in_place, refinement=around), [Snapshot.of(hotel.card)])


def begin_for_link(link: SharedLink, site: Site, origin: str) -> None:
    """Watch the hotels of a link."""
    _begun(link.context(site), link.shown, link=link, origin=origin, told_at=timezone.now())


def _begun(context: SearchContext, shown: Iterable[Snapshot], **values: Any) -> Watch:
    code, percent = secrets.token_urlsafe(CODE_BYTES), context.site.watch_percent
    watch = Watch.of(context, shown, code=code, percent=percent, made_at=timezone.now(), **values)
    # A second click's watch of a link may be there by now.
    Watch.objects.bulk_create([watch], ignore_conflicts=True)
    return watch


def can_mail(link: SharedLink, site: Site) -> bool:
    """Whether the owner of a link may have it watched and get mails about it."""
    has_mail = bool(settings.EMAIL_URL and link.owner and link.owner.email)
    is_to_come = link.check_in >= earliest_day(localdate())
    return has_mail and is_to_come and bool(link.shown) and observed.can_watch(site)


def find(address: str) -> Watch | None:
    """The visitor's watch of a signed address, in any state. A wrong signature asks no database."""
    try:
        code = usable_code(SIGNER.unsign(address))
    except signing.BadSignature:
        return None
    return Watch.objects.filter(code=code, link=None).first()


def live() -> models.QuerySet[Watch]:
    """The watches that are looked up: of stays to come, neither revoked nor of a link that is over."""
    first = earliest_day(localdate())
    of_visitors, of_links = Q(link=None), Q(link__revoked_at=None, link__expires__gte=first)
    return Watch.objects.filter(of_visitors | of_links, revoked_at=None, check_in__gte=first)


def ended_before(day: date) -> models.QuerySet[Watch]:
    """The watches that ended before a day, to be deleted."""
    return Watch.objects.filter(Q(check_in__lt=earliest_day(day)) | Q(revoked_at__date__lt=day))


class Entry(NamedTuple):
    """What a watch tells: when it was seen, the total now, None for a hotel that is gone, and the total that
    was told before, None for one that is back."""

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
    was_gone, changes = False, []
    for run in runs:
        total, is_gone, is_new = run.amount, run.amount is None, run.first_seen > since
        has_changed = is_gone != was_gone or _has_moved(total, told, percent)
        if is_new and has_changed:
            changes.append(Entry(run.first_seen, total, None if was_gone else told))
        if has_changed or told is None or not is_new:
            told = told if is_gone else total
        was_gone = is_gone
    return tuple(changes)


def _has_moved(total: Decimal | None, told: Decimal | None, percent: int) -> bool:
    return total is not None and told is not None and abs(total - told) * 100 > percent * told


# A hotel's name, what happened to it, and that in words.
ToldEntry = tuple[str, Entry, str]


class WatchWords:
    """A watch in words, for readers in a market. `entries` tell of each of its hotels, the oldest first."""

    def __init__(self, watch: Watch, site: Site, market: str) -> None:
        self.search, self.reader = watch.stay, Reader.of(site, market)
        self.stay = self.reader.stay_line(self.search)
        self.runs = watch.runs(site)
        self.entries: list[ToldEntry] = [
            (one.shown_name, entry, self._text(entry))
            for one in watch.shown
            for entry in entries(self.runs[one.key], watch.made_at, watch.percent)
        ]

    def money(self, amount: Decimal) -> str:
        return self.reader.money(Money(amount, self.search.currency))

    def _text(self, entry: Entry) -> str:
        """`€398.00, €14.00 less`."""
        if entry.total is None:
            return _("No longer offered for these dates")
        total = self.money(entry.total)
        if entry.before is None:
            return _("Offered again: %(amount)s") % {"amount": total}
        text = _("%(amount)s less") if entry.total < entry.before else _("%(amount)s more")
        return f"{total}, {text % {'amount': self.money(abs(entry.total - entry.before))}}"


class Report(NamedTuple):
    """What a run did. `stopped` says why it ended before all were looked up."""

    looked_up: int = 0
    calls: int = 0
    mails: int = 0
    stopped: str = ""


def run() -> Report:
    """Look up the watched totals that are due, and mail what changed."""
    site = store.current()
    if not observed.can_watch(site):
        return Report(stopped="off")
    return _look_up_due(site)._replace(mails=mail_changes(site))


def begin_inside() -> None:
    """Run again and again in a thread of a server's process, as deploy/hotels-watch.timer does outside."""
    Thread(target=_run_on, name="watch", daemon=True).start()


def _run_on() -> None:
    while True:
        time.sleep(BETWEEN_RUNS.total_seconds())
        try:
            run()
        except Exception as error:  # the database is away; the next run begins anew
            logger.warning("watched totals could not be looked up (%s)", type(error).__name__)
        finally:
            connections.close_all()


def _look_up_due(site: Site) -> Report:
    report = Report()
    while True:
        # Read before the watches: their calls are reserved only if no other process did so meanwhile.
        hour = _hour()
        watches = _next_search()
        if not watches:
            return report
        expected = max(one.calls for one in watches) or 1 + site.cap // HOTELS_A_CALL
        if reason := _held_back(hour, expected, site):
            return report._replace(stopped=reason)
        rows = Watch.objects.filter(pk__in=[one.pk for one in watches])
        with transaction.atomic():
            same_hour = WatchHour.objects.filter(began_at=hour.began_at)
            if not same_hour.filter(calls=hour.calls).update(calls=hour.calls + expected):
                return report._replace(stopped="busy")
            rows.update(asked_at=timezone.now())
        calls = look_up(watches, site)
        rows.update(calls=calls)
        same_hour.update(calls=F("calls") + calls - expected)
        report = Report(report.looked_up + len(watches), report.calls + calls)


def _hour() -> WatchHour:
    """The calls of this hour; a new one begins at 0."""
    now = timezone.now()
    WatchHour.objects.get_or_create(pk=1, defaults={"began_at": now})
    WatchHour.objects.filter(began_at__lte=now - ONE_HOUR).update(began_at=now, calls=0)
    return WatchHour.objects.get()


def _next_search() -> list[Watch]:
    """The watches of the search that was looked up longest ago, if it is due."""
    due = live().filter(Q(asked_at=None) | Q(asked_at__lte=timezone.now() - BETWEEN_LOOKS))
    oldest = due.order_by(F("asked_at").asc(nulls_first=True), "pk").first()
    return list(due.filter(search=oldest.search, refinement=oldest.refinement)) if oldest else []


def _held_back(hour: WatchHour, expected: int, site: Site) -> str:
    """Why nothing may be looked up now: empty if it may."""
    transport = factory.transport()
    if transport.failing("search") or transport.immediate_failure("search") or _fails_for_visitors():
        return "the gateway fails"
    if transport.status().waiting:
        return "visitors wait"
    share = min(1.0, (timezone.now() - hour.began_at + BETWEEN_RUNS) / ONE_HOUR)
    is_within = hour.calls < site.watch_calls * share and hour.calls + expected <= site.watch_calls
    return "" if is_within else "budget spent"


def _fails_for_visitors() -> bool:
    """Whether the last calls of all processes failed: the breakers of others can't be seen from here."""
    now = time.time()
    calls = [call for call in reports(1)[0].calls if call.endpoint == "search"]
    latest = sorted(calls, key=lambda call: call.at)[-OF_CALLS:]
    return sum(call.outcome != "ok" and now - call.at < FAILING_SECONDS for call in latest) >= FAILING_CALLS


@behind_pages
def look_up(watches: list[Watch], site: Site) -> int:
    """Look up the lowest totals of watches of one search, and write them; the calls that were made meanwhile,
    those for visitors of the same process among them. The site may not take the search any more."""
    before, query = factory.status().calls_made, watches[0].query
    form = StayForm(query, site=site, today=localdate())
    if form.is_valid():
        now_of([one for watch in watches for one in watch.shown], context_of(form, query, page_deadline()))
        observed.write_pending()
    return factory.status().calls_made - before


def mail_changes(site: Site) -> int:
    """Mail the owners of watched links what changed since the mail before; how many mails."""
    watches = live().filter(link__owner__is_active=True).exclude(link__owner__email="")
    return sum(_mail(one, one.link, site) for one in watches.select_related("link__owner") if one.link)


def _mail(watch: Watch, link: SharedLink, site: Site) -> bool:
    """Mail what changed, once of two processes: it is claimed before it is sent."""
    market, told = watch.stay.market, watch.told_at or watch.made_at
    with translation.override(language_of(market, site.default_market)):
        words = WatchWords(watch, site, market)
        changes = [one for one in words.entries if one[1].at > told]
        if not changes or link.owner is None or link.state is not LinkState.LIVE:
            return False
        subject, text = _letter(watch, link, words.stay, changes)
    row = Watch.objects.filter(pk=watch.pk)
    if not row.filter(told_at=told).update(told_at=max(entry.at for _name, entry, _text in changes)):
        return False
    try:
        send_mail(subject, text, None, [link.owner.email])
    except OSError as error:
        row.update(told_at=told)
        logger.warning("a mail about a shared link could not be sent yet (%s)", type(error).__name__)
        return False
    return True


def _letter(watch: Watch, link: SharedLink, stay: str, changes: list[ToldEntry]) -> tuple[str, str]:
    """Subject and text of a mail; a subject has no line breaks."""
    what = link.title or link.label or link.place or changes[0][0]
    subject = " ".join((_("Totals changed: %(name)s") % {"name": what}).split())
    lines = [_("%(name)s: %(text)s") % {"name": name, "text": text} for name, _entry, text in changes]
    addresses = (f"{watch.origin}{reverse(page, [link.code])}" for page in ("shared", "share-link"))
    return subject, "\n".join((stay, "", *lines, "", *addresses, ""))
