"""The pictures that a card keeps ready to be swiped to."""

import re

import pytest
from django.test import Client

from tests.gateway.documents import a_listing_document, a_summary, an_entry
from tests.wire import Wire


@pytest.mark.django_db
def test_a_picture_whose_address_has_spaces_is_one_picture(visitor: Client, wire: Wire) -> None:
    images = [f"https://pictures.example/Hotel Roma/{number}.jpg" for number in (1, 2, 3)]
    wire.search(a_listing_document(an_entry(a_summary(images=images)), total=1))
    html = visitor.get("/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04").content.decode()
    (swiped_to,) = re.findall(r'data-photos="([^"]*)"', html)
    assert swiped_to.split() == [
        "https://pictures.example/Hotel%20Roma/2.jpg",
        "https://pictures.example/Hotel%20Roma/3.jpg",
    ]
    # The pictures of a card aren't there for a screen reader, so how many there are says nothing.
    (count,) = re.findall(r'<span class="listing-card__count[^>]*>3</span>', html)
    assert 'aria-hidden="true"' in count
