"""Faults, habits and other readings of the interface on demand, a drill word each."""

import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from search.sandbox import weather as weather_module
from search.sandbox.api import SEARCH_PATH
from search.sandbox.server import RunningSandbox
from search.sandbox.weather import FAIR, WORDS, Weather, parse_weather
from tests.rows import each
from tests.sandbox.questions import SEARCH, ask, details, details_path, keys_of, listing, priced_offers

TARGET = f"{SEARCH_PATH}?{urlencode(SEARCH, safe=',')}"
NAMED_IN_SECTION_2_6 = {
    "name", "description", "address", "location", "countryCode", "coordinates", "category", "rating",
    "images",
}  # fmt: skip
IDS = {"providerId", "ryanairId", "id"}
PLACE = {"place": "Lerwick"}


def statuses(weather: str, count: int) -> list[int]:
    sandbox = RunningSandbox(parse_weather(weather))
    return [sandbox.answer(TARGET).status for _ in range(count)]


def pages(weather: str = "") -> list[list[str]]:
    """The keys on each page of a small place, and on some pages beyond."""
    return [keys_of(listing(weather, **PLACE, page=str(page))) for page in range(12)]


def all_keys(weather: str = "") -> list[str]:
    return [key for page in pages(weather) for key in page]


def prices(weather: str) -> list[float]:
    return [offer["minPrice"]["price"]["customerPrice"]["value"] for offer in priced_offers(weather)]


def surcharges(weather: str) -> list[dict]:
    return [one for offer in priced_offers(weather) for one in offer["minPrice"]["surcharges"]]


def test_no_weather_is_fair_weather():
    assert parse_weather("") == parse_weather(" , ") == FAIR


def test_words_add_up():
    weather = parse_weather("slow=0.5, prices=-20% ,gone=abc,gone=def,basis=night")
    assert weather == Weather(slow=0.5, prices=-20, gone=frozenset({"abc", "def"}), nightly=True)


@each(
    ("text", "wanted"),
    [
        ("slow", "a number from 0 to 600"),
        ("max_size=x", "a whole number from 1 to 1000"),
        ("categories=colon", "one of any, comma, repeat, single"),
        ("prices=ten", "a whole number from -90 to 900"),
    ],
)
def test_an_unusable_value_is_answered_with_the_usable_ones(text, wanted):
    with pytest.raises(ValueError, match=f"'{text}': must be {wanted}"):
        parse_weather(text)


def test_an_unusable_value_is_named():
    for text in [
        "slow=nan", "slow=-1", "flaky=1.5", "down=1", "prices=-95%", "gone=", "basis=week", "max_size=0",
        "page_from=2", "rate-limited=-1", "details=kind", "too_large=ignored", "empty_page=-1", "window=0",
        "repeats=2", "shared_ids=1", "gaps=2", "total=wrong", "surcharges=free", "zero_prices=1",
        "text_numbers=1",
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=f"'{text}'"):
            parse_weather(text)


def test_an_unknown_word_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'rain'.*known: slow, .*surcharges, zero_prices, text_numbers"):
        parse_weather("slow=2,rain")


def test_every_word_is_in_the_readme():
    readme = Path(weather_module.__file__).with_name("README.md").read_text(encoding="utf-8")
    assert all(f"`{word}" in readme for word in WORDS)


def test_down_is_503_with_a_time_to_come_back():
    answer = RunningSandbox(parse_weather("down")).answer(TARGET)
    assert (answer.status, json.loads(answer.body)["status"]) == (503, 503)
    assert int(answer.headers["Retry-After"]) > 0


def test_flaky_fails_in_its_share_in_the_same_order():
    first = statuses("flaky=0.3", 100)
    assert first.count(200) == 70
    assert set(first) == {200, 502, 503, 504}
    assert first == statuses("flaky=0.3", 100)


def test_rate_limited_refuses_each_or_every_so_many_requests():
    assert statuses("rate-limited", 3) == [429, 429, 429]
    assert statuses("rate-limited=2", 6) == [200, 200, 429, 200, 200, 429]
    assert "Retry-After" in RunningSandbox(parse_weather("rate-limited")).answer(TARGET).headers


def test_garbled_answers_break_off():
    answer = RunningSandbox(parse_weather("garbled")).answer(TARGET)
    assert answer.status == 200
    with pytest.raises(ValueError):
        json.loads(answer.body)


def test_photos_are_drawn_in_any_weather():
    assert RunningSandbox(parse_weather("down")).answer("/photos/1/facade.svg").status == 200


@pytest.mark.parametrize(("weather", "factor"), [("prices=+50%", 1.5), ("basis=night", 1 / 3)])
def test_prices_move_or_are_per_night(weather, factor):
    assert prices(weather) == pytest.approx([price * factor for price in prices("")], abs=0.03)


def test_a_property_that_is_gone_is_not_listed_nor_described():
    document = listing()
    entry = next(entry for entry in document["results"] if entry["offers"])
    key = entry["propertySummary"]["ryanairId"]
    left = listing(f"gone={key}")
    assert keys_of(left) == [one for one in keys_of(document) if one != key]
    assert left["Total"] == document["Total"]
    assert ask(details_path(entry["offers"][0]), weather=f"gone={key}").status == 404


@pytest.mark.parametrize(
    ("style", "commas", "repeats", "one"),
    [("comma", 200, 400, 200), ("repeat", 400, 200, 200), ("single", 400, 400, 200)],
)
def test_a_style_of_categories_excludes_the_others(style, commas, repeats, one):
    sandbox = RunningSandbox(parse_weather(f"categories={style}"))
    series = ("categories=4,5", "categories=4&categories=5", "categories=4")
    targets = [TARGET.replace("categories=1,2,3,4,5", one) for one in series]
    assert [sandbox.answer(target).status for target in targets] == [commas, repeats, one]


def test_the_first_page_can_have_the_number_one():
    assert listing("page_from=1", page="1") == listing(page="0")
    assert ask(weather="page_from=1", page="0").status == 400


@pytest.mark.parametrize("most", [20, 50, 400])
def test_a_larger_size_is_cut_or_refused(most):
    assert len(listing(f"max_size={most}", size="500")["results"]) == most
    refusing = f"max_size={most},too_large=refused"
    assert ask(weather=refusing, size=str(most + 1)).status == 400
    assert len(listing(refusing, size=str(most))["results"]) == most


def test_one_page_may_be_empty_in_the_middle():
    first, second, third, *rest = pages()
    assert third
    assert pages("empty_page=2") == [first, second, [], *rest]


def test_nothing_lies_beyond_a_window_although_the_total_says_so():
    assert all_keys("window=55") == all_keys()[:55]
    assert listing("window=55", **PLACE)["Total"] == listing(**PLACE)["Total"] > 55


def test_repeats_lose_nothing_and_the_total_counts_them():
    plain, repeated = all_keys(), pages("repeats")
    keys = [key for page in repeated for key in page]
    assert list(dict.fromkeys(keys)) == plain
    assert len(keys) == listing("repeats", **PLACE)["Total"] > len(plain)
    assert repeated[1][0] == repeated[0][-1]


def entries_by_key(weather):
    found = {}
    for page in range(9):
        for entry in listing(weather, **PLACE, page=str(page))["results"]:
            found.setdefault(entry["propertySummary"]["ryanairId"], []).append(entry)
    return found


def test_providers_may_disagree_about_the_stars_of_a_hotel():
    twice = [one for one in entries_by_key("repeats=stars").values() if len(one) > 1]
    assert all(
        first["propertySummary"]["category"] != second["propertySummary"]["category"]
        for first, second in twice
    )
    assert all(second["offers"] == first["offers"][1:] for first, second in twice)
    assert twice


def test_a_price_may_move_between_two_pages():
    def prices(entry):
        return [
            one["minPrice"]["price"]["customerPrice"]["value"] for one in entry["offers"] if one["minPrice"]
        ]

    twice = [one for one in entries_by_key("repeats=prices").values() if len(one) > 1 and prices(one[0])]
    assert all(
        before < after
        for first, second in twice
        for before, after in zip(prices(first), prices(second), strict=True)
    )
    assert twice


def test_half_a_page_may_come_again_and_is_counted_once():
    found = pages("repeats=half")
    assert found[1][:10] == found[0][10:]
    assert list(dict.fromkeys(key for page in found for key in page)) == all_keys()
    assert listing("repeats=half", **PLACE)["Total"] == len(all_keys())


def test_two_hotels_may_have_one_id():
    ids = [
        (key, (one["providerId"], one["providerPropertyId"]))
        for key, entries in entries_by_key("shared_ids").items()
        for one in entries[0]["offers"]
    ]
    assert len({at for _key, at in ids}) < len({*ids})


def test_gaps_are_the_same_at_each_page_size_and_counted():
    plain, left = all_keys(), all_keys("gaps")
    assert len(plain) * 0.85 < len(left) < len(plain)
    larger = listing("gaps", **PLACE, size="60")
    assert keys_of(larger) == [key for key in plain[:60] if key in left]
    assert larger["Total"] == listing(**PLACE)["Total"]


def test_the_total_may_be_missing_or_move():
    assert "Total" not in listing("total=missing")
    assert len({listing("total=moving", page=str(page))["Total"] for page in range(5)}) == 5


def test_details_have_the_fields_of_the_interface_and_ids():
    for offer in priced_offers():
        assert details(offer)["propertyDetails"]["propertySummary"].keys() == NAMED_IN_SECTION_2_6
        summary = details(offer, "details=ids")["propertyDetails"]["propertySummary"]
        assert summary.keys() == NAMED_IN_SECTION_2_6 | IDS


@each(
    ("word", "given"),
    [("null", None), ("missing", ...), ("empty", {}), ("list", []), ("text", "not available")],
)
def test_details_may_be_unusable(word, given):
    document = details(priced_offers()[0], f"details={word}")
    assert document.get("propertyDetails", ...) == given


def test_surcharges_may_be_in_the_propertys_currency_only():
    triples = [one["price"] for one in surcharges("surcharges=property-currency")]
    assert triples
    assert all(one["customerPrice"] is None and one["propertyPrice"]["value"] > 0 for one in triples)


def test_surcharges_may_have_no_amount_at_all():
    unreadable = surcharges("surcharges=unreadable")
    assert not re.search(r'"value": [0-9]', json.dumps(unreadable))
    assert len({type(one["price"]) for one in unreadable}) == 3


def test_prices_may_hold_their_surcharges():
    for plain, raised in zip(priced_offers(), priced_offers("surcharges=included"), strict=True):
        before, after = plain["minPrice"], raised["minPrice"]
        amounts = [one["price"]["customerPrice"] for one in before["surcharges"]]
        extra = sum(one["value"] for one in amounts if one["currencyCode"] == "EUR")
        assert after["price"]["customerPrice"]["value"] == pytest.approx(
            before["price"]["customerPrice"]["value"] + extra, abs=0.001
        )


def test_some_prices_may_be_zero():
    asked = prices("zero_prices")
    assert 0.1 < asked.count(0) / len(asked) < 0.5


def test_numbers_may_be_strings():
    for document in (listing("text_numbers"), details(priced_offers()[0], "text_numbers")):
        assert not re.search(r"[:\[,] -?[0-9]", re.sub(r'"(\\.|[^"])*"', '""', json.dumps(document)))


def test_dialects_and_faults_combine():
    document = listing("window=30,total=missing,zero_prices,prices=+10%", size="50")
    assert len(document["results"]) == 30
    assert "Total" not in document
