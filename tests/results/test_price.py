"""The price block: one number everywhere, everything else beside it."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from search.domain.hotels import Facility
from search.domain.money import Money
from search.domain.offers import Listing, Price, PriceBasis, Surcharge
from search.domain.query import Refinement
from search.domain.site_settings import ProviderEntry, Site
from search.results.card import ListingCard
from search.results.listings import priced
from search.results.page import ResultsPage
from search.results.selection import Standing
from search.web.translation import override
from tests import builders as build
from tests.rendering import component_html
from tests.rows import each


def card_of(*offers, asked=None, site=None, **changes) -> ListingCard:
    asked = asked or build.SEARCH
    found = build.found(build.priced(*offers, of=asked, **changes))
    return ResultsPage(build.context(asked, site=site), found).cards[0]


def test_the_total_holds_the_surcharges_and_says_what_it_is_for():
    price = card_of(build.offer("390.00")).best.price
    assert price.total == "€412.60"
    assert price.notes.split("\n") == [
        "3 nights, 2 guests",
        "incl. €22.60 taxes and fees",
        "€137.53 per night",
    ]


@each(
    ("kinds", "said"),
    [
        (("CLEANING_FEE",), "incl. €6.35 cleaning fee"),
        (("ECO_TAX",), "incl. €6.35 eco tax"),
        (("10% VAT",), "incl. €6.35 10% VAT"),
        (("MwSt.",), "incl. €6.35 MwSt."),
        (("Resort fee in USD",), "incl. €6.35 resort fee in USD"),
        (("CLEANING_FEE", "CLEANING_FEE"), "incl. €12.70 cleaning fee"),
        (("TAX_AND_FEES",), "incl. €6.35 taxes and fees"),
        (("CITY_TAX", "CLEANING_FEE"), "incl. €12.70 taxes and fees"),
        ((), ""),
    ],
)
def test_what_is_included_is_called_by_its_name(kinds, said):
    surcharges = tuple(Surcharge(kind, build.price("6.35")) for kind in kinds)
    notes = card_of(build.offer("390.00", surcharges=surcharges)).best.price.notes.split("\n")
    assert [line for line in notes if line.startswith("incl.")] == ([said] if said else [])


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [("41260", "JPY", "JP¥41,260"), ("41.2605", "KWD", "KWD 41.260"), ("412.6", "PLN", "PLN 412.60")],
)
def test_an_amount_has_the_decimals_of_its_currency(amount, currency, shown):
    asked = build.search(currency=currency)
    offer = build.offer(price=build.price(amount, currency), surcharges=())
    assert card_of(offer, asked=asked).best.price.total.replace("\u00a0", " ") == shown


def test_a_discount_needs_numbers_that_agree():
    honest = build.offer("390.00", original_price=build.price("433.33"), discount_percent=10)
    boasting = build.offer("390.00", original_price=build.price("433.33"), discount_percent=50)
    assert card_of(honest).best.price.before == "€455.93"
    assert card_of(honest).best.price.discount == "\u221210%"
    assert card_of(boasting).best.price.before == ""


def test_a_price_before_discount_says_what_came_off():
    card = card_of(build.offer("390.00", original_price=build.price("433.33"), discount_percent=10))
    assert card.promises[0] == "€455.93 before discount (\u221210%)"
    assert card.promises[0] in card.offers[0].summary


def test_a_charge_in_the_currency_of_the_property_names_its_rate():
    own, taxes = Money(Decimal("351.00"), "GBP"), Money(Decimal("20.30"), "GBP")
    surcharges = (Surcharge("TAX_AND_FEES", build.price("22.60", property=taxes)),)
    price = card_of(build.offer(price=build.price("390.00", property=own), surcharges=surcharges)).best.price
    assert price.total == "€412.60"
    assert price.own_currency == "£371.30 charged in the hotel's currency"
    assert price.implied_rate == "1 GBP ≈ 1.111 EUR"


def test_a_charge_in_the_hotel_s_currency_names_what_it_lacks():
    own = Money(Decimal("351.00"), "GBP")
    price = card_of(build.offer(price=build.price("390.00", property=own))).best.price
    assert price.total == "€412.60"
    assert price.own_currency == "£351.00 charged in the hotel's currency, before surcharges"


@each(
    ("amount", "currency", "own", "said"),
    [
        ("151230", "HUF", Money(Decimal("390.00"), "EUR"), "1 EUR ≈ 387.769 HUF"),
        ("390.00", "EUR", Money(Decimal("10500000"), "VND"), "1 EUR ≈ 26,923.077 VND"),
        ("10500000", "VND", Money(Decimal("390.00"), "EUR"), "1 EUR ≈ 26,923.077 VND"),
        ("390.00", "EUR", Money(Decimal("390.00"), "XTS"), "1 EUR ≈ 1 XTS"),
        ("1", "KWD", Money(Decimal("3900000"), "IRR"), "1 KWD ≈ 3,900,000 IRR"),
        ("1", "EUR", Money(Decimal("100000001"), "JPY"), ""),
    ],
)
def test_a_rate_is_told_from_the_larger_unit(amount, currency, own, said):
    offer = build.offer(price=build.price(amount, currency, property=own), surcharges=())
    assert card_of(offer, asked=build.search(currency=currency)).best.price.implied_rate == said


def test_a_foreign_surcharge_stands_beside_the_total():
    city_tax = Surcharge("CITY_TAX", build.price("120", "MAD"))
    best = card_of(build.offer("390.00", surcharges=(city_tax,))).best
    assert best.price.total == "€390.00"
    assert best.price.apart.replace("\u00a0", " ") == "plus MAD 120.00 city tax, not in this total"
    assert best.note == "Not the whole price: a surcharge comes on top"
    assert best.lines == ()


def test_surcharges_of_one_name_are_told_once():
    """A gateway may charge a tax by the room and by the person."""
    inside = (Surcharge("CITY_TAX", build.price(amount)) for amount in ("2.50", "1.25"))
    fee = Surcharge("CLEANING_FEE", build.price("30"))
    best = card_of(
        build.offer("390.00", surcharges=(*inside, fee, Surcharge("city_tax", build.price("1"))))
    ).best
    assert best.lines == ("City tax €4.75", "Cleaning fee €30.00")
    assert best.price.total == "€424.75"
    beside = [Surcharge("CITY_TAX", build.price(*one)) for one in (("3", "CHF"), ("2", "CHF"), ("9", "MAD"))]
    unread = Surcharge("CITY_TAX", Price())
    best = card_of(build.offer("390.00", surcharges=(*beside, unread, unread))).best
    said = "plus CHF 5.00 city tax + MAD 9.00 city tax + city tax, not in this total"
    assert best.price.apart.replace("\u00a0", " ") == said


@pytest.mark.parametrize(("language", "line"), [("en", "Surcharge €3.50"), ("fr", "Supplément €3.50")])
def test_a_surcharge_of_no_kind_has_a_name_beside_its_amount(language, line):
    surcharges = (Surcharge("PALACE_LEVY", build.price("2.50")), Surcharge("", build.price("3.50")))
    with override(language):
        best = card_of(build.offer("390.00", surcharges=surcharges)).best
    assert best.lines == ("Palace levy €2.50", line)


def test_every_row_of_an_offer_shows_what_its_total_leaves_out():
    city_tax = Surcharge("CITY_TAX", build.price("120", "MAD"))
    card = card_of(build.offer("390.00", surcharges=(city_tax,)), build.offer("380.00", provider="BBB"))
    row = next(offer for offer in card.offers if offer.price.apart)
    html = component_html("components/offer_row.html", row)
    assert f'<strong class="offer-row__apart">{row.price.apart}</strong>' in html


def test_a_deposit_is_shown_in_the_currency_that_names_an_amount():
    pounds = Money(Decimal(50), "GBP")
    for given in (pounds, Money(Decimal(0), "EUR"), None):
        deposit = Price(given, pounds)
        assert card_of(build.offer(deposit=deposit)).best.price.deposit == "Deposit £50.00"
    assert card_of(build.offer(deposit=build.price("0"))).best.price.deposit == ""


def test_a_deposit_counts_as_often_as_the_price_beside_it():
    nightly = build.context(site=Site(price_basis=PriceBasis.NIGHT))
    offer = build.offer("100", deposit=build.price("20"))
    found = build.found(priced(Listing(build.building(), (offer,), None), nightly))
    best = ResultsPage(nightly, found).cards[0].best
    assert (best.price.total, best.price.deposit) == ("€367.80", "Deposit €60.00")


def test_the_card_leads_with_the_cheapest_offer():
    site = Site(providers=(ProviderEntry("BBB", "Booking Bureau"),))
    card = card_of(build.offer("390.00"), build.offer("310.00", provider="BBB"), site=site)
    assert card.best.provider == "Booking Bureau"
    assert [offer.price.total for offer in card.offers] == ["€332.60", "€412.60"]


def test_an_offer_in_another_currency_comes_last_with_a_note():
    foreign = build.offer(price=build.price("10", "USD"), provider="AAA", surcharges=())
    card = card_of(foreign, build.offer("390.00", provider="BBB"))
    assert card.best.price.total == "€412.60"
    assert card.offers[1].price.total == "US$10.00"
    assert card.offers[1].note == "Priced in USD, so not compared with the others"


BREAKFAST = "Double, breakfast included"


@pytest.mark.parametrize(
    ("dearer", "first", "flexibility"),
    [
        ({"free_cancellation": True}, "+ €14.00 for free cancellation", "+ €14.00 for free cancellation"),
        (
            {"free_cancellation": True, "rate": BREAKFAST},
            "+ €14.00 for free cancellation and breakfast",
            "+ €14.00 for free cancellation and breakfast",
        ),
        ({"rate": BREAKFAST}, "+ €14.00 for breakfast", ""),
    ],
)
def test_the_next_step_says_what_it_costs_and_brings(dearer, first, flexibility):
    card = card_of(build.offer("390.00"), build.offer("404.00", provider="BBB", **dearer))
    assert (card.promises[0], card.flexibility) == (first, flexibility)


@each(
    ("code", "description", "promised"),
    [
        ("BREAKFAST", "Breakfast included", ("Breakfast included",)),
        ("", "Breakfast included", ("Breakfast included",)),
        ("BREAKFAST", "", ("Breakfast",)),
        ("BREAKFAST", "Breakfast not included", ("Breakfast (charge)",)),
    ],
)
def test_a_card_promises_breakfast_in_the_words_of_its_facility(code, description, promised):
    card = card_of(build.offer("390.00", facilities=(Facility(code, description),)))
    assert (card.best.promises, card.best.facilities) == (promised, ())


def test_breakfast_included_in_words_costs_nothing_more():
    held = build.offer("390.00", facilities=(Facility("", "Breakfast included"),))
    dearer = build.offer("395.00", provider="BBB", facilities=(build.facility("FREE_BREAKFAST"),))
    assert card_of(held, dearer).promises[0] == "Breakfast included"


@pytest.mark.parametrize(
    ("currency", "less", "more"), [("EUR", "390.001", "390.002"), ("JPY", "390.1", "390.2")]
)
def test_a_step_that_adds_less_than_the_smallest_unit_is_none(currency, less, more):
    plain = build.offer(price=build.price(less, currency), surcharges=())
    free = build.offer(
        provider="BBB", price=build.price(more, currency), surcharges=(), free_cancellation=True
    )
    card = card_of(plain, free, asked=build.search(currency=currency))
    assert card.promises[0] == "Free cancellation for the same total"
    assert len(card.ladder) == 1


@each(
    ("total", "said"),
    [
        ("150.01", ""),
        ("135.01", ""),
        ("135.00", "Good price · €15 less than similar hotels"),
        ("120.00", "Great price · €30 less than similar hotels"),
    ],
)
def test_a_good_price_is_said_from_a_tenth_less_on(total, said):
    standing = Standing(57, Decimal(150), Decimal(total), Decimal(120))
    found = build.found(replace(build.priced(build.offer(total)), standing=standing))
    assert ResultsPage(build.context(), found).cards[0].value == said


@pytest.mark.parametrize(
    ("asked", "first"), [("deals", "€455.93 before discount (\u221210%)"), ("pay_later", "Pay later")]
)
def test_a_card_promises_what_the_filters_ask_for_first(asked, first):
    reduced = build.offer(
        "390.00", original_price=build.price("433.33"), discount_percent=10, payment_mode="PAY_LATER"
    )
    priced = build.priced(reduced, build.offer("300.00", provider="BBB", free_cancellation=True))
    led = replace(priced, offers=priced.offers[::-1])
    card = ResultsPage(build.context(refinement=Refinement(**{asked: True})), build.found(led)).cards[0]
    assert card.promises[0] == first
    assert card.offers_summary == "2 offers · cheapest €322.60"


def test_steps_say_their_total_and_what_they_add():
    flexible = build.offer("404.00", provider="BBB", free_cancellation=True)
    card = card_of(flexible, build.offer("390.00"))
    said = [
        (one.title, one.offer.price.total, one.more, one.offer.provider, one.number) for one in card.ladder
    ]
    assert said == [
        ("Cheapest", "€412.60", "", "AAA", 1),
        ("Free cancellation", "€426.60", "+\u00a0€14.00", "BBB", 2),
    ]


def test_without_a_price_the_property_stays_without_a_pin():
    card = card_of(build.offer(None))
    assert card.best is None
    assert card.pin == ""
    assert card.href.startswith("/hotels/AAA/AAA-1/?place=Barcelona")


def test_codes_nobody_knows_are_read_out():
    odd = build.offer(
        payment_mode="PAY_IN_GOLD", promo_type="LuckyDay", facilities=(build.facility("ROOF_GARDEN"),)
    )
    card = card_of(odd, type="TREE_HOUSE")
    assert card.best.promises == ("Pay in gold", "Lucky day")
    assert card.facilities[0].text == "Roof garden"
    assert card.kind == "Tree house"
