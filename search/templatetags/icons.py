"""`{% icon "wifi" %}`: a decorative icon, drawn once per process."""

from __future__ import annotations

import re
from functools import cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from lucide.templatetags.lucide import lucide

register = template.Library()

_OPENING = re.compile(r"^<svg[^>]*>")
_OPENED = (
    '<svg class="icon" aria-hidden="true" width="24" height="24" viewBox="0 0 24 24"'
    ' fill="none" stroke="currentColor">'
)


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """The icon of this name. It says nothing to a screen reader: the text beside it does."""
    drawing = " ".join(lucide(name, size=None).split()).replace("> <", "><")
    return mark_safe(_OPENING.sub(_OPENED, drawing).replace(" />", "/>"))  # noqa: S308
