"""`/share/...`: staff make links, see, prolong and revoke their own, and download what they see as CSV."""

import re
from datetime import date, timedelta
from functools import partial, wraps
from typing import Any, cast
from urllib.parse import quote, urlencode

import segno
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import Error
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.utils.timezone import localdate
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from search.compare.shortlist import MOST_KEPT, stays_of
from search.domain.context import SearchContext
from search.domain.query import earliest_day, encode_pairs
from search.domain.site_settings import Site
from search.gateway import NotFound
from search.gateway.parsing import MAX_ID
from search.property import service as properties
from search.results import service as results
from search.results.context import for_search
from search.results.dates import DateComparison, DatesQuestion
from search.site_settings import store
from search.web.formatting import Reader, sentences, short_day
from search.web.links import Head, property_path, results_path, reverse, search_pairs, with_query
from search.web.markets import asked_market, page_address
from search.web.shortcuts import View, is_staff, only_if, origin_of, page_number, read_only, visited_site
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from . import models, watches
from .csv import as_csv, dates_csv, then_and_now_csv
from .models import LinkKind, LinkState, SharedLink, Snapshot, last_day
from .pages import preview_title, words
from .price_change import picked
from .views import open_link

LINKS_PER_PAGE = 30
SPARK_DAYS = 14
# Browsers on Windows do nothing at all with the address of a mail that is longer.
LONGEST_MAIL = 2_000
# Line breaks belong in a note; what else controls a terminal or a bidi run doesn't.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_READABLE = RegexValidator(
    _CONTROL, gettext_lazy("Please use letters, numbers and line breaks only."), "control", inverse_match=True
)
_TOO_LONG = gettext_lazy("This is too long. Please use %(limit_value)d characters at most.")


def may_share(request: HttpRequest, site: Site) -> bool:
    """Whether a colleague with the permission asks. Visitors have no session cookie, and none is opened."""
    try:
        is_allowed = site.sharing_enabled and is_staff(request)
        return is_allowed and request.user.has_perm("search.add_sharedlink")
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


def for_sharers(view: View) -> View:
    """404 for everybody else."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not may_share(request, store.current()):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
@for_search()
def share_results(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """A page of results as it is refined, or the hotels that `stay` parameters name."""
    if stays := stays_of(request.GET.getlist("stay"), MOST_KEPT):
        kind, page, keys = LinkKind.PICKS, 1, [one.key for one in stays]
    else:
        kind, page = LinkKind.RESULTS, page_number(request)
        keys = [one.listing.property.key for one in results.find(context, page).listings]
    shown = map(Snapshot.of, picked(keys, context) if keys else ())
    link = SharedLink.of(context, shown, kind=kind.value, page=page)
    return _share(request, context, link, results_path(context.search, context.refinement, page))


@for_sharers
@require_http_methods(["GET", "HEAD", "POST"])
@for_search(needs_place=False)
def share_property(
    request: HttpRequest, context: SearchContext, provider: str, property_id: str
) -> HttpResponse:
    """One property with its offers for the stay."""
    page, key = page_number(request), request.GET.get("hotel", "")[:MAX_ID]
    try:
        hotel = properties.find_property(context, provider, property_id, hotel=key)
    except NotFound:
        raise Http404 from None
    link = SharedLink.of(context, [Snapshot.of(hotel.card)], kind=LinkKind.PROPERTY.value, page=page)
    back = with_query(property_path(provider, property_id, key), encode_pairs(search_pairs(context)))
    return _share(request, context, link, back)


class NoteField(forms.CharField):
    """A text of several lines; browsers send other line ends than are stored."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class ShareForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's own takes none at run time
    """The sender's words about a link. `longest` is the last day a link to its stay may work."""

    expires = forms.DateField(
        label=gettext_lazy("Last day it works"),
        input_formats=["%Y-%m-%d"],
        required=False,
        error_messages={"invalid": gettext_lazy("Please choose a day.")},
    )

    class Meta:
        model = SharedLink
        fields = ("title", "note", "label", "expires")
        field_classes = {"note": NoteField}
        labels = {
            "title": gettext_lazy("Title"),
            "note": gettext_lazy("Note to your client"),
            "label": gettext_lazy("Label, for you alone"),
        }

    def __init__(self, data: QueryDict | None, *, link: SharedLink, days: int, title: str) -> None:
        """`title` is filled in, to be changed or left."""
        self.title = title[: SharedLink._meta.get_field("title").max_length].rstrip()  # as it comes back
        self.first, self.longest = earliest_day(localdate()), link.check_in
        self.usual = last_day(link.check_in, days)
        usual = {"expires": self.usual.isoformat(), "title": self.title}
        super().__init__(data, instance=link, initial=usual)
        self.fields["expires"].validators += [
            MinValueValidator(self.first, gettext_lazy("This day has passed. Choose today or a later day.")),
            MaxValueValidator(self.longest, gettext_lazy("A link works until check-in at the latest.")),
        ]
        for name in ("title", "note", "label"):
            self.fields[name].validators.append(_READABLE)
            self.fields[name].error_messages["max_length"] = _TOO_LONG

    def clean_title(self) -> str:
        """Empty for the title filled in, which recipients read in their own language."""
        title = str(self.cleaned_data["title"])
        return "" if title == self.title else title

    def clean_expires(self) -> date:
        """The day given, else the usual one."""
        day: date = self.cleaned_data["expires"] or self.usual
        return day


def _share(request: HttpRequest, context: SearchContext, link: SharedLink, back: str) -> HttpResponse:
    """The form of a new link, and the way `back` to the page; posted and valid, the link."""
    posted = request.POST if request.method == "POST" else None
    title = preview_title(link.kind, link.shown, context, Reader.for_search(context))
    form = ShareForm(posted, link=link, days=context.site.share_days, title=title)
    if link.shown and form.is_valid():
        shared_link = models.share(link, owner_of(request))
        return redirect(page_address("share-link", request, context.site, shared_link.code))
    head, names = Head(title=_("Share"), robots="noindex"), [one.shown_name for one in link.shown]
    page = {"head": head, "what": title, "names": names, "back": back}
    return render(
        request, "sharing/share.html", {"page": page, "form": form}, status=200 if posted is None else 400
    )


class LinkRow:
    """One of the owner's links: what it leads to, and its dates and opens in words."""

    def __init__(self, link: SharedLink, request: HttpRequest) -> None:
        site = visited_site(request)
        # Its days are in the formats of the page's market, not of the link's.
        reader = Reader.of(site, site.default_market)
        self.link, self.state = link, link.state
        self.state_text = words("state", self.state)
        self.address = f"{origin_of(request)}{reverse('shared', [link.code])}"
        self.what = preview_title(link.kind, link.shown, link.context(site), reader)
        self.name = link.title or self.what
        self.shared_on, self.until = short_day(link.shared_at, reader), short_day(link.expires, reader)
        # About: some machines pass for people, some people for machines.
        opens = ngettext("opened about %(count)s time", "opened about %(count)s times", link.opens)
        self.opens = opens % {"count": link.opens} if link.opens else _("not opened yet")
        self.opened = ""
        if link.first_opened_at and link.last_opened_at:
            first, last = short_day(link.first_opened_at, reader), short_day(link.last_opened_at, reader)
            text = _("on %(day)s") if first == last else _("first %(first)s, last %(last)s")
            self.opened = text % {"day": first, "first": first, "last": last}

    def called(self, what: str) -> str:
        """`Extend: Spring in Porto`: a button of this link, apart from those of all others."""
        return _("%(name)s: %(text)s") % {"name": what, "text": self.name}

    @property
    def can_extend(self) -> bool:
        return self.state in (LinkState.LIVE, LinkState.EXPIRED) and self.link.expires < self.link.check_in

    @property
    def sparkline(self) -> str:
        """The points of a line through the opens of the last `SPARK_DAYS` days, 20 high."""
        opens, today = {one.day: one.opens for one in self.link.daily.all()}, localdate()
        counts = [opens.get(today - timedelta(days=ago), 0) for ago in reversed(range(SPARK_DAYS))]
        most = max(counts)
        return " ".join(f"{5 * day},{19 - 18 * count / most:.1f}" for day, count in enumerate(counts) if most)

    @property
    def mail(self) -> str:
        """The address of a mail with note and link; without the note if it would be too long to open."""
        note = "\r\n".join(self.link.note.splitlines())
        bodies = ("\r\n\r\n".join(filter(None, texts)) for texts in ((note, self.address), (self.address,)))
        whole, short = (
            f"mailto:?{urlencode({'subject': self.name, 'body': body}, quote_via=quote)}" for body in bodies
        )
        return whole if len(whole) <= LONGEST_MAIL else short

    @property
    def qr(self) -> str:
        """The link as a QR code, an SVG."""
        code = segno.make(self.address, error="m", micro=False)
        drawing = code.svg_inline(border=2, omitsize=True, svgclass="share-qr", lineclass=None)
        return mark_safe(drawing)  # noqa: S308 - drawn from a code, holds no text of others


@for_sharers
@read_only
def link(request: HttpRequest, code: str) -> HttpResponse:
    """One link of one's own: to copy, to scan, to mail. `watched`: whether changes of its totals are mailed,
    None where they can't be."""
    row = LinkRow(get_object_or_404(own(request, code)), request)
    is_live = row.state is LinkState.LIVE
    can_watch = is_live and watches.can_mail(row.link, visited_site(request))
    watched = watches.Watch.objects.filter(link=row.link).exists() if can_watch else None
    head = Head(title=_("Your link is ready") if is_live else row.state_text, robots="noindex")
    return render(request, "sharing/link.html", {"page": {"head": head, "row": row, "watched": watched}})


@for_sharers
@require_POST
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """Have the totals of a link watched and their changes mailed to its owner, or no longer."""
    shared_link, site = get_object_or_404(own(request, code)), visited_site(request)
    watched = watches.Watch.objects.filter(link=shared_link)
    if watched.delete()[0] == 0 and watches.can_mail(shared_link, site):
        watches.begin_for_link(shared_link, site, origin_of(request))
    return redirect(page_address("share-link", request, site, code))


def _list_query(request: HttpRequest, **changes: object) -> str:
    """What the address of a colleague's list asks for, with other values."""
    given = {name: request.GET[name] for name in ("q", "market", "page") if name in request.GET}
    return urlencode({**given, **changes})


@for_sharers
@read_only
def links(request: HttpRequest) -> HttpResponse:
    """All links of one's own; `q` searches them. The tag of a message is the code of a link just revoked."""
    text = " ".join(request.GET.get("q", "")[:100].replace("\x00", "").split())
    own_links = models.links_of(owner_of(request), text).prefetch_related("daily")
    shown = Paginator(own_links, LINKS_PER_PAGE).get_page(page_number(request))
    before, after = shown.number - 1, shown.number + 1
    page = {
        "head": Head(title=_("My links"), robots="noindex"),
        "messages": messages.get_messages(request),
        "text": text,
        "market": asked_market(request, visited_site(request)),
        "rows": [LinkRow(one, request) for one in shown],
        "query": f"?{_list_query(request)}",
        "previous": f"?{_list_query(request, page=before)}" if shown.has_previous() else "",
        "next": f"?{_list_query(request, page=after)}" if shown.has_next() else "",
    }
    return render(request, "sharing/links.html", {"page": page})


@for_sharers
@require_POST
def press(request: HttpRequest, code: str, button: str) -> HttpResponse:
    """Revoke, restore or extend a link. The list says that it is done, or that the link is over."""
    site, links = visited_site(request), own(request, code)
    done = _("The link works again.")
    if button == "revoke":
        models.revoke_all(links)
    elif button == "restore":
        models.restore(links)
    else:
        models.extend_all(links, site.share_days)
        last = short_day(get_object_or_404(links).expires, Reader.of(site, site.default_market))
        done = sentences(_("The link works until %(day)s."), {"day": last})
    state = get_object_or_404(links).state
    if state is LinkState.REVOKED:
        messages.success(request, _("The link is revoked."), extra_tags=code)
    else:
        messages.success(request, done if state is LinkState.LIVE else words("title", state))
    return redirect(with_query(reverse("share-links"), _list_query(request)))


def owner_of(request: HttpRequest) -> User:
    return cast(User, request.user)


def own(request: HttpRequest, code: str) -> QuerySet[SharedLink]:
    """The link of this code, if it is the colleague's own."""
    return models.links_of(owner_of(request)).filter(code=models.usable_code(code))


def for_export(view: View) -> View:
    """A download, where the site offers them."""
    return for_sharers(read_only(only_if(lambda site: site.export_enabled)(view)))


@for_export
@for_search()
def export(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """The page of results in front of a colleague."""
    found = results.find(context, page_number(request))
    return as_csv(found, context, origin_of(request))


@for_export
@for_search()
def export_dates(request: HttpRequest, context: SearchContext) -> HttpResponse:
    """What a stay costs by its dates, asked for where that isn't known."""
    comparison = DateComparison(context, DatesQuestion.of(request.GET, context))
    comparison.ask_for_all()
    return dates_csv(comparison, Reader.for_search(context))


@for_export
def export_link(request: HttpRequest, code: str) -> HttpResponse:
    """One of a colleague's own links, then and now."""
    return then_and_now_csv(open_link(request, get_object_or_404(own(request, code))))
