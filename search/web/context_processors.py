"""What every page may say besides its own content."""

from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.timezone import localdate

from search.gateway import factory
from search.site_settings import store


def surroundings(request: HttpRequest) -> dict[str, Any]:
    """What each page is given. `sandbox`: hotels and prices are made up. The map's `kind` is the ground drawn
    when no tiles are set: a made-up town suits made-up hotels only."""
    current = store.current()
    sandbox = factory.shows_sandbox()
    return {
        "site": current,
        "origin": _origin(request),
        "banner": current.banner(localdate()),
        "sandbox": sandbox,
        "map": {
            "tiles": settings.MAP_TILE_URL,
            "attribution": settings.MAP_ATTRIBUTION,
            "kind": "schematic" if sandbox else "plain",
        },
    }


def _origin(request: HttpRequest) -> str:
    """`https://hotels.example`; empty for a host that isn't ours, whose page says just that."""
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""
