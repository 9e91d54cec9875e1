"""One list of every change, for those who may see it, editable by nobody."""

from datetime import date

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from search.sharing.models import SharedLink
from search.site_settings.models import Provider

PAGE = "/admin/admin/logentry/"


def change_and_delete(client):
    row = Provider.objects.create(code="AA", label="Old")
    client.post(
        f"/admin/search/provider/{row.pk}/change/",
        {"code": "AA", "label": "<b>New</b>", "order": "0", "enabled": "on"},
    )
    client.post(f"/admin/search/provider/{row.pk}/delete/", {"post": "yes"})


def test_changes_of_deleted_rows_are_listed_with_their_values(editor):
    change_and_delete(editor)
    page = editor.get(PAGE).content.decode()
    assert "<del>Old</del> <ins>&lt;b&gt;New&lt;/b&gt;</ins>" in page
    assert [entry.action_flag for entry in editor.get(PAGE).context["cl"].result_list] == [3, 2]


def test_changes_of_accounts_are_not_in_the_list(boss, editor):
    boss.post("/admin/auth/group/add/", {"name": "Guests"})
    assert LogEntry.objects.exists()
    assert list(editor.get(PAGE).context["cl"].result_list) == []


@pytest.mark.parametrize("roles", [("Site editor",), ("Site editor", "Sharer")])
def test_notes_and_codes_of_links_need_the_right_to_see_all(boss, db, roles):
    link = SharedLink.objects.create(
        code="LIVECODE1234", kind="results", search="place=Porto", place="Porto", note="Old secret",
        check_in=date(2099, 5, 1), expires=date(2099, 5, 1), shared_at=timezone.now(),
    )  # fmt: skip
    page = f"/admin/search/sharedlink/{link.pk}/change/"
    boss.post(page, {"title": "", "note": "New secret", "label": "", "expires": "2099-04-01"})
    assert "New secret" in boss.get(PAGE).content.decode()
    reader = User.objects.create_user(username="reader", is_staff=True)
    reader.groups.set(Group.objects.filter(name__in=roles))
    client = Client()
    client.force_login(reader)
    shown = client.get(PAGE).content.decode()
    assert "secret" not in shown
    assert "LIVECODE1234" not in shown


def test_history_can_be_neither_written_nor_deleted(boss):
    change_and_delete(boss)
    entry = LogEntry.objects.first()
    assert boss.get(f"{PAGE}add/").status_code == 403
    assert boss.post(f"{PAGE}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in boss.get(PAGE).content.decode()


def test_a_sharer_does_not_see_it(sharer):
    assert sharer.get(PAGE).status_code == 403


LISTS = [
    f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    for model, page in admin.site._registry.items()
    if page.search_fields
]


def test_no_list_fails_on_values_that_no_row_can_have(boss):
    number = "9" * 30
    for page in LISTS:
        asked = boss.get(page, {"date__year": number, "attempt_time__year": number, "id__exact": number})
        acted = [
            boss.post(page, {"action": "delete_selected", "_selected_action": key}) for key in (number, "x")
        ]
        assert {one.status_code for one in (asked, *acted)} <= {200, 302, 400}, page
