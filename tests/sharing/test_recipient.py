"""What a recipient does with a link: rearrange it for themselves, and look at some side by side."""

from __future__ import annotations

import re

from search.sharing.models import SharedLink
from search.site_settings import store
from search.site_settings.models import SiteSettings
from search.web.links import card_anchor
from tests.builders import OURS
from tests.gateway.documents import a_summary, triple
from tests.journey.reading import words
from tests.results.cached_views import end_of_fetches
from tests.sharing.conftest import RESULTS, SEARCH, hotel, share


def names(html: str) -> list[str]:
    return re.findall(r"(?:listing-card__name|shared-gone__name)[^>]*>(?:<a[^>]*>)?Hotel (\w+)<", html)


def shown(visitor, code: str, query: str = "") -> list[str]:
    return names(visitor.get(f"/s/{code}/{query}").content.decode())


def test_a_note_in_another_language_than_the_page_says_which(market, sharer, visitor):
    note = "Drei ruhige Hotels in der Nähe vom Markt.\n\nDie Zimmer sind mit Bad und nicht teuer."
    code = share(sharer, note=note)
    quote = '<blockquote class="shared-note"'
    assert f'{quote} lang="de">' in visitor.get(f"/s/{code}/?market=fr-fr").content.decode()
    assert f"{quote}>" in visitor.get(f"/s/{code}/?market=de-de").content.decode()


def test_each_paragraph_of_a_note_is_read_in_its_own_direction(market, sharer, visitor):
    code = share(sharer, note="Three quiet hotels.\n\nשלושה מלונות שקטים.")
    html = visitor.get(f"/s/{code}/").content.decode()
    assert '<p dir="auto">Three quiet hotels.</p><p dir="auto">שלושה מלונות שקטים.</p>' in html


def test_opening_a_link_keeps_distances_of_the_market(market, sharer, visitor):
    market.wire.details({"propertyDetails": {"propertySummary": a_summary(ryanairId="aa", id="aa")}})
    code = share(sharer, f"/share/hotels/ACME/aa/?{SEARCH}&market=de-de")
    market.has(hotel("aa"), hotel("bb"))
    assert visitor.get(f"/s/{code}/").status_code == 200
    results = visitor.get(f"/hotels/?{SEARCH}&market=de-de").content.decode()
    steps = re.findall(r'name="max_km" value="([^"]+)"', results)
    assert steps == ["1"]


def test_an_order_of_ones_own_changes_nothing_for_others(market, sharer, visitor):
    market.has(hotel("aa", 300), hotel("bb", 100), hotel("cc", 200))
    code = share(sharer)
    assert shown(visitor, code) == ["bb", "cc", "aa"]
    market.has(hotel("aa", 50), hotel("bb", 100), hotel("cc", 200))
    assert shown(visitor, code) == ["bb", "cc", "aa"]
    assert shown(visitor, code, "?sort=price") == ["aa", "bb", "cc"]
    assert shown(visitor, code) == ["bb", "cc", "aa"]


def test_a_filter_of_ones_own_says_how_much_it_hides(market, sharer, visitor):
    market.has(hotel("aa", 100), hotel("bb", 200, freeCancellation=False))
    code = share(sharer)
    assert shown(visitor, code, "?free_cancellation=1") == ["aa"]
    text = words(visitor.get(f"/s/{code}/?free_cancellation=1"))
    assert "1 of 2 shown As it was shared" in text


def test_a_recipient_has_only_filters_that_the_site_offers(market, sharer, visitor):
    market.has(*(hotel(key, 100) for key in ("aa", "bb", "cc", "dd", "ee")))
    code = share(sharer)
    store.change({"filters": ["pay_later"]})
    assert shown(visitor, code, "?free_cancellation=1") == ["aa", "bb", "cc", "dd", "ee"]
    page = visitor.get(f"/s/{code}/").content.decode()
    assert 'name="pay_later"' in page
    assert 'name="free_cancellation"' not in page


def two_offers(free: float, other: float) -> dict:
    """A hotel sold by two: one free to cancel, one not."""
    entry = hotel("aa", other, freeCancellation=False)
    entry["offers"] += hotel("aa", free, providerId="EX")["offers"]
    return entry


def test_an_own_filter_shows_the_price_of_an_offer_that_passes(market, sharer, visitor):
    market.has(two_offers(free=140, other=100), hotel("bb", 120))
    code = share(sharer)
    text = words(visitor.get(f"/s/{code}/?free_cancellation=1"))
    assert "€100.00 when shared on" in text
    assert "€140.00 now, but for another offer" in text
    assert "€40.00 more" not in text
    assert shown(visitor, code, "?free_cancellation=1&sort=price") == ["bb", "aa"]


def test_what_a_deeper_pass_found_is_shared_with_its_totals(market, sharer, visitor):
    SiteSettings.objects.create(cap=20, page_size=20, compare_all_limit=100)
    market.has(*(hotel(f"h{price}", price) for price in range(130, 100, -1)))
    visitor.post(f"/hotels/all/?{SEARCH}", headers=OURS)
    end_of_fetches()
    for path in (f"{RESULTS}&all=1", f"{RESULTS}&all=1&stay=ACME/h101"):
        text = words(visitor.get(f"/s/{share(sharer, path)}/"))
        assert "€101.00 total" in text
        assert "when shared on" not in text


def test_nonsense_in_the_view_is_the_view_as_shared(market, sharer, visitor):
    code = share(sharer)
    for query in ("?sort=colour", "?sort=provider", "?free_cancellation=yes", "?sort=%00&page=9"):
        assert shown(visitor, code, query) == ["aa", "bb", "cc"]


def compare_path(code: str, *keys: str) -> str:
    return f"/s/{code}/compare/?" + "&".join(f"stay={card_anchor(key)}" for key in keys)


def row(html: str, label: str) -> str:
    return next(part for part in html.split("<tr") if f">{label}<" in part)


def test_hotels_side_by_side_with_the_differences_marked(market, sharer, visitor):
    dear = hotel("bb", 200, freeCancellation=False, facilities=[{"type": "SPA", "availability": "ROOM"}])
    dear["propertySummary"] = a_summary(ryanairId="bb", id="bb", name="Hotel bb", category=5)
    dear["offers"][0]["minPrice"]["surcharges"] = [{"type": "CITY_TAX", "price": triple(7)}]
    market.has(hotel("aa", 100), dear, hotel("cc", 300))
    code = share(sharer)
    page = visitor.get(compare_path(code, "bb", "aa"))
    html = page.content.decode()
    assert page.status_code == 200
    assert html.index("Hotel bb") < html.index("Hotel aa")
    assert "Hotel cc" not in html
    assert "compare__same" not in html.partition(">Total<")[0].rpartition("<tr")[2]
    assert re.search(r"€100\.00</p><span[^>]*>lowest", row(html, "Total"))
    assert "€207.00" in row(html, "Total")
    assert "City tax €7.00" in row(html, "Taxes and fees")
    assert "No free cancellation listed at this price" in row(html, "Cancellation")
    assert "5 stars" in row(html, "Stars")
    assert "compare__same" in html.partition(">Guest rating<")[0].rpartition("<tr")[2]
    assert "yes" in html.partition("<bdi>Spa<")[2].partition("</tr>")[0]
    assert "not listed" not in html.partition("<bdi>Pool<")[2].partition("</tr>")[0]
    assert "Double" in row(html, "Rooms")
    assert "0.1\xa0mi from the centre" in row(html, "Distance")


def test_four_compared_are_the_most_and_each_stands_once(market, sharer, visitor):
    keys = ("aa", "bb", "cc", "dd", "ee")
    market.has(*(hotel(key, 100) for key in keys))
    html = visitor.get(compare_path(share(sharer), "aa", *keys)).text
    assert [html.count(f">Hotel {key}<") > 0 for key in keys] == [True, True, True, True, False]
    assert "4 hotels side by side" in html


def test_the_market_a_recipient_has_chosen_stays_theirs(market, sharer, visitor):
    code = share(sharer)
    page = visitor.get(f"/s/{code}/?market=de-de").content.decode()
    assert '<input type="hidden" name="market" value="de-de">' in page.partition('id="compare"')[2]
    compared = visitor.get(f"{compare_path(code, 'aa', 'bb')}&market=de-de").content.decode()
    assert "100,00\xa0€" in compared
    assert f'href="/s/{code}/?market=de-de"' in compared
    alone = visitor.get(f"{compare_path(code, 'aa')}&market=de-de")
    assert alone["Location"] == f"/s/{code}/?market=de-de"
    assert 'name="market"' not in visitor.get(f"/s/{code}/").content.decode()


def test_a_comparison_keeps_the_view_of_its_reader(market, sharer, visitor):
    market.has(two_offers(free=140, other=100), hotel("bb", 120), hotel("cc", 90, freeCancellation=False))
    code, view = share(sharer), "free_cancellation=1&sort=price"
    form = visitor.get(f"/s/{code}/?{view}&market=fr-fr").text.partition('id="compare"')[2]
    sent = re.findall(r'<input type="hidden" name="(\w+)" value="([\w-]+)">', form.partition("</form>")[0])
    assert dict(sent[:3]) == {"free_cancellation": "1", "sort": "price", "market": "fr-fr"}
    assert [name for name, _value in sent[3:]] == ["stay", "stay"]
    compared = visitor.get(f"{compare_path(code, 'aa', 'bb')}&{view}")
    assert "€140.00" in row(compared.text, "Total")
    assert "€140.00 now, but for another offer" in words(compared)
    assert f'href="/s/{code}/?sort=price&amp;free_cancellation=1"' in compared.text
    hidden = visitor.get(f"{compare_path(code, 'aa', 'cc')}&{view}")
    assert hidden["Location"] == f"/s/{code}/?sort=price&free_cancellation=1"


def test_a_comparison_of_prices_of_before_says_so(market, sharer, visitor):
    store.change({"search_fresh_seconds": 0})
    compared = compare_path(share(sharer), "aa", "bb")
    assert "They may have changed since." not in words(visitor.get(compared))
    market.wire.search(status=503)
    assert "They may have changed since." in words(visitor.get(compared))


def test_without_details_the_comparison_stands(market, sharer, visitor):
    code = share(sharer)
    market.wire.details(status=503)
    page = visitor.get(compare_path(code, "aa", "bb"))
    assert page.status_code == 200
    assert ">Rooms<" not in page.content.decode()


def test_the_comparison_has_distances_from_the_chosen_airport(market, sharer, visitor):
    code = share(sharer, f"{RESULTS}&near=OPO")
    html = visitor.get(compare_path(code, "aa", "bb")).content.decode()
    assert "from OPO in a straight line" in row(html, "To the airport")


def test_less_than_two_are_nothing_to_compare(market, sharer, visitor):
    code = share(sharer)
    for path in (compare_path(code), compare_path(code, "aa"), compare_path(code, "aa", "zz")):
        assert visitor.get(path)["Location"] == f"/s/{code}/"


def test_comparing_can_be_switched_off(market, sharer, visitor):
    code = share(sharer)
    assert "/compare/" in visitor.get(f"/s/{code}/").content.decode()
    store.change({"compare_enabled": False})
    assert "/compare/" not in visitor.get(f"/s/{code}/").content.decode()
    assert visitor.get(compare_path(code, "aa", "bb")).status_code == 302


def test_an_ended_link_compares_nothing(market, sharer, visitor):
    code = share(sharer)
    SharedLink.objects.update(expires="2020-01-01")
    assert visitor.get(compare_path(code, "aa", "bb")).status_code == 410


def test_a_title_of_ours_breaks_at_no_day(market, sharer, visitor):
    html = visitor.get(f"/s/{share(sharer)}/?market=de-de").content.decode()
    assert "3 Hotels\u00a0– Porto, 1.–\u20604.\u00a0Mai\u00a02030, 2 Gäste</h1>" in html
    assert "<title>3 Hotels\u00a0– Porto, 1.–4. Mai 2030, 2 Gäste ·" in html
