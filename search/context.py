"""What every page may say besides its own content."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.timezone import localdate

from search.services import site


def surroundings(_request: HttpRequest) -> dict[str, Any]:
    """`site`, its `banner` of today, and whether hotels and prices are made up (`sandbox`)."""
    current = site.current()
    return {"site": current, "banner": current.banner(localdate()), "sandbox": not settings.GATEWAY_BASE_URL}
