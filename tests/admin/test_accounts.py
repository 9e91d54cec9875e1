"""Two administrators with the page of one account open: the second to save takes nothing back."""

import re

from django.contrib.auth.models import Group, User

FIELD = re.compile(r'<input type="(\w+)" name="([^"]+)"(?: value="([^"]*)")?([^>]*)>')


def form_of(client, path):
    """What the browser would post of the page, but for what is chosen in its lists."""
    html = client.get(path).text
    fields = [one for one in FIELD.findall(html) if one[0] != "submit" and not one[1].startswith("_")]
    seen = {}
    for kind, name, value, more in fields:
        if kind != "checkbox" or "checked" in more:
            seen.setdefault(name, []).append(value or ("on" if kind == "checkbox" else ""))
    return seen


def test_an_account_that_a_colleague_shut_meanwhile_stays_shut(boss):
    ann, editors = User.objects.create_user("ann", is_staff=True), Group.objects.get(name="Site editor")
    path = f"/admin/auth/user/{ann.pk}/change/"
    seen = form_of(boss, path)
    assert ann.password not in boss.get(path).text
    ann.groups.add(editors)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert boss.post(path, {**seen, "first_name": "Ann"}).status_code == 302
    ann.refresh_from_db()
    assert (ann.first_name, ann.is_active, [*ann.groups.all()]) == ("Ann", False, [editors])


def test_a_role_that_a_colleague_took_away_meanwhile_stays_away(boss):
    ann, editors = User.objects.create_user("ann", is_staff=True), Group.objects.get(name="Site editor")
    ann.groups.add(editors)
    path = f"/admin/auth/user/{ann.pk}/change/"
    seen = form_of(boss, path) | {"groups": [editors.pk]}
    ann.groups.clear()
    assert boss.post(path, {**seen, "first_name": "Ann"}).status_code == 302
    assert not ann.groups.exists()
    sharers = Group.objects.get(name="Sharer")
    assert boss.post(path, {**seen, "groups": [sharers.pk]}).status_code == 302
    assert [*ann.groups.all()] == [sharers]
