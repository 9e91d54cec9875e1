"""What staff see of sharing: the form of a new link, the link itself, and all links of theirs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any, Self
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.core.paginator import Page
from django.db import Error
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from search.domain.context import SearchContext
from search.domain.site_settings import Site
from search.web.formatting import Reader, short_day
from search.web.links import Head, reverse
from search.web.markets import page_address
from search.web.shortcuts import is_staff
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from . import service
from .models import LinkState, SharedLink
from .pages import preview_title

SPARK_DAYS = 14
# Browsers on Windows do nothing at all with the address of a mail that is longer.
LONGEST_MAIL = 2_000


def may_share(request: HttpRequest, site: Site) -> bool:
    """Whether a colleague with the permission asks. Visitors have no session cookie, and none is opened."""
    if not site.sharing_enabled or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    try:
        return bool(request.user.is_staff and request.user.has_perm("search.add_sharedlink"))
    except Error:  # the page around the button does without a database
        return False


@dataclass(frozen=True, slots=True)
class ShareLinks:
    """Parameters of sharing/share_slot.html: where this page is shared or exported."""

    address: str
    export: str

    @classmethod
    def of(cls, request: HttpRequest, site: Site) -> Self | None:
        """The links for a page of results or a property, None for visitors."""
        results = reverse("results")
        if not request.path.startswith(results) or not may_share(request, site):
            return None
        whole_list = request.path == results
        query = request.META.get("QUERY_STRING", "")
        return cls(
            address=f"/share{request.get_full_path()}",
            export=f"{reverse('export')}?{query}" if whole_list and site.export_enabled else "",
        )


@dataclass(frozen=True, slots=True)
class StaffLinks:
    """The links of the header for staff; `links` is empty for colleagues who may not share."""

    admin: str
    links: str

    @classmethod
    def of(cls, request: HttpRequest, site: Site) -> Self | None:
        """None for visitors, without opening a session."""
        if not is_staff(request):
            return None
        links = page_address("share-links", request, site) if may_share(request, site) else ""
        return cls(admin=reverse("admin:index"), links=links)


def share_links(request: HttpRequest) -> dict[str, Any]:
    """`share_links(site)` and `staff_links(site)` of every template; None for visitors."""
    return {"share_links": partial(ShareLinks.of, request), "staff_links": partial(StaffLinks.of, request)}


@dataclass(frozen=True, slots=True)
class SharePage:
    """Parameters of sharing/share.html: what would be shared."""

    head: Head
    what: str
    names: tuple[str, ...]
    back: str

    @classmethod
    def build(cls, link: SharedLink, context: SearchContext, back: str) -> Self:
        """`back` is the address of the page that would be shared."""
        return cls(
            head=Head(title=_("Share"), robots="noindex"),
            what=preview_title(link.kind, link.shown, context, Reader.for_search(context)),
            names=tuple(one.shown_name for one in link.shown),
            back=back,
        )


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One of the owner's links: what it leads to, and its dates and opens in words."""

    link: SharedLink
    address: str
    what: str
    shared_on: str
    until: str
    state: LinkState
    state_text: str
    opens: str
    opened: str
    sparkline: str

    @classmethod
    def of(cls, link: SharedLink, reader: Reader, today: date, origin: str) -> Self:
        """`origin` is the site's own address, https://host."""
        context, state = service.stored_context(link, reader.site), service.state_of(link)
        return cls(
            link=link,
            address=f"{origin}{reverse('shared', args=[link.code])}",
            what=preview_title(link.kind, link.shown, context, reader),
            shared_on=short_day(link.shared_at, reader),
            until=short_day(link.expires, reader),
            state=state,
            state_text=str(_STATES[state]),
            opens=_opens(link.opens),
            opened=_opened(link, reader),
            sparkline=_sparkline({one.day: one.opens for one in link.daily.all()}, today),
        )

    @property
    def name(self) -> str:
        return self.link.title or self.what

    def called(self, what: str) -> str:
        """`Extend: Spring in Porto`: a button of this link, apart from those of all others."""
        return _("%(name)s: %(text)s") % {"name": what, "text": self.name}

    @property
    def can_extend(self) -> bool:
        return self.state in (LinkState.LIVE, LinkState.EXPIRED) and self.link.expires < self.link.check_in


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Parameters of sharing/link.html: one link of one's own, with its QR code as SVG while it is live;
    `watched`: whether changes of its totals are mailed, None where they can't be."""

    head: Head
    row: LinkRow
    qr: SafeString
    mail: str
    watched: bool | None

    @classmethod
    def build(cls, row: LinkRow, watched: bool | None) -> Self:
        live = row.state is LinkState.LIVE
        code = segno.make(row.address, error="m", micro=False)
        drawing = code.svg_inline(border=2, omitsize=True, svgclass="share-qr", lineclass=None)
        return cls(
            head=Head(title=_("Your link is ready") if live else row.state_text, robots="noindex"),
            row=row,
            qr=mark_safe(drawing if live else ""),  # noqa: S308 - drawn from a code, holds no text of others
            mail=_mail(row),
            watched=watched if live else None,
        )


def _mail(row: LinkRow) -> str:
    """The address of a mail with the note and the link; without the note if it would be too long to open."""
    note = "\r\n".join(row.link.note.splitlines())
    bodies = ("\r\n\r\n".join(filter(None, texts)) for texts in ((note, row.address), (row.address,)))
    whole, short = (
        f"mailto:?{urlencode({'subject': row.name, 'body': body}, quote_via=quote)}" for body in bodies
    )
    return whole if len(whole) <= LONGEST_MAIL else short


@dataclass(frozen=True, slots=True)
class LinksPage:
    """Parameters of sharing/links.html: a colleague's links. `text` is what they searched for, `market` the
    one in the address, `query` its parameters, `messages` what they have just done (a tag is the code of the
    link that was revoked)."""

    head: Head
    messages: tuple[Message, ...]
    text: str
    market: str
    rows: tuple[LinkRow, ...]
    query: str
    previous: str
    next: str

    @classmethod
    def build(
        cls,
        shown: Page[Any],
        rows: tuple[LinkRow, ...],
        text: str,
        market: str,
        messages: tuple[Message, ...],
    ) -> Self:
        """`shown` is a page of SharedLinks, `rows` are those in words."""

        def query(number: int) -> str:
            pairs = (("q", text), ("market", market), ("page", number))
            return urlencode([(name, value) for name, value in pairs if value])

        return cls(
            head=Head(title=_("My links"), robots="noindex"),
            messages=messages,
            text=text,
            market=market,
            rows=rows,
            query=query(shown.number),
            previous=f"?{query(shown.number - 1)}" if shown.has_previous() else "",
            next=f"?{query(shown.number + 1)}" if shown.has_next() else "",
        )

    def button(self, name: str, code: str) -> str:
        """Where a button for the link of this code sends, to come back to this list."""
        return f"{reverse(name, [code])}?{self.query}"


_STATES = {
    LinkState.LIVE: gettext_lazy("Live"),
    LinkState.REVOKED: gettext_lazy("Revoked"),
    LinkState.PAST: gettext_lazy("Dates passed"),
    LinkState.EXPIRED: gettext_lazy("Expired"),
}


def _opens(count: int) -> str:
    """`opened about 12 times`: some machines pass for people, some people for machines."""
    if not count:
        return _("not opened yet")
    return ngettext("opened about %(count)s time", "opened about %(count)s times", count) % {"count": count}


def _sparkline(opens: Mapping[date, int], today: date) -> str:
    """The points of a line through the opens of the last `SPARK_DAYS` days, 20 high."""
    counts = [opens.get(today - timedelta(days=ago), 0) for ago in reversed(range(SPARK_DAYS))]
    most = max(counts)
    return " ".join(f"{5 * day},{19 - 18 * count / most:.1f}" for day, count in enumerate(counts) if most)


def _opened(link: SharedLink, reader: Reader) -> str:
    if link.first_opened_at is None or link.last_opened_at is None:
        return ""
    first, last = short_day(link.first_opened_at, reader), short_day(link.last_opened_at, reader)
    if first == last:
        return _("on %(day)s") % {"day": first}
    return _("first %(first)s, last %(last)s") % {"first": first, "last": last}
