"""Looking watched totals up, behind visitors: oldest first, within a budget of calls, one process at a time.

The lock and the count of calls are a row of the database, so several machines share them.
"""

import logging
import time
from datetime import datetime, timedelta
from threading import Thread
from typing import NamedTuple

from django.core.mail import send_mail
from django.db import connections
from django.db.models import F, Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.timezone import localdate

from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.gateway import GatewayError, factory
from search.gateway.resilience import behind_pages
from search.monitoring.metrics import reports
from search.property import observed
from search.property import service as properties
from search.results.context import context_of
from search.results.listings import priced, visible
from search.site_settings import store
from search.web import translation
from search.web.links import reverse
from search.web.markets import language_of
from search.web.search_form import StayForm
from search.web.shortcuts import page_deadline
from search.web.translation import gettext as _

from .models import LinkState, SharedLink
from .service import state_of
from .watches import Entry, Watch, WatchRun, WatchWords, live

logger = logging.getLogger(__name__)

ONE_HOUR = timedelta(hours=1)
# A run begins so often, so that the calls of an hour are spread over it.
BETWEEN_RUNS = timedelta(minutes=5)
# A stay is looked up at most so often.
BETWEEN_LOOKS = timedelta(minutes=55)
# A process that was stopped blocks the others no longer than this. A look-up takes less.
LONGEST_LOOK = timedelta(minutes=2)
# What a search may take that was never looked up: its pages hold 50 hotels or more.
HOTELS_A_CALL = 50
# The gateway rests while so many of the last calls of all processes failed.
FAILING_CALLS, OF_CALLS = 5, 8
FAILING_SECONDS = 60


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
    lock = Lock()
    if not lock.take():
        return Report(stopped="busy")
    try:
        return _look_up_due(site, lock)._replace(mails=mail_changes(site))
    finally:
        lock.give_back()


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


class Lock:
    """One process of all machines looks totals up: the row says until when. It expires with a process that
    was stopped, and another that took it meanwhile keeps it."""

    _until: datetime | None = None

    def take(self) -> bool:
        """Whether this process has the lock now. A new hour begins to count at 0."""
        now = timezone.now()
        WatchRun.objects.get_or_create(pk=1, defaults={"hour": now})
        taken = self._set(Q(busy_until=None) | Q(busy_until__lt=now), now + LONGEST_LOOK)
        if taken:
            WatchRun.objects.filter(hour__lte=now - ONE_HOUR).update(hour=now, calls=0)
        return taken

    def spend(self, calls: int) -> bool:
        """Count calls, and whether this process still has the lock."""
        WatchRun.objects.update(calls=F("calls") + calls)
        return self._set(Q(busy_until=self._until), timezone.now() + LONGEST_LOOK)

    def give_back(self) -> None:
        self._set(Q(busy_until=self._until), None)

    def _set(self, condition: Q, until: datetime | None) -> bool:
        self._until = until
        return bool(WatchRun.objects.filter(condition).update(busy_until=until))


def _look_up_due(site: Site, lock: Lock) -> Report:
    report = Report()
    while watches := _next_search():
        if reason := _held_back(watches, site):
            return report._replace(stopped=reason)
        calls = look_up(watches, site)
        report = Report(report.looked_up + len(watches), report.calls + calls)
        rows = Watch.objects.filter(pk__in=[one.pk for one in watches])
        rows.update(asked_at=timezone.now(), calls=calls)
        if not lock.spend(calls):
            return report._replace(stopped="busy")
    return report


def _next_search() -> list[Watch]:
    """The watches of the search that was looked up longest ago, if it is due."""
    now = timezone.now()
    due = live(localdate()).filter(Q(asked_at=None) | Q(asked_at__lte=now - BETWEEN_LOOKS))
    oldest = due.order_by(F("asked_at").asc(nulls_first=True), "pk").first()
    return list(due.filter(search=oldest.search)) if oldest else []


def _held_back(watches: list[Watch], site: Site) -> str:
    """Why nothing may be looked up now: empty if it may."""
    transport = factory.transport()
    if transport.failing("search") or transport.immediate_failure("search") or _fails_for_visitors():
        return "the gateway fails"
    if transport.status().waiting:
        return "visitors wait"
    row, now = WatchRun.objects.get(), timezone.now()
    share = min(1.0, (now - row.hour + BETWEEN_RUNS) / ONE_HOUR)
    expected = max(one.calls for one in watches) or 1 + site.cap // HOTELS_A_CALL
    is_within = row.calls < site.watch_calls * share and row.calls + expected <= site.watch_calls
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
    those for visitors of the same process among them."""
    before, offered = factory.status().calls_made, None
    context = _context(watches[0], site)
    try:
        names = {name for one in watches for name in one.names}
        offered = properties.offered_now(context, names) if context else None
    except GatewayError as error:
        logger.info("watch=not-looked-up reason=%s", error)
    if context and offered and not offered.stale:
        for one in watches:
            _note(one, offered, context)
        observed.write_pending()
    return factory.status().calls_made - before


def _context(watch: Watch, site: Site) -> SearchContext | None:
    """The search of a watch as it is made now; None where the site doesn't take it any more."""
    query = QueryDict(watch.search)
    form = StayForm(query, site=site, today=localdate())
    return context_of(form, query, page_deadline()) if form.is_valid() else None


def _note(watch: Watch, offered: properties.OfferedNow, context: SearchContext) -> None:
    listing = offered.listing(*watch.names)
    shown = visible(listing, context) if listing else None
    offers = priced(shown, context).offers if shown and shown.offers else None
    if listing or offered.complete:
        observed.note(context, watch.hotel, offers, offered.fetched_at)


def letter(link: SharedLink, changes: list[tuple[Watch, Entry]], site: Site) -> tuple[str, str]:
    """Subject and text of the mail about changes of a link's hotels; a subject has no line breaks."""
    name = link.title or link.label or link.place or changes[0][0].name
    subject = " ".join((_("Totals changed: %(name)s") % {"name": name}).split())
    words = [(WatchWords(watch, site), entry) for watch, entry in changes]
    lines = [one.title(entry) for one, entry in words]
    addresses = (f"{changes[0][0].origin}{reverse(page, [link.code])}" for page in ("shared", "share-link"))
    return subject, "\n".join((words[0][0].stay, "", *lines, "", *addresses, ""))


def mail_changes(site: Site) -> int:
    """Mail the owners of watched links what changed since the mail before; how many mails."""
    links = SharedLink.objects.filter(watches__in=live(localdate()).exclude(link=None), owner__is_active=True)
    links = links.exclude(owner__email="").select_related("owner").distinct()
    return sum(_mail(link, link.owner.email, site) for link in links if link.owner)


def _mail(link: SharedLink, address: str, site: Site) -> bool:
    rows = Watch.objects.filter(link=link).order_by("pk")
    changes = [(one, entry) for one in rows for entry in one.unmailed(site)]
    if not changes or state_of(link) is not LinkState.LIVE:
        return False
    told, latest = changes[0][0].told_at, max(entry.at for _watch, entry in changes)
    # Claimed before it is sent: of two processes one sends it.
    if not rows.filter(told_at=told).update(told_at=latest):
        return False
    with translation.override(language_of(changes[0][0].stay.market, site.default_market)):
        subject, text = letter(link, changes, site)
    try:
        send_mail(subject, text, None, [address])
    except OSError as error:
        rows.update(told_at=told)
        logger.warning("a mail about a shared link could not be sent yet (%s)", type(error).__name__)
        return False
    return True
