"""Links that staff share: made, found again by their code, prolonged, revoked."""

from __future__ import annotations

import io
import re
import secrets
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import msgspec
import segno
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, models, transaction

from .link import Link, LinkKind, LinkState, NewLink, Shared, Snapshot, last_day, read_search
from .models import SharedLink

# 72 bits: a billion links and a million guesses a second find one in about two months of nothing else.
CODE_BYTES = 9
_CODE = re.compile(r"[A-Za-z0-9_-]{12}", re.ASCII)


class NoSuchLink(LookupError):
    """Nobody made a link with this code, or it isn't this person's to change."""


class NoDatabase(RuntimeError):
    """Links can't be looked up just now."""


class Unchangeable(ValueError):
    """The link can't be prolonged: it was revoked, or the stay is over."""


def share(owner: User, new: NewLink, *, now: datetime, today: date) -> Link:
    """The owner's live link to this content: the one they have, else a new one.

    A link they have keeps its snapshot; its label and its last day become those given.
    """
    digest = new.shared.digest()
    try:
        with transaction.atomic():
            known = SharedLink.objects.filter(owner=owner, digest=digest).first()
            if known is not None and _link(known).state(today) is LinkState.LIVE:
                _set(known, expires=new.expires, label=new.label or known.label)
                return _link(known)
            if known is not None:
                _set(known, digest="")
            return _link(_create(owner, new, now))
    except IntegrityError:  # a second click won the race: its link is the one
        return _link(SharedLink.objects.get(owner=owner, digest=digest))


def _create(owner: User, new: NewLink, now: datetime) -> SharedLink:
    shared, search = new.shared, read_search(new.shared.search)
    return SharedLink.objects.create(
        code=secrets.token_urlsafe(CODE_BYTES),
        owner=owner,
        kind=shared.kind.value,
        search=shared.search,
        refinement=shared.refinement,
        page=shared.page,
        snapshot=msgspec.to_builtins(new.snapshot),
        place=search.place,
        check_in=search.dates.check_in,
        title=shared.title,
        note=shared.note,
        shared_at=now,
        digest=shared.digest(),
        label=new.label,
        expires=new.expires,
    )


def opened(code: str) -> Link:
    """The link of a code, in whatever state. Raises NoSuchLink, or NoDatabase when nobody can tell."""
    # What can't be a code is looked up all the same: every wrong one takes the same steps.
    known = code if _CODE.fullmatch(code) else ""
    try:
        row = SharedLink.objects.filter(code=known).select_related("owner").first()
    except DatabaseError as error:
        raise NoDatabase from error
    if row is None:
        raise NoSuchLink
    return _link(row)


def mine(owner: User, text: str = "") -> models.QuerySet[SharedLink]:
    """The owner's links, newest first; `text` narrows them to those that say it somewhere."""
    rows = SharedLink.objects.filter(owner=owner).select_related("owner")
    for word in text.split():
        said = models.Q(code=word)
        for field in ("title", "note", "label", "place"):
            said |= models.Q(**{f"{field}__icontains": word})
        rows = rows.filter(said)
    return rows


def links(rows: Iterable[SharedLink]) -> tuple[Link, ...]:
    """Rows as pages show them."""
    return tuple(_link(row) for row in rows)


def own(owner: User, code: str) -> Link:
    """One of the owner's links. Raises NoSuchLink for anybody else's."""
    return _link(_own(owner, code))


def revoke(owner: User, code: str, *, now: datetime) -> Link:
    """End a link for good. Revoking twice changes nothing."""
    row = _own(owner, code)
    if row.revoked_at is None:
        _set(row, revoked_at=now, digest="")
    return _link(row)


def extend(owner: User, code: str, *, today: date, days: int) -> Link:
    """Let a link work for `days` from today, up to check-in. Raises Unchangeable when it never can again."""
    row = _own(owner, code)
    if _link(row).state(today) in (LinkState.REVOKED, LinkState.PAST):
        raise Unchangeable
    _extend(row, today, days)
    return _link(row)


def ended_before(day: date) -> models.QuerySet[SharedLink]:
    """The links that ended before a day, to be counted or deleted."""
    over = models.Q(expires__lt=day) | models.Q(check_in__lt=day) | models.Q(revoked_at__date__lt=day)
    return SharedLink.objects.filter(over)


def in_state(state: LinkState, today: date) -> models.Q:
    """What the rows in a state have in common; `Link.state` as a condition of the database."""
    revoked, past = models.Q(revoked_at__isnull=False), models.Q(check_in__lt=today)
    expired = models.Q(expires__lt=today)
    return {
        LinkState.REVOKED: revoked,
        LinkState.PAST: ~revoked & past,
        LinkState.EXPIRED: ~revoked & ~past & expired,
        LinkState.LIVE: ~revoked & ~past & ~expired,
    }[state]


def state_of(row: SharedLink, today: date) -> LinkState:
    return _link(row).state(today)


def names(row: SharedLink) -> tuple[str, ...]:
    """The names of the properties a link shows, in their order."""
    return tuple(one.name for one in _link(row).snapshot)


def revoke_all(rows: models.QuerySet[SharedLink], *, now: datetime) -> int:
    """End links for good; how many weren't ended before."""
    return rows.filter(revoked_at__isnull=True).update(revoked_at=now, digest="")


def extend_all(rows: models.QuerySet[SharedLink], *, today: date, days: int) -> int:
    """Extend those links that can be; how many that were."""
    able = [row for row in rows if _link(row).state(today) in (LinkState.LIVE, LinkState.EXPIRED)]
    for row in able:
        _extend(row, today, days)
    return len(able)


def qr_code(address: str) -> str:
    """The address as a QR code: SVG without inline styles or fixed size."""
    drawing = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawing,
        kind="svg",
        xmldecl=False,
        svgns=True,
        border=2,
        omitsize=True,
        svgclass="share-qr",
        lineclass=None,
    )
    return drawing.getvalue().decode()


def _own(owner: User, code: str) -> SharedLink:
    row = SharedLink.objects.filter(owner=owner, code=code).select_related("owner").first()
    if row is None:
        raise NoSuchLink
    return row


def _extend(row: SharedLink, today: date, days: int) -> None:
    _set(row, expires=max(row.expires, last_day(row.check_in, today, days)))


def _set(row: SharedLink, **values: Any) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))


def _link(row: SharedLink) -> Link:
    """The row as a value; entries of its snapshot in a form that can't be read any more are left out."""
    snapshot = []
    for entry in row.snapshot if isinstance(row.snapshot, list) else ():
        try:
            snapshot.append(msgspec.convert(entry, Snapshot))
        except msgspec.ValidationError:
            continue
    kind = LinkKind(row.kind)
    return Link(
        code=row.code,
        shared=Shared(
            kind=kind,
            search=row.search,
            refinement=row.refinement,
            page=row.page,
            keys=() if kind is LinkKind.RESULTS else tuple(one.key for one in snapshot),
            title=row.title,
            note=row.note,
        ),
        snapshot=tuple(snapshot),
        shared_at=row.shared_at,
        place=row.place,
        check_in=row.check_in,
        expires=row.expires,
        revoked_at=row.revoked_at,
        label=row.label,
        owner=(row.owner.get_full_name() or row.owner.get_username()) if row.owner else "",
        opens=row.opens,
        first_opened_at=row.first_opened_at,
        last_opened_at=row.last_opened_at,
    )
