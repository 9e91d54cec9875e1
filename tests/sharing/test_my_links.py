"""My links: the list of a colleague's own links, one to copy, scan and mail, and what the buttons do."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils.timezone import localdate

from search.sharing import staff
from search.sharing.models import LinkOpens, SharedLink
from tests.gateway.documents import a_summary, an_entry, details_document
from tests.journey.reading import words
from tests.sharing.conftest import ONE_PROPERTY, RESULTS, SEARCH, share, signed_in


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
    for button in ("revoke", "extend"):
        assert bob.post(f"/share/links/{code}/{button}/").status_code == 404
    assert SharedLink.objects.get().revoked_at is None
    sharer.post(f"/share/links/{code}/revoke/")
    assert bob.post(f"/share/links/{code}/restore/").status_code == 404
    assert SharedLink.objects.get().revoked_at


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


def test_the_search_of_links_takes_accents_in_either_case(market, sharer):
    share(sharer, title="Familie Öztürk", note="Vacances d'Été (2030), Évora")
    share(sharer, title="Familie Oz", note="D.été")
    for text in ("öztürk", "ÖZTÜRK", "D'ÉTÉ (2030)", "évora"):
        page = words(sharer.get("/share/links/", {"q": text}))
        assert "Familie Öztürk" in page
        assert "Familie Oz " not in page


def test_a_hotels_link_is_found_by_the_name_in_the_list(market, sharer):
    for place in ("Kraków", "Lisboa"):
        summary = a_summary(ryanairId=place, name=f"Hôtel {place}")
        market.has(an_entry(summary))
        market.wire.details(details_document(propertyDetails={"propertySummary": summary}))
        share(sharer, ONE_PROPERTY)
    for text, found, other in (("hôtel kraków", "Kraków", "Lisboa"), ("LISBOA", "Lisboa", "Kraków")):
        page = words(sharer.get("/share/links/", {"q": text}))
        assert f"Hôtel {found}" in page
        assert f"Hôtel {other}" not in page


def test_many_links_are_on_several_pages(market, sharer, monkeypatch):
    monkeypatch.setattr(staff, "LINKS_PER_PAGE", 2)
    for number in range(3):
        share(sharer, title=f"Trip {number}")
    first = sharer.get("/share/links/?market=de-de").text
    assert first.count("share-row--live") == 2
    older = sharer.get("/share/links/" + unescape(re.search(r'href="([^"]+)" rel="next"', first)[1]))
    assert older.text.count("share-row--live") == 1
    assert "Meine Links" in words(older)


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


def test_extending_prolongs_up_to_check_in_and_revives_links(market, sharer, visitor):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate() - timedelta(days=3))
    sharer.post(f"/share/links/{code}/extend/")
    assert SharedLink.objects.get().expires == localdate() + timedelta(days=90)
    assert visitor.get(f"/s/{code}/").status_code == 200
    chosen = localdate() + timedelta(days=200)
    SharedLink.objects.update(expires=chosen)
    sharer.post(f"/share/links/{code}/extend/")
    assert SharedLink.objects.get().expires == chosen


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


def test_extending_is_announced_with_the_new_last_day(market, sharer):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate())
    page = sharer.post(f"/share/links/{code}/extend/", follow=True)
    (said,) = re.findall(r'<div[^>]*role="status">(.*?)</div>', page.text, re.DOTALL)
    day = localdate() + timedelta(days=90)
    assert f"The link works until {day.day} {day:%b}" in said
    assert "Undo" not in said


def test_a_day_of_another_year_is_said_with_it(market, sharer, visitor):
    code = share(sharer, expires="2030-05-01")
    SharedLink.objects.update(shared_at=datetime(2020, 5, 1, 12, tzinfo=UTC))
    assert "1 May 2020 – 1 May 2030" in sharer.get("/share/links/").text
    assert "Shared on 1 May 2020. Works until 1 May 2030." in visitor.get(f"/s/{code}/").text


def test_a_link_restored_beside_its_successor_works(market, sharer, visitor):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    successor = share(sharer)
    sharer.post(f"/share/links/{code}/restore/")
    assert {visitor.get(f"/s/{one}/").status_code for one in (code, successor)} == {200}
    assert share(sharer) == successor


def test_opens_of_each_day_are_drawn_beside_the_link(market, sharer, visitor):
    share(sharer)
    assert "<polyline" not in sharer.get("/share/links/").content.decode()
    for days_ago, opens in ((0, 4), (2, 2), (30, 9)):
        day = localdate() - timedelta(days=days_ago)
        LinkOpens.objects.create(link=SharedLink.objects.get(), day=day, opens=opens)
    drawn = re.search(r'<polyline points="([^"]+)"', sharer.get("/share/links/").content.decode())
    assert drawn[1].split()[-3:] == ["55,10.0", "60,19.0", "65,1.0"]
    assert drawn[1].split()[0] == "0,19.0"


@pytest.mark.parametrize("page", ["/", "/destinations/", f"/hotels/?{SEARCH}", "/share/links/", "/nowhere/"])
def test_the_header_leads_only_staff_to_links_and_admin(market, sharer, visitor, page):
    assert re.search(
        'href="/share/links/">My links</a><a [^>]+ href="/admin/">Admin', header(sharer.get(page))
    )
    assert "/admin/" not in header(visitor.get(page))


def test_colleagues_stay_in_the_language_of_their_page(market, sharer):
    made = sharer.post(f"{RESULTS}&market=de-de", follow=True)
    assert "Ihr Link ist fertig" in words(made)
    assert "subject=3%20Hotels%C2%A0%E2%80%93%20Porto" in made.text
    assert 'href="/share/links/?market=de-de"' in header(made)
    rows = sharer.get("/share/links/", {"market": "de-de"})
    assert '<input type="hidden" name="market" value="de-de">' in rows.text
    assert re.findall(r'(?:action|href)="/share/links/[^"]+/"', rows.text) == []
    revoke = re.search(r'action="([^"]+/revoke/[^"]*)"', rows.text)[1]
    revoked = sharer.post(revoke, follow=True)
    assert "Der Link ist zurückgezogen." in words(revoked)
    undo = re.search(r'action="([^"]+/restore/[^"]*)"', revoked.text)[1]
    assert "Der Link funktioniert wieder." in words(sharer.post(undo, follow=True))


def test_a_button_of_my_links_leads_back_to_its_page(market, sharer, monkeypatch):
    monkeypatch.setattr(staff, "LINKS_PER_PAGE", 1)
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
        assert "3 hotels in Porto, May 1–4, 2030" in sharer.get(f"{path}?market=en-us").text
        assert "3 hotels in Porto, 1–4 May 2030" in sharer.get(f"{path}?market=en-gb").text


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


def test_an_ended_link_is_not_offered_for_sending(market, sharer):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    html = sharer.get(f"/share/links/{code}/").content.decode()
    assert "Revoked" in html
    assert "share-qr" not in html
    assert "mailto:" not in html
