"""`{% share_address as address %}`: where the page in front of a colleague is shared, for nobody else."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.urls import reverse

from search.pages.sharing import may_share

register = template.Library()


@register.simple_tag(takes_context=True)
def share_address(context: Context) -> str:
    """`/share` and the address of this page; empty for those who may not share."""
    request: Any = context.get("request")
    shareable = request is not None and request.path.startswith(reverse("results"))
    return f"/share{request.get_full_path()}" if shareable and may_share(request, context["site"]) else ""
