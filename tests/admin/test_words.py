"""Every page of the admin speaks of things by the names that colleagues know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import chain
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from search.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    HandOverCount,
    LinkOpens,
    Provider,
    SharedLink,
    SiteSettings,
)
from tests.journey.reading import words

DAY = date(2031, 5, 1)
# Django's words for what has none, names of classes and columns, a plural of a plural.
ODD = re.compile(
    r"object \(\d+\)|openss|Axes|Authentication and Authorization|Administration\b|"
    r"(?i:sitesettings|sharedlink|blockedproperty|destinationoverride|featureddestination|codelabel|"
    r"logentry|handovercount|linkopens)"
)


@pytest.fixture
def rows(boss: Any) -> list[Model]:
    link = SharedLink.objects.create(
        code="LIVECODE1234", kind="results", search="place=Porto", place="Porto", check_in=DAY, expires=DAY,
        shared_at=timezone.now(), title="A week in Porto",
    )  # fmt: skip
    LinkOpens.objects.create(link=link, day=DAY, opens=3)
    sharer = User.objects.create_user("ann", is_staff=True)
    sharer.groups.set(Group.objects.all())
    sharer.user_permissions.add(Permission.objects.get(codename="view_provider"))
    settings = SiteSettings()
    settings.save()
    return [
        link,
        sharer,
        settings,
        Group.objects.get(name="Sharer"),
        Provider.objects.create(code="AB", label="Abbey"),
        BlockedProperty.objects.create(key="0af", name="Hotel Miramar", reason="closed"),
        DestinationOverride.objects.create(airport="LPA"),
        FeaturedDestination.objects.create(place="Rome"),
        CodeLabel.objects.create(kind="facility", code="SPA", label="Spa"),
        HandOverCount.objects.create(provider="AB", day=DAY, count=3),
    ]


def pages_of(row: Model) -> Iterator[str]:
    """The list, form, deletion and history of a row; who may not delete it has no page for that."""
    base = f"admin:{row._meta.app_label}_{row._meta.model_name}_"
    yield reverse(f"{base}changelist")
    yield from (reverse(f"{base}{page}", args=[row.pk]) for page in ("change", "delete", "history"))


def test_every_admin_page_is_walked(rows):
    walked = {type(row) for row in rows}
    registered = {model for model in admin.site._registry if model._meta.app_label in {"search", "auth"}}
    assert registered == walked


def test_no_page_shows_a_technical_name(boss, rows):
    addresses = ["/admin/", "/admin/admin/logentry/", *chain.from_iterable(map(pages_of, rows))]
    found = {address: ODD.findall(words(boss.get(address, follow=True))) for address in addresses}
    assert {address: odd for address, odd in found.items() if odd} == {}


def test_deleting_several_names_days_of_opens_only(boss, rows):
    link, sharer, _settings, group = rows[:4]
    for row in (sharer, group, link):
        address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_changelist")
        asked = words(boss.post(address, {"action": "delete_selected", "_selected_action": [row.pk]}))
        assert str(row) in asked
        assert not ODD.findall(asked)
        assert "relationship" not in asked
    assert "Opens of one day: 1 May 2031, about 3" in asked


def test_a_deleted_member_leaves_their_group(boss, rows):
    boss.post(f"/admin/auth/user/{rows[1].pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(username="ann").exists()
    assert Group.objects.get(name="Sharer").user_set.count() == 0


def test_the_path_at_the_top_says_the_words_of_the_first_page(boss, rows):
    for address, name in (
        ("/admin/auth/group/", "Accounts"),
        ("/admin/axes/accesslog/", "Sign-in protection"),
        ("/admin/admin/logentry/", "Changes"),
    ):
        # Newer releases of Django draw the signs between them by style.
        assert f"Home {name} " in words(boss.get(address)).replace("› ", "")


def test_permissions_are_called_as_what_they_allow(db):
    names = dict(Permission.objects.filter(content_type__app_label="search").values_list("codename", "name"))
    assert names["change_sitesettings"] == "Can change site settings"
    for model in apps.get_app_config("search").get_models():
        assert names[f"view_{model._meta.model_name}"] == f"Can view {model._meta.verbose_name_raw}"


def test_changes_name_the_field_as_its_form_does(boss, rows):
    featured = rows[7]
    typed = {"place": "Rome", "airport": "", "text": "", "order": "0", "first_day": "2031-05-01"}
    boss.post(f"/admin/search/featureddestination/{featured.pk}/change/", typed)
    page = words(boss.get("/admin/admin/logentry/"))
    assert "from: – 2031-05-01" in page
    assert "first_day" not in page
