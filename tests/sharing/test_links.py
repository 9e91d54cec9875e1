"""A link from its making to its end, as the sender and the recipient see it."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.utils import timezone
from django.utils.timezone import localdate

from search.sharing.models import SharedLink
from search.site_settings import store
from search.site_settings.models import BlockedProperty, Provider
from tests.gateway.documents import an_entry, an_offer, triple
from tests.journey.reading import words
from tests.sharing.conftest import ONE_PROPERTY, RESULTS, SEARCH, hotel, share, signed_in
from tests.wire import forget

FULL_STOP = json.loads(Path("tests/cases/share-link-full-stop.json").read_text("utf-8"))
SIGNS = (
    ". /. /) ), ). /). %29 ! /; : ] > ' %22. ” » ’) … * _ /%3E %E2%80%9D %C2%A0 。 ） -- ./ /?utm_source=mail"
)


def test_signs_that_follow_a_code_in_a_text_lead_to_the_link(market, sharer, visitor):
    code = share(sharer, title="Porto")
    for end in [*SIGNS.split(), "\u200b"]:
        page = visitor.get(FULL_STOP["ask"].replace("<code of a live link>.", code + end), follow=True)
        assert (page.status_code, page.request["PATH_INFO"]) == (200, f"/s/{code}/"), end


def test_a_pasted_link_keeps_its_readers_market(market, sharer, visitor):
    moved = visitor.get(f"/s/{share(sharer)}.?market=de-de")
    assert moved["Location"].endswith("/?market=de-de")


def test_a_code_with_another_letter_behind_it_is_no_link(market, sharer, visitor):
    code = share(sharer)
    for end in ("x", ".x", "/x", "é"):
        assert visitor.get(f"/s/{code}{end}", follow=True).status_code == 404, end


def test_a_recipient_sees_the_note_and_hotels_in_their_order(market, sharer, visitor):
    code = share(sharer, f"{RESULTS}&sort=stars", title="Porto & more", note="Three quiet ones.\n\nLove, Ann")
    page = visitor.get(f"/s/{code}/")
    text = words(page)
    assert page.status_code == 200
    assert "Porto & more" in text
    assert "Three quiet ones. Love, Ann" in text
    assert text.index("Hotel aa") < text.index("Hotel bb") < text.index("Hotel cc")
    assert "€100.00 total" in text
    assert "when shared on" not in text
    assert not page.cookies


def test_a_link_opened_days_later_shows_then_and_now(sandbox, sharer, visitor, settings):
    settings.SANDBOX_DAY, settings.GATEWAY_DEADLINE = date(2030, 4, 20), 60.0
    code = share(sharer)
    assert "when shared on" not in words(visitor.get(f"/s/{code}/"))
    settings.SANDBOX_DAY = date(2030, 4, 26)
    forget()
    text = words(visitor.get(f"/s/{code}/"))
    assert 4 < text.count("when shared on") < 20
    assert re.search(r"€[0-9.]+ less €[0-9.]+ when shared on", text)
    assert re.search(r"€[0-9.]+ more €[0-9.]+ when shared on", text)


def test_a_shared_property_is_its_whole_page_under_the_note(market, sharer, visitor):
    market.has(an_entry())
    code = share(sharer, ONE_PROPERTY, note="This one!")
    text = words(visitor.get(f"/s/{code}/"))
    assert "This one!" in text
    assert "Double with sea view" in text
    assert "when shared on" not in text
    assert "Back to the results" not in text


def test_a_recipient_reads_amounts_and_days_of_their_market(market, sharer, visitor):
    market.has(hotel("aa", 1234.5))
    code = share(sharer, f"{RESULTS}&market=en-us")
    forget()
    market.wire.requests.clear()
    german = visitor.get(f"/s/{code}/", headers={"accept-language": "de-DE"})
    assert "1.234,50\xa0€" in german.content.decode()
    assert "1.–4. Mai 2030" in german.content.decode()
    assert {re.search(r"market=([^&]*)", one)[1] for one in market.wire.addresses()} == {"en-us"}
    assert "€1,234.50" in visitor.get(f"/s/{code}/?market=en-gb").content.decode()


def test_the_currency_of_a_link_is_that_of_its_sender(market, sharer, visitor):
    in_dollars = hotel("aa", None)
    in_dollars["offers"][0]["minPrice"]["price"] = triple(1234.5, "USD")
    market.has(in_dollars)
    code = share(sharer, f"{RESULTS}&currency=USD")
    assert "1.234,50\xa0$" in visitor.get(f"/s/{code}/?market=de-de").content.decode()


def test_prices_then_and_now(market, sharer, visitor):
    code = share(sharer)
    market.has(hotel("aa", 90), hotel("bb", 214), hotel("cc", None))
    text = words(visitor.get(f"/s/{code}/"))
    assert "€10.00 less €100.00 when shared on" in text
    assert ", €90.00 now" in text
    assert "€14.00 more €200.00 when shared on" in text
    assert "no price for these dates now" in text


def test_a_hotel_that_is_gone_keeps_its_place_and_says_so(market, sharer, visitor):
    code = share(sharer)
    market.has(hotel("aa", 100), hotel("cc", 300))
    text = words(visitor.get(f"/s/{code}/"))
    gone = text.index("€200.00 when shared on")
    assert text.index("Hotel aa") < gone < text.index("Hotel cc")
    assert "no longer offered for these dates Hotel bb" in text[gone:]


@pytest.mark.parametrize("key", ["bb", "ACME:bb", "EX:bb"])
def test_a_hotel_blocked_by_its_key_is_not_shown_at_all(market, sharer, visitor, key):
    sold_twice = hotel("bb", 200)
    sold_twice["offers"] += hotel("bb", 250, providerId="EX")["offers"]
    market.has(hotel("aa", 100), sold_twice)
    code = share(sharer)
    BlockedProperty.objects.create(key=key, reason="closed")
    page = visitor.get(f"/s/{code}/")
    assert "No longer shown on this site" in words(page)
    assert "Hotel bb" not in page.content.decode()


def test_a_blocked_hotels_link_does_not_blame_todays_prices(market, sharer, visitor):
    market.has(an_entry())
    code = share(sharer, ONE_PROPERTY)
    BlockedProperty.objects.create(key="ACME:77", reason="closed")
    page = visitor.get(f"/s/{code}/")
    assert "No longer shown on this site" in words(page)
    assert "not available right now" not in words(page)
    assert 'og:title" content="Porto, 1–4 May 2030, 2 guests"' in page.text
    assert "Miramar" not in page.text
    assert "og:image" not in page.text


def test_a_link_whose_provider_is_gone_shows_another_provider(market, sharer, visitor):
    sold_by_two = an_entry(offers=[an_offer(), an_offer(providerId="EX", providerPropertyId="9")])
    market.has(sold_by_two)
    code = share(sharer, ONE_PROPERTY)
    Provider.objects.create(code="ACME", enabled=False)
    page = visitor.get(f"/s/{code}/")
    assert "Offered by EX" in words(page)
    assert "when shared on" not in words(page)
    assert "ACME" not in page.text
    BlockedProperty.objects.create(key="EX:9", reason="closed")
    assert "No longer shown on this site" in words(visitor.get(f"/s/{code}/"))
    BlockedProperty.objects.all().delete()
    market.has(an_entry())
    assert "no longer offered for these dates" in words(visitor.get(f"/s/{code}/"))
    market.is_away()
    assert "Hotel Miramar" in words(visitor.get(f"/s/{code}/"))


def test_with_the_gateway_away_the_past_is_shown_and_dated(market, sharer, visitor):
    code = share(sharer)
    market.is_away()
    page = visitor.get(f"/s/{code}/")
    text = words(page)
    assert page.status_code == 200
    assert "Today's prices are not available right now. You see what was shared on" in text
    assert "€200.00 when shared on" in text
    assert "no longer offered" not in text


def test_a_property_without_prices_has_no_age_of_prices(market, sharer, visitor):
    market.has(an_entry())
    code = share(sharer, ONE_PROPERTY)
    forget()
    market.wire.search(status=503)
    text = words(visitor.get(f"/s/{code}/"))
    assert "Prices are not available right now." in text
    assert "Today's prices are not available" not in text
    assert "Prices checked" not in text


def test_a_shared_property_says_once_how_old_its_price_is(market, sharer, visitor):
    store.change({"search_fresh_seconds": 0})
    code = share(sharer, ONE_PROPERTY.replace("77", "aa"))
    market.wire.search(status=503)
    assert words(visitor.get(f"/s/{code}/")).count("They may have changed since.") == 1


def test_a_shared_property_that_its_provider_dropped_says_so(market, sharer, visitor):
    market.has(an_entry())
    code = share(sharer, ONE_PROPERTY)
    market.wire.details(status=404)
    market.has(hotel("bb"))
    text = words(visitor.get(f"/s/{code}/"))
    assert "no longer offered for these dates Hotel Miramar" in text


def test_a_search_no_longer_taken_shows_what_was_shared(market, sharer, visitor):
    code = share(sharer, f"{RESULTS}&market=de-de")
    store.change({"markets": ("en-gb",), "default_market": "en-gb"})
    page = visitor.get(f"/s/{code}/")
    assert page.status_code == 200
    assert "This search can't be repeated here any more." in words(page)
    assert "Hotel bb" in words(page)


LONG_AGO = timezone.now() - timedelta(days=2)


@pytest.mark.parametrize(
    ("change", "said", "days"),
    [
        ({"expires": LONG_AGO}, "This link has expired", 'value="2030-05-01"'),
        ({"check_in": LONG_AGO, "expires": LONG_AGO}, "The dates of this stay have passed", 'name="checkin"'),
        ({"revoked_at": LONG_AGO}, "This link has been withdrawn", 'value="2030-05-01"'),
    ],
    ids=["expired", "past dates", "revoked"],
)
def test_a_link_that_is_over_says_so_with_its_search_filled_in(market, sharer, visitor, change, said, days):
    code = share(sharer, note="Secret")
    SharedLink.objects.update(**change)
    page = visitor.get(f"/s/{code}/")
    html = page.content.decode()
    assert page.status_code == 410
    assert said in words(page)
    assert 'value="Porto"' in html
    assert days in html
    assert "Secret" not in html
    assert "Hotel aa" not in html


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("San Jose&country=CR", "San José, CR"),
        ("Springfield&country=US&region=Ohio", "Springfield, Ohio, US"),
        ("Porto&near=OPO", "Porto (OPO)"),
    ],
)
def test_a_link_that_ended_says_which_place_of_the_name_it_is(market, sharer, visitor, place, said):
    code = share(sharer, RESULTS.replace("Porto", quote(place, safe="&=")) + "&max_price=400")
    SharedLink.objects.update(expires=LONG_AGO)
    page = visitor.get(f"/s/{code}/").text
    assert re.search(r'name="place"[^>]* value="([^"]*)"', page)[1] == said
    assert 'name="max_price"' not in page


def test_a_link_still_works_where_its_last_day_is_not_over_yet(market, sharer, visitor):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate() - timedelta(days=1))
    assert visitor.get(f"/s/{code}/").status_code == 200


@pytest.mark.parametrize(
    ("place", "last", "over"),
    [
        ("Porto", "2030-05-01T22:59", "2030-05-01T23:00"),  # in summer time
        ("Honolulu", "2030-05-02T09:59", "2030-05-02T10:00"),
        ("Auckland", "2030-05-01T11:59", "2030-05-01T12:00"),
        ("San Jose&country=CR", "2030-05-02T05:59", "2030-05-02T06:00"),
        ("Nowhere Springs", "2030-05-02T23:59", "2030-05-03T00:00"),
    ],
)
def test_a_link_works_until_check_in_is_over_where_the_stay_is(
    market, sharer, visitor, monkeypatch, place, last, over
):
    code = share(sharer, RESULTS.replace("Porto", quote(place, safe="&=")), expires="2030-05-01")
    for moment, status in ((last, 200), (over, 410)):
        now = datetime.fromisoformat(f"{moment}+00:00")
        monkeypatch.setattr("django.utils.timezone.now", lambda now=now: now)
        page = visitor.get(f"/s/{code}/")
        assert page.status_code == status
    assert "The dates of this stay have passed" in words(page)
    assert 'value="2030-05-01"' not in page.text
    start = re.search(r'name="checkin"[^>]* min="([^"]+)"', page.text)
    assert start[1] == "2030-05-02"


def test_a_link_outlives_the_account_of_its_sender(market, sharer, visitor):
    code = share(sharer)
    User.objects.get(username="ann").delete()
    assert visitor.get(f"/s/{code}/").status_code == 200


def test_the_same_content_again_is_the_same_link_while_it_lives(market, sharer):
    first = share(sharer)
    assert share(sharer, label="for Eve") == share(sharer, label="for Tom") == share(sharer) == first
    assert share(sharer, note="For Eve") != first
    assert share(signed_in("bob", "Sharer")) != first
    sharer.post(f"/share/links/{first}/revoke/")
    assert (second := share(sharer)) != first
    assert SharedLink.objects.get(code=first).label == "for Tom"
    SharedLink.objects.update(expires=LONG_AGO)
    assert share(sharer) != second


def test_a_link_lasts_until_check_in_or_as_long_as_the_site_says(market, sharer):
    store.change({"share_days": 10})
    share(sharer)
    assert SharedLink.objects.get().expires == localdate() + timedelta(days=10)
    form = sharer.post(RESULTS, {"expires": "2030-05-02", "title": "Kept"})
    assert form.status_code == 400
    assert "until check-in at the latest" in words(form)
    assert 'value="Kept"' in form.content.decode()
    code = share(sharer, expires="2030-05-01", note="longest")
    assert SharedLink.objects.get(code=code).expires == date(2030, 5, 1)


def test_a_link_holds_parameters_and_never_an_address(market, sharer, visitor):
    code = share(sharer, f"{RESULTS}&next=https://evil.example/&sort=stars&name=Hotel", note="x")
    row = SharedLink.objects.get(code=code)
    assert row.search == f"{SEARCH}&currency=EUR&market=en-gb"
    assert row.refinement == "sort=stars&name=Hotel"
    assert "evil.example" not in visitor.get(f"/s/{code}/").content.decode()


@pytest.mark.parametrize("path", [RESULTS, ONE_PROPERTY, "/share/links/", "/share/hotels.csv?" + SEARCH])
def test_for_everybody_else_sharing_does_not_exist(market, path):
    for client in (Client(), signed_in("nobody"), signed_in("ed", "Site editor")):
        assert client.get(path).status_code == 404
    assert signed_in("boss", is_superuser=True).get(path).status_code == 200


def test_pages_show_sharing_to_those_who_may_only(market, sharer, visitor):
    seen = sharer.get(f"/hotels/?{SEARCH}").content.decode()
    assert f"/share/hotels/?{SEARCH}".replace("&", "&amp;") in seen
    anonymous = visitor.get(f"/hotels/?{SEARCH}")
    assert "/share/" not in anonymous.content.decode()
    assert "share-dialog" not in anonymous.content.decode()
    assert not anonymous.cookies
    assert "Cookie" not in anonymous["Vary"]


@pytest.mark.parametrize("path", ["/", f"/hotels/?{SEARCH}", "/destinations/", "/shortlist/", "/nowhere/"])
def test_a_page_made_for_a_colleague_is_kept_by_no_shared_cache(market, sharer, path):
    assert "private" in sharer.get(path)["Cache-Control"]


def test_nothing_to_share_on_an_empty_page(market, sharer):
    market.has()
    page = sharer.get(RESULTS)
    assert "There is nothing to share on this page." in words(page)
    assert sharer.post(RESULTS).status_code == 400


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_without_a_database_links_ask_to_try_again(market, sharer, visitor, monkeypatch, error):
    code = share(sharer)

    def away(*args, **kwargs):
        raise error("no database")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", away)
    page = sharer.get(f"/hotels/?{SEARCH}")
    assert page.status_code == 200
    assert "/share/" not in page.content.decode()
    market.is_away()
    assert sharer.get(f"/hotels/?{SEARCH}").status_code == 503
    monkeypatch.setattr("search.sharing.views.SharedLink.objects.filter", away)
    page = visitor.get(f"/s/{code}/")
    assert page.status_code == 503
    assert page["Retry-After"]
    assert "try your link again in a minute" in words(page)


def test_a_link_says_the_day_it_was_shared_on_at_the_site(market, sharer, visitor, settings):
    settings.TIME_ZONE = "Pacific/Auckland"
    code = share(sharer)
    late = datetime(2026, 11, 3, 22, 0, tzinfo=UTC)
    SharedLink.objects.update(shared_at=late)
    market.has(hotel("aa", 90))
    text = words(visitor.get(f"/s/{code}/"))
    assert "€100.00 when shared on 4 Nov, €90.00 now" in text
    assert "Shared on 4 Nov." in text
