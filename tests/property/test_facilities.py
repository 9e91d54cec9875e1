"""Facilities of made-up hotels, which arrive in every shape that providers use."""

from __future__ import annotations

import pytest

from search.domain.site_settings import Site
from search.domain.text import fold
from search.gateway.parsing import property_details
from search.gateway.search_page import search_page
from search.web.facilities import facility_groups, facility_views, named_facilities
from search.web.formatting import Reader
from tests.sandbox.questions import ask, details_path, listing


@pytest.mark.parametrize("place", ["Barcelona", "London"])
def test_no_hotel_has_a_facility_twice_or_a_group_among_them(place):
    listed = search_page(ask(place=place, size="8").body).listings
    assert listed
    for entry, found in zip(listing(place=place, size="8")["results"], listed, strict=True):
        for offer in entry["offers"]:
            details = property_details(ask(details_path(offer)).body, "NB", "1")
            groups = facility_groups(
                facility_views(named_facilities(details, found.offers), Reader.of(Site(), "en-gb"))
            )
            texts = [view.text for group in groups for view in group.facilities]
            assert len({fold(text) for text in texts}) == len(texts)
            assert not [text for text in texts if text.startswith(("Group", "Items"))]
