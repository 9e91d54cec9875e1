"""What every page may say besides its own content."""

from contextlib import suppress
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.timezone import localdate

from search.gateway import factory

from .shortcuts import origin_of, preview_of, site_of


def surroundings(request: HttpRequest) -> dict[str, Any]:
    """What each page is given. `sandbox`: hotels and prices are made up. `preview`: None but on a page whose
    settings are not saved."""
    site, origin = site_of(request), ""
    with suppress(DisallowedHost):  # a host that isn't ours, whose page says just that
        origin = origin_of(request)
    return {
        "site": site,
        "origin": origin,
        "banner": site.banner(localdate()),
        "preview": preview_of(request),
        "sandbox": factory.shows_sandbox(),
    }
