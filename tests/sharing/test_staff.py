"""My links: copy, extend, revoke, search; the table of what is shown; the admin's view of all links."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError, connection
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from django.utils.timezone import localdate

from search.admin.history import recorded_values
from search.sharing import service, staff_views
from search.sharing.csv import safe_cell
from search.sharing.models import LinkOpens, SharedLink
from search.site_settings import store
from search.site_settings.models import BlockedProperty
from tests.gateway.documents import a_summary, an_entry, details_document, triple
from tests.journey.reading import words
from tests.sharing.conftest import ONE_PROPERTY, RESULTS, SEARCH, hotel, share, signed_in

EXPORT = f"/share/hotels.csv?{SEARCH}"


def test_my_links_tell_what_each_is_and_how_often_it_was_opened(market, sharer, visitor):
    code = share(sharer, title="For the Smiths", label="Smith, May")
    visitor.get(f"/s/{code}/")
    text = words(sharer.get("/share/links/"))
    assert "For the Smiths 3 hotels in Porto, 1–4 May 2030, 2 guests Smith, May" in text
    assert "opened about 1 time" in text
    assert "Live" in text


def test_my_links_are_mine_alone(market, sharer):
    code = share(sharer)
    bob = signed_in("bob", "Sharer")
    assert code not in bob.get("/share/links/").content.decode()
    assert bob.get(f"/share/links/{code}/").status_code == 404
    assert bob.post(f"/share/links/{code}/revoke/").status_code == 404
    assert bob.post(f"/share/links/{code}/extend/").status_code == 404
    assert SharedLink.objects.get().revoked_at is None


def test_what_was_never_a_code_is_none_of_my_links(sharer):
    # PostgreSQL would refuse to look for it.
    assert sharer.get("/share/links/%00/").status_code == 404


def test_my_links_can_be_searched_by_any_word(market, sharer):
    share(sharer, title="Spring", label="Smith")
    share(sharer, title="Autumn", note="For the Millers")
    for text, found in (("smith", "Spring"), ("MILLERS porto", "Autumn")):
        page = words(sharer.get("/share/links/", {"q": text}))
        assert found in page
        assert {"Spring": "Autumn", "Autumn": "Spring"}[found] not in page
    assert sharer.get("/share/links/", {"q": "%\x00'\""}).status_code == 200
    nothing = words(sharer.get("/share/links/", {"q": "Winter"}))
    assert "Nothing found for this search" in nothing
    assert "No links yet" not in nothing


@pytest.mark.parametrize("text", ["öztürk", "ÖZTÜRK", "d'été", "D'ÉTÉ (2030)", "évora"])
def test_the_search_of_my_links_takes_accented_letters_in_either_case(market, sharer, text):
    share(sharer, title="Familie Öztürk", note="Vacances d'Été (2030), Évora")
    share(sharer, title="Familie Oz", note="D.été")
    page = words(sharer.get("/share/links/", {"q": text}))
    assert "Familie Öztürk" in page
    assert "Familie Oz " not in page


@pytest.mark.parametrize("text", ["hôtel kraków", "HÔTEL KRAKÓW"])
def test_the_link_of_one_hotel_is_found_by_its_accented_name_in_either_case(market, sharer, text):
    summary = a_summary(name="Hôtel Kraków")
    market.has(an_entry(summary))
    market.wire.details(details_document(propertyDetails={"propertySummary": summary}))
    share(sharer, ONE_PROPERTY)
    assert "Hôtel Kraków" in words(sharer.get("/share/links/", {"q": text}))


def test_the_link_of_one_hotel_is_found_by_the_name_that_the_list_says(market, sharer):
    for place in ("Kraków", "Lisboa"):
        summary = a_summary(ryanairId=place, name=f"Hôtel {place}")
        market.has(an_entry(summary))
        market.wire.details(details_document(propertyDetails={"propertySummary": summary}))
        share(sharer, ONE_PROPERTY)
    for text, found, other in (("hôtel kraków", "Kraków", "Lisboa"), ("LISBOA", "Lisboa", "Kraków")):
        page = words(sharer.get("/share/links/", {"q": text}))
        assert f"Hôtel {found}" in page
        assert f"Hôtel {other}" not in page


def test_many_links_are_on_several_pages(market, sharer):
    for number in range(32):
        share(sharer, title=f"Trip {number}")
    first = sharer.get("/share/links/").content.decode()
    assert first.count("share-row--live") == 30
    assert 'rel="next"' in first
    assert sharer.get("/share/links/?page=2").content.decode().count("share-row--live") == 2


def test_what_does_something_to_a_link_is_called_by_it(market, sharer):
    for title in ("Trip <1>", "Trip 2"):
        code = share(sharer, title=title)
    sharer.post(f"/share/links/{code}/revoke/")
    html = sharer.get("/share/links/").content.decode().partition("<footer")[0]
    rows = html.split('<li class="share-row')[1:]
    called = [re.findall(r'<(?!svg)\w+[^>]* aria-label="([^"]*)"', row) for row in rows]
    assert called == [
        ["The link: Trip 2", "Undo: Trip 2"],
        [
            f"{what}: Trip &lt;1&gt;"
            for what in ("The link", "Copy", "CSV", "Extend", "Revoke", "Yes, revoke")
        ],
    ]


def test_extending_prolongs_up_to_check_in_and_wakes_what_expired(market, sharer, visitor):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate() - timedelta(days=3))
    sharer.post(f"/share/links/{code}/extend/")
    assert SharedLink.objects.get().expires == localdate() + timedelta(days=90)
    assert visitor.get(f"/s/{code}/").status_code == 200


def test_what_was_revoked_or_is_past_stays_so(market, sharer):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    sharer.post(f"/share/links/{code}/extend/")
    revoked = SharedLink.objects.get().revoked_at
    assert revoked
    sharer.post(f"/share/links/{code}/revoke/")
    assert SharedLink.objects.get().revoked_at == revoked


def test_revoking_asks_and_can_be_undone(market, sharer, visitor):
    code = share(sharer)
    asked = sharer.get("/share/links/").content.decode()
    assert re.search(r"<details[^>]*><summary[^>]*>Revoke</summary>.*?Yes, revoke", asked, re.DOTALL)
    sharer.post(f"/share/links/{code}/revoke/")
    assert "Undo" in words(sharer.get("/share/links/"))
    assert visitor.get(f"/s/{code}/").status_code == 410
    sharer.post(f"/share/links/{code}/restore/")
    assert visitor.get(f"/s/{code}/").status_code == 200
    assert share(sharer) == code


STATUS = re.compile(r'<div[^>]*role="status">(.*?)</div>', re.DOTALL)


def said_after(sharer: Client, address: str) -> str:
    """What the list announces once a button of it was pressed."""
    page = sharer.post(address, follow=True)
    assert [(path.partition("?")[0], status) for path, status in page.redirect_chain] == [
        ("/share/links/", 302)
    ]
    return " ".join(STATUS.findall(page.content.decode()))


def test_revoking_is_announced_once_with_a_way_back(market, sharer, visitor):
    code = share(sharer)
    said = said_after(sharer, f"/share/links/{code}/revoke/")
    assert "The link is revoked." in said
    assert not STATUS.search(sharer.get("/share/links/").content.decode())
    undo = re.search(r'action="([^"]+)".*Undo', said, re.DOTALL)
    assert "The link works again." in said_after(sharer, undo[1])
    assert visitor.get(f"/s/{code}/").status_code == 200


def test_extending_what_ended_since_the_list_was_shown_says_so(market, sharer, visitor):
    code = share(sharer)
    extend, revoke = (f"/share/links/{code}/{done}/" for done in ("extend", "revoke"))
    sharer.post(revoke)
    said = said_after(sharer, f"{extend}?q=Porto")
    assert "The link is revoked." in said
    undo = re.search(r'action="([^"]+)".*Undo', said, re.DOTALL)
    assert undo[1].startswith(f"/share/links/{code}/restore/?q=Porto")
    sharer.post(undo[1])
    SharedLink.objects.update(check_in=localdate() - timedelta(days=3))
    said = said_after(sharer, extend)
    assert "The dates of this stay have passed" in said
    assert "Undo" not in said
    assert visitor.get(f"/s/{code}/").status_code == 410
    assert signed_in("bob", "Sharer").post(extend).status_code == 404


@pytest.mark.parametrize(
    ("day", "said"),
    [("expires", "This link has expired"), ("check_in", "The dates of this stay have passed")],
)
def test_a_link_that_ended_since_it_was_revoked_is_not_said_to_work(market, sharer, day, said):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    SharedLink.objects.update(**{day: localdate() - timedelta(days=3)})
    announced = said_after(sharer, f"/share/links/{code}/restore/").rpartition("<span>")[2]
    assert announced.startswith(f"{said}</span>")


def test_what_is_shared_again_keeps_the_words_it_is_found_by_unless_there_are_others(market, sharer):
    code = share(sharer, label="Smith, May")
    assert share(sharer) == code
    assert SharedLink.objects.get().label == "Smith, May"
    assert share(sharer, label="Smith, June") == code
    assert SharedLink.objects.get().label == "Smith, June"


def test_extending_leaves_a_later_last_day_alone(market, sharer):
    code = share(sharer)
    chosen = localdate() + timedelta(days=200)
    SharedLink.objects.update(expires=chosen)
    sharer.post(f"/share/links/{code}/extend/")
    assert SharedLink.objects.get(code=code).expires == chosen


def test_extending_is_announced_with_the_new_last_day(market, sharer):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate())
    said = said_after(sharer, f"/share/links/{code}/extend/")
    day = localdate() + timedelta(days=90)
    assert f"The link works until {day.day} {day:%b}" in said
    assert "Undo" not in said


def test_a_day_of_another_year_is_said_with_it(market, sharer, visitor):
    code = share(sharer, expires="2030-05-01")
    SharedLink.objects.update(shared_at=datetime(2020, 5, 1, 12, tzinfo=UTC))
    assert "1 May 2020 – 1 May 2030" in sharer.get("/share/links/").text
    assert "Shared on 1 May 2020. Works until 1 May 2030." in visitor.get(f"/s/{code}/").text


def test_a_link_restored_beside_its_successor_works_and_sharing_again_gives_the_successor(
    market, sharer, visitor
):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    successor = share(sharer)
    sharer.post(f"/share/links/{code}/restore/")
    assert {visitor.get(f"/s/{one}/").status_code for one in (code, successor)} == {200}
    assert share(sharer) == successor


def test_only_the_owner_restores(market, sharer):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    assert signed_in("bob", "Sharer").post(f"/share/links/{code}/restore/").status_code == 404
    assert SharedLink.objects.get().revoked_at


def test_opens_of_each_day_are_drawn_beside_the_link(market, sharer, visitor):
    share(sharer)
    assert "<polyline" not in sharer.get("/share/links/").content.decode()
    for days_ago, opens in ((0, 4), (2, 2), (30, 9)):
        day = localdate() - timedelta(days=days_ago)
        LinkOpens.objects.create(link=SharedLink.objects.get(), day=day, opens=opens)
    drawn = re.search(r'<polyline points="([^"]+)"', sharer.get("/share/links/").content.decode())
    assert drawn[1].split()[-3:] == ["55,10.0", "60,19.0", "65,1.0"]
    assert drawn[1].split()[0] == "0,19.0"


def test_the_title_is_filled_in_and_left_alone_follows_the_readers_language(market, sharer, visitor):
    form = sharer.get(RESULTS).content.decode()
    assert 'value="3 hotels in Porto, 1–4 May 2030, 2 guests"' in form
    code = share(sharer, title="3 hotels in Porto, 1–4 May 2030, 2 guests")
    assert SharedLink.objects.get().title == ""
    page = visitor.get(f"/s/{code}/", headers={"accept-language": "de"})
    assert "3 Hotels in Porto" in words(page)


def test_a_title_that_is_cut_at_a_space_is_left_alone_too(market, sharer):
    summary = a_summary(name=f"{'x' * 119} y")
    market.has(an_entry(summary))
    market.wire.details(details_document(propertyDetails={"propertySummary": summary}))
    form = sharer.get(ONE_PROPERTY).content.decode()
    filled_in = re.search(r'name="title"[^>]* value="([^"]*)"', form)[1]
    assert filled_in.startswith("xxx")
    share(sharer, ONE_PROPERTY, title=filled_in)
    assert SharedLink.objects.get().title == ""


@pytest.mark.parametrize(("field", "most"), [("title", 120), ("note", 1000), ("label", 80)])
def test_what_is_too_long_is_refused_in_the_words_of_the_site(market, sharer, field, most):
    for spoken, sentence in (
        ("en-gb", f"This is too long. Please use {most} characters at most."),
        ("de-de", f"Das ist zu lang. Bitte verwenden Sie höchstens {most} Zeichen."),
    ):
        answer = sharer.post(f"{RESULTS}&market={spoken}", {field: "x" * (most + 1)})
        assert answer.status_code == 400
        assert f'<p class="field__error" id="id_{field}-error">{sentence}</p>' in answer.content.decode()
    share(sharer, RESULTS, **{field: "x" * most})


def test_a_field_of_the_share_form_says_what_is_wrong_with_it_and_has_the_focus(market, sharer):
    fields = r'<(?:input|textarea)[^>]* name="(\w+)"[^>]*'
    asked = sharer.get(RESULTS).content.decode()
    assert re.findall(f"{fields} data-focus", asked) == ["title"]
    assert "aria-invalid" not in asked
    html = sharer.post(RESULTS, {"note": "\x07", "expires": "soon"}).content.decode()
    assert re.findall(f"{fields} data-focus", html) == ["note"]
    told = re.findall(f'{fields} aria-invalid="true" aria-describedby="([^"]+)"', html)
    assert [name for name, _error in told] == ["note", "expires"]
    for _name, error in told:
        assert re.search(rf'<p class="field__error" id="{error}">\w', html)


def test_the_senders_name_is_shown_where_the_setting_says_so(market, sharer, visitor):
    User.objects.filter(username="ann").update(first_name="Ann", last_name="Onym")
    code = share(sharer)
    assert "Ann Onym" not in words(visitor.get(f"/s/{code}/"))
    store.change({"sender_shown": True})
    assert re.search(r"Shared by Ann Onym on [0-9]+ \w+", words(visitor.get(f"/s/{code}/")))
    User.objects.all().delete()
    assert re.search(r"Shared on [0-9]+ \w+", words(visitor.get(f"/s/{code}/")))


@pytest.mark.parametrize("page", ["/", "/destinations/", f"/hotels/?{SEARCH}", "/share/links/", "/nowhere/"])
def test_the_header_leads_staff_to_their_links_and_the_admin_and_nobody_else(market, sharer, visitor, page):
    assert re.search(
        'href="/share/links/">My links</a><a [^>]+ href="/admin/">Admin', header(sharer.get(page))
    )
    assert "/admin/" not in header(visitor.get(page))


def test_colleagues_stay_in_the_language_of_the_page_they_came_from(market, sharer):
    made = sharer.post(f"{RESULTS}&market=de-de", follow=True)
    assert "Ihr Link ist fertig" in words(made)
    assert "subject=3%20Hotels%20in%20Porto" in made.text
    assert 'href="/share/links/?market=de-de"' in header(made)
    rows = sharer.get("/share/links/", {"market": "de-de"})
    assert '<input type="hidden" name="market" value="de-de">' in rows.text
    assert re.findall(r'(?:action|href)="/share/links/[^"]+/"', rows.text) == []
    revoke = re.search(r'action="([^"]+/revoke/[^"]*)"', rows.text)[1]
    revoked = sharer.post(revoke, follow=True)
    assert "Der Link ist zurückgezogen." in words(revoked)
    undo = re.search(r'action="([^"]+/restore/[^"]*)"', revoked.text)[1]
    assert "Der Link funktioniert wieder." in words(sharer.post(undo, follow=True))


def test_a_button_of_my_links_leads_back_to_the_page_and_the_search_it_was_on(market, sharer, monkeypatch):
    monkeypatch.setattr(staff_views, "LINKS_PER_PAGE", 1)
    share(sharer, title="Jones in May"), share(sharer, title="Other"), share(sharer, title="Jones in June")
    shown = sharer.get("/share/links/", {"q": "Jones", "page": "2"})
    for button in ("extend", "revoke", "restore"):
        pressed = unescape(re.search(rf'action="([^"]+/{button}/[^"]*)"', shown.text)[1])
        shown = sharer.post(pressed, follow=True)
        assert "Jones in May" in words(shown)
        assert "Jones in June" not in words(shown)
        assert 'name="q" type="search" value="Jones"' in shown.text


def test_my_links_write_days_as_their_reader_does(market, sharer):
    code = share(sharer)
    for path in ("/share/links/", f"/share/links/{code}/"):
        assert (
            "3 hotels in Porto, May 1\N{THIN SPACE}–\N{THIN SPACE}4, 2030"
            in sharer.get(f"{path}?market=en-us").text
        )
        assert "3 hotels in Porto, 1–4 May 2030" in sharer.get(f"{path}?market=en-gb").text


def test_older_links_are_listed_in_the_same_language(market, sharer, monkeypatch):
    monkeypatch.setattr(staff_views, "LINKS_PER_PAGE", 1)
    share(sharer), share(sharer, title="Two")
    older = re.search(r'href="([^"]+)" rel="next"', sharer.get("/share/links/?market=de-de").text)[1]
    assert "Meine Links" in words(sharer.get("/share/links/" + unescape(older)))


def test_without_a_market_what_is_shared_is_of_the_list_in_front(market, sharer):
    sharer.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert '<html lang="en"' in sharer.get(f"/hotels/?{SEARCH}").text
    assert "Make a link" in words(sharer.get(RESULTS))
    assert next(csv.reader(io.StringIO(sharer.get(EXPORT).text.lstrip("\ufeff"))))[1] == "Stars"
    share(sharer)
    assert "market=en-gb" in SharedLink.objects.get().search


def test_the_header_offers_no_links_to_who_may_not_share(market, db):
    editor = header(signed_in("eve").get("/"))
    assert "My links" not in editor
    assert 'href="/admin/"' in editor
    stranger = header(signed_in("mallory", is_staff=False).get("/"))
    assert 'href="/admin/"' not in stranger


def header(answer) -> str:
    return answer.content.decode().partition("<header")[2].partition("</header>")[0]


def test_a_link_is_ready_to_copy_scan_and_mail(market, sharer):
    code = share(sharer, title="Porto", note="See you & me")
    html = sharer.get(f"/share/links/{code}/").content.decode()
    assert f'value="http://testserver/s/{code}/"' in html
    assert re.search(r'<svg viewBox="[^"]+" class="share-qr">', html)
    assert "style=" not in html
    mail = "mailto:?subject=Porto&amp;body=See%20you%20%26%20me%0D%0A%0D%0A"
    assert f"{mail}http%3A%2F%2Ftestserver%2Fs%2F{code}%2F" in html


@pytest.mark.parametrize("sign", ["é", "字", "🏨"])
def test_a_mail_that_nothing_could_open_does_without_the_note(market, sharer, sign):
    title, lines = sign * 120, f"Two\r\nlines {sign}"
    for note, body in ((lines, f"{lines}\r\n\r\n"), (sign * 1_000, "")):
        code = share(sharer, title=title, note=note)
        html = sharer.get(f"/share/links/{code}/").text
        mail = unescape(re.search(r'href="(mailto:[^"]+)"', html)[1])
        assert len(mail) <= 2_000
        assert parse_qs(mail.partition("?")[2]) == {
            "subject": [title],
            "body": [f"{body}http://testserver/s/{code}/"],
        }


def test_an_ended_link_is_not_offered_for_sending(market, sharer):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    html = sharer.get(f"/share/links/{code}/").content.decode()
    assert "Revoked" in html
    assert "share-qr" not in html
    assert "mailto:" not in html


def table(sharer, query: str = "") -> list[dict[str, str]]:
    answer = sharer.get(EXPORT + query)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_table_holds_exactly_what_is_shown(market, sharer):
    rows = table(sharer, "&sort=stars&max_price=250")
    assert [row["Name"] for row in rows] == ["Hotel aa", "Hotel bb"]
    assert (rows[1]["Total"], rows[1]["Currency"]) == ("200.00", "EUR")
    assert rows[0]["Link"].startswith("http://testserver/hotels/ACME/aa/?place=Porto")
    assert rows[0]["Check-in"] == "2030-05-01"


def test_the_table_says_from_when_its_prices_are(market, sharer, monkeypatch, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    moment = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    sold_out = hotel("bb")
    sold_out["offers"][0]["minPrice"] = None
    market.has(hotel("aa"), sold_out)
    told = f"{moment.astimezone(ZoneInfo('Asia/Tokyo')):%Y-%m-%d %H:%M}"
    assert [row["Prices as of"] for row in table(sharer)] == [told, ""]


def test_the_table_names_facilities_as_pages_do(market, sharer):
    one = hotel("aa")
    one["offers"][0]["facilities"] = [
        {"type": "FREE_WIFI"},
        {"type": "wifi"},
        {"type": "XYZ", "description": "=Tea; house"},
        {"type": "PARKING", "description": "Parking (extra charge)"},
        {"type": "FREE_BREAKFAST"},
    ]
    market.has(one)
    assert table(sharer)[0]["Facilities"] == "Free wifi, =Tea; house, Parking (charge)"
    one["offers"][0]["facilities"] = one["offers"][0]["facilities"][2::-1]
    market.has(one)
    assert table(sharer, "&guests=3")[0]["Facilities"].startswith("'=Tea; house, ")


def test_the_table_names_what_a_total_holds_and_what_it_leaves_out(market, sharer):
    one = hotel("aa")
    one["offers"][0]["minPrice"]["surcharges"] = [
        {"type": "TAX_AND_FEES", "price": triple(12.5)},
        {"type": "CITY_TAX", "price": triple(9, "MAD")},
        {"type": "RESORT_FEE", "price": None},
        {"type": None, "price": "on request"},
    ]
    market.has(one)
    row = table(sharer)[0]
    assert (row["Total"], row["Taxes and fees in the total"]) == ("112.50", "12.50")
    assert row["Not in the total"] == "9.00 MAD + Resort fee + surcharge"


@pytest.mark.parametrize("other", [triple(9, "MAD"), None])
def test_of_surcharges_in_the_price_the_table_tells_a_sum_only_where_it_knows_all(market, sharer, other):
    store.change({"surcharge_mode": "included"})
    one = hotel("aa")
    named = {"type": "TAX_AND_FEES", "price": triple(12.5)}
    one["offers"][0]["minPrice"]["surcharges"] = [named]
    market.has(one)
    assert table(sharer)[0]["Taxes and fees in the total"] == "12.50"
    one["offers"][0]["minPrice"]["surcharges"] = [named, {"type": "CITY_TAX", "price": other}]
    market.has(one)
    row = table(sharer)[0]
    assert (row["Total"], row["Taxes and fees in the total"], row["Not in the total"]) == ("100.00", "", "")


def test_amounts_of_the_table_have_the_decimals_of_their_currency(market, sharer):
    one = hotel("aa")
    one["offers"][0]["minPrice"]["surcharges"] = [
        {"type": "CITY_TAX", "price": triple(3.3333)},
        {"type": "RESORT_FEE", "price": triple(9.125, "JPY")},
    ]
    market.has(one)
    row = table(sharer)[0]
    assert (row["Total"], row["Taxes and fees in the total"], row["Not in the total"]) == (
        "103.33",
        "3.33",
        "9 JPY",
    )


@pytest.mark.parametrize(
    ("of_market", "first", "amounts"),
    [
        ("en-gb", "Name,Stars,", ("100.00", "12.50 USD", "8.7")),
        ("de-de", "Name;Sterne;", ("100,00", "12,50 USD", "8,7")),
        ("es-es", "Nombre;Estrellas;", ("100,00", "12,50 USD", "8,7")),
    ],
)
def test_the_table_opens_in_the_spreadsheets_of_the_readers_country(
    market, sharer, of_market, first, amounts
):
    one = hotel("aa")
    one["propertySummary"]["rating"]["value"] = 8.7
    one["offers"][0]["minPrice"]["surcharges"] = [{"type": "CITY_TAX", "price": triple(12.5, "USD")}]
    market.has(one)
    text = sharer.get(f"{EXPORT}&market={of_market}").content.decode("utf-8-sig")
    assert text.startswith(first)
    head, row = csv.reader(io.StringIO(text), delimiter=first[-1])
    assert len(head) == len(row)
    assert (row[10], row[14], row[2]) == amounts


def test_then_and_now_as_a_table_of_the_readers_country(market, sharer):
    code = share(sharer, f"{RESULTS}&market=de-de")
    row = sharer.get(f"/share/links/{code}/hotels.csv?market=de-de").text.splitlines()[1]
    assert row.split(";")[-3:-1] == ["100,00", "EUR"]


def test_no_cell_of_the_table_is_a_formula(market, sharer):
    evil = hotel("aa")
    evil["propertySummary"] = a_summary(name='=HYPERLINK("https://evil.example")', address="+1\n@2")
    evil["offers"][0]["minPrice"]["rateDescription"] = "-1"
    market.has(evil)
    row = table(sharer)[0]
    assert not any(value.lstrip().startswith(("=", "+", "-", "@")) for value in row.values())
    assert row["Name"] == '\'=HYPERLINK("https://evil.example")'


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r=1", " =1", "\n1", "\0", "＝1", "＠a"])
def test_formulas_are_quoted(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Inn;=1+1", "Inn;'=1+1"),
        ("Inn; @a;b", "Inn; '@a;b"),
        ("=1;-2", "'=1;'-2"),
        # Quotes within a cell are doubled: an empty text in quotes, and then the formula.
        ('Inn;"=1+1;b', "Inn;\"'=1+1;b"),
        ("Inn;＝1+1", "Inn;'＝1+1"),
    ],
)
def test_a_formula_behind_a_semicolon_is_none_where_semicolons_part_cells(text, cell):
    assert safe_cell(text) == cell
    assert safe_cell(text.replace(";", ","), ";") == cell.replace(";", ",")


def test_plain_values_stay_as_they_are():
    assert [safe_cell(value) for value in ("Hotel", 4, None, "a=b")] == ["Hotel", "4", "", "a=b"]


def test_a_link_as_a_table_tells_then_and_now(market, sharer):
    code = share(sharer)
    market.has(hotel("aa", 90), hotel("cc", 300))
    path = f"/share/links/{code}/hotels.csv"
    assert path in sharer.get("/share/links/").content.decode()
    rows = list(csv.DictReader(io.StringIO(sharer.get(path).content.decode("utf-8-sig"))))
    assert [row["Name"] for row in rows] == ["Hotel aa", "Hotel bb", "Hotel cc"]
    assert [row["Total"] for row in rows] == ["90.00", "", "300.00"]
    assert [row["Total when shared"] for row in rows] == ["100.00", "200.00", "300.00"]
    assert [bool(row["Prices as of"]) for row in rows] == [True, False, True]
    assert "no longer offered" in rows[1]["Since then"]
    assert signed_in("bob", "Sharer").get(path).status_code == 404


def test_the_table_of_a_link_says_nothing_of_a_hotel_that_an_admin_took_down(market, sharer):
    code = share(sharer)
    BlockedProperty.objects.create(key="bb", reason="closed")
    table = sharer.get(f"/share/links/{code}/hotels.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    said = [{name for name, value in row.items() if value} for row in rows]
    assert said[1] == {"Since then"}
    assert rows[1]["Since then"] == "No longer shown on this site"
    assert (rows[0]["Total when shared"], rows[2]["Total when shared"]) == ("100.00", "300.00")


def test_the_table_can_be_switched_off(market, sharer):
    store.change({"export_enabled": False})
    assert sharer.get(EXPORT).status_code == 404
    assert "hotels.csv" not in sharer.get(f"/hotels/?{SEARCH}").content.decode()


LIST = "/admin/search/sharedlink/"


@pytest.fixture
def boss(db):
    return signed_in("boss", is_superuser=True)


def test_in_the_admin_sharers_see_their_own_links_and_admins_all(market, sharer, boss):
    share(sharer, title="By Ann")
    share(signed_in("bob", "Sharer"), title="By Bob")
    assert "By Bob" not in words(sharer.get(LIST))
    assert {"By Ann", "By Bob"} <= {title for title in ("By Ann", "By Bob") if title in words(boss.get(LIST))}


def test_a_link_extended_while_its_form_was_open_stays_so(market, sharer):
    code = share(sharer, title="Porto", expires=str(localdate()))
    path = f"{LIST}{SharedLink.objects.get().pk}/change/"
    shown = {one.name: one for one in sharer.get(path).context["adminform"].form}
    seen = {f"initial-{name}": one.value() for name, one in shown.items()}
    sharer.post(f"/share/links/{code}/extend/")
    sharer.post(path, {**seen, **{name: one.value() for name, one in shown.items()}, "note": "New"})
    note, expires = SharedLink.objects.values_list("note", "expires").get()
    assert note == "New"
    assert expires > localdate()


def test_the_admin_leads_to_a_link_only_who_sees_it(market, sharer, boss):
    """The admin sends every colleague on to a row's own address, if its model has one."""
    code, row = share(sharer), SharedLink.objects.get()
    kind = ContentType.objects.get_for_model(SharedLink)
    assert signed_in("bob").get(f"/admin/r/{kind.pk}/{row.pk}/").status_code == 404
    for client in (sharer, boss):
        page = client.get(f"/admin/search/sharedlink/{row.pk}/change/")
        assert f'href="/s/{code}/"' in page.content.decode()


@pytest.mark.parametrize(
    ("place", "moment", "over"),
    [
        ("Porto", "2030-05-01T22:59", False),  # in summer time
        ("Porto", "2030-05-01T23:00", True),
        ("Auckland", "2030-05-01T12:00", True),
        ("Honolulu", "2030-05-02T09:59", False),
    ],
)
def test_a_link_is_live_for_colleagues_as_long_as_it_is_for_its_recipient(
    market, sharer, visitor, monkeypatch, place, moment, over
):
    code = share(sharer, RESULTS.replace("Porto", place), expires="2030-05-01")
    now = datetime.fromisoformat(f"{moment}+00:00")
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    assert (visitor.get(f"/s/{code}/").status_code == 410) is over
    sharer.force_login(User.objects.get(username="ann"))
    assert ("Dates passed" in words(sharer.get("/share/links/"))) is over
    boss = signed_in("late", is_superuser=True)
    for state, there in (("past", over), ("live", not over), ("expired", False)):
        rows = boss.get(f"{LIST}?state={state}")
        assert [one.code for one in rows.context["cl"].queryset] == [code] * there
    assert ("dates passed</td>" in boss.get(LIST).text) is over


def test_the_admin_filters_by_state_and_by_owners_who_left(market, sharer, boss):
    share(sharer, title="Mine")
    share(signed_in("bob", "Sharer"), title="Orphan")
    User.objects.get(username="bob").delete()
    SharedLink.objects.filter(title="Mine").update(revoked_at=timezone.now())
    found = {
        "?owner_gone=yes": "Orphan",
        "?state=live": "Orphan",
        "?state=revoked": "Mine",
    }
    for query, title in found.items():
        rows = list(boss.get(LIST + query).context["cl"].queryset)
        assert [row.title for row in rows] == [title], query
    for state in ("expired", "past", "nonsense"):
        assert boss.get(f"{LIST}?state={state}").status_code == 200


def test_a_link_whose_dates_have_passed_is_not_among_the_expired_ones(market, sharer, boss):
    code = share(sharer)
    SharedLink.objects.filter(code=code).update(expires="2025-01-01", check_in="2025-01-02")
    listed = {
        state: [one.code for one in boss.get(f"{LIST}?state={state}").context["cl"].queryset]
        for state in ("live", "expired", "past")
    }
    assert listed == {"live": [], "expired": [], "past": [code]}


@pytest.mark.parametrize(("action", "status"), [("revoke", 410), ("extend", 200), ("restore", 200)])
def test_the_admin_revokes_and_extends_many_at_once(market, sharer, boss, visitor, action, status):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate())
    boss.post(LIST, {"action": action, "_selected_action": [SharedLink.objects.get().pk]})
    assert visitor.get(f"/s/{code}/").status_code == status
    assert (SharedLink.objects.get().expires > localdate()) == (action == "extend")


def test_restoring_many_links_looks_up_no_owner(market, sharer, django_assert_num_queries):
    for note in ("one", "two"):
        sharer.post(f"/share/links/{share(sharer, note=note)}/revoke/")
    # The links; of each whether it has a successor, and its row between a savepoint and its end.
    with django_assert_num_queries(9):
        assert service.restore(SharedLink.objects.all()) == 2


def test_two_links_of_one_content_that_are_restored_at_once_both_work(market, sharer, visitor, monkeypatch):
    codes, exists, looks = [], QuerySet.exists, []
    for _ in range(2):
        codes.append(share(sharer))
        sharer.post(f"/share/links/{codes[-1]}/revoke/")

    def looked(links):
        found = exists(links)
        if links.model is SharedLink and not looks:
            looks.append(links)
            sharer.post(f"/share/links/{codes[1]}/restore/")  # from another tab, meanwhile
        return found

    monkeypatch.setattr(QuerySet, "exists", looked)
    assert sharer.post(f"/share/links/{codes[0]}/restore/").status_code == 302
    assert [visitor.get(f"/s/{code}/").status_code for code in codes] == [200, 200]
    assert share(sharer) == codes[1]


def test_the_admin_hands_links_over_to_a_colleague_who_may_share(market, sharer, boss, visitor):
    code = share(sharer)
    bob, eve = signed_in("bob", "Sharer"), signed_in("eve")
    chosen = {"action": "hand_over", "_selected_action": [SharedLink.objects.get().pk]}
    refused = boss.post(LIST, {**chosen, "colleague": ""}, follow=True)
    assert "Choose a colleague who may share links." in words(refused)
    for nonsense in ("0", "x", User.objects.get(username="eve").pk):
        assert "handed over" not in words(boss.post(LIST, {**chosen, "colleague": nonsense}, follow=True))
    boss.post(LIST, {**chosen, "colleague": User.objects.get(username="bob").pk})
    assert code in bob.get("/share/links/").content.decode()
    assert code not in sharer.get("/share/links/").content.decode()
    assert code not in eve.get("/share/links/").content.decode()
    assert visitor.get(f"/s/{code}/").status_code == 200
    assert share(sharer) != code


@pytest.mark.parametrize(
    ("action", "line"),
    [
        ("revoke", r"Revoked empty 20\d\d-"),
        ("extend", r"Last day 20\d\d-\d\d-\d\d 20\d\d-"),
        ("hand_over", "Shared by ann bob"),
    ],
)
def test_the_history_of_a_link_keeps_what_an_admin_did_to_many(market, sharer, boss, action, line):
    share(sharer)
    signed_in("bob", "Sharer")
    SharedLink.objects.update(expires=localdate())
    row, bob = SharedLink.objects.get(), User.objects.get(username="bob")
    boss.post(LIST, {"action": action, "_selected_action": [row.pk], "colleague": bob.pk})
    assert re.search(line, words(boss.get(f"{LIST}{row.pk}/history/")))


def test_only_who_sees_everybodys_links_chooses_among_colleagues(market, sharer, boss):
    share(sharer)
    share(signed_in("bob", "Sharer"))
    signed_in("eve", "Site editor")
    offered = boss.get(LIST).context["action_form"].fields["colleague"].queryset
    assert sorted(one.username for one in offered) == ["ann", "bob", "boss"]
    assert "colleague" not in sharer.get(LIST).context["action_form"].fields
    assert "bob" not in words(sharer.get(LIST))
    assert "account gone or shut" in words(boss.get(LIST))
    assert "account gone or shut" not in words(sharer.get(LIST))


def test_sharers_hand_nothing_over_in_the_admin(market, sharer):
    share(sharer)
    row, bob = SharedLink.objects.get(), signed_in("bob", "Sharer")
    assert bob
    chosen = {"action": "hand_over", "_selected_action": [row.pk]}
    sharer.post(LIST, {**chosen, "colleague": User.objects.get(username="bob").pk})
    assert SharedLink.objects.get().owner == row.owner


def test_the_admin_takes_no_last_day_after_check_in_and_no_sign_that_turns_the_reading_order(
    market, sharer, boss
):
    share(sharer, title="Porto")
    row = SharedLink.objects.get()
    page, said = f"{LIST}{row.pk}/change/", {"title": "Porto", "note": "", "label": ""}
    refused = boss.post(page, {**said, "expires": "2099-01-01"})
    assert "until check-in at the latest" in words(refused)
    assert SharedLink.objects.get().expires == row.expires
    boss.post(page, {**said, "note": "ab\u202ecd\u2066", "expires": row.check_in.isoformat()})
    row = SharedLink.objects.get()
    assert (row.note, row.expires) == ("abcd", row.check_in)


def test_moments_in_the_admin_name_their_zone(market, sharer, boss):
    share(sharer)
    text = words(boss.get(f"{LIST}{SharedLink.objects.get().pk}/change/"))
    assert re.search(r"Shared: [0-9]+ \w{3} 20[0-9]{2}, [0-9]{2}:[0-9]{2} UTC", text)


def test_rewording_a_link_in_the_admin_makes_it_another_than_the_one_shared_again(market, sharer, boss):
    code = share(sharer)
    row = SharedLink.objects.get()
    page = f"{LIST}{row.pk}/change/"
    assert "Hotel aa, Hotel bb, Hotel cc" in words(boss.get(page))
    boss.post(page, {"title": "", "note": "New words", "label": "", "expires": row.expires.isoformat()})
    assert SharedLink.objects.get(code=code).note == "New words"
    assert share(sharer) != code


def test_another_last_day_in_the_admin_leaves_a_note_of_several_lines_as_it_is(market, sharer, boss):
    code = share(sharer, note="Two lines,\r\nand more")
    row = SharedLink.objects.get()
    values = {"title": "", "note": "Two lines,\r\nand more", "label": "", "expires": "2030-04-01"}
    boss.post(f"{LIST}{row.pk}/change/", values)
    again = SharedLink.objects.get()
    assert (again.note, again.digest) == ("Two lines,\nand more", row.digest)
    assert [change.name for change in recorded_values(LogEntry.objects.get())] == ["expires"]
    assert share(sharer, note="Two lines,\r\nand more") == code


def test_links_cannot_be_made_in_the_admin(boss):
    assert boss.get(f"{LIST}add/").status_code == 403


def test_the_right_to_share_comes_with_the_role_and_by_itself(market, db):
    carl = signed_in("carl")
    assert carl.get("/share/links/").status_code == 404
    User.objects.get(username="carl").user_permissions.add(Permission.objects.get(codename="add_sharedlink"))
    assert carl.get("/share/links/").status_code == 200
    assert signed_in("dora", "Sharer").get("/share/links/").status_code == 200


def test_ended_links_are_forgotten_after_some_time(market, sharer, capsys):
    for number, days in enumerate((0, 10, 40)):
        share(sharer, title=str(number))
        SharedLink.objects.filter(title=str(number)).update(expires=localdate() - timedelta(days=days))
    call_command("forget_links", "--dry-run")
    assert capsys.readouterr().out == "1 links would be deleted\n"
    for link in SharedLink.objects.all():
        LinkOpens.objects.create(link=link, day=localdate())
    call_command("forget_links", days=5)
    assert [link.title for link in SharedLink.objects.all()] == ["0"]
    assert capsys.readouterr().out == "2 links deleted\n"


def test_a_link_that_still_opens_is_not_forgotten(market, sharer, visitor):
    """West of the site its last day may not be over yet."""
    code = share(sharer)
    links = SharedLink.objects.all()
    links.update(expires=localdate() - timedelta(days=1))
    call_command("forget_links", days=0)
    assert visitor.get(f"/s/{code}/").status_code == 200
    links.update(expires=localdate() - timedelta(days=2))
    assert visitor.get(f"/s/{code}/").status_code == 410
    call_command("forget_links", days=0)
    assert not links.exists()


@pytest.mark.parametrize("days", ["-3", "99999999", "a month"])
def test_no_link_is_forgotten_for_days_that_make_no_sense(market, sharer, days):
    share(sharer)
    SharedLink.objects.update(expires=localdate() - timedelta(days=1))
    with pytest.raises(CommandError, match="a whole number from 0"):
        call_command("forget_links", f"--days={days}")
    assert SharedLink.objects.exists()


@pytest.mark.parametrize("asked", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("no such table: links"), "no such table: links. `manage.py migrate`"),
        (ProgrammingError('"links" does not exist\nLINE 1: SELECT'), "does not exist. `manage.py migrate`"),
        (OperationalError("Connection refused\n\tIs the server running?"), "Connection refused$"),
    ],
)
def test_a_database_that_is_away_or_lacks_its_tables_is_one_line(market, asked, error, said):
    def fail(*_question):
        raise error

    with (
        connection.execute_wrapper(fail),
        pytest.raises(CommandError, match=f"DATABASE_URL can't be used: .*{said}") as raised,
    ):
        call_command("forget_links", *asked)
    assert "\n" not in str(raised.value)
