"""What admins maintain reaches the pages, and leaves them again."""

import json
import re
import time
from datetime import timedelta
from html import unescape
from urllib.parse import unquote, urlencode

import pytest
from django.utils.timezone import localdate

from search.domain.process import Deadline
from search.domain.query import Filter, StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway import factory
from search.gateway.client import DetailsQuery
from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from tests.gateway.documents import a_listing_document, an_entry, an_offer
from tests.journey.reading import words

pytestmark = pytest.mark.django_db

FIRST = localdate() + timedelta(days=40)
LINK = re.compile(r'href="(/hotels/[^"?/]+/[^"?/]+/)\?([^"]+)"')


@pytest.fixture
def results(client, few_hotels):
    asked = {
        "place": "Porto",
        "checkin": FIRST.isoformat(),
        "checkout": (FIRST + timedelta(days=3)).isoformat(),
        "sort": "provider",
    }
    return lambda: client.get(f"/hotels/?{urlencode(asked)}")


def first_link(response):
    """The path and the query of the first card's link."""
    return LINK.search(response.content.decode()).group(1, 2)


def test_a_renamed_provider_is_called_by_its_label(results):
    code = first_link(results())[0].split("/")[2]
    assert "Bookings of the Moon" not in results().content.decode()
    Provider.objects.create(code=code, label="Bookings of the Moon")
    assert "Bookings of the Moon" in results().content.decode()


def test_a_disabled_provider_sells_nothing_anywhere(results, client):
    path, query = first_link(results())
    code = path.split("/")[2]
    assert client.get(f"{path}?{unescape(query)}").status_code == 200
    Provider.objects.create(code=code, enabled=False)
    assert f'href="/hotels/{code}/' not in results().content.decode()
    assert client.get(f"{path}?{unescape(query)}").status_code == 404


def test_a_hotel_of_a_disabled_provider_is_shown_at_another(wire, client):
    Provider.objects.create(code="ACME", enabled=False)
    stay = f"checkin={FIRST}&checkout={FIRST + timedelta(days=3)}"
    sold_by_two = an_entry(offers=[an_offer(), an_offer(providerId="EX", providerPropertyId="9")])
    wire.search(a_listing_document(sold_by_two, total=1))
    page = client.get(f"/hotels/ACME/77/?place=Porto&{stay}")
    assert "Hotel Miramar" in words(page)
    assert "ACME" not in words(page)
    assert "/property/9" in wire.addresses("/property/")[0]
    assert 'rel="canonical" href="http://testserver/hotels/EX/9/?place=Porto&amp;' in page.text
    assert client.get("/hotels/ACME/77/").status_code == 404
    BlockedProperty.objects.create(key="EX:9", reason="closed")
    assert client.get(f"/hotels/ACME/77/?place=Porto&{stay}").status_code == 404


def test_a_blocked_property_is_shown_nowhere_until_its_day_ends(results, client):
    path, query = first_link(results())
    block = BlockedProperty.objects.create(key=key_of(path), reason="closed for works", until=localdate())
    assert path not in results().content.decode()
    assert client.get(f"{path}?{unescape(query)}").status_code == 404
    block.until = localdate() - timedelta(days=1)
    block.save()
    assert path in results().content.decode()
    assert client.get(f"{path}?{unescape(query)}").status_code == 200


def key_of(path):
    """The key of the property at a path, as the gateway tells it."""
    provider, identifier = map(unquote, path.split("/")[2:4])
    dates = StayDates(FIRST, FIRST + timedelta(days=3))
    search = StaySearch(place="Porto", dates=dates, guests=2, stars=(), currency="EUR", market="en-gb")
    query = DetailsQuery(provider, identifier, search)
    return factory.gateway().details(query, Site(), Deadline(10, time.monotonic)).value.property.key


def suggested(client, text):
    answer = client.get("/destinations/", {"q": text}, headers={"Accept": "application/json"})
    return json.loads(answer.content)["suggestions"]


def test_a_corrected_airport_has_its_new_place_and_words(client):
    assert suggested(client, "zanzibarish") == []
    DestinationOverride.objects.create(airport="OPO", place="Porto Centro", search_words="zanzibarish")
    (found,) = suggested(client, "zanzibarish")
    assert (found["code"], found["place"]) == ("OPO", "Porto Centro")


@pytest.mark.parametrize("mark", [",", ";", "،", "、", "，"])
def test_search_words_have_commas_between(client, mark):
    DestinationOverride.objects.create(airport="OPO", search_words=f"zanzibarish{mark}great quetzalish")
    (found,) = suggested(client, "great quetzalish")
    assert found["code"] == "OPO"


def test_a_hidden_airport_is_never_suggested(client):
    assert "OPO" in {one["code"] for one in suggested(client, "OPO")}
    DestinationOverride.objects.create(airport="OPO", hidden=True)
    assert "OPO" not in {one["code"] for one in suggested(client, "OPO")}


def test_a_featured_destination_is_on_the_home_page_in_season(client):
    featured = FeaturedDestination.objects.create(
        place="Timbuktu", text="Sand and stars", picture_address="https://pictures.example/sand.jpg"
    )
    page = client.get("/").content.decode()
    assert "Timbuktu" in page
    assert "Sand and stars" in page
    assert "https://pictures.example/sand.jpg" in page
    featured.last_day = localdate() - timedelta(days=1)
    featured.save()
    assert "Timbuktu" not in client.get("/").content.decode()


def test_a_code_is_read_as_the_admin_words_it(results):
    page = results().content.decode()
    assert "Hearty morning meal" not in page
    for code in ("FREE_BREAKFAST", "FREE_WIFI", "WIFI"):
        CodeLabel.objects.create(kind="facility", code=code, label="Hearty morning meal")
    assert "Hearty morning meal" in results().content.decode()


def test_without_the_area_filter_the_map_offers_no_search(results):
    assert "Search this area" in results().content.decode()
    store.change({"filters": [one for one in Filter if one is not Filter.BBOX]})
    assert "Search this area" not in results().content.decode()


@pytest.mark.parametrize("filters", [(), (Filter.BBOX,)])
def test_without_filters_there_is_no_button_and_no_panel(results, filters):
    assert 'href="#filters"' in results().content.decode()
    store.change({"filters": filters})
    page = results().content.decode()
    assert "#filters" not in page
    assert "Apply filters" not in page
    assert "results--filters" not in page
    assert "#map" in page
