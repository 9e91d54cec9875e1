"""Faults and habits on demand."""

import json

import pytest

from search.sandbox.faults import RunningSandbox
from search.sandbox.weather import FAIR, Weather, parse_weather
from tests.sandbox.questions import SEARCH, ask, details_path, listing

TARGET = "/pub/v1/rooms/ha/v2/propertyOffers?" + "&".join(f"{name}={value}" for name, value in SEARCH.items())


def statuses(weather: str, count: int) -> list[int]:
    sandbox = RunningSandbox(parse_weather(weather))
    return [sandbox.answer(TARGET).status for _ in range(count)]


def test_no_weather_is_fair_weather():
    assert parse_weather("") == parse_weather(" , ") == FAIR


def test_words_add_up():
    weather = parse_weather("slow=0.5, prices=-20% ,gone=abc,gone=def,basis=night")
    assert weather == Weather(slow=0.5, prices=-20, gone=frozenset({"abc", "def"}), nightly=True)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("slow", "a number from 0 to 600"),
        ("slow=long", "a number from 0 to 600"),
        ("max_size=x", "a whole number from 1 to 1000"),
        ("empty_page", "a whole number from 0 to 1000"),
    ],
)
def test_what_is_no_number_is_told_which_ones_there_are(text, wanted):
    with pytest.raises(ValueError, match=f"'{text}': must be {wanted}"):
        parse_weather(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("rain", "rain"),
        ("slow=2,hail=3", "hail"),
        ("slow=", "slow"),
        ("slow=nan", "slow"),
        ("slow=-1", "slow"),
        ("flaky=1.5", "flaky"),
        ("down=1", "down"),
        ("prices=ten", "prices"),
        ("prices=-95%", "prices"),
        ("gone=", "gone"),
        ("basis=week", "basis"),
        ("categories=colon", "categories"),
        ("max_size=0", "max_size"),
        ("page_from=2", "page_from"),
        ("rate-limited=-1", "rate-limited"),
        ("details=kind", "details"),
        ("too_large=ignored", "too_large"),
        ("empty_page=-1", "empty_page"),
        ("window=0", "window"),
        ("repeats=2", "repeats"),
        ("gaps=2", "gaps"),
        ("total=wrong", "total"),
        ("surcharges=free", "surcharges"),
        ("zero_prices=1", "zero_prices"),
        ("text_numbers=1", "text_numbers"),
    ],
)
def test_an_unknown_word_or_value_is_named(text, named):
    with pytest.raises(ValueError, match=named):
        parse_weather(text)


def test_an_unknown_word_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'rain'.*known: slow, .*surcharges, zero_prices, text_numbers"):
        parse_weather("rain")


def test_down_is_503_with_a_time_to_come_back():
    answer = RunningSandbox(parse_weather("down")).answer(TARGET)
    assert answer.status == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert json.loads(answer.body)["status"] == 503


def test_flaky_fails_in_its_share_and_in_the_same_order_each_time():
    first = statuses("flaky=0.3", 100)
    assert sum(status != 200 for status in first) == 30
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


def test_prices_move():
    def first_price(weather: str) -> float:
        offers = [
            offer for entry in listing(weather=parse_weather(weather))["results"] for offer in entry["offers"]
        ]
        return next(
            offer["minPrice"]["price"]["customerPrice"]["value"] for offer in offers if offer["minPrice"]
        )

    assert first_price("prices=+50%") == pytest.approx(first_price("") * 1.5, abs=0.03)


def test_prices_per_night_are_the_stay_divided_by_its_nights():
    def prices(weather: str) -> list[float]:
        entries = listing(weather=parse_weather(weather))["results"]
        offers = [offer for entry in entries for offer in entry["offers"] if offer["minPrice"]]
        return [offer["minPrice"]["price"]["customerPrice"]["value"] for offer in offers]

    for night, stay in zip(prices("basis=night"), prices(""), strict=True):
        assert night == pytest.approx(stay / 3, abs=0.01)


def test_a_property_that_is_gone_is_no_longer_listed_nor_described():
    entry = next(entry for entry in listing()["results"] if entry["offers"])
    weather = parse_weather(f"gone={entry['propertySummary']['ryanairId']}")
    left = [other["propertySummary"]["ryanairId"] for other in listing(weather=weather)["results"]]
    assert entry["propertySummary"]["ryanairId"] not in left
    assert len(left) == 19
    assert ask(details_path(entry["offers"][0]), weather=weather).status == 404


@pytest.mark.parametrize(
    ("style", "series", "status"),
    [
        ("comma", "categories=4,5", 200),
        ("comma", "categories=4&categories=5", 400),
        ("repeat", "categories=4&categories=5", 200),
        ("repeat", "categories=4,5", 400),
        ("single", "categories=4", 200),
        ("single", "categories=4,5", 400),
        ("single", "categories=4&categories=5", 400),
    ],
)
def test_a_style_of_categories_excludes_the_others(style, series, status):
    target = TARGET.replace("categories=1,2,3,4,5", series)
    assert RunningSandbox(parse_weather(f"categories={style}")).answer(target).status == status


def test_the_largest_size_and_the_first_page_can_differ():
    weather = parse_weather("max_size=50,page_from=1")
    assert len(listing(weather=weather, size="100", page="1")["results"]) == 50
    assert listing(weather=weather, size="50", page="1") == listing(size="50", page="0")
    assert ask(weather=weather, page="0").status == 400
