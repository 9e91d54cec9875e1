"""What every page's view does at the edge: numbers from the address, the deadline, the sorry page."""

from __future__ import annotations

import time

from django.conf import settings
from django.http import HttpRequest

from search.domain.deadline import Deadline

MAX_PAGE = 100_000


def page_deadline() -> Deadline:
    """The time one page may spend on the gateway in all."""
    return Deadline(settings.GATEWAY_DEADLINE, time.monotonic)


def page_number(request: HttpRequest) -> int:
    """`page` of the address, from 1; anything else is the first page."""
    text = request.GET.get("page", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 1
    return min(max(number, 1), MAX_PAGE)
