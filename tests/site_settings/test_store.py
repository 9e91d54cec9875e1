"""Where the settings come from: the row, the content tables, the environment, or nothing at all."""

import logging

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection

from search.domain.site_settings import SETTINGS, Site
from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
    SiteSettings,
)
from tests.builders import UNREADABLE, UNREADABLE_DAY

pytestmark = pytest.mark.django_db


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def spoil(**columns):
    """Writes to the row behind the admin's back."""
    SiteSettings().save()
    with connection.cursor() as cursor:
        for name, value in columns.items():
            cursor.execute(f"UPDATE search_sitesettings SET {name} = %s", [value])


def test_the_row_has_every_setting_with_the_same_default():
    row = SiteSettings()
    fields = {field.name for field in SiteSettings._meta.get_fields()}
    assert fields - {"id", "content_revision"} == set(SETTINGS)
    row.full_clean()
    assert Site.read(row.values()) == Site()


def test_without_a_row_the_defaults_apply():
    assert store.current() == Site()


def test_a_saved_setting_is_in_effect_at_once_in_this_process():
    assert store.current().page_size == 20
    store.change({"page_size": 10, "banner_text": "Snow"})
    assert (store.current().page_size, store.current().banner_text) == (10, "Snow")


def test_another_process_sees_a_change_within_its_recheck_time():
    clock = Clock()
    other = store.SettingsCache(clock)
    assert other.current().page_size == 20
    SiteSettings(page_size=10).save()
    Provider.objects.create(code="AB", label="Abbey")
    assert other.current().page_size == 20
    clock.now = store.RECHECK_SECONDS
    assert (other.current().page_size, other.current().provider_label("AB")) == (10, "Abbey")
    assert store.RECHECK_SECONDS <= 5


def test_a_page_costs_no_query_until_the_recheck_time(django_assert_num_queries):
    clock = Clock()
    cached = store.SettingsCache(clock)
    Provider.objects.create(code="AB")
    cached.current()
    with django_assert_num_queries(0):
        cached.current()
    clock.now += store.RECHECK_SECONDS
    with django_assert_num_queries(1):
        cached.current()


def test_every_kind_of_content_reaches_the_site():
    Provider.objects.create(code="AB", label="Abbey", order=2, enabled=False)
    BlockedProperty.objects.create(key="0af", reason="closed")
    DestinationOverride.objects.create(airport="LPA", place="Las Palmas", search_words="canary", hidden=True)
    FeaturedDestination.objects.create(
        place="Rome", airport="FCO", picture_address="https://pictures.example/1.jpg"
    )
    CodeLabel.objects.create(kind="facility", code="SPA_X", label="Spa")
    found = store.current()
    assert not found.provider("AB").enabled
    assert found.blocks[0].key == "0af"
    assert found.override("LPA").place == "Las Palmas"
    assert found.featured[0].picture == "https://pictures.example/1.jpg"
    assert found.code_label("facility", "SPA_X") == "Spa"


def test_content_deleted_or_changed_in_bulk_leaves_the_site():
    provider = Provider.objects.create(code="AB", label="Abbey")
    assert store.current().providers
    Provider.objects.update(label="Priory")
    store.content_changed()
    assert store.current().provider_label("AB") == "Priory"
    provider.delete()
    assert store.current().providers == ()


def test_a_row_out_of_range_gives_defaults_and_one_warning(caplog):
    spoil(page_size=5000, price_basis="week", nights_ahead=21)
    Provider.objects.create(code="AB", label="Abbey")
    clock = Clock()
    cached = store.SettingsCache(clock)
    with caplog.at_level(logging.WARNING):
        found = cached.current()
        clock.now += store.RECHECK_SECONDS
        assert cached.current() == found
    assert (found.page_size, found.price_basis, found.nights_ahead) == (20, "stay", 14)
    assert found.provider_label("AB") == "Abbey"
    assert [record.getMessage() for record in caplog.records] == [
        "settings can't be used, the last good ones apply: page_size, price_basis"
    ]


@pytest.mark.parametrize(
    ("offered", "default"), [("stars weather price", "weather"), ("stars price", "rating")]
)
def test_an_unknown_default_order_leaves_the_other_settings(caplog, offered, default):
    spoil(sorts=offered, default_sort=default, default_currency="CHF", surcharge_mode="included")
    with caplog.at_level(logging.WARNING):
        found = store.current()
    assert (found.default_sort, found.sorts) == ("stars", ("stars", "price"))
    assert (found.default_currency, found.surcharge_mode) == ("CHF", "included")
    assert not caplog.records


def test_orders_and_filters_of_a_later_version_are_not_offered(caplog):
    spoil(sorts="price weather stars", filters="type mood", page_size=30)
    found = store.current()
    assert (found.sorts, found.filters, found.page_size) == (("price", "stars"), ("type",), 30)
    assert not caplog.records


def test_a_row_of_a_version_with_fewer_settings_has_the_defaults():
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO search_sitesettings (id, content_revision) VALUES (1, 0)")
    assert store.current() == Site()


def test_a_mended_row_is_in_use_again(caplog):
    spoil(page_size=5000)
    clock = Clock()
    cached = store.SettingsCache(clock)
    assert cached.current().page_size == 20
    SiteSettings.objects.update(page_size=30)
    clock.now += store.RECHECK_SECONDS
    assert cached.current().page_size == 30


def test_the_deployments_cache_times_hold_beside_a_wrong_row(settings):
    settings.SEARCH_FRESH_SECONDS = 60
    spoil(page_size=5000)
    assert store.current() == Site(search_fresh_seconds=60)


@pytest.mark.parametrize(("name", "value"), UNREADABLE)
def test_an_unreadable_settings_row_gives_the_defaults(name, value, caplog):
    spoil(cap=700, **{name: value})
    assert store.current() == Site()
    assert len(caplog.records) == 1


def test_an_unreadable_row_is_left_out_and_named_once(caplog):
    BlockedProperty.objects.create(key="good", reason="closed")
    bad = BlockedProperty.objects.create(key="bad", reason="closed")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE search_blockedproperty SET until = %s WHERE id = %s", [UNREADABLE_DAY, bad.pk])
    clock = Clock()
    cached = store.SettingsCache(clock)
    assert [block.key for block in cached.current().blocks] == ["good"]
    clock.now += store.RECHECK_SECONDS
    cached.current()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"blocked property {bad.pk} left out"
    ]


def test_a_database_that_was_never_there_leaves_the_defaults(monkeypatch, caplog):
    monkeypatch.setattr(SiteSettings.objects, "filter", _unreachable)
    clock = Clock()
    cached = store.SettingsCache(clock)
    with caplog.at_level(logging.WARNING):
        assert cached.current() == Site()
        clock.now += store.RECHECK_AFTER_FAILURE_SECONDS
        assert cached.current() == Site()
    assert len(caplog.records) == 1


def test_a_database_that_goes_away_leaves_the_last_good_settings(monkeypatch):
    SiteSettings(page_size=10).save()
    BlockedProperty.objects.create(key="0af", reason="closed")
    clock = Clock()
    cached = store.SettingsCache(clock)
    good = cached.current()
    left: list[bool] = []
    with monkeypatch.context() as patch:
        patch.setattr(SiteSettings.objects, "filter", _unreachable)
        # Closing it would end the transaction around this test.
        patch.setattr(store.connection, "close_if_unusable_or_obsolete", lambda: left.append(True))
        clock.now += store.RECHECK_SECONDS
        assert cached.current() == good
    assert left
    SiteSettings.objects.update(page_size=12)
    clock.now += store.RECHECK_AFTER_FAILURE_SECONDS
    assert cached.current().page_size == 12


def test_a_new_process_without_database_has_the_last_settings(monkeypatch):
    SiteSettings(price_basis="night").save()
    BlockedProperty.objects.create(key="0af", reason="closed")
    good = store.SettingsCache(Clock()).current()
    monkeypatch.setattr(SiteSettings.objects, "filter", _unreachable)
    assert store.SettingsCache(Clock()).current() == good
    assert [block.key for block in good.blocks] == ["0af"]


def test_without_a_database_all_have_the_latest_settings(monkeypatch):
    clock = Clock()
    other = store.SettingsCache(clock)
    other.current()
    SiteSettings(page_size=10).save()
    store.SettingsCache(Clock()).current()
    monkeypatch.setattr(SiteSettings.objects, "filter", _unreachable)
    clock.now = store.RECHECK_SECONDS
    assert other.current().page_size == 10


def test_a_spoiled_row_leaves_the_last_settings_and_new_blocks():
    SiteSettings(price_basis="night").save()
    store.SettingsCache(Clock()).current()
    spoil(price_basis="week")
    BlockedProperty.objects.create(key="0af", reason="closed")
    site = store.SettingsCache(Clock()).current()
    assert (site.price_basis, [block.key for block in site.blocks]) == ("night", ["0af"])


@pytest.mark.parametrize("content", [b"", b"\xff", b'{"page_size": "many"}', b"[1]"])
def test_a_spoiled_copy_means_the_defaults(monkeypatch, settings, content):
    settings.SETTINGS_COPY.write_bytes(content)
    with monkeypatch.context() as patch:
        patch.setattr(SiteSettings.objects, "filter", _unreachable)
        assert store.SettingsCache(Clock()).current() == Site()


def test_a_copy_that_cannot_be_written_keeps_no_page_back(settings):
    settings.SETTINGS_COPY /= "below"
    settings.SETTINGS_COPY.parent.write_bytes(b"")
    SiteSettings(page_size=10).save()
    assert store.SettingsCache(Clock()).current().page_size == 10


def _unreachable(**_asked):
    raise DatabaseError("no connection")


def test_the_deployment_decides_the_cache_times_it_names(settings):
    settings.SEARCH_FRESH_SECONDS = 0
    SiteSettings(search_fresh_seconds=99, details_fresh_seconds=77).save()
    assert (store.current().search_fresh_seconds, store.current().details_fresh_seconds) == (0, 77)
    assert set(store.fixed_by_environment()) == {"search_fresh_seconds"}


def test_a_change_says_what_was_and_what_became():
    assert store.change({"page_size": 10, "nights": 2}) == [("page_size", "20", "10")]
    assert store.change({"sorts": ["price", "stars"], "rating_scale": 10}) == [
        ("sorts", " ".join(Site().sorts), "price stars"),
        ("rating_scale", "", "10"),
    ]


def test_every_value_survives_its_way_through_the_history():
    for name in SETTINGS:
        value = getattr(SiteSettings(), name)
        assert store.as_text(store.from_text(name, store.as_text(value))) == store.as_text(value)


def test_values_out_of_range_or_at_odds_are_refused_on_write():
    for values in [
        {"page_size": 0}, {"page_size": 101}, {"nights": 28}, {"default_currency": "XYZ"},
        {"default_currency": "THB"}, {"default_market": "xx-yy"}, {"markets": "en-gb de_DE"},
        {"markets": ""}, {"currencies": "EUR EURO"}, {"sorts": "price cheapest"}, {"sorts": "stars"},
        {"filters": "nonsense"}, {"guests": 5, "max_guests": 4}, {"page_size": 100, "cap": 50},
        {"rating_scale": 7}, {"site_name": ""}, {"contact_email": "nobody"},
        {"contact_email": '"some body"@rooms.example'}, {"contact_text": "x" * 501},
    ]:  # fmt: skip
        with pytest.raises(ValidationError):
            store.change(values)
        assert not SiteSettings.objects.exists(), values
