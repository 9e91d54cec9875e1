"""The probe finds what the sandbox's weather changed, within its limit of calls, and sets it when told to."""

from contextvars import Context
from datetime import date
from decimal import Decimal
from functools import cache
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from search.domain import process
from search.domain.hotels import GuestRating
from search.domain.offers import Listing
from search.domain.site_settings import PlaceNames, Site
from search.gateway import factory
from search.gateway.resilience import Clock
from search.gateway.transport import CallLog, CallRecord, Transport, Upstream
from search.monitoring import probe
from search.monitoring.probe import NOT_ASKED, Sample
from search.sandbox.api import DEFAULT_KEY
from search.sandbox.server import BASE_URL, SandboxAdapter
from search.sandbox.weather import parse_weather
from search.site_settings import store
from tests import builders as build
from tests.rows import each

TODAY = date(2030, 3, 6)


class Counted(SandboxAdapter):
    sent = 0

    def send(self, *args, **kwargs):
        self.sent += 1
        return super().send(*args, **kwargs)


@cache  # The same every time, and several tests look at one run.
def run(weather="", setup=None, most=probe.MOST_CALLS, place=""):
    adapter = Counted(parse_weather(weather))
    upstream, clock = Upstream(BASE_URL, DEFAULT_KEY, adapter), Clock(sleep=lambda _seconds: None)
    process.start().put(factory.build_transport, Transport(upstream, clock=clock))
    found = probe.Probe(setup or Site(), TODAY, place, most).findings()
    return {one.topic: one for one in found}, probe.suggestions(found), adapter.sent


def test_fair_weather_confirms_the_defaults_in_few_calls():
    _found, suggested, sent = run()
    assert sent <= probe.MOST_CALLS
    assert suggested == {
        "price_basis": "stay",
        "surcharge_mode": "added",
        "categories_style": "comma",
        "place_name_language": "english",
        "rating_scale": 10,
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("weather", "setting", "value"),
    [
        ("basis=night", "price_basis", "night"),
        ("categories=comma", "categories_style", "comma"),
        ("categories=repeat", "categories_style", "repeat"),
        ("categories=single", "categories_style", "each"),
        ("max_size=12", "page_size", 12),
        ("max_size=12,too_large=refused", "page_size", 10),
        ("surcharges=included", "surcharge_mode", "included"),
        ("surcharges=included,basis=night", "surcharge_mode", "included"),
        ("categories=single,max_size=50,too_large=refused", "categories_style", "each"),
        ("prices=+40%,basis=night", "price_basis", "night"),
        ("page_from=1", "price_basis", "stay"),
        ("max_size=50", "page_size", None),
        ("max_size=20,too_large=refused", "page_size", None),
        ("text_numbers", "categories_style", None),
        ("text_numbers,categories=comma", "categories_style", None),
    ],
)
def test_a_gateway_of_other_habits_gets_other_settings(weather, setting, value):
    _found, suggested, _sent = run(weather)
    assert suggested.get(setting) == value


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("weather", "topic", "told"),
    [
        ("max_size=400", "size", "at most 400"),
        ("max_size=400,too_large=refused", "size", "500: request 400"),
        ("max_size=50,too_large=refused", "size", "at most 50"),
        ("surcharges=property-currency", "surcharges", " 0 unreadable"),
        ("surcharges=unreadable", "surcharges", " 0 in the property's currency only"),
        ("", "prices", " 0 of them zero"),
        ("text_numbers", "prices", "amounts come as strings"),
        ("text_numbers", "prices", "0 readable"),
        ("page_from=1", "pages", "page 0 fails"),
    ],
)
def test_each_dialect_is_told(weather, topic, told):
    found, _suggested, sent = run(weather)
    assert told in found[topic].text
    assert sent <= probe.MOST_CALLS


@pytest.mark.thorough
@pytest.mark.parametrize("weather", ["surcharges=property-currency", "surcharges=unreadable", "zero_prices"])
def test_counts_of_a_dialect_differ_from_those_without(weather):
    topic = "prices" if weather == "zero_prices" else "surcharges"
    assert run(weather)[0][topic].text != run()[0][topic].text


def test_a_gateway_that_is_down_decides_nothing():
    _found, suggested, sent = run("down")
    assert suggested == {}
    assert sent <= probe.MOST_CALLS


def test_a_gateway_that_asks_for_a_pause_decides_nothing():
    found, suggested, _sent = run("rate-limited=1")
    assert "500: throttled 429" in found["size"].text
    assert suggested == {}


def test_questions_beyond_the_limit_are_not_asked():
    found, _suggested, sent = run(most=6)
    assert sent <= 6
    assert "not asked" in found["size"].text


@pytest.mark.parametrize(
    ("slips", "scale", "text"),
    [(1, 10, "out of 10 (8 to 87 in 40 ratings, 1 of them beyond that)"), (3, 100, "out of 100 (8 to 87")],
)
def test_a_few_slips_among_the_ratings_do_not_decide_their_scale(slips, scale, text):
    values = [*["8"] * (40 - slips), *["87"] * slips]
    found = (build.building(rating=GuestRating(Decimal(one), "")) for one in values)
    finding = probe.ratings(Listing(one, (), None) for one in found)
    assert (finding.setting, finding.value) == ("rating_scale", scale)
    assert finding.text.startswith(text)


def test_too_little_evidence_decides_nothing():
    empty, failed = Sample(build.search_page((), 0, 0)), Sample(failure="status 503")
    for nothing in (empty, failed):
        assert probe.price_basis(nothing, nothing).setting == ""
        assert probe.categories_style(nothing, nothing, nothing, nothing).setting == ""
        assert probe.sizes({10: nothing}, 20).setting == ""
        assert probe.first_page(nothing, nothing).setting == ""
        assert probe.ratings(nothing.page.listings).setting == ""
        assert probe.place_names({PlaceNames.ENGLISH: ("Munich", nothing)}).setting == ""


@each("failure", ["timeout", "open", "throttled 429", "status 503", NOT_ASKED])
def test_a_question_without_an_answer_is_no_refusal(failure):
    silent = Sample(failure=failure)
    four, five = (
        Sample(build.search_page((Listing(build.building(stars=stars), (), None),), 300, 1))
        for stars in (4, 5)
    )
    assert probe.categories_style(four, five, silent, silent).setting == ""
    refused = Sample(failure="request 400")
    assert probe.categories_style(four, five, refused, silent).setting == ""
    assert probe.categories_style(four, five, refused, refused).value == "each"
    names = {PlaceNames.ENGLISH: ("Munich", silent), PlaceNames.LOCAL: ("München", counting(12))}
    assert probe.place_names(names).setting == ""
    sizes = {10: Sample(build.search_page((), 600, 10)), 50: silent}
    assert probe.sizes(sizes, 20).setting == ""


def test_few_results_without_a_total_show_no_largest_page():
    few = Sample(build.search_page((), None, 12))
    found = probe.sizes({10: Sample(build.search_page((), None, 10)), 50: few, 100: few}, 20)
    assert found == probe.Finding("size", "at most 12, or there are no more (10: 10, 50: 12, 100: 12)")
    refused = probe.sizes({10: few, 50: few, 100: Sample(failure="request 400")}, 20)
    counted = probe.sizes({50: Sample(build.search_page((), 40, 12))}, 20)
    assert (refused.value, counted.value) == (12, 12)


@pytest.mark.parametrize(("stars", "decided"), [((4, 5), ""), ((4,), ""), ((), "each")])
def test_stars_that_change_nothing_need_no_call_each(stars, decided):
    found = (Listing(build.building(key=f"k{one}", stars=one), (), None) for one in stars or (None,))
    same = Sample(build.search_page(tuple(found), 600, 20))
    finding = probe.categories_style(same, same, same, same)
    assert finding.setting == ("categories_style" if decided else "")
    assert finding.value == (decided or None)


def counting(total):
    return Sample(build.search_page((), total, 20))


@each(
    ("english", "local", "market", "decided"),
    [(754, 754, 0, "english"), (0, 754, 0, "local"), (12, 0, 754, "market"), (754, 0, 754, "english")],
)
def test_the_name_with_most_hotels_is_to_be_asked_for(english, local, market, decided):
    asked = {
        PlaceNames.ENGLISH: ("Rome", counting(english)),
        PlaceNames.LOCAL: ("Roma", counting(local)),
        PlaceNames.MARKET: ("Rom", counting(market)),
    }
    found = probe.place_names(asked)
    assert (found.setting, found.value) == ("place_name_language", decided)
    assert f"“Roma”: 20 results of {local}" in found.text


def test_a_city_is_asked_for_by_its_name_at_home_too():
    assert "“München”" in run()[0]["names of places"].text
    german = Site(default_market="de-de", markets=("de-de",))
    text = run(setup=german)[0]["names of places"].text
    assert all(f"“{name}”" in text for name in ("Rome", "Roma", "Rom"))


@pytest.fixture
def _nightly(settings, db):
    settings.SANDBOX_WEATHER = "basis=night"
    process.start()


def command(**options):
    out = StringIO()
    call_command("probe_gateway", stdout=out, **options)
    return out.getvalue()


@pytest.mark.usefixtures("_nightly")
def test_the_command_applies_what_was_found_when_told_to():
    assert "price_basis: stay -> night" in command()
    assert store.current().price_basis == "stay"
    assert "Set 2 settings" in command(apply=True)
    assert (store.current().price_basis, store.current().rating_scale) == ("night", 10)


@pytest.mark.django_db
def test_a_place_without_hotels_leaves_questions_open():
    *findings, _empty, last = command(place="Zzqqxx").splitlines()
    undecided = [one for one in findings if one[15:].strip().startswith("undecided")]
    assert last == f"The settings agree with what was found. Undecided: {len(undecided)} of 8."
    assert len(undecided) > 3


@pytest.mark.django_db
def test_without_a_gateway_no_setting_is_said_to_agree(settings, capsys):
    settings.SANDBOX_WEATHER = "down"
    process.start()
    with pytest.raises(CommandError, match="The answers decide no setting"):
        call_command("probe_gateway")
    assert "undecided" in capsys.readouterr().out


@pytest.mark.usefixtures("_nightly")
def test_settings_that_cannot_be_kept_are_one_line():
    def away(*_question):
        raise OperationalError("no such table: search_sitesettings")

    with connection.execute_wrapper(away), pytest.raises(CommandError, match="DATABASE_URL can't be used"):
        command(apply=True)


class BesideVisitors(SandboxAdapter):
    """Visitors make three calls while one is under way."""

    def send(self, *args, **kwargs):
        for _ in range(3):
            Context().run(process.part(CallLog).add, CallRecord("search", "ok", ms=1))
        return super().send(*args, **kwargs)


def test_the_calls_of_visitors_take_nothing_off_the_limit():
    process.start().put(factory.build_adapter, BesideVisitors(parse_weather("")))
    found = probe.Probe(Site(), TODAY).findings()
    assert [one.topic for one in found if "not asked" in one.text] == []
    assert factory.status().calls_made > probe.MOST_CALLS
