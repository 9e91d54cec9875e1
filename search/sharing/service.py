"""Links that staff share: made, found again by their code, prolonged, revoked."""

import re
import secrets
from datetime import date, datetime

import msgspec
from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.query import Refinement, earliest_day, encode_pairs, place_parts
from search.domain.site_settings import Site
from search.monitoring.metrics import SHARED_LINKS
from search.web.shortcuts import page_deadline

from .models import LinkKind, LinkState, SharedLink, Snapshot, last_day, read_search

# 72 bits: a billion links and a million guesses a second find one in about two months of nothing else.
CODE_BYTES = 9
CODE = "[A-Za-z0-9_-]{12}"

# Each kind's count begins with 0: to Prometheus one that begins with 1 has not grown.
for _kind in LinkKind:
    SHARED_LINKS.labels(_kind.value)


def unsaved_link(
    kind: LinkKind, context: SearchContext, page: int, shown: tuple[Snapshot, ...]
) -> SharedLink:
    """A link to what a page shows, still without its owner, its code and the sender's words."""
    return SharedLink(
        kind=kind.value,
        search=context.search.query_string(),
        refinement=encode_pairs(context.refinement.pairs()),
        page=page,
        snapshot=[msgspec.to_builtins(one) for one in shown],
        place=context.search.place,
        check_in=context.search.dates.check_in,
    )


def share(new: SharedLink, owner: User, *, now: datetime, today: date) -> SharedLink:
    """The owner's live link to this content: the new one, or the one they have, which keeps its snapshot and
    gets the new last day and label."""
    new.owner = owner
    new.shared_at = now
    new.code = secrets.token_urlsafe(CODE_BYTES)
    new.digest = new.content_digest()
    same = SharedLink.objects.filter(owner=owner, digest=new.digest)
    try:
        with transaction.atomic():
            old = same.first()
            if old is not None and old.state(today) is LinkState.LIVE:
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


def find_link(code: str) -> SharedLink | None:
    """The link of a code, in any state."""
    # A text that can't be a code is looked up, too: every wrong one takes the same time.
    return SharedLink.objects.filter(code=usable_code(code)).select_related("owner").first()


def links_of(owner: User, text: str = "") -> models.QuerySet[SharedLink]:
    """The owner's links, newest first; with `text` those that have its words in a text or as their code."""
    links = SharedLink.objects.filter(owner=owner)
    for word in text.split():
        # SQLite's own comparison knows the capitals of unaccented letters only.
        lookup, pattern = ("icontains", word) if word.isascii() else ("iregex", re.escape(word))
        matches = models.Q(code=word)
        for field in ("title", "note", "label", "place"):
            matches |= models.Q(**{f"{field}__{lookup}": pattern})
        for field in ("name", "address", "city"):
            matches |= models.Q(**{f"snapshot__0__{field}__{lookup}": pattern}, kind=LinkKind.PROPERTY.value)
        links = links.filter(matches)
    return links


def stored_context(link: SharedLink, site: Site) -> SearchContext:
    """The stored search of a link, for its words alone."""
    search, deadline = read_search(link.search), page_deadline()
    refinement = Refinement(**place_parts(QueryDict(link.refinement)))
    _search, _refinement, meant = destinations.resolved(search, refinement, deadline)
    return SearchContext(
        search,
        refinement,
        site,
        localdate(),
        deadline,
        country=meant.country if meant else "",
        centre=destinations.centre(meant, deadline) if meant else None,
    )


def first_day(link: SharedLink) -> date:
    """The earliest check-in that the search form takes for the link's place."""
    today = localdate()
    if link.check_in > today:
        return earliest_day(today)
    around = Refinement(**place_parts(QueryDict(link.refinement))).around
    there = destinations.day_at(link.place, around, timezone.now(), page_deadline())
    return there or earliest_day(today)


def state_of(link: SharedLink) -> LinkState:
    """What a recipient finds now; the dates have passed once check-in is over where the stay is."""
    state = link.state(localdate())
    over = state in (LinkState.LIVE, LinkState.EXPIRED) and link.check_in < first_day(link)
    return LinkState.PAST if over else state


def ended_before(day: date) -> models.QuerySet[SharedLink]:
    """The links that ended before a day, to be counted or deleted."""
    first = earliest_day(day)
    over = models.Q(expires__lt=first) | models.Q(check_in__lt=first) | models.Q(revoked_at__date__lt=day)
    return SharedLink.objects.filter(over)


def in_state(state: LinkState) -> models.Q:
    """`state_of` as a condition of the database."""
    today = localdate()
    first = earliest_day(today)
    # Only of these the place decides.
    due = SharedLink.objects.filter(check_in__range=(first, today))
    over = [link.pk for link in due if link.check_in < first_day(link)]
    revoked, past = models.Q(revoked_at__isnull=False), models.Q(check_in__lt=first) | models.Q(pk__in=over)
    expired = models.Q(expires__lt=first)
    return {
        LinkState.REVOKED: revoked,
        LinkState.PAST: ~revoked & past,
        LinkState.EXPIRED: ~revoked & ~past & expired,
        LinkState.LIVE: ~revoked & ~past & ~expired,
    }[state]


def revoke_all(links: models.QuerySet[SharedLink], *, now: datetime) -> int:
    """End links until they are restored; how many weren't ended before."""
    return links.filter(revoked_at__isnull=True).update(revoked_at=now, digest="")


def restore(links: models.QuerySet[SharedLink]) -> int:
    """Let revoked links work again; how many were revoked."""
    revoked = list(links.filter(revoked_at__isnull=False))
    for link in revoked:
        link.revoked_at, link.digest = None, link.content_digest()
        try:
            with transaction.atomic():
                link.save(update_fields=["revoked_at", "digest"])
        except IntegrityError:  # sharing the same again gives the link that was made since
            link.digest = ""
            link.save(update_fields=["revoked_at", "digest"])
    return len(revoked)


def hand_over(links: models.QuerySet[SharedLink], owner: User) -> int:
    """Make links another colleague's; how many."""
    return links.update(owner=owner, digest="")


def extend_all(links: models.QuerySet[SharedLink], *, today: date, days: int) -> int:
    """Let links work for `days` from today, up to check-in; how many weren't revoked or past."""
    able = links.filter(revoked_at__isnull=True, check_in__gte=earliest_day(today))
    for link in able:
        link.expires = max(link.expires, last_day(link.check_in, today, days))
        link.save(update_fields=["expires"])
    return len(able)
