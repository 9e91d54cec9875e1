"""What staff say about a link."""

import re
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.http import QueryDict
from django.utils.timezone import localdate

from search.domain.query import earliest_day
from search.web.translation import gettext_lazy as _

from .models import SharedLink, last_day

# Line breaks belong in a note; what else controls a terminal or a bidi run doesn't.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_READABLE = RegexValidator(
    _CONTROL, _("Please use letters, numbers and line breaks only."), "control", inverse_match=True
)
_TOO_LONG = _("This is too long. Please use %(limit_value)d characters at most.")


class NoteField(forms.CharField):
    """A text of several lines; browsers send other line ends than are stored."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class ShareForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's own takes none at run time
    """The sender's words about a link. `longest` is the last day a link to its stay may work."""

    expires = forms.DateField(
        label=_("Last day it works"),
        input_formats=["%Y-%m-%d"],
        required=False,
        error_messages={"invalid": _("Please choose a day.")},
    )

    class Meta:
        model = SharedLink
        fields = ("title", "note", "label", "expires")
        field_classes = {"note": NoteField}
        labels = {"title": _("Title"), "note": _("Note to your client"), "label": _("Label, for you alone")}

    def __init__(self, data: QueryDict | None, *, link: SharedLink, days: int, title: str) -> None:
        """`title` is filled in, to be changed or left."""
        self.title = title[: SharedLink._meta.get_field("title").max_length].rstrip()  # as it comes back
        self.first, self.longest = earliest_day(localdate()), link.check_in
        self.usual = last_day(link.check_in, days)
        usual = {"expires": self.usual.isoformat(), "title": self.title}
        super().__init__(data, instance=link, initial=usual)
        self.fields["expires"].validators += [
            MinValueValidator(self.first, _("This day has passed. Choose today or a later day.")),
            MaxValueValidator(self.longest, _("A link works until check-in at the latest.")),
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
