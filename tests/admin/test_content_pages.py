"""The content tables: columns, filters, bulk actions, and two colleagues who change a row at once."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.utils.timezone import localdate

from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from tests.admin.content_tables import act, cells, history_of


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Provider, {"code": "{}"}),
        (BlockedProperty, {"key": "{}", "reason": "closed"}),
        (DestinationOverride, {"airport": "{:.3}", "search_words": "{}"}),
        (FeaturedDestination, {"place": "{}"}),
        (CodeLabel, {"kind": "facility", "code": "{}", "label": "Pool"}),
    ],
)
def test_every_table_lists_searches_and_adds_rows(editor, model, values):
    rome, oslo = (
        model.objects.create(**{name: text.format(word) for name, text in values.items()})
        for word in ("Rome", "Oslo")
    )
    address = f"/admin/search/{model._meta.model_name}/"
    assert {*editor.get(address).context["cl"].result_list} == {rome, oslo}
    assert [*editor.get(f"{address}?q=rome").context["cl"].result_list] == [rome]
    assert f'name="{next(iter(values))}"' in editor.get(f"{address}add/").text


def test_providers_are_disabled_in_bulk_with_a_history(editor):
    one, two = Provider.objects.create(code="AA"), Provider.objects.create(code="BB", enabled=False)
    act(editor, "provider", "disable", one, two)
    assert not store.current().provider("AA").enabled
    assert history_of(editor, "provider", one) == [("enabled", "True", "False")]
    assert not LogEntry.objects.filter(object_id=two.pk).exists()
    act(editor, "provider", "enable", one)
    assert store.current().provider("AA").enabled


def test_a_provider_renamed_in_the_list_shows_its_new_name(editor):
    row = Provider.objects.create(code="AA", label="Old")
    editor.post(
        "/admin/search/provider/", {**cells(editor, "provider"), "form-0-label": "New", "form-0-order": "3"}
    )
    assert store.current().provider_label("AA") == "New"
    assert history_of(editor, "provider", row) == [("label", "Old", "New"), ("order", "0", "3")]


def test_an_older_list_takes_back_no_colleagues_change(editor):
    row, other = Provider.objects.create(code="AA", label="Old"), Provider.objects.create(code="BB")
    seen = cells(editor, "provider")
    Provider.objects.filter(pk=row.pk).update(label="New", enabled=False)
    Provider.objects.filter(pk=other.pk).update(enabled=False)
    editor.post("/admin/search/provider/", {**seen, "form-0-order": "3"})
    found = [*Provider.objects.order_by("code").values_list("label", "order", "enabled")]
    assert found == [("New", 3, False), ("", 0, False)]
    assert history_of(editor, "provider", row) == [("order", "0", "3")]
    assert not LogEntry.objects.filter(object_id=other.pk).exists()


def form_of(client, path):
    """What the browser would post: every field of the row's form as the page shows it."""
    page = client.get(path)
    values = {}
    for bound in page.context["adminform"].form:
        shown = bound.value() if bound.field.widget.needs_multipart_form is False else None
        values |= {bound.html_initial_name: shown} if bound.field.show_hidden_initial else {}
        values |= {} if shown is False else {bound.html_name: shown}
    values = {name: "" if value is None else value for name, value in values.items()}
    assert [name for name in values if f'name="{name}"' not in page.text] == []
    return values


@pytest.mark.parametrize(
    ("model", "there", "theirs", "ours"),
    [
        (Provider, {"code": "AA", "label": "Old"}, {"enabled": False, "label": "New"}, {"order": 3}),
        (BlockedProperty, {"key": "k", "reason": "One\r\ntwo"}, {"until": localdate()}, {"name": "Ritz"}),
        (FeaturedDestination, {"place": "Rome"}, {"last_day": localdate()}, {"text": "Eternal"}),
    ],
)
def test_an_older_form_takes_back_no_colleagues_change(editor, model, there, theirs, ours):
    row = model.objects.create(**there)
    path = f"/admin/search/{model._meta.model_name}/{row.pk}/change/"
    seen = form_of(editor, path)
    model.objects.update(**theirs)
    assert editor.post(path, {**seen, **ours}).status_code == 302
    assert model.objects.filter(**{**there, **theirs, **ours}).exists()
    assert {one[0] for one in history_of(editor, model._meta.model_name, row)} == {*ours}


@pytest.mark.parametrize(
    ("model", "there", "theirs", "ours", "said"),
    [
        (Provider, {"code": "AA", "label": "Old"}, {"label": "New"}, {"label": "Mine"}, "New"),
        (BlockedProperty, {"key": "k", "reason": "One\r\ntwo"}, {"reason": ""}, {"reason": "Mine"}, "empty"),
    ],
)
def test_a_colleagues_change_is_said_before_it_is_replaced(editor, model, there, theirs, ours, said):
    row = model.objects.create(**there)
    path = f"/admin/search/{model._meta.model_name}/{row.pk}/change/"
    seen = form_of(editor, path)
    model.objects.update(**theirs)
    refused = editor.post(path, {**seen, **ours}).context["adminform"].form
    assert refused.errors == {
        name: [f"A colleague has set this to “{said}” meanwhile. Save again to set yours."] for name in ours
    }
    assert model.objects.filter(**theirs).exists()
    again = {bound.html_initial_name: bound.as_hidden(only_initial=True) for bound in refused}
    told = {name: re.findall('value="([^"]*)"', html) for name, html in again.items() if name in seen}
    assert (
        editor.post(path, {**seen, **ours, **{name: "".join(one) for name, one in told.items()}}).status_code
        == 302
    )
    assert model.objects.filter(**ours).exists()


def test_a_colleagues_cell_is_replaced_after_a_warning(editor):
    Provider.objects.create(code="AA", label="Old")
    seen = cells(editor, "provider")
    Provider.objects.update(label="New")
    mine = {**seen, "form-0-label": "Mine"}
    refused = editor.post("/admin/search/provider/", mine)
    assert "A colleague has set this to “New” meanwhile." in refused.text
    assert Provider.objects.get().label == "New"
    assert 'name="initial-form-0-label" value="New"' in refused.text
    editor.post("/admin/search/provider/", {**mine, "initial-form-0-label": "New"})
    assert Provider.objects.get().label == "Mine"


def test_airports_are_hidden_in_bulk(editor):
    row = DestinationOverride.objects.create(airport="LPA", place="Las Palmas")
    act(editor, "destinationoverride", "hide", row)
    assert store.current().override("LPA").hidden
    act(editor, "destinationoverride", "show", row)
    assert not store.current().override("LPA").hidden


def test_a_bulk_action_counts_and_records_rows_and_not_fields(editor):
    today = localdate()
    FeaturedDestination.objects.create(place="Always")
    row = FeaturedDestination.objects.create(place="Later", first_day=today)
    page = act(editor, "featureddestination", "whole_year", *FeaturedDestination.objects.all())
    assert "1 row changed." in page.content.decode()
    assert history_of(editor, "featureddestination", row) == [("first_day", today.isoformat(), "")]


def test_one_code_has_one_label_per_kind(editor):
    CodeLabel.objects.create(kind="facility", code="SPA_X", label="Spa")
    response = editor.post(
        "/admin/search/codelabel/add/", {"kind": "facility", "code": "SPA_X", "label": "Other"}
    )
    assert response.status_code == 200
    assert store.current().code_label("facility", "SPA_X") == "Spa"


def test_a_sharer_sees_none_of_it(sharer):
    for model in ("provider", "blockedproperty", "destinationoverride", "featureddestination", "codelabel"):
        assert sharer.get(f"/admin/search/{model}/").status_code == 403
