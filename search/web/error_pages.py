"""Pages for what can't be shown right now, or not at all: they keep the search and say what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.context import SearchContext

from .links import Links, home_path
from .meta import Head
from .translation import gettext as _
from .translation import gettext_lazy

_OUR_FAULT = {"key", "request", "redirect"}

_BUSY_TITLE = gettext_lazy("A lot of people are searching right now")
_BUSY_ADVICE = gettext_lazy("Please wait a minute, then try again. Your search is kept.")
_AWAY_TITLE = gettext_lazy("Prices can't be had right now")
_AWAY_ADVICE = gettext_lazy(
    "The service we ask for hotels and prices isn't answering. Your search is kept: try again in a minute."
)
_SETUP_ADVICE = gettext_lazy(
    "Something on our side needs fixing before prices can be shown. Your search is kept."
)


@dataclass(frozen=True, slots=True)
class SorryPage:
    """Parameters of error_pages/sorry.html: `retry` is this very address, `for_staff` names the failure."""

    head: Head
    title: str
    advice: str
    for_staff: str
    retry: str

    @classmethod
    def build(cls, kind: str, status: int | None, *, retry: str, staff: bool) -> SorryPage:
        """`kind` and `status` are those of the gateway's error."""
        title, advice = _AWAY_TITLE, _AWAY_ADVICE
        if kind == "throttled":
            title, advice = _BUSY_TITLE, _BUSY_ADVICE
        elif kind in _OUR_FAULT:
            advice = _SETUP_ADVICE
        named = kind if status is None else f"{kind} {status}"
        return cls(
            head=Head(title=str(title), robots="noindex"),
            title=str(title),
            advice=str(advice),
            for_staff=_("For staff: the gateway call failed (%(failure)s).") % {"failure": named}
            if staff
            else "",
            retry=retry,
        )


@dataclass(frozen=True, slots=True)
class NotFoundPage:
    """Parameters of error_pages/not_found.html: a property that isn't offered, the way back to the search."""

    head: Head
    title: str
    advice: str
    back: str
    back_text: str

    @classmethod
    def build(cls, context: SearchContext, card_page: int) -> NotFoundPage:
        """`card_page` is the page of results the visitor came from; the search may be without a place."""
        search = context.search
        title = _("This property isn't offered")
        back, text = home_path(search.market), _("Start a new search")
        if search.place:
            back = Links.of(context, card_page).results()
            text = _("Back to hotels in %(place)s") % {"place": search.place}
        return cls(
            head=Head(title=title, robots="noindex"),
            title=title,
            advice=_("%(site)s doesn't know it, or its provider no longer offers it.")
            % {"site": context.site.site_name},
            back=back,
            back_text=text,
        )
