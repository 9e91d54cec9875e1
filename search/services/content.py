"""What the content pages of the admin need to know of the gateway."""

from __future__ import annotations

from datetime import date

from search.domain.catalogue import Property
from search.domain.deadline import Deadline
from search.domain.site import Site
from search.gateway.connection import gateway
from search.gateway.errors import GatewayError


def pictures(place: str, site: Site, today: date, deadline: Deadline) -> tuple[str, ...]:
    """The first picture of each hotel on the first page of a usual search; none when it can't be had."""
    try:
        answer = gateway().search(
            site.usual_search(place, today),
            page=0,
            size=site.page_size,
            categories_style=site.categories_style,
            deadline=deadline,
        )
    except GatewayError:
        return ()
    return tuple(one.property.images[0] for one in answer.value.listings if one.property.images)


def property_at(
    provider: str, property_id: str, site: Site, today: date, deadline: Deadline
) -> Property | None:
    """The property that a provider sells under this identifier; None when the gateway can't tell."""
    try:
        search = site.usual_search("", today)
        return gateway().details(provider, property_id, search, deadline=deadline).value.property
    except GatewayError:
        return None
