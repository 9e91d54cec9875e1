"""What every page may say besides its own content."""

from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.timezone import localdate

from search.gateway import factory

from .shortcuts import origin_of, preview_of, site_of


def surroundings(request: HttpRequest) -> dict[str, Any]:
    """What each page is given. `sandbox`: hotels and prices are made up. `preview`: None but on a page whose
    settings are not saved."""
    site = site_of(request)
    return {
        "site": site,
        "origin": _origin(request),
        "banner": site.banner(localdate()),
        "preview": preview_of(request),
        "sandbox": factory.shows_sandbox(),
    }


def _origin(request: HttpRequest) -> str:
    """As `origin_of`; empty for a host that isn't ours, whose page says just that."""
    try:
        return origin_of(request)
    except DisallowedHost:
        return ""
