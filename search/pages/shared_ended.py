"""A shared link that is over, or that can't be opened just now: said politely, with what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from search.domain.sharing import LinkState

from .head import Head


@dataclass(frozen=True, slots=True)
class EndedPage:
    """Parameters of search/shared_ended.html."""

    head: Head
    title: str
    advice: str

    @classmethod
    def build(cls, state: LinkState) -> EndedPage:
        """`state` is any but live."""
        title, advice = {
            LinkState.REVOKED: (
                _("This link has been withdrawn"),
                _("Whoever sent it to you has ended it. Ask them for a new one, or search for yourself."),
            ),
            LinkState.PAST: (
                _("The days of this stay have passed"),
                _("Choose other days: the rest of the search is filled in."),
            ),
            LinkState.EXPIRED: (
                _("This link has expired"),
                _("Prices change, so shared links end after a while. The same search is filled in below."),
            ),
        }[state]
        return cls(head=Head(title=title, robots="noindex, nofollow"), title=title, advice=advice)


@dataclass(frozen=True, slots=True)
class WaitPage:
    """Parameters of search/shared_wait.html: it knows nothing of any link, so all look alike."""

    head: Head
    title: str
    advice: str

    @classmethod
    def too_many_guesses(cls) -> WaitPage:
        advice = _(
            "Too many links that don't exist were tried from your address. "
            "Try yours again in a quarter of an hour."
        )
        return cls._of(_("Please wait a little"), advice)

    @classmethod
    def no_database(cls) -> WaitPage:
        advice = _("Something on our side is resting. Please try your link again in a minute.")
        return cls._of(_("Links can't be opened right now"), advice)

    @classmethod
    def _of(cls, title: str, advice: str) -> WaitPage:
        return cls(head=Head(title=title, robots="noindex, nofollow"), title=title, advice=advice)
