"""What staff see of sharing: the form of a new link, the link itself, and all links of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Page
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from search.domain.context import SearchContext
from search.domain.query import encode_pairs
from search.domain.site_settings import Site
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.meta import Head
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import service
from .link import Link, LinkKind, LinkState, Shared, Snapshot, read_search
from .pages import preview_title, short_day


def may_share(request: HttpRequest, site: Site) -> bool:
    """Whether a colleague with the permission asks. Without a session cookie the session isn't even opened:
    pages for visitors stay the same for all of them."""
    if not site.sharing_enabled or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    try:
        return bool(request.user.is_staff and request.user.has_perm("search.add_sharedlink"))
    except DatabaseError:  # the page around the button does without a database
        return False


@dataclass(frozen=True, slots=True)
class ShareLinks:
    """Parameters of sharing/share_slot.html: where this page is shared or exported, and where cards picked
    from it are shared (empty on the page of one property)."""

    address: str
    picks: str
    export: str
    links: str

    @classmethod
    def of(cls, request: HttpRequest, site: Site) -> ShareLinks | None:
        """The links for a page of results or a property, None for those who may not share it."""
        results = reverse("results")
        if not request.path.startswith(results) or not may_share(request, site):
            return None
        whole_list = request.path == results
        query = request.META.get("QUERY_STRING", "")
        return cls(
            address=f"/share{request.get_full_path()}",
            picks=reverse("share-results") if whole_list else "",
            export=f"{reverse('export')}?{query}" if whole_list and site.export_enabled else "",
            links=reverse("share-links"),
        )


def share_links(request: HttpRequest) -> dict[str, Any]:
    """`share_links(site)` of every template: what a colleague may do with the page at hand, else None."""
    return {"share_links": partial(ShareLinks.of, request)}


def shared_path(code: str) -> str:
    return reverse("shared", args=[code])


@dataclass(frozen=True, slots=True, kw_only=True)
class Shareable:
    """What the page in front of a sharer shows, and the address that leads back to it."""

    kind: LinkKind
    context: SearchContext
    page: int
    snapshot: tuple[Snapshot, ...]
    back: str

    def content(self, title: str, note: str) -> Shared:
        """What a link to it leads to."""
        return Shared(
            kind=self.kind,
            search=self.context.search.query_string(),
            refinement=encode_pairs(self.context.refinement.pairs()),
            page=self.page,
            keys=() if self.kind is LinkKind.RESULTS else tuple(one.key for one in self.snapshot),
            title=title,
            note=note,
        )


@dataclass(frozen=True, slots=True)
class SharePage:
    """Parameters of sharing/share.html: what would be shared, and the form for it (posted to `action`)."""

    head: Head
    title: str
    what: str
    names: tuple[str, ...]
    action: str
    back: str
    links: str

    @classmethod
    def build(cls, shareable: Shareable, *, action: str) -> SharePage:
        title, context, snapshot = _("Share"), shareable.context, shareable.snapshot
        reader = Reader.for_search(context)
        return cls(
            head=Head(title=title, robots="noindex"),
            title=title,
            what=preview_title(shareable.kind, snapshot, context.search, reader),
            names=tuple(one.name for one in snapshot),
            action=action,
            back=shareable.back,
            links=reverse("share-links"),
        )


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One of the owner's links. `state` is its name, `state_text` says it; empty addresses don't apply."""

    code: str
    address: str
    page: str
    name: str
    what: str
    label: str
    shared_on: str
    until: str
    state: str
    state_text: str
    opens: str
    opened: str
    revoke: str
    extend: str
    export: str

    @classmethod
    def of(cls, link: Link, site: Site, today: date, origin: str) -> LinkRow:
        """`origin` is the site's own address, https://host."""
        state = link.state(today)
        what, reader = link_words(link, site)
        live = state is LinkState.LIVE
        can_extend = state in (LinkState.LIVE, LinkState.EXPIRED) and link.expires < link.check_in
        return cls(
            code=link.code,
            address=f"{origin}{shared_path(link.code)}",
            page=reverse("share-link", args=[link.code]),
            name=link.shared.title or what,
            what=what if link.shared.title else "",
            label=link.label,
            shared_on=short_day(link.shared_at, reader),
            until=short_day(link.expires, reader),
            state=state.value,
            state_text=_STATES[state](),
            opens=about_opens(link.opens),
            opened=_opened(link, reader),
            revoke=reverse("share-revoke", args=[link.code]) if live else "",
            extend=reverse("share-extend", args=[link.code]) if can_extend else "",
            export=reverse("export-link", args=[link.code]) if live and site.export_enabled else "",
        )


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Parameters of sharing/link.html: one link of one's own, ready to be sent. `qr` is SVG or empty."""

    head: Head
    title: str
    row: LinkRow
    qr: SafeString
    mail: str
    until: str
    links: str

    @classmethod
    def build(cls, link: Link, site: Site, today: date, *, origin: str, qr: str) -> LinkPage:
        row = LinkRow.of(link, site, today, origin)
        live = row.state == LinkState.LIVE.value
        title = _("Your link is ready") if live else row.state_text
        return cls(
            head=Head(title=title, robots="noindex"),
            title=title,
            row=row,
            qr=mark_safe(qr) if live else SafeString(""),  # noqa: S308
            mail="mailto:?"
            + urlencode({"subject": row.name, "body": _mail_body(link, row)}).replace("+", "%20"),
            until=_("Works until %(day)s; %(opens)s.") % {"day": row.until, "opens": row.opens}
            if live
            else "",
            links=reverse("share-links"),
        )


@dataclass(frozen=True, slots=True)
class LinksPage:
    """Parameters of sharing/links.html: all links of one member of staff."""

    head: Head
    title: str
    text: str
    rows: tuple[LinkRow, ...]
    previous: str
    next: str

    @classmethod
    def build(cls, shown: Page[Any], text: str, site: Site, today: date, *, origin: str) -> LinksPage:
        """`shown` is a page of SharedLink rows, `text` what they were searched for."""

        def address(number: int) -> str:
            return "?" + urlencode({"q": text, "page": number})

        title = _("My links")
        return cls(
            head=Head(title=title, robots="noindex"),
            title=title,
            text=text,
            rows=tuple(LinkRow.of(link, site, today, origin) for link in service.links(shown)),
            previous=address(shown.number - 1) if shown.has_previous() else "",
            next=address(shown.number + 1) if shown.has_next() else "",
        )


_STATES = {
    LinkState.LIVE: lambda: _("Live"),
    LinkState.REVOKED: lambda: _("Revoked"),
    LinkState.PAST: lambda: _("Dates passed"),
    LinkState.EXPIRED: lambda: _("Expired"),
}


def link_words(link: Link, site: Site) -> tuple[str, Reader]:
    """What a link leads to, in words, and who they are for."""
    search = read_search(link.shared.search)
    reader = Reader.of(site, search.market)
    return preview_title(link.shared.kind, link.snapshot, search, reader), reader


def about_opens(count: int) -> str:
    """`about 12 opens`: machines that pass for people are counted, people who hide are not."""
    if not count:
        return _("not opened yet")
    return ngettext("about %(count)s open", "about %(count)s opens", count) % {"count": count}


def _opened(link: Link, reader: Reader) -> str:
    if link.first_opened_at is None or link.last_opened_at is None:
        return ""
    first, last = short_day(link.first_opened_at, reader), short_day(link.last_opened_at, reader)
    if first == last:
        return _("on %(day)s") % {"day": first}
    return _("first %(first)s, last %(last)s") % {"first": first, "last": last}


def _mail_body(link: Link, row: LinkRow) -> str:
    return "\n\n".join(filter(None, (link.shared.note, row.address)))
