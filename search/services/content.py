"""What the content pages of the admin need to know of the gateway."""

from __future__ import annotations

from datetime import date, timedelta

from search.domain.deadline import Deadline
from search.domain.site import Site
from search.domain.stay import StayDates, StaySearch
from search.gateway.connection import gateway
from search.gateway.errors import GatewayError


def pictures(place: str, site: Site, today: date, deadline: Deadline) -> tuple[str, ...]:
    """The first picture of each hotel on the first page of a usual search; none when it can't be had."""
    check_in = today + timedelta(days=site.nights_ahead)
    search = StaySearch(
        place=place,
        dates=StayDates(check_in, check_in + timedelta(days=site.nights)),
        guests=site.guests,
        stars=(),
        currency=site.default_currency,
        market=site.default_market,
    )
    try:
        answer = gateway().search(
            search,
            page=0,
            size=site.page_size,
            categories_style=site.categories_style,
            deadline=deadline,
        )
    except GatewayError:
        return ()
    return tuple(one.property.images[0] for one in answer.value.listings if one.property.images)
