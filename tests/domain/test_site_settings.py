"""The rules of run-time settings, without any storage."""

from datetime import date

import pytest

from search.domain.offers import PriceBasis, SurchargeMode
from search.domain.site_settings import (
    SETTINGS,
    Block,
    CodeLabel,
    FeaturedDestination,
    ProviderEntry,
    Site,
)
from tests.rows import each

TODAY = date(2030, 5, 1)


def test_the_built_in_defaults_are_valid_together():
    assert Site.read({name: getattr(Site(), name) for name in SETTINGS}) == Site()


def test_a_value_out_of_range_is_refused_by_name():
    for name, value in [
        ("page_size", 0), ("page_size", 101), ("page_size", "banana"), ("page_size", None),
        ("page_size", 2**70), ("nights", 28), ("parallel_calls", 9), ("default_market", "en_GB"),
        ("default_market", "en-gb\n"), ("markets", ()), ("currencies", ("EUR", "euro")),
        ("rating_scale", 7), ("sorts", ("price", "cheapest")), ("surcharge_mode", "maybe"),
        ("site_name", ""), ("contact_email", "no address"), ("contact_email", "a@b>"),
        ("imprint_address", "javascript:alert(1)"), ("privacy_address", "//elsewhere.example"),
        ("accessibility_address", "http://rooms.example/a11y"),
        ("banner_until", "2030-02-31"), ("map_enabled", "frog"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=f"^{name}$"):
            Site.read({"nights_ahead": 30, name: value})


def test_every_value_out_of_range_is_named():
    with pytest.raises(ValueError, match=r"^page_size, nights$"):
        Site.read({"page_size": 0, "nights_ahead": 30, "nights": 28})


@pytest.mark.usefixtures("currencies_of_countries")
@pytest.mark.parametrize(
    ("market", "currency"),
    [
        ("en-gb", "GBP"),
        ("en-us", "USD"),
        ("pl-pl", "PLN"),
        ("de-de", "EUR"),
        ("en-au", "EUR"),
        ("xx-yy", "EUR"),
    ],
)
def test_prices_are_in_the_currency_of_the_country(market, currency):
    assert Site().currency_of(market) == currency
    assert Site(default_currency="CHF").currency_of(market) == "CHF"


@each(
    ("name", "values"),
    [
        ("default_market", {"markets": ("de-de", "fr-fr")}),
        ("default_currency", {"default_currency": "EUR", "currencies": ("CHF",)}),
        ("default_sort", {"sorts": ("stars",)}),
        ("guests", {"max_guests": 1}),
        ("cap", {"page_size": 90, "cap": 40}),
        ("banner_until", {"banner_until": TODAY}),
    ],
)
def test_values_at_odds_with_each_other_are_refused(name, values):
    with pytest.raises(ValueError, match=f"^{name}$"):
        Site.read(values)


def test_values_left_out_are_the_built_in_ones():
    assert Site.read({"nights": 5}) == Site(nights=5)


def test_every_setting_declares_its_words_and_a_number_its_range():
    for one in SETTINGS.values():
        assert one.label
        assert len(one.help_text) > 15
        if isinstance(one.default, int) and not isinstance(one.default, bool):
            assert one.limits.ge <= one.default <= one.limits.le


def test_prices_are_read_as_the_settings_say():
    rules = Site(surcharge_mode=SurchargeMode.INCLUDED, price_basis=PriceBasis.NIGHT).price_rules
    assert (rules.surcharges, rules.basis) == (SurchargeMode.INCLUDED, PriceBasis.NIGHT)


def test_a_block_lasts_to_the_end_of_its_last_day():
    site = Site(blocks=(Block("over", date(2030, 4, 30)), Block("last", TODAY), Block("ever")))
    assert site.blocked_keys(TODAY) == {"last", "ever"}


def test_a_banner_ends_after_its_last_day():
    site = Site(banner_text="Snow", banner_until=TODAY)
    assert site.banner(TODAY) == "Snow"
    assert site.banner(date(2030, 5, 2)) == ""
    assert Site(banner_text="Snow").banner(TODAY) == "Snow"


def test_an_unlisted_provider_comes_after_the_listed():
    site = Site(providers=(ProviderEntry("ZZ", "Zebra", order=3), ProviderEntry("OFF", "", enabled=False)))
    assert [site.provider_label(code) for code in ("ZZ", "OFF", "AA")] == ["Zebra", "OFF", "AA"]
    assert sorted(("AA", "ZZ"), key=site.provider_order) == ["ZZ", "AA"]
    assert [site.provider(code).enabled for code in ("ZZ", "OFF", "AA")] == [True, False, True]


def test_featured_destinations_keep_to_their_season():
    site = Site(
        featured=(
            FeaturedDestination("Past", last_day=date(2030, 4, 30)),
            FeaturedDestination("Now", first_day=TODAY, last_day=TODAY),
            FeaturedDestination("Soon", first_day=date(2030, 5, 2)),
            FeaturedDestination("Always"),
        )
    )
    assert [one.place for one in site.featured_on(TODAY)] == ["Now", "Always"]


def test_a_code_has_words_only_within_its_kind():
    site = Site(code_labels=(CodeLabel("facility", "SPA_X", "Spa"),))
    assert site.code_label("facility", "SPA_X") == "Spa"
    assert site.code_label("rating", "SPA_X") is None


@each(
    ("label", "mark"),
    [
        ("Beds of the Moon", "BO"),
        ("northern Beds", "NB"),
        ("Booking", "B"),
        ("Äpfel & Öl", "ÄÖ"),
        ("Отели мира", "ОМ"),
        ("HRS", ""),
        ("★ ★★★", ""),
        ("", ""),
    ],
)
def test_a_provider_s_mark_is_its_initials(label, mark):
    assert Site(providers=(ProviderEntry("AA", label),)).provider_mark("AA") == mark


def test_a_provider_without_a_label_is_marked_by_its_code():
    assert [Site().provider_mark(code) for code in ("NB", "MOON_ROOMS")] == ["", "M"]
