"""The one headline price: the rules of the total, and the order of offers."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Distance, Facility, GuestRating, Property
from search.domain.money import Money
from search.domain.offers import (
    MAX_OFFERS,
    Listing,
    Offer,
    Price,
    PriceBasis,
    PriceRules,
    Surcharge,
    SurchargeMode,
    as_one_listing,
    before_discount,
    headline,
    price_rank,
    ranked_offers,
    stay_total,
)
from tests import builders as build
from tests.builders import euros
from tests.rows import each

RULES = PriceRules()


def customer(amount: str, currency: str = "EUR") -> Price:
    return Price(Money(Decimal(amount), currency))


def an_offer(price: Price | None = None, **changes) -> Offer:
    return Offer(**{"provider": "ACME", "property_id": "1", "rate": "Double room", "price": price, **changes})


def a_listing(*offers: Offer, key: str = "k") -> Listing:
    building = Property(key, "ACME", "1", "Hotel", "", "", "", "", None, None, None, (), "HOTEL")
    return Listing(building, offers, None)


def test_surcharges_are_added_to_the_price():
    total = stay_total(an_offer(customer("390"), surcharges=(Surcharge("TAX", customer("22.60")),)), RULES, 3)
    assert total.total == euros("412.60")
    assert total.per_night.amount == Decimal("412.60") / 3


UNREADABLE_ONE, FOREIGN, FREE = Price(), customer("30", "MAD"), customer("0", "MAD")


@pytest.mark.parametrize("mode", SurchargeMode)
@pytest.mark.parametrize(
    "due", [(), (customer("7"),), (UNREADABLE_ONE,), (FOREIGN,), (FREE,), (FOREIGN, FREE)]
)
def test_what_a_row_sorts_by_is_what_a_card_says(mode, due):
    rules = PriceRules(surcharges=mode, basis=PriceBasis.NIGHT)
    offer = an_offer(customer("390"), surcharges=tuple(Surcharge("TAX", one) for one in due))
    card = stay_total(offer, rules, 3)
    assert headline(euros("390"), offer.due_on(euros("390")), rules, 3) == (
        card.total,
        card.added,
        card.complete,
    )


def test_equal_offers_of_a_provider_go_by_identifier():
    offers = (an_offer(customer("9"), property_id=one) for one in ("b", "c", "a"))
    ranked = ranked_offers(a_listing(*offers), RULES, 1, "EUR")
    assert [one.offer.property_id for one in ranked] == ["a", "b", "c"]


@each(
    ("due", "total", "apart"),
    [
        ((customer("22.60"), customer("7"), customer("0.40")), "420", None),
        ((Price(None, euros("30")),), "420", None),
        ((Price(euros("0"), euros("30")),), "420", None),
        ((Price(None, Money(Decimal(30), "MAD")),), "390", Money(Decimal(30), "MAD")),
        ((customer("9", "USD"),), "390", Money(Decimal(9), "USD")),
    ],
)
def test_surcharges_in_the_price_s_currency_are_added(due, total, apart):
    found = stay_total(an_offer(customer("390"), surcharges=[Surcharge("TAX", one) for one in due]), RULES, 1)
    assert (found.total, found.complete) == (euros(total), apart is None)
    assert found.apart == ((("TAX", apart),) if apart else ())


@pytest.mark.parametrize(
    ("price", "total"),
    [
        (Price(euros("390")), euros("420")),
        (Price(None, Money(Decimal(330), "GBP")), Money(Decimal(355), "GBP")),
        (Price(euros("390"), Money(Decimal(330), "GBP")), euros("420")),
    ],
)
def test_a_surcharge_in_two_currencies_takes_the_price_s(price, total):
    both = Price(euros("30"), Money(Decimal(25), "GBP"))
    found = stay_total(an_offer(price, surcharges=(Surcharge("TAX", both),)), RULES, 1)
    assert (found.total, found.complete) == (total, True)


def test_a_property_surcharge_of_zero_counts_as_charged():
    both = Price(euros("30"), Money(Decimal(0), "GBP"))
    price = Price(None, Money(Decimal(330), "GBP"))
    total = stay_total(an_offer(price, surcharges=(Surcharge("TAX", both),)), RULES, 1)
    assert (total.total, total.apart) == (price.property, (("TAX", euros("30")),))


def test_an_unread_surcharge_leaves_the_total_incomplete():
    unread = an_offer(customer("10"), provider="A", surcharges=(Surcharge("TAX", Price()),))
    total = stay_total(unread, RULES, 1)
    assert (total.complete, total.unread) == (False, ("TAX",))
    ranked = ranked_offers(a_listing(unread, an_offer(customer("50"), provider="B")), RULES, 1, "EUR")
    assert [one.offer.provider for one in ranked] == ["B", "A"]


def test_prices_that_include_surcharges_miss_nothing():
    rules = PriceRules(surcharges=SurchargeMode.INCLUDED)
    surcharges = (Surcharge("TAX", customer("9", "USD")), Surcharge("FEE", Price()))
    total = stay_total(an_offer(customer("390"), surcharges=surcharges), rules, 1)
    assert (total.total, total.complete, total.apart, total.unread) == (euros("390"), True, (), ())


def test_a_price_of_zero_is_no_price():
    assert stay_total(an_offer(customer("0")), RULES, 1) is None
    assert (
        stay_total(an_offer(customer("0"), surcharges=(Surcharge("TAX", customer("5")),)), RULES, 1) is None
    )


def test_a_free_offer_never_leads_the_others():
    free, paid = an_offer(customer("0.00"), provider="A"), an_offer(customer("60"), provider="B")
    ranked = ranked_offers(a_listing(free, paid), RULES, 1, "EUR")
    assert [one.offer.provider for one in ranked] == ["B", "A"]


def test_equal_totals_are_in_the_admins_order_of_providers():
    offers = [an_offer(customer("60"), provider=code) for code in ("B", "Y", "A", "Z")]
    cheap, rules = an_offer(customer("50"), provider="C"), PriceRules(providers=("Z", "Y"))
    ranked = ranked_offers(a_listing(*offers, cheap), rules, 1, "EUR")
    assert [one.offer.provider for one in ranked] == ["C", "Z", "Y", "A", "B"]


def test_included_surcharges_are_named_but_not_added():
    rules = PriceRules(surcharges=SurchargeMode.INCLUDED)
    total = stay_total(an_offer(customer("390"), surcharges=(Surcharge("TAX", customer("22.60")),)), rules, 3)
    assert total.total == euros("390")
    assert total.surcharges == (("TAX", euros("22.60")),)


@each(
    ("due", "mode", "named"),
    [
        ((customer("7"),), SurchargeMode.INCLUDED, True),
        ((FREE,), SurchargeMode.INCLUDED, True),
        ((Price(euros("7"), Money(Decimal(30), "MAD")),), SurchargeMode.INCLUDED, True),
        ((Price(Money(Decimal(30), "MAD"), euros("7")),), SurchargeMode.INCLUDED, True),
        ((customer("7"), FOREIGN), SurchargeMode.INCLUDED, False),
        ((UNREADABLE_ONE,), SurchargeMode.INCLUDED, False),
        ((UNREADABLE_ONE, FOREIGN), SurchargeMode.ADDED, True),
    ],
)
def test_included_surcharges_are_summed_where_all_are_known(due, mode, named):
    offer = an_offer(customer("390"), surcharges=tuple(Surcharge("TAX", one) for one in due))
    assert stay_total(offer, PriceRules(surcharges=mode), 1).names_all_surcharges is named


def test_a_price_per_night_is_multiplied_by_the_nights():
    offer = an_offer(customer("100"), surcharges=(Surcharge("TAX", customer("5")),))
    assert stay_total(offer, PriceRules(basis=PriceBasis.NIGHT), 2).total == euros("210")


def test_a_struck_price_needs_numbers_that_agree():
    for original, percent, shown in [
        ("100", 10, True), ("100", 11, True), ("100", 12, False), ("100", 9, True), ("100", 8, False),
        ("90.90", 1, True), ("90.50", 0, False), ("90", 1, False), ("90", 10, False), ("80", 0, False),
        ("100", 0, False),
    ]:  # fmt: skip
        offer = an_offer(customer("90"), original_price=customer(original), discount_percent=percent)
        total = stay_total(offer, RULES, 1)
        told = (euros(original), 1 if original == "90.90" else 10) if shown else (None, 0)
        assert (total.before_discount, total.discount_percent) == told, (original, percent, shown)


@each(("surcharge", "percent"), [("0", 25), ("3", 24), ("30", 19), ("100", 13), ("6000", 0)])
def test_the_percentage_is_that_of_the_two_totals_beside_it(surcharge, percent):
    """Nothing comes off a surcharge, which is in both."""
    taxes = Surcharge("TAX_AND_FEES", customer(surcharge))
    offer = an_offer(customer("75"), original_price=customer("100"), discount_percent=25, surcharges=(taxes,))
    total = stay_total(offer, RULES, 1)
    assert total.discount_percent == percent
    assert total.before_discount == (euros(100 + int(surcharge)) if percent else None)


def test_a_struck_price_in_another_currency_is_not_shown():
    offer = an_offer(customer("90"), original_price=customer("100", "USD"), discount_percent=10)
    assert stay_total(offer, RULES, 1).before_discount is None


def test_the_struck_price_carries_the_same_surcharges():
    offer = an_offer(
        customer("390"),
        original_price=customer("433.33"),
        discount_percent=10,
        surcharges=(Surcharge("TAX", customer("22.60")),),
    )
    assert stay_total(offer, RULES, 3).before_discount == euros("455.93")


def test_travel_credit_is_a_reward_and_never_subtracted():
    total = stay_total(an_offer(customer("390"), credit=euros("19.50")), RULES, 1)
    assert total.total == euros("390")
    assert total.credit == euros("19.50")


def test_the_propertys_currency_is_told_only_when_it_is_another():
    same = Price(euros("10"), euros("10"))
    other = Price(euros("10"), Money(Decimal("0.50"), "GBP"))
    assert stay_total(an_offer(same), RULES, 1).in_property_currency is None
    assert stay_total(an_offer(other), RULES, 1).in_property_currency == Money(Decimal("0.50"), "GBP")


@each(
    ("due", "mode", "charged"),
    [
        ((Price(euros("20"), Money(Decimal(17), "GBP")),), SurchargeMode.ADDED, "102"),
        ((Price(euros("20"), Money(Decimal(17), "GBP")),), SurchargeMode.INCLUDED, "85"),
        ((Price(None, Money(Decimal(17), "GBP")), customer("3", "GBP")), SurchargeMode.ADDED, "105"),
        ((customer("0"),), SurchargeMode.ADDED, "85"),
        ((customer("20"),), SurchargeMode.ADDED, None),
        ((customer("20"),), SurchargeMode.INCLUDED, "85"),
        ((Price(),), SurchargeMode.ADDED, None),
    ],
)
def test_the_property_s_total_holds_all_surcharges_or_is_none(due, mode, charged):
    price = Price(euros("100"), Money(Decimal(85), "GBP"))
    offer = an_offer(price, surcharges=tuple(Surcharge("TAX", one) for one in due))
    for basis, factor in ((PriceBasis.STAY, 1), (PriceBasis.NIGHT, 3)):
        total = stay_total(offer, PriceRules(mode, basis), 3)
        expected = charged and Money(Decimal(charged) * factor, "GBP")
        assert (total.property_price, total.in_property_currency) == (price.property.times(factor), expected)


def test_offers_without_a_price_have_no_total():
    assert stay_total(an_offer(None), RULES, 1) is None
    assert stay_total(an_offer(Price(), credit=euros("1")), RULES, 1) is None


def test_comparable_incomplete_foreign_then_missing_totals():
    cheap, dear = an_offer(customer("50"), provider="B"), an_offer(customer("60"), provider="A")
    apart = an_offer(customer("10"), provider="C", surcharges=(Surcharge("TAX", customer("1", "USD")),))
    foreign, missing = an_offer(customer("5", "JPY"), provider="D"), an_offer(None, provider="E")
    ranked = ranked_offers(a_listing(missing, foreign, apart, dear, cheap), RULES, 1, "EUR")
    assert [one.offer.provider for one in ranked] == ["B", "A", "C", "D", "E"]


def test_listings_of_one_property_are_united_in_first_order():
    first = a_listing(an_offer(provider="A"), key="x")
    again = a_listing(an_offer(provider="C"), an_offer(provider="A"), key="x")
    again = msgspec.structs.replace(again, property=Property("x", "ACME", "2", "Another name"))
    one = as_one_listing([first, again])
    assert one.property == first.property
    assert [offer.provider for offer in one.offers] == ["A", "C"]


@pytest.mark.parametrize(("first", "again"), [("100", "180"), ("180", "100")])
def test_an_offer_that_comes_again_is_the_dearer_one(first, again):
    cheap, other = an_offer(customer("90")), an_offer(customer("70"), rate="Suite")
    listings = [
        a_listing(cheap, an_offer(customer(first))),
        a_listing(cheap, an_offer(customer(again)), other),
    ]
    one = as_one_listing(listings)
    assert [str(offer.price.customer.amount) for offer in one.offers] == ["90", "180", "70"]


def test_an_offer_in_another_currency_is_another_offer():
    listings = [a_listing(an_offer(customer("100", currency))) for currency in ("EUR", "USD")]
    assert [offer.price.customer.currency for offer in as_one_listing(listings).offers] == ["EUR", "USD"]


def test_later_listings_tell_what_the_first_does_not():
    bare = Listing(Property("x", "ACME", "", "Hotel", rating=GuestRating(None, "GOOD")), (), None)
    told = build.building(key="x", provider="OTHER", id="7")
    rich = Listing(told, (), Distance(Decimal("1.2"), "KM"))
    one = as_one_listing([bare, rich, Listing(build.building(stars=2), (), None)])
    assert one.property == msgspec.structs.replace(told, provider="ACME", id="", name="Hotel")
    assert one.distance == rich.distance
    assert as_one_listing([rich, bare]) == rich
    assert as_one_listing([bare, bare]) == bare


def test_a_listing_is_known_by_who_describes_and_offers_it():
    listed = a_listing(an_offer(provider="A", property_id="7"), key="x")
    assert listed.all_keys() == {"x", "ACME:1", "A:7"}
    nameless = msgspec.structs.replace(listed, property=Property("x", "", ""))
    assert nameless.all_keys() == {"x", "A:7"}


@each(("own", "asked"), [("80", "80"), ("0.50", "0.50"), ("0", None), ("0.004", None)])
def test_a_price_told_to_the_property_alone_is_the_price(own, asked):
    total = stay_total(an_offer(Price(None, euros(own))), RULES, 1)
    assert (total and total.total) == (asked and euros(asked))


def test_of_a_property_sent_often_the_lowest_totals_are_kept():
    entries = [
        a_listing(*(an_offer(customer(f"{100 - page}"), provider=f"{page}-{one}") for one in range(20)))
        for page in range(9)
    ]
    one = as_one_listing(entries)
    assert len(one.offers) == MAX_OFFERS
    assert {offer.provider[0] for offer in one.offers} == {"7", "8"}


def test_two_currencies_never_mix():
    with pytest.raises(ValueError, match="don't mix"):
        euros("1") + Money(Decimal(1), "USD")
    with pytest.raises(ValueError, match="don't mix"):
        _ = euros("1") < Money(Decimal(1), "USD")


amounts = st.decimals(0, 10_000, places=2)


def test_offers_are_ranked_by_their_totals_of_the_whole_stay():
    rules = PriceRules(basis=PriceBasis.NIGHT)
    offers = (an_offer(customer("90")), an_offer(customer("80")))
    first, second = ranked_offers(a_listing(*offers), rules, 3, "EUR")
    assert (first.total.total, second.total.total) == (euros("240"), euros("270"))


@given(st.lists(st.tuples(st.one_of(st.none(), amounts), st.sampled_from(["EUR", "USD", "JPY"])), max_size=8))
def test_any_mixture_of_offers_has_one_order(prices):
    offers = [
        an_offer(Price(Money(amount, code)) if amount is not None else None, provider=str(number))
        for number, (amount, code) in enumerate(prices)
    ]
    forward = ranked_offers(a_listing(*offers), RULES, 2, "EUR")
    assert forward == ranked_offers(a_listing(*reversed(offers)), RULES, 2, "EUR")
    assert len(forward) == len(offers)


def test_each_standing_has_a_rank_and_currencies_are_apart():
    apart = an_offer(customer("10"), provider="C", surcharges=(Surcharge("TAX", customer("1", "USD")),))
    foreign, missing = an_offer(customer("5", "JPY"), provider="D"), an_offer(None, provider="E")
    ranked = ranked_offers(a_listing(an_offer(customer("50")), apart, foreign, missing), RULES, 1, "EUR")
    assert [price_rank(one, "EUR")[:3] for one in ranked] == [
        (0, "", Decimal(50)),
        (1, "", Decimal(10)),
        (2, "JPY", Decimal(5)),
        (3, "", Decimal(0)),
    ]


def test_per_night_everything_is_multiplied_by_the_nights():
    gbp, usd = Money(Decimal("80"), "GBP"), Money(Decimal("7"), "USD")
    offer = an_offer(
        Price(euros("90"), gbp),
        credit=euros("2"),
        original_price=customer("100"),
        discount_percent=10,
        surcharges=(Surcharge("TAX", Price(euros("5"), gbp)), Surcharge("FEE", Price(usd, gbp))),
    )
    total = stay_total(offer, PriceRules(basis=PriceBasis.NIGHT), 3)
    assert (total.price, total.total, total.per_night) == (euros("270"), euros("285"), euros("95"))
    assert (total.before_discount, total.discount_percent) == (euros("315"), 10)
    assert total.surcharges == (("TAX", euros("15")),)
    assert total.apart == (("FEE", Money(Decimal(21), "USD")),)
    assert (total.in_property_currency, total.credit) == (gbp.times(9), euros("6"))


def test_a_surcharge_below_one_counts_and_one_of_zero_is_none():
    small, zero = Price(euros("0.50"), euros("7")), Price(euros("0"), euros("0"))
    surcharges = (Surcharge("TAX", small), Surcharge("FEE", zero), Surcharge("LEVY", customer("0", "USD")))
    total = stay_total(an_offer(customer("390"), surcharges=surcharges), RULES, 1)
    assert (total.total, total.complete) == (euros("390.50"), True)
    assert total.surcharges == (("TAX", euros("0.50")),)


def test_a_price_below_one_is_a_price():
    assert stay_total(an_offer(customer("0.50")), RULES, 1).total == euros("0.50")


@pytest.mark.parametrize(("mode", "later"), [("PAY_LATER", True), ("PAY_NOW", False), ("", False)])
def test_one_code_means_that_payment_is_due_later(mode, later):
    assert an_offer(payment_mode=mode).pay_later is later


def test_breakfast_is_in_the_price_only_where_the_offer_says_so():
    for code, rate, held in [
        ("FREE_BREAKFAST", "Double room", True), ("breakfast_included", "", True),
        ("BREAKFAST", "Double room", False), ("WIFI", "Flexible rate, breakfast included", True),
        ("", "Breakfast Included", True), ("", "No breakfast included", False),
        ("", "Without breakfast included", False), ("", "Breakfast room with a view", False),
        ("", "Breakfast included: no", False), ("", "Breakfast included (no), free cancellation", False),
        ("", "Breakfast Included - extra charge", False),
        ("", "Room, breakfast included at extra cost", False), ("", "Breakfast included (+EUR 15)", False),
        ("", "Breakfast included for 12.50 €", False), ("", "Not breakfast included", False),
        ("", "Excl. breakfast included in half board", False),
        ("", "Double, breakfast included not available", False),
        ("", "Breakfast included, no prepayment", True), ("", "Breakfast included - non-refundable", False),
        ("", "Breakfast included, no-smoking room", True),
        ("", "Double (breakfast included)", True), ("", "Breakfast included, €20 credit", True),
        ("", "Half board or breakfast included", True),
    ]:  # fmt: skip
        assert an_offer(rate=rate, facilities=(Facility(code),)).breakfast is held


@each(
    ("code", "description", "held"),
    [
        ("BREAKFAST", "Breakfast included", True),
        ("", "Free breakfast", True),
        ("Breakfast (included)", "", True),
        ("BREAKFAST", "Breakfast not included", False),
        ("BREAKFAST", "Breakfast for a fee", False),
    ],
)
def test_a_facility_may_say_that_breakfast_is_included(code, description, held):
    assert an_offer(facilities=(Facility(code, description),)).breakfast is held


def test_breakfast_that_is_charged_for_is_not_in_the_price():
    assert not an_offer(facilities=(Facility("FREE_BREAKFAST", "", "CHARGEABLE"),)).breakfast


@pytest.mark.parametrize("asked", [None, euros("0")])
def test_a_price_in_the_property_s_currency_is_the_price(asked):
    pounds = Money(Decimal(80), "GBP")
    before = Price(None, Money(Decimal(100), "GBP"))
    offer = an_offer(Price(asked, pounds), original_price=before, discount_percent=20)
    total = stay_total(offer, RULES, 1)
    assert (total.total, total.before_discount, total.in_property_currency) == (pounds, before.property, None)
    dearer, cheaper = an_offer(customer("390")), an_offer(Price(asked, euros("380")))
    ranked = ranked_offers(a_listing(offer, dearer, cheaper), RULES, 1, "EUR")
    assert [one.offer for one in ranked] == [cheaper, dearer, offer]


def test_a_property_price_of_zero_is_none():
    nothing = Price(euros("10"), Money(Decimal("0.00"), "GBP"))
    assert stay_total(an_offer(nothing), RULES, 1).in_property_currency is None


@each(
    ("price", "tax", "currency", "total"),
    [
        ("390.30000000000001", "22.3", "EUR", "412.60"),
        ("390.005", "0.003", "EUR", "390.01"),
        ("12345.67", "0.9", "JPY", "12347"),
        ("12.3456", "0.0004", "KWD", "12.346"),
    ],
)
def test_a_total_has_no_more_decimals_than_its_currency(price, tax, currency, total):
    offer = an_offer(customer(price, currency), surcharges=(Surcharge("TAX", customer(tax, currency)),))
    assert stay_total(offer, RULES, 1).total == Money(Decimal(total), currency)


def test_a_price_that_would_read_as_zero_is_none():
    assert stay_total(an_offer(customer("0.004")), RULES, 1) is None
    assert (
        stay_total(an_offer(customer("0.4", "JPY"), surcharges=(Surcharge("TAX", customer("5")),)), RULES, 1)
        is None
    )


def test_a_price_before_discount_that_reads_alike_is_not_shown():
    offer = an_offer(customer("390"), original_price=customer("390.003"), discount_percent=1)
    total = stay_total(offer, RULES, 1)
    assert (before_discount(offer), total.before_discount, total.discount_percent) == (None, None, 0)
