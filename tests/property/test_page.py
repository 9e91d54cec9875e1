"""The property page: offers carried over from the listing, untyped facts as text, links that lead back."""

import re

import msgspec
import pytest

from search.domain.query import Refinement, Sort
from search.domain.site_settings import ProviderEntry, Site
from search.property.page import PropertyPage
from search.results.listings import NoOffers
from search.web import translation
from search.web.links import card_anchor
from tests import builders as build
from tests.rendering import page_html
from tests.rows import each


def page_of(card_page=1, **changes) -> PropertyPage:
    return PropertyPage(build.context(), build.found_property(**changes), card_page)


def html_of(page: PropertyPage) -> str:
    return page_html("property/page.html", page=page)


def test_back_leads_to_the_same_card():
    page = page_of(card_page=4)
    assert page.back.endswith(f"&page=4#{card_anchor('a1b2c3')}")


def test_nothing_leads_back_to_results_of_no_place():
    page = PropertyPage(build.context(build.search(place="")), build.found_property())
    assert "Back to the results" not in html_of(page)


def test_the_title_says_where_and_when():
    assert page_of().head.title.startswith("Hotel Miramar, Barcelona, ")
    assert page_of().head.title.endswith("2026")


def test_a_hotel_without_a_description_is_told_of_by_its_address():
    page = page_of(building=build.building(description=""))
    assert page.head.description.startswith("Carrer de Mallorca 401, ")


@each(
    ("address", "shown"),
    [
        ("Plaza 1", "Plaza 1, Barcelona, Spanien"),
        ("Plaza 1, 08029 Barcelona, Spain", "Plaza 1, 08029 Barcelona, Spain"),
        ("Plaza 1, Barcelona, SPANIEN", "Plaza 1, Barcelona, SPANIEN"),
        ("Spain", "Spain, Barcelona"),
        ("", "Barcelona, Spanien"),
    ],
)
def test_an_address_says_the_country_once(address, shown):
    of, building = build.search(market="de-de"), build.building(address=address)
    with translation.override("de"):
        page = PropertyPage(build.context(of), build.found_property(building=building))
    assert page.address == shown


def test_every_offer_has_a_row_and_one_provider_is_marked():
    listing = build.priced(build.offer("390.00"), build.offer("300.00", provider="BBB"))
    page = page_of(listing=listing)
    assert [offer.provider for offer in page.card.offers] == ["BBB", "AAA"]
    assert page.card.best.price.total == "€322.60"
    html = html_of(page)
    assert "Taxes and fees €22.60" in html
    assert re.findall(r"<tr[^>]*?(offer-table__shown)?\">\s*<th[^>]*><bdi>(\w+)", html) == [
        ("", "BBB"),
        ("offer-table__shown", "AAA"),
    ]


def test_without_its_offers_the_page_stands_and_says_so():
    page = page_of(listed=False)
    assert page.card.best is None
    assert "Prices are not available right now" in html_of(page)


def test_without_a_price_it_says_no_price_for_these_dates():
    page = page_of(listing=build.priced(build.offer(None)))
    assert page.price_note == "No price for these dates."


def test_facts_of_every_kind_surface():
    html = html_of(page_of())
    for text in (
        "15:00 – 23:00", "11:00", "Pets welcome", "Pool", "Mastercard", "Double room",
        "Twenty square metres", "Desk", "Double room with balcony", "Sleeps 2", "1 king bed",
        "Free until 2 days before check-in", "No smoking", "Barcelona El Prat (BCN)", "8.8\u00a0mi", "Spain",
    ):  # fmt: skip
        assert text in html


def test_empty_sections_vanish():
    bare = build.details(
        check_in_time=(), check_out_time=(), policies=(), facilities=(), accepted_cards=(), room_types=()
    )
    html = html_of(page_of(details=bare, airports=(), listing=build.priced(build.offer(facilities=()))))
    for heading in ("Good to know", "Rooms</h2>", "Facilities</h2>"):
        assert heading not in html


def test_it_says_whether_details_are_available():
    assert "Details of this place are not available" not in html_of(page_of())
    without = build.details(available=False)
    assert "Details of this place are not available" in html_of(page_of(details=without))


def test_a_room_is_not_named_twice():
    room = build.room_type().rooms[0]
    same = build.room_type(name="Double room with balcony", rooms=(room,))
    html = html_of(page_of(details=build.details(room_types=(same,))))
    assert re.findall(r"<h[34][^>]*>(Double room[^<]*)", html) == ["Double room with balcony"]


def test_a_facility_is_listed_once_whoever_names_it():
    listing = build.priced(build.offer(facilities=(build.facility("LIFT"),)))
    page = page_of(listing=listing, details=build.details(facilities=("Lift",)))
    assert [one.text for group in page.facilities.values() for one in group] == ["Lift"]


def test_breakfast_of_some_offers_only_is_no_facility():
    plain = build.offer("100", facilities=(build.facility("LIFT"),))
    other = build.offer("110", provider="BBB", facilities=(build.facility("FREE_BREAKFAST"),))
    page = page_of(listing=build.priced(plain, other), details=build.details(facilities=()))
    assert [one.text for group in page.facilities.values() for one in group] == ["Lift"]
    assert "Breakfast included" not in page.head.data
    assert {fact.heading: fact.text for fact in page.facts}["Breakfast"] == "Included in some offers"


def test_promises_of_an_offer_are_not_facilities_again():
    offer = build.offer(facilities=(build.facility("FREE_BREAKFAST"), build.facility("LIFT")))
    html = html_of(page_of(listing=build.priced(offer), details=build.details(facilities=())))
    row = re.search(r'<tr role="row" id="offer-1".*?</tr>', html, re.DOTALL)[0]
    assert re.findall(r"<li[^>]*>(Breakfast included|Lift)</li>", row) == ["Breakfast included", "Lift"]


@each(
    ("description", "shown"),
    [
        ("Short and\nwhole.", "Short and whole."),
        ("quiet " * 40, f"{'quiet ' * 24}quiet…"),
        ("x" * 155, "x" * 155),
        ("屋" * 200, "屋" * 154 + "…"),
        ("y" * 151 + ", and more", "y" * 151 + "…"),
    ],
)
def test_a_description_for_search_engines_ends_with_a_whole_word(description, shown):
    assert page_of(listing=build.priced(description=description)).head.description == shown


@pytest.mark.parametrize(("place", "begins"), [("Barcelona", "place=Barcelona&checkin="), ("", "checkin=")])
def test_the_canonical_address_has_no_place_where_there_is_none(place, begins):
    page = PropertyPage(build.context(build.search(place=place)), build.found_property())
    assert page.head.canonical.partition("?")[2].startswith(begins)


def test_the_canonical_address_says_which_place_is_meant():
    context = build.context(build.search(place="Ragusa"), Refinement(country="IT", deals=True))
    page = PropertyPage(context, build.found_property(listed=False, no_offers=NoOffers.NO_DATES))
    assert page.head.canonical.endswith("?place=Ragusa&guests=2&currency=EUR&market=en-gb&country=IT")


def test_searches_are_not_for_search_engines():
    assert '<meta name="robots" content="noindex">' in html_of(page_of())


@pytest.mark.parametrize("hostile", ["<b>bold</b>", "&lt;i&gt;", "' onload='x", '" autofocus="'], ids=str)
def test_upstream_text_is_text_wherever_it_stands(hostile):
    room_type = build.room_type(name=hostile, description=hostile, facilities=(hostile,))
    details = build.details(
        policies=(hostile,), check_in_time=(hostile,), facilities=(hostile,), room_types=(room_type,)
    )
    listing = build.priced(build.offer(rate=hostile), name=hostile, description=hostile, address=hostile)
    html = html_of(page_of(listing=listing, details=details))
    shown = re.sub(r"<script type=.*?</script>", "", html, flags=re.DOTALL)
    assert hostile not in shown


def test_words_in_another_language_than_the_pages_say_which():
    english = "The house is a short walk from the market, and the rooms are quiet."
    room = msgspec.structs.replace(
        build.ROOM_TYPE.rooms[0],
        description="Quiet.",
        bed_types=("1 king bed",),
        policies=("Shoes off.", "NO_SMOKING"),
        cancellation_policies=("Non-refundable: all is charged.",),
    )
    described = build.room_type(description="A desk.", facilities=("Lift", "Window seat"), rooms=(room,))
    details = build.details(
        facilities=("Moat", "Lift"),
        policies=("Be quiet.", "NO_SMOKING", "Pets by arrangement."),
        room_types=(described,),
        check_out_time=("Before noon",),
    )
    listing = build.priced(build.offer(rate="Double room"))
    building = build.building(description=english)
    found = build.found_property(details=details, building=building, listing=listing)
    context = build.context(build.search(market="de-de"))
    with translation.override("de"):
        html = html_of(PropertyPage(context, found))
    main = re.search(r"<main.*</main>", html, re.DOTALL)[0]
    assert re.findall(r'<(\w+)[^>]* lang="en">([^<]*)', main) == [
        ("dd", "Before noon"), ("dd", "Pets by arrangement."),
        ("bdi", "1 king bed"), ("li", "Non-refundable: all is charged."),
        ("div", english), ("bdi", "Moat"), ("p", "A desk."), ("li", "Window seat"), ("p", "Quiet."),
        ("bdi", "1 king bed"), ("li", "Non-refundable: all is charged."), ("li", "Shoes off."),
        ("dd", "Be quiet."), ("dd", "Pets by arrangement."),
    ]  # fmt: skip
    assert 'dir="auto" lang=' not in html_of(PropertyPage(build.context(), found))


def test_the_ladder_leads_to_its_offers_in_the_table():
    flexible = build.offer("404.00", provider="BBB", free_cancellation=True)
    html = html_of(page_of(listing=build.priced(build.offer("390.00"), flexible)))
    ladder = html[html.index('class="ladder"') : html.index("</ol>")]
    assert re.findall(r'href="#(offer-\d)"', ladder) == re.findall(r'<tr[^>]* id="(offer-\d)"', html)
    assert [text in ladder for text in ("€412.60", "€426.60", "+\u00a0€14.00")] == [True, False, True]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, False),
        ({"price": build.price("10", "USD"), "surcharges": ()}, True),
        ({"surcharges": (build.Surcharge("CITY_TAX", build.price("9", "USD")),)}, True),
    ],
)
def test_the_cheapest_names_totals_that_are_not_compared(changes, said):
    other = build.offer("200.00", provider="BBB", **changes)
    html = html_of(page_of(listing=build.priced(build.offer("390.00"), other)))
    assert ("comes after those that can be compared" in html) == said


def test_without_a_comparable_total_there_is_no_ladder():
    foreign = build.offer(price=build.price("10", "USD"), surcharges=())
    page = page_of(listing=build.priced(foreign))
    assert page.card.ladder == ()
    assert "US$10.00" in html_of(page)


def test_the_total_is_in_one_box_and_one_bar_when_narrow():
    html = html_of(page_of())
    assert (html.count('class="stay-box"'), html.count('class="stay-bar"')) == (1, 1)
    assert 'class="stay-bar"' not in html_of(page_of(listed=False))


@pytest.mark.parametrize(
    ("providers", "template", "said"),
    [
        (["AAA"], "", "How to book this"),
        (["AAA"], "https://www.example.com/{property}", "Go to Sol Hotels · €412.60"),
        (["AAA", "BBB"], "", "See 2 offers · from €412.60"),
    ],
)
def test_the_filled_button_leads_on(providers, template, said):
    site = Site(providers=(ProviderEntry("AAA", "Sol Hotels", address_template=template),))
    found = build.found_property(build.priced(*(build.offer(provider=one) for one in providers)))
    html = html_of(PropertyPage(build.context(site=site), found))
    box = html[html.index('class="stay-box"') : html.index("</aside>")]
    (button,) = re.findall(r'<(?:a|button) class="button button--primary[^>]*>(.*?)<(?:/a|/button|svg)', box)
    assert re.sub(r"<[^>]+>", "", button) == said


def test_a_hotel_without_a_picture_has_no_block_for_one():
    html = html_of(page_of(building=build.building(images=())))
    assert "<photo-gallery" not in html
    assert "No picture" not in html


def test_the_distance_is_from_the_centre_or_an_airport():
    assert page_of(listing=build.priced(centre_km=2.1)).distances == ["1.3\u00a0mi from the centre"]
    assert page_of().distances == ["8.8\u00a0mi from Barcelona El Prat (BCN) in a straight line"]


def test_the_map_has_the_centre_and_the_nearest_airport():
    at = build.Coordinates(41.3874, 2.1686)
    page = PropertyPage(build.context(centre=at), build.found_property(build.priced(centre_km=2.1)))
    marks = msgspec.json.decode(page.landmarks)
    assert marks["centre"] == ["Barcelona", 41.3874, 2.1686]
    assert marks["airport"][0] == "BCN"
    assert [metres for _words, metres in marks["rings"]] == [1609, 3219, 8047]
    assert msgspec.json.decode(page_of().landmarks)["centre"] is None


def test_a_chosen_airport_goes_before_the_nearest():
    stansted = build.airport(code="STN", name="Stansted")
    page = PropertyPage(build.context(anchor=stansted), build.found_property(build.priced(anchor_km=1200.0)))
    assert page.distances[0] == "746\u00a0mi from STN in a straight line"


def test_facts_say_what_the_provider_says_and_nothing_else():
    facilities = ("Car park (charge)", "Swimming pool")
    page = page_of(details=build.details(facilities=facilities, check_out_time=()))
    assert [(fact.heading, fact.text) for fact in page.facts] == [
        ("Check-in", "15:00 – 23:00"),
        ("Parking", "Parking (charge)"),
        ("Pets", "Pets welcome"),
    ]


@each(
    "line",
    [
        "Pets on request only",
        "Haustiere nicht gestattet",
        "No se admiten mascotas",
        "Les animaux sont refusés",
        "Animali non ammessi",
        "Zakaz wprowadzania zwierząt",
        "Animais não são permitidos",
    ],
)
def test_a_rule_about_pets_comes_before_the_facility(line):
    page = page_of(details=build.details(facilities=("Pets allowed",), policies=(line,)))
    assert ("Pets", line) in [(fact.heading, fact.text) for fact in page.facts]


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        (("Breakfast included", "Breakfast included"), "Included in every offer"),
        (("Breakfast included", "Double"), "Included in some offers"),
        (("Breakfast included", "Breakfast included: no"), "Included in some offers"),
    ],
)
def test_breakfast_is_a_fact_of_the_offers(rates, said):
    offers = [build.offer(rate=rate, provider=code) for rate, code in zip(rates, "AB", strict=True)]
    page = page_of(listing=build.priced(*offers))
    assert ("Breakfast", said) in [(fact.heading, fact.text) for fact in page.facts]


def test_an_address_without_dates_offers_to_choose_them():
    page = page_of(listed=False, no_offers=NoOffers.NO_DATES)
    html = html_of(page)
    assert page.stay == ""
    assert "2026" not in page.head.title
    form = html[html.index('class="stay-box__dates"') : html.index("</form>", html.index("stay-box__dates"))]
    assert 'action="/hotels/AAA/AAA-1/"' in form
    assert {"place", "guests", "currency", "market", "checkin", "checkout"} == set(
        re.findall(r'name="(\w+)"', form)
    )


def test_an_address_without_dates_is_passed_on_without_dates():
    """Those of its search are the usual ones, which nobody chose."""
    found = build.found_property(listed=False, no_offers=NoOffers.NO_DATES)
    page = PropertyPage(build.context(), found, origin="https://hotels.example")
    undated = "/hotels/AAA/AAA-1/?place=Barcelona&guests=2&currency=EUR&market=en-gb"
    assert page.head.canonical == undated
    assert page.share == f"https://hotels.example{undated}"


def test_a_priced_hotel_can_be_asked_for_other_dates_in_place():
    html = html_of(page_of())
    fold = html[html.index('<details class="stay-box__other">') :]
    fold = fold[: fold.index("</details>")]
    assert fold.startswith('<details class="stay-box__other"><summary>Other dates</summary>')
    assert 'action="/hotels/AAA/AAA-1/"' in fold
    assert '<input type="hidden" name="guests" value="2">' in fold
    assert 'name="checkin" type="date" value="2026-12-03"' in fold


def test_other_dates_keep_the_order_and_the_filters():
    refinement = Refinement(
        sort=Sort.RATING, free_cancellation=True, facility=("GYM", "SPA"), near="BCN", all=True
    )
    found = build.found_property(listed=False, no_offers=NoOffers.NOT_OFFERED)
    form = PropertyPage(build.context(refinement=refinement), found).dates_form
    assert {*form.hidden} - {*build.SEARCH.pairs()} == {
        ("sort", "rating"),
        ("facility", "GYM"),
        ("facility", "SPA"),
        ("free_cancellation", "1"),
        ("near", "BCN"),
    }


@pytest.mark.parametrize(
    ("why", "asked"), [(NoOffers.NOT_OFFERED, True), (NoOffers.BEYOND, False), (NoOffers.UNAVAILABLE, False)]
)
def test_other_dates_are_asked_for_only_where_they_may_help(why, asked):
    assert ("stay-box__dates" in html_of(page_of(listed=False, no_offers=why))) is asked


def test_visitors_may_share_and_print_a_page_that_has_an_address():
    page = PropertyPage(build.context(), build.found_property(), origin="https://hotels.example")
    html = html_of(page)
    assert 'data-url="https://hotels.example/hotels/AAA/AAA-1/?place=Barcelona' in html
    assert "<print-button>" in html
    assert "<share-sheet" not in html_of(page_of())
