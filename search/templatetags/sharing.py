"""`{% share_links as share %}`: what a colleague may do with the page in front of them; else nothing."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from search.sharing.staff_pages import ShareLinks

register = template.Library()


@register.simple_tag(takes_context=True)
def share_links(context: Context) -> ShareLinks | None:
    request: Any = context.get("request")
    return ShareLinks.of(request, context["site"]) if request is not None else None
