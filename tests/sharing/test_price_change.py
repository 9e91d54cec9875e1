"""What became of a shared total, and how a recipient rearranges what was shared."""

from __future__ import annotations

from collections.abc import Callable, Container
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec.structs import replace

from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.domain.money import Money
from search.domain.offers import PriceBasis, PricedOffer, PriceRules, Surcharge, SurchargeMode, stay_total
from search.domain.query import Refinement, Sort
from search.domain.site_settings import Block, ProviderEntry, Site
from search.gateway import Unavailable
from search.results import service as results
from search.results.listings import PricedListing
from search.sharing.models import LinkKind, SharedLink, Snapshot
from search.sharing.price_change import Now, OpenedLink, OwnView, ThenAndNow, Turn, compare, described, picked
from tests import builders as build
from tests.gateway.documents import a_listing_document, an_entry, an_offer, details_document
from tests.rows import each
from tests.sharing.conftest import Market, hotel
from tests.wire import Reply

FREE = {"free_cancellation": True}
LATER = {"payment_mode": "PAY_LATER"}
ELSEWHERE = Surcharge("CITY_TAX", build.price("90", "MAD"))


def told(then: Money | None, now: PricedListing) -> ThenAndNow:
    return compare(replace(Snapshot.of(now), total=then), now)


def test_a_total_that_reads_the_same_is_the_same():
    now = build.priced(build.offer("390.0000001"))
    assert told(build.euros("412.60"), now).turn is Turn.SAME


@each(
    ("then", "turn", "difference"),
    [
        ("412.60", Turn.SAME, None),
        ("412.6", Turn.SAME, None),
        ("412.61", Turn.CHEAPER, "-0.01"),
        ("500", Turn.CHEAPER, "-87.40"),
        ("412.59", Turn.DEARER, "0.01"),
        ("100", Turn.DEARER, "312.60"),
    ],
)
def test_a_total_is_the_same_cheaper_or_dearer_by_now_minus_then(then, turn, difference):
    one = told(build.euros(then), build.priced())
    assert (one.turn, one.difference) == (turn, build.euros(difference) if difference else None)


def test_totals_that_cant_be_compared_have_no_difference():
    priced, unpriced = build.priced(), build.priced(build.offer(None))
    dollars = Money(Decimal(412), "USD")
    found = [told(dollars, priced), told(None, priced), told(dollars, unpriced), told(None, unpriced)]
    assert [one.turn for one in found] == [Turn.CURRENCY, Turn.PRICED, Turn.UNPRICED, Turn.SAME]
    assert all(one.difference is None and one.then and one.now for one in found)


@pytest.mark.parametrize("amount", ["412.60", "500"])
@pytest.mark.parametrize(("whole_then", "whole_now"), [(False, True), (True, False), (False, False)])
def test_totals_without_all_surcharges_are_not_compared(amount, whole_then, whole_now):
    now = build.priced() if whole_now else build.priced(build.offer("412.60", surcharges=(ELSEWHERE,)))
    then = replace(Snapshot.of(now), total=build.euros(amount), complete=whole_then)
    assert compare(then, now) == ThenAndNow(then, now, Turn.INCOMPLETE)


@each(
    ("then", "now", "turn"),
    [
        (PriceRules(), PriceRules(), Turn.DEARER),
        (PriceRules(), PriceRules(SurchargeMode.INCLUDED), Turn.RECOUNTED),
        (PriceRules(basis=PriceBasis.NIGHT), PriceRules(), Turn.RECOUNTED),
        (None, PriceRules(SurchargeMode.INCLUDED), Turn.DEARER),  # nobody knows
    ],
)
def test_totals_are_not_compared_after_a_change_of_counting(then, now, turn):
    shown = build.priced()
    counted = tuple(PricedOffer(one.offer, stay_total(one.offer, now, 3)) for one in shown.offers)
    before = replace(Snapshot.of(shown), total=build.euros("9"), counting=then.counting if then else "")
    assert compare(before, replace(shown, offers=counted)).turn is turn


def entry(key: str, amount: str = "100", *offers, **facts) -> ThenAndNow:
    listing = build.priced(*(offers or (build.offer(amount),)), key=key, **facts)
    return told(build.euros("100"), listing)


def gone(key: str) -> ThenAndNow:
    return replace(entry(key), now=None, turn=Turn.GONE)


def bare(one: ThenAndNow) -> ThenAndNow:
    return replace(one, now=replace(one.now, offers=()))


def keys(view: OwnView, *entries: ThenAndNow, **surroundings) -> list[str]:
    return [one.then.key for one in view.of(entries, build.context(**surroundings))]


def test_without_a_wish_all_is_as_the_sender_left_it():
    assert not OwnView().narrows
    assert keys(OwnView(), entry("b", "200"), gone("x"), entry("a")) == ["b", "x", "a"]


def test_what_is_gone_comes_last_in_every_order_but_the_senders():
    entries = gone("x"), entry("b", "200", stars=2), gone("y"), entry("a", "100", stars=1)
    assert keys(OwnView(sort=Sort.PRICE), *entries) == ["a", "b", "x", "y"]
    assert keys(OwnView(sort=Sort.STARS), *entries) == ["b", "a", "x", "y"]
    assert keys(OwnView(sort=Sort.PROVIDER), *entries) == ["b", "a", "x", "y"]


def test_an_order_goes_by_the_total_that_is_shown():
    dear_first = entry("b")
    shown = replace(
        dear_first.now, offers=build.priced(build.offer("300"), build.offer("50", "BBB")).offers[::-1]
    )
    entries = replace(dear_first, now=shown), entry("a", "200")
    assert keys(OwnView(sort=Sort.PRICE), *entries) == ["a", "b"]


def test_nearest_is_by_airport_or_by_the_gateways_distance():
    near, far = Coordinates(41.30, 2.08), Coordinates(41.9, 2.08)
    entries = entry("far", coordinates=far), entry("near", coordinates=near)
    assert keys(OwnView(sort=Sort.DISTANCE), *entries, anchor=build.AIRPORT) == ["near", "far"]
    assert keys(OwnView(sort=Sort.DISTANCE), *entries) == ["far", "near"]


@pytest.mark.parametrize(
    ("view", "passing"),
    [
        (OwnView(free_cancellation=True), ["free", "both", "apart"]),
        (OwnView(pay_later=True), ["later", "both", "apart"]),
        (OwnView(free_cancellation=True, pay_later=True), ["both"]),
    ],
)
def test_filters_are_met_by_one_offer_of_what_is_still_there(view, passing):
    entries = (
        entry("plain"),
        entry("free", "", build.offer(**FREE)),
        entry("later", "", build.offer(**LATER)),
        gone("x"),
        entry("both", "", build.offer("10"), build.offer("20", "BBB", **FREE, **LATER)),
        entry("apart", "", build.offer("10", **FREE), build.offer("20", "BBB", **LATER)),
    )
    assert view.narrows
    assert keys(view, *entries) == passing


def test_a_filter_met_by_another_offer_compares_no_prices():
    plain, free, dear = build.offer("10"), build.offer("20", "BBB", **FREE), build.offer("30", "CCC")
    one = entry("both", "", plain, free, dear)
    assert one.now.ladder[1].more == build.euros("10")
    (shown,) = OwnView(free_cancellation=True).of((one,), build.context())
    assert [priced.offer for priced in shown.now.offers] == [free, plain, dear]
    assert shown == ThenAndNow(one.then, shown.now, Turn.OTHER_OFFER)
    assert [step.more for step in shown.now.ladder] == [None]


def test_a_filter_met_by_an_offer_without_a_price_says_so():
    one = entry("both", "", build.offer("10"), build.offer(None, "BBB", **FREE))
    (shown,) = OwnView(free_cancellation=True).of((one,), build.context())
    assert (shown.turn, shown.difference) == (Turn.UNPRICED, None)


def test_a_filter_met_by_the_offer_in_front_changes_nothing():
    one = entry("both", "300", build.offer("10", **FREE), build.offer("20", "BBB"))
    assert OwnView(free_cancellation=True).of((one,), build.context()) == (one,)


def test_stars_and_distances_without_offers_are_sorted_too():
    unsold = bare(entry("unsold", stars=5))
    assert keys(OwnView(sort=Sort.STARS), entry("a", stars=4), unsold) == ["unsold", "a"]
    assert keys(OwnView(sort=Sort.PRICE), unsold, entry("a")) == ["a", "unsold"]


def porto(refinement: Refinement | None = None, **site: Any) -> SearchContext:
    return build.context(build.search(place="Porto"), refinement, site=Site(**site))


def paged(entries: list[Any], *, total: int = 0, failing: Container[int] = ()) -> Callable[[Any], Reply]:
    """A gateway that gives these entries page by page, `total` of them as it says; some pages fail."""

    def answer(request: Any) -> Reply:
        query = parse_qs(urlsplit(request.url).query)
        page, size = int(query["page"][0]), int(query["size"][0])
        if page in failing:
            return Reply(status=503)
        shown = entries[page * size : (page + 1) * size]
        return Reply(a_listing_document(*shown, total=total or len(entries)))

    return answer


def linked(context: SearchContext, kind: LinkKind = LinkKind.RESULTS, page: int = 1) -> SharedLink:
    """A link to what this page of the results shows now."""
    cards = results.find(context, page).listings
    return SharedLink.of(context, map(Snapshot.of, cards), kind=kind.value, page=page)


def reopened(link: SharedLink, context: SearchContext, *, can_search: bool = True) -> Now:
    return OpenedLink(link, context, can_search, "http://testserver").now()


def turns(now: Now) -> dict[str, Turn]:
    return {one.then.key: one.turn for one in now.entries}


def test_properties_of_a_link_stand_in_the_shared_order(market):
    link = linked(porto())
    market.has(hotel("cc", 290), hotel("aa", 100), hotel("dd", 1))
    now = reopened(link, porto())
    assert [(one.then.key, one.turn) for one in now.entries] == [
        ("aa", Turn.SAME),
        ("bb", Turn.GONE),
        ("cc", Turn.CHEAPER),
    ]
    assert [one.now and one.now.listing.property.key for one in now.entries] == ["aa", None, "cc"]
    assert now.fetched_at
    assert (now.stale, now.property) == (False, None)


def test_blocked_properties_and_disabled_providers_are_gone(market):
    market.has(hotel("aa"), hotel("bb", providerId="GONE"), hotel("cc"))
    link = linked(porto())
    now = reopened(link, porto(blocks=(Block("aa"),), providers=(ProviderEntry("GONE", enabled=False),)))
    assert turns(now) == {"aa": Turn.HIDDEN, "bb": Turn.GONE, "cc": Turn.SAME}
    assert now.entries[0] == ThenAndNow(link.shown[0], None, Turn.HIDDEN)


@pytest.mark.parametrize("kind", [LinkKind.RESULTS, LinkKind.PROPERTY])
def test_a_property_blocked_at_another_provider_is_hidden(market, kind):
    sold_twice = hotel("aa", 100)
    sold_twice["offers"] += hotel("aa", 150, providerId="OTHER")["offers"]
    market.has(sold_twice, hotel("bb"))
    link = linked(porto(), kind)
    shown = link.shown[0]
    assert shown.provider == "ACME"
    assert reopened(link, porto()).entries[0].turn is Turn.SAME
    now = reopened(link, porto(blocks=(Block("OTHER:aa"),)))
    assert now.entries[0] == ThenAndNow(shown, None, Turn.HIDDEN)
    if kind is LinkKind.PROPERTY:
        assert (now.property, now.fetched_at) == (None, None)
    else:
        assert turns(now)["bb"] is Turn.SAME


def test_a_property_without_a_filtered_offer_is_off_terms(market):
    free = Refinement(free_cancellation=True)
    link = linked(porto(free))
    market.has(hotel("aa", 50, freeCancellation=False), hotel("bb", 200))
    now = reopened(link, porto(free))
    assert turns(now) == {"aa": Turn.OFF_TERMS, "bb": Turn.SAME, "cc": Turn.GONE}
    assert now.entries[0] == ThenAndNow(link.shown[0], None, Turn.OFF_TERMS)
    assert turns(reopened(link, porto()))["aa"] is Turn.CHEAPER


def test_the_total_on_the_terms_of_the_filters_is_compared(market):
    free = Refinement(free_cancellation=True)
    sold_twice = hotel("aa", 100, freeCancellation=False)
    sold_twice["offers"] += hotel("aa", 150, providerId="FREE")["offers"]
    market.has(sold_twice)
    now = reopened(linked(porto(free)), porto(free))
    assert turns(now) == {"aa": Turn.SAME}
    assert [one.offer.provider for one in now.entries[0].now.offers] == ["FREE", "ACME"]


def test_terms_are_met_by_offers_of_enabled_providers_alone(market):
    free = Refinement(free_cancellation=True)
    link = linked(porto(free))
    left = hotel("aa", 100, freeCancellation=False)
    left["offers"] += hotel("aa", 90, providerId="GONE")["offers"]
    market.has(left)
    assert turns(reopened(link, porto(free)))["aa"] is Turn.CHEAPER
    without = porto(free, providers=(ProviderEntry("GONE", enabled=False),))
    assert turns(reopened(link, without))["aa"] is Turn.OFF_TERMS


@pytest.mark.parametrize(
    ("limit", "price", "turn"), [("max_price", 230, Turn.DEARER), ("min_price", 130, Turn.CHEAPER)]
)
def test_a_highest_or_lowest_price_is_no_term(market, limit, price, turn):
    market.has(hotel("aa", 200))
    limited = porto(Refinement(**{limit: Decimal(200)}))
    link = linked(limited)
    market.has(hotel("aa", price))
    assert turns(reopened(link, limited)) == {"aa": turn}


def test_a_hotel_among_missing_results_is_unknown_not_gone(market):
    link = linked(porto())
    market.has()
    market.wire.answer_search(paged([hotel("aa")], total=2, failing=range(1, 60)))
    assert turns(reopened(link, porto())) == {"aa": Turn.SAME, "bb": Turn.UNKNOWN, "cc": Turn.UNKNOWN}


def test_with_the_gateway_away_all_is_unknown(market):
    link = linked(porto())
    market.is_away()
    now = reopened(link, porto())
    assert now.fetched_at is None
    assert set(turns(now).values()) == {Turn.UNKNOWN}


@pytest.mark.parametrize("kind", [LinkKind.RESULTS, LinkKind.PROPERTY])
def test_invalid_searches_and_empty_links_look_nothing_up(market, kind):
    link, empty = linked(porto(), kind), SharedLink.of(porto(), (), kind=kind.value)
    market.has(hotel("aa", 50))
    market.wire.requests.clear()
    assert set(turns(reopened(link, porto(), can_search=False)).values()) == {Turn.UNKNOWN}
    assert reopened(empty, porto()) == Now(())
    assert not market.wire.requests


def one_property(market: Market) -> SharedLink:
    """A link to Hotel Miramar alone, known to the gateway as ACME's 77."""
    market.has(an_entry())
    return linked(porto(), LinkKind.PROPERTY)


def test_a_link_to_one_property_knows_it_in_full(market):
    link = one_property(market)
    now = reopened(link, porto())
    assert turns(now) == {"a1b2c3": Turn.SAME}
    found = now.property
    assert (found.provider, found.property_id) == ("ACME", "77")
    assert (now.fetched_at, now.stale) == (found.fetched_at, False)
    assert now.entries[0].now.offers == found.card.offers
    assert now.entries[0].now.ladder == found.card.ladder


@pytest.mark.parametrize("kind", [LinkKind.RESULTS, LinkKind.PROPERTY])
def test_a_stale_copy_is_compared_and_said_to_be_stale(market, kind):
    shared = one_property(market)
    now = reopened(shared, porto())
    link = SharedLink(kind=kind.value, snapshot=shared.snapshot)
    for answer in (market.wire.search, market.wire.details):
        answer(status=503)
    later = reopened(link, porto(search_fresh_seconds=0, details_fresh_seconds=0))
    assert (turns(later), later.stale) == ({"a1b2c3": Turn.SAME}, True)
    assert later.fetched_at == now.fetched_at


def test_a_property_unknown_to_the_gateway_is_gone(market):
    link = one_property(market)
    market.wire.details(status=404)
    now = reopened(link, porto())
    assert turns(now) == {"a1b2c3": Turn.GONE}
    assert (now.fetched_at, now.property) == (None, None)


def test_a_property_dropped_by_its_provider_is_found_at_another(market):
    link, free = one_property(market), Refinement(free_cancellation=True)
    at_another = {"providerId": "EX", "providerPropertyId": "9", "freeCancellation": False}
    market.has(an_entry(offers=[an_offer(**at_another)]))
    market.wire.answer_details(
        lambda request: Reply(status=404) if "/ACME/" in request.url else Reply(json=details_document())
    )
    now = reopened(link, porto(free))
    assert turns(now) == {"a1b2c3": Turn.SAME}
    assert (now.property.provider, now.property.property_id) == ("EX", "9")
    assert turns(reopened(link, porto(blocks=(Block("EX:9"),)))) == {"a1b2c3": Turn.HIDDEN}


def test_a_property_no_longer_offered_has_no_price(market):
    link = one_property(market)
    market.has(hotel("other"))
    now = reopened(link, porto())
    assert turns(now) == {"a1b2c3": Turn.UNPRICED}
    assert now.property is not None


def test_one_property_without_a_price_of_today_is_unknown(market):
    link = one_property(market)
    market.has(*(hotel(f"o{number}") for number in range(31)))
    now = reopened(link, porto(cap=20, page_size=20))
    assert turns(now) == {"a1b2c3": Turn.UNKNOWN}
    assert now.property is not None
    market.is_away()
    now = reopened(link, porto())
    assert turns(now) == {"a1b2c3": Turn.UNKNOWN}
    assert (now.fetched_at, now.property) == (None, None)


def test_picks_are_what_their_cards_show_now_in_their_order(market):
    market.has(hotel("aa", 100), hotel("bb", 200), hotel("cc", 300))
    names = tuple(f"ACME:{key}" for key in ("cc", "zz", "aa", "cc"))
    cards = picked(names, porto())
    assert [(one.listing.property.key, one.offers[0].total.total) for one in cards] == [
        ("cc", build.euros("300")),
        ("aa", build.euros("100")),
    ]
    hidden = picked(names, porto(blocks=(Block("aa"),)))
    assert [one.listing.property.key for one in hidden] == ["cc"]


def test_picks_without_any_results_are_unavailable(market):
    market.is_away()
    with pytest.raises(Unavailable) as raised:
        picked(["ACME:aa"], porto())
    assert raised.value.kind == "connection"


def test_details_are_those_of_the_shown_or_the_shared_offer(market):
    one = entry("x", "", build.offer("10", "BBB"), build.offer("20", "CCC"))
    one = replace(one, then=replace(one.then, provider="DDD", property_id="DDD-9"))
    for case in (one, bare(one)):
        assert described(case.then, case.now, porto())[1] is not None
    paths = [urlsplit(address).path for address in market.wire.addresses("/provider/")]
    assert [path.split("/provider/")[1] for path in paths] == ["BBB/property/BBB-1", "DDD/property/DDD-9"]
    market.is_away()
    assert described(one.then, one.now, porto()) == (one.now, None)
