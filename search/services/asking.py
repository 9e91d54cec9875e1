"""Asking the gateway for a page of an answer; what is in it is told to the staff panel in passing."""

from __future__ import annotations

from search.domain.deadline import Deadline
from search.domain.offers import SearchPage
from search.domain.site import Site
from search.domain.stay import StaySearch
from search.gateway.caching import Answer
from search.gateway.connection import gateway

from . import observed


def search_page(
    search: StaySearch, page: int, size: int, *, site: Site, deadline: Deadline, grace: bool = True
) -> Answer[SearchPage]:
    """One gateway page, counted from 0. Without `grace` a copy past its time is only taken when the gateway
    fails; with it such a copy is good for a while, and refreshed behind. Raises GatewayError."""
    answer = gateway().search(
        search,
        page=page,
        size=size,
        categories_style=site.categories_style,
        deadline=deadline,
        grace=grace,
    )
    observed.note(answer)
    return answer
