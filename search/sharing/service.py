"""Links that staff share: made, found again by their code, prolonged, revoked."""

import re
import secrets
from datetime import date, datetime

import msgspec
from django.contrib.auth.models import User
from django.db import Error, IntegrityError, models, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.timezone import localdate

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.query import Refinement, earliest_day, encode_pairs
from search.domain.site_settings import Site
from search.monitoring.metrics import SHARED_LINKS
from search.web.shortcuts import page_deadline

from .models import LinkKind, LinkState, SharedLink, Snapshot, last_day, read_search

# 72 bits: a billion links and a million guesses a second find one in about two months of nothing else.
CODE_BYTES = 9
_CODE = re.compile(r"[A-Za-z0-9_-]{12}", re.ASCII)

# Each kind's count begins with 0: to Prometheus one that begins with 1 has not grown.
for _kind in LinkKind:
    SHARED_LINKS.labels(_kind.value)


class NoSuchLink(LookupError):
    """Nobody made a link with this code."""


class NoDatabase(RuntimeError):
    """Links can't be looked up just now."""


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
    """The owner's live link to this content: the one they have, else the new one.

    A link they have keeps its snapshot; its last day becomes the one given, and so does its label unless that
    is empty.
    """
    new.owner, new.shared_at, new.code = owner, now, secrets.token_urlsafe(CODE_BYTES)
    new.digest = new.content_digest()
    same = SharedLink.objects.filter(owner=owner, digest=new.digest)
    try:
        with transaction.atomic():
            known = same.first()
            if known is not None and known.state(today) is LinkState.LIVE:
                known.expires, known.label = new.expires, new.label or known.label
                known.save(update_fields=["expires", "label"])
                return known
            if known is not None:  # no other: a second click's link may be there by now
                SharedLink.objects.filter(pk=known.pk).update(digest="")
            new.save(force_insert=True)
        SHARED_LINKS.labels(new.kind).inc()
        return new
    except IntegrityError:  # a second click won the race: its link is the one
        return same.get()


def usable_code(code: str) -> str:
    """The code as it can be looked up; empty for what was never one: PostgreSQL may refuse to look for it."""
    return code if _CODE.fullmatch(code) else ""


def find_link(code: str) -> SharedLink:
    """The link of a code, in whatever state. Raises NoSuchLink, or NoDatabase when nobody can tell."""
    # What can't be a code is looked up all the same: every wrong one takes the same steps.
    try:
        link = SharedLink.objects.filter(code=usable_code(code)).select_related("owner").first()
    except Error as error:
        raise NoDatabase from error
    if link is None:
        raise NoSuchLink
    return link


def links_of(owner: User, text: str = "") -> models.QuerySet[SharedLink]:
    """The owner's links, newest first; `text` narrows them to those that say it somewhere, the name of the
    one property included."""
    links = SharedLink.objects.filter(owner=owner)
    for word in text.split():
        said = models.Q(code=word)
        # SQLite's own comparison knows the capitals of unaccented letters only.
        lookup, asked = ("icontains", word) if word.isascii() else ("iregex", re.escape(word))
        for field in ("title", "note", "label", "place"):
            said |= models.Q(**{f"{field}__{lookup}": asked})
        for field in ("name", "address", "city"):
            said |= models.Q(**{f"snapshot__0__{field}__{lookup}": asked}, kind=LinkKind.PROPERTY.value)
        links = links.filter(said)
    return links


def stored_context(link: SharedLink, site: Site) -> SearchContext:
    """What a link's search is about, for its words alone: as it was stored, whatever the site takes today."""
    search, deadline = read_search(link.search), page_deadline()
    refinement = Refinement(country=QueryDict(link.refinement).get("country", ""))
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
    """The earliest check-in that the search form takes for the link's place; which day it is there is looked
    up only for a check-in that may be over."""
    today = localdate()
    if link.check_in > today:
        return earliest_day(today)
    country = QueryDict(link.refinement).get("country", "")
    there = destinations.day_at(link.place, country, timezone.now(), page_deadline())
    return there or earliest_day(today)


def state_of(link: SharedLink) -> LinkState:
    """What its recipient finds now: its dates have passed once check-in is over where the stay is."""
    state = link.state(localdate())
    over = state in (LinkState.LIVE, LinkState.EXPIRED) and link.check_in < first_day(link)
    return LinkState.PAST if over else state


def ended_before(day: date) -> models.QuerySet[SharedLink]:
    """The links that ended before a day, to be counted or deleted."""
    first = earliest_day(day)
    over = models.Q(expires__lt=first) | models.Q(check_in__lt=first) | models.Q(revoked_at__date__lt=day)
    return SharedLink.objects.filter(over)


def in_state(state: LinkState) -> models.Q:
    """What the links in a state have in common; `state_of` as a condition of the database."""
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
    """Let revoked links work again; how many were revoked. A link made since then stays the one that sharing
    the same gives."""
    revoked = list(links.filter(revoked_at__isnull=False))
    for link in revoked:
        link.revoked_at, link.digest = None, link.content_digest()
        if SharedLink.objects.filter(owner_id=link.owner_id, digest=link.digest).exists():
            link.digest = ""
        try:
            with transaction.atomic():
                link.save(update_fields=["revoked_at", "digest"])
        except IntegrityError:  # another one of the same content won the race
            link.digest = ""
            link.save(update_fields=["revoked_at", "digest"])
    return len(revoked)


def hand_over(links: models.QuerySet[SharedLink], owner: User) -> int:
    """Make links another colleague's; how many. What they share afresh is a link of its own."""
    return links.update(owner=owner, digest="")


def extend_all(links: models.QuerySet[SharedLink], *, today: date, days: int) -> int:
    """Let links work for `days` from today, up to check-in; how many weren't revoked or past."""
    able = links.filter(revoked_at__isnull=True, check_in__gte=earliest_day(today))
    for link in able:
        link.expires = max(link.expires, last_day(link.check_in, today, days))
        link.save(update_fields=["expires"])
    return len(able)
