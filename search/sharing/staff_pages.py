"""What staff see of sharing: the form of a new link, the link itself, and all links of theirs."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.core.paginator import Page
from django.db import Error
from django.http import HttpRequest
from django.utils.safestring import mark_safe

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


def share_links(request: HttpRequest) -> dict[str, Any]:
    """`share_links(site)` and `staff_links(site)` of every template; None for visitors."""
    return {"share_links": partial(_share_links, request), "staff_links": partial(_staff_links, request)}


def _share_links(request: HttpRequest, site: Site) -> dict[str, str] | None:
    """Where this page of results or of a property is shared, and where its list is exported, if it is one."""
    results = reverse("results")
    if not request.path.startswith(results) or not may_share(request, site):
        return None
    can_export = request.path == results and site.export_enabled
    export = f"{reverse('export')}?{request.META.get('QUERY_STRING', '')}" if can_export else ""
    return {"address": f"/share{request.get_full_path()}", "export": export}


def _staff_links(request: HttpRequest, site: Site) -> dict[str, str] | None:
    """The links of the header; `links` is empty for colleagues who may not share. Opens no session."""
    if not is_staff(request):
        return None
    links = page_address("share-links", request, site) if may_share(request, site) else ""
    return {"admin": reverse("admin:index"), "links": links}


class SharePage:
    """Parameters of sharing/share.html: what would be shared; `back` is the address of that page."""

    def __init__(self, link: SharedLink, context: SearchContext, back: str) -> None:
        self.head = Head(title=_("Share"), robots="noindex")
        self.what = preview_title(link.kind, link.shown, context, Reader.for_search(context))
        self.names = [one.shown_name for one in link.shown]
        self.back = back


class LinkRow:
    """One of the owner's links: what it leads to, and its dates and opens in words."""

    def __init__(self, link: SharedLink, reader: Reader, today: date, origin: str) -> None:
        """`origin` is the site's own address, https://host."""
        context, self.state = service.stored_context(link, reader.site), service.state_of(link)
        self.link = link
        self.address = f"{origin}{reverse('shared', [link.code])}"
        self.what = preview_title(link.kind, link.shown, context, reader)
        self.name = link.title or self.what
        self.shared_on, self.until = short_day(link.shared_at, reader), short_day(link.expires, reader)
        self.state_text = str(_STATES[self.state])
        # About: some machines pass for people, some people for machines.
        opens = ngettext("opened about %(count)s time", "opened about %(count)s times", link.opens)
        self.opens = opens % {"count": link.opens} if link.opens else _("not opened yet")
        self.opened = _opened(link, reader)
        self.sparkline = _sparkline({one.day: one.opens for one in link.daily.all()}, today)

    def called(self, what: str) -> str:
        """`Extend: Spring in Porto`: a button of this link, apart from those of all others."""
        return _("%(name)s: %(text)s") % {"name": what, "text": self.name}

    @property
    def can_extend(self) -> bool:
        return self.state in (LinkState.LIVE, LinkState.EXPIRED) and self.link.expires < self.link.check_in


class LinkPage:
    """Parameters of sharing/link.html: one link of one's own, with its QR code as SVG while it is live;
    `watched`: whether changes of its totals are mailed, None where they can't be."""

    def __init__(self, row: LinkRow, watched: bool | None) -> None:
        live = row.state is LinkState.LIVE
        self.head = Head(title=_("Your link is ready") if live else row.state_text, robots="noindex")
        self.row = row
        self.mail = _mail(row)
        self.watched = watched if live else None
        code = segno.make(row.address, error="m", micro=False)
        drawing = code.svg_inline(border=2, omitsize=True, svgclass="share-qr", lineclass=None)
        self.qr = mark_safe(drawing if live else "")  # noqa: S308 - drawn from a code, holds no text of others


def _mail(row: LinkRow) -> str:
    """The address of a mail with the note and the link; without the note if it would be too long to open."""
    note = "\r\n".join(row.link.note.splitlines())
    bodies = ("\r\n\r\n".join(filter(None, texts)) for texts in ((note, row.address), (row.address,)))
    whole, short = (
        f"mailto:?{urlencode({'subject': row.name, 'body': body}, quote_via=quote)}" for body in bodies
    )
    return whole if len(whole) <= LONGEST_MAIL else short


class LinksPage:
    """Parameters of sharing/links.html: a colleague's links. `text` is what they searched for, `messages`
    what they have just done (a tag is the code of the link that was revoked)."""

    def __init__(
        self, shown: Page[Any], rows: list[LinkRow], text: str, market: str, messages: Iterable[Message]
    ) -> None:
        """`shown` is a page of SharedLinks, `rows` are those in words."""

        def query(number: int) -> str:
            pairs = (("q", text), ("market", market), ("page", number))
            return urlencode([(name, value) for name, value in pairs if value])

        self.head = Head(title=_("My links"), robots="noindex")
        self.messages = messages
        self.text = text
        self.market = market
        self.rows = rows
        self.query = query(shown.number)
        self.previous = f"?{query(shown.number - 1)}" if shown.has_previous() else ""
        self.next = f"?{query(shown.number + 1)}" if shown.has_next() else ""

    def button(self, name: str, code: str) -> str:
        """Where a button for the link of this code sends, to come back to this list."""
        return f"{reverse(name, [code])}?{self.query}"


_STATES = {
    LinkState.LIVE: gettext_lazy("Live"),
    LinkState.REVOKED: gettext_lazy("Revoked"),
    LinkState.PAST: gettext_lazy("Dates passed"),
    LinkState.EXPIRED: gettext_lazy("Expired"),
}


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
