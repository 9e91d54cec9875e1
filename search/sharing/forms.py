"""What staff say about a link they make, and the marks of the cards they picked."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from search.domain.query import Sort
from search.domain.site_settings import Site
from search.web.translation import gettext_lazy as _

from .link import MAX_PICKS, last_day
from .price_change import MAX_COMPARED, OwnView

# Line breaks belong in a note; what else controls a terminal or a bidi run doesn't.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MARK = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_PICK = re.compile(rf"([1-9][0-9]{{0,5}})\.({_MARK.pattern})", re.ASCII)


def _readable(value: str) -> None:
    if _CONTROL.search(value):
        raise ValidationError(_("Please use letters, numbers and line breaks only."), code="control")


class ShareForm(forms.Form):
    """`longest` is the last day a link to this stay may work."""

    title = forms.CharField(label=_("Title"), max_length=120, required=False, validators=[_readable])
    note = forms.CharField(
        label=_("Note to your client"),
        max_length=1000,
        required=False,
        strip=True,
        validators=[_readable],
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    label = forms.CharField(
        label=_("Label, for you alone"), max_length=80, required=False, validators=[_readable]
    )
    expires = forms.DateField(label=_("Last day it works"), input_formats=["%Y-%m-%d"], required=False)

    def __init__(self, data: QueryDict | None = None, *, check_in: date, today: date, days: int) -> None:
        self.today = today
        self.longest = check_in
        self.usual = last_day(check_in, today, days)
        super().__init__(data=data, initial={"expires": self.usual.isoformat()})

    def clean_note(self) -> str:
        return str(self.cleaned_data["note"]).replace("\r\n", "\n")

    def clean_expires(self) -> date:
        """The day given, the usual one if none is; never a day that has passed or after check-in."""
        day: date = self.cleaned_data["expires"] or self.usual
        if day < self.today:
            raise ValidationError(_("This day has passed. Choose today or a later day."))
        if day > self.longest:
            raise ValidationError(_("A link works until check-in at the longest."))
        return day


class Pick(NamedTuple):
    """A card picked by hand: the page of results it was on, and its mark on that page."""

    page: int
    card: str


def picks(query: QueryDict) -> tuple[Pick, ...]:
    """The `pick` parameters (`<page>.<card>`) in their order, each card once, at most `MAX_PICKS`."""
    found: dict[str, Pick] = {}
    for text in query.getlist("pick")[: 4 * MAX_PICKS]:
        matched = _PICK.fullmatch(text)
        if matched:
            found.setdefault(matched[2], Pick(int(matched[1]), matched[2]))
    return tuple(found.values())[:MAX_PICKS]


def own_view(query: QueryDict, site: Site) -> OwnView:
    """How a recipient asks to see what was shared; what makes no sense asks nothing."""
    sort = next((one for one in site.sorts if one == query.get("sort") and one is not Sort.PROVIDER), None)
    return OwnView(
        sort=sort,
        free_cancellation=query.get("free_cancellation") == "1",
        pay_later=query.get("pay_later") == "1",
    )


def compared(query: QueryDict) -> tuple[str, ...]:
    """The marks of the cards to look at side by side, in their order, each once, at most `MAX_COMPARED`."""
    marks = (text for text in query.getlist("stay")[: 4 * MAX_COMPARED] if _MARK.fullmatch(text))
    return tuple(dict.fromkeys(marks))[:MAX_COMPARED]
