"""`{% share_address as address %}`: where the page in front of a colleague is shared, for nobody else."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from search.pages.sharing import may_share

register = template.Library()


@register.simple_tag(takes_context=True)
def share_address(context: Context) -> str:
    """`/share` and the address of this page; empty for those who may not share."""
    request: Any = context.get("request")
    if request is None or not may_share(request, context["site"]):
        return ""
    return f"/share{request.get_full_path()}"
