"""A matrix: every setting is changed once, and something a visitor or a colleague can see changes with it."""

import re
import threading
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils.timezone import localdate, now

from search.destinations import repository
from search.domain import process
from search.domain.site_settings import SETTINGS
from search.gateway import factory
from search.property import observed
from search.property.observed import ObservedTotal, Terms
from search.sandbox.server import SandboxAdapter
from search.site_settings import store
from tests.waiting import wait_until
from tests.wire import Reply, forget

pytestmark = pytest.mark.django_db


def stay(place="Barcelona", **more):
    first = localdate() + timedelta(days=40)
    dates = {"checkin": first.isoformat(), "checkout": (first + timedelta(days=3)).isoformat()}
    return f"/hotels/?{urlencode({'place': place, **dates, **more}, doseq=True)}"


def text_of(client, address):
    """The page without what differs from one request to the next: its token, and the time it was made."""
    page = client.get(address).content.decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|\b\d\d:\d\d\b', "", page)


def settled(client, address):
    """The page once its complete answer is collected; each look at its progress gives the collection time."""
    text_of(client, address)
    progress = address.replace("/hotels/", "/hotels/progress/")
    wait_until(lambda: client.get(progress).json()["done"], "the page settles")
    page = text_of(client, address)
    assert "<result-progress" not in page
    return page


def home(visitor, _staff):
    return text_of(visitor, "/")


def results(visitor, _staff):
    return settled(visitor, stay())


def results_and_none(visitor, staff):
    return results(visitor, staff), settled(visitor, stay(name="no hotel is called this"))


def plain_results(visitor, _staff):
    return settled(visitor, stay(sort="provider"))


def asked_place(visitor, _staff):
    """The names that the gateway was asked for, and nobody sees."""
    asked = []

    class ListeningAdapter(SandboxAdapter):
        def send(self, request, **options):
            asked.extend(parse_qs(urlsplit(request.url).query).get("place", ()))
            return super().send(request, **options)

    process.put(factory.build_adapter, ListeningAdapter())
    visitor.get(stay(place="Munich", sort="provider"))
    return asked


def picky_gateway(visitor, _staff):
    """The results of a gateway that takes several stars only as a repeated parameter."""
    with override_settings(SANDBOX_WEATHER="categories=repeat"):
        process.start()
        return text_of(visitor, stay(stars=[4, 5], sort="provider"))


def sold_out_gateway(visitor, _staff):
    """The results of a gateway that has an error for a city without rooms."""

    class SoldOutAdapter(SandboxAdapter):
        def send(self, request, **_options):
            return Reply({"error": "NO_ROOMS"}, status=404).to(request)

    process.put(factory.build_adapter, SoldOutAdapter())
    return text_of(visitor, stay())


def staff_results(_visitor, staff):
    return settled(staff, stay())


def share_page(_visitor, staff):
    settled(staff, stay())
    return text_of(staff, stay().replace("/hotels/", "/share/hotels/"))


def shared_page(visitor, staff):
    """What a client sees of a page of results that staff shared."""
    made = staff.post(stay(sort="provider").replace("/hotels/", "/share/hotels/"))
    code = made.headers["Location"].rstrip("/").rsplit("/", 1)[1]
    return text_of(visitor, f"/s/{code}/").replace(code, "its code")


def second_search_asks(visitor, _staff):
    return calls_of_second_look(visitor, stay(sort="provider"))


def second_property_asks(visitor, _staff):
    page = text_of(visitor, stay(sort="provider"))
    link = re.search(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"', page)[1]
    return calls_of_second_look(visitor, unescape(link))


def new_process_asks(visitor, _staff):
    process.start()
    visitor.get("/destinations/")
    process.start()
    return calls_of(visitor, "/destinations/")


def address_of_hotel(visitor):
    page = text_of(visitor, stay(sort="provider"))
    return unescape(re.search(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"', page)[1])


def hotel_page(visitor, _staff):
    return text_of(visitor, address_of_hotel(visitor))


def begun_watch(visitor):
    return visitor.post(f"/watch{address_of_hotel(visitor)}", headers={"sec-fetch-site": "same-origin"})


def watch_page(visitor, _staff):
    return re.search(r"of more than \S+", text_of(visitor, begun_watch(visitor)["Location"]))[0]


def second_watch(visitor, _staff):
    return begun_watch(visitor).status_code, begun_watch(visitor).status_code


def totals_remembered(visitor, _staff):
    """How many totals there are after a hotel was opened, with 1,100 of the days before."""
    terms = Terms(localdate(), localdate() + timedelta(days=1), 2, "EUR", "en-gb", "added, stay")._asdict()
    days = [now() - timedelta(days=back / 8) for back in range(1, 1_101)]
    rows = [
        ObservedTotal(hotel="h", amount=1, provider="AA", first_seen=day, last_seen=day, **terms)
        for day in days
    ]
    ObservedTotal.objects.all().delete()
    ObservedTotal.objects.bulk_create(rows)
    second_property_asks(visitor, None)
    observed.write_pending()
    return ObservedTotal.objects.count()


def panel_of_changing_totals(_visitor, staff):
    """The panel after each of 30 looks at a total but two found the one before."""
    terms = Terms(localdate(), localdate() + timedelta(days=1), 2, "EUR", "en-gb", "added, stay")._asdict()
    ObservedTotal.objects.all().delete()
    for amount, back in ((1, 20), (2, 10), (1, 1)):
        day = {"first_seen": now() - timedelta(hours=back + 5), "last_seen": now() - timedelta(hours=back)}
        ObservedTotal.objects.create(hotel="h", amount=amount, provider="AA", times=10, **day, **terms)
    page = staff.get("/admin/search/sitesettings/gateway/").content.decode()
    return page.partition("How long totals last")[2].partition("</table>")[0]


def calls_of_second_look(visitor, address):
    visitor.get(address)
    return calls_of(visitor, address)


def calls_of(visitor, address):
    before = factory.status().calls_made
    visitor.get(address)
    return factory.status().calls_made - before


def calls_that_meet(visitor, _staff):
    """Whether two calls to the gateway were ever under way together while an answer was collected."""
    meeting = threading.Condition()
    under_way, waited, met = 0, False, False

    class MeetingAdapter(SandboxAdapter):
        # What nobody waits for is made one by one.
        delay = 0.001

        def send(self, request, **options):
            nonlocal under_way, waited, met
            # The first page is a call of its own.
            if "&page=" not in request.url or "&page=0&" in request.url:
                return super().send(request, **options)
            with meeting:
                under_way += 1
                met = met or under_way > 1
                meeting.notify_all()
                if not waited:
                    waited = True
                    # Where calls go one by one this waits in vain, once.
                    meeting.wait_for(lambda: met, timeout=2.0)
            try:
                return super().send(request, **options)
            finally:
                with meeting:
                    under_way -= 1

    process.put(factory.build_adapter, MeetingAdapter())
    settled(visitor, stay(sort="rating"))
    return met


# setting: (what else is set before and after, the changed value, where it shows)
MATRIX = {
    "site_name": ({}, "Rooms and more", home),
    "contact_email": ({}, "desk@rooms.example", home),
    "contact_text": ({}, "We answer on weekdays.", home),
    "imprint_address": ({}, "/imprint", home),
    "privacy_address": ({}, "https://rooms.example/privacy", home),
    "accessibility_address": ({}, "/accessibility", home),
    "banner_text": ({}, "Snow on the roads", home),
    "banner_until": ({"banner_text": "Snow"}, localdate() - timedelta(days=1), home),
    "default_market": ({}, "de-de", results),
    "markets": ({}, ("en-gb", "fr-fr"), home),
    "default_currency": ({}, "GBP", results),
    "currencies": ({}, ("EUR", "THB"), home),
    "nights_ahead": ({}, 30, home),
    "nights": ({}, 5, home),
    "guests": ({}, 3, home),
    "max_guests": ({}, 4, home),
    "page_size": ({}, 10, plain_results),
    "cap": ({}, 50, results),
    "compare_all_limit": ({}, 0, results),
    # Two pages after the first one, so that calls can meet.
    "parallel_calls": ({"cap": 300}, 1, calls_that_meet),
    "search_fresh_seconds": ({}, 0, second_search_asks),
    "details_fresh_seconds": ({}, 0, second_property_asks),
    "airports_fresh_seconds": ({}, 0, new_process_asks),
    "surcharge_mode": ({}, "included", plain_results),
    "price_basis": ({}, "night", plain_results),
    "categories_style": ({}, "repeat", picky_gateway),
    "place_name_language": ({}, "local", asked_place),
    "sold_out_errors": ({}, True, sold_out_gateway),
    "rating_scale": ({}, 10, plain_results),
    "sorts": ({}, ("price", "stars"), results),
    "default_sort": ({}, "rating", results),
    "filters": ({}, ("stars",), results),
    "built_in_places": ({}, ("Rome",), home),
    "map_enabled": ({}, False, results),
    "compare_enabled": ({}, False, shared_page),
    "date_strip_enabled": ({}, False, results_and_none),
    "sharing_enabled": ({}, False, staff_results),
    "export_enabled": ({}, False, staff_results),
    "sender_shown": ({}, False, shared_page),
    "share_days": ({}, 7, share_page),
    "remember_prices": ({}, False, totals_remembered),
    "remembered_days": ({}, 60, totals_remembered),
    "watch_calls": ({}, 0, hotel_page),
    "watch_percent": ({}, 10, watch_page),
    "often_changed_percent": ({}, 1, panel_of_changing_totals),
    "most_watches": ({}, 1, second_watch),
    "remembered_rows": ({"remembered_days": 400}, 1_000, totals_remembered),
}


@pytest.fixture
def staff():
    client = Client()
    # Forms name whom they were made for, and PostgreSQL counts on after a rollback.
    client.force_login(User.objects.create_superuser("boss", first_name="Ada", pk=1))
    return client


@pytest.fixture
def seen(staff, new_process, monkeypatch):
    """What a look sees of a site with these settings, in a new process."""
    # A busy machine must not make the bundled airports stand in.
    monkeypatch.setattr(repository, "PATIENCE_SECONDS", 60.0)

    def see(look, values):
        forget()
        new_process()
        # One page of the gateway: more would show no more.
        store.change({"cap": 100} | values)
        return look(Client(), staff)

    return see


UNCHANGED = {}


@pytest.fixture
def untouched(seen):
    """What a look sees where nothing is set: the same for all, so one test looks."""

    def see(look):
        if look not in UNCHANGED:
            UNCHANGED[look] = seen(look, {})
        return UNCHANGED[look]

    return see


def test_the_matrix_holds_every_setting():
    assert set(MATRIX) == set(SETTINGS)


@pytest.mark.thorough
@pytest.mark.parametrize("name", MATRIX)
def test_a_changed_setting_shows(name, seen, untouched):
    given, value, look = MATRIX[name]
    before = seen(look, given) if given else untouched(look)
    assert seen(look, given | {name: value}) != before


@pytest.mark.thorough
@pytest.mark.parametrize("look", sorted({row[2] for row in MATRIX.values()}, key=lambda look: look.__name__))
def test_what_nobody_changed_looks_the_same(look, seen, untouched):
    assert seen(look, {}) == untouched(look)
