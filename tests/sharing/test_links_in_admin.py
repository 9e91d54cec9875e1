"""Shared links in the admin: who sees which, what is done to many at once, and its history."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from django.utils.timezone import localdate

from search.sharing.models import SharedLink
from tests.journey.reading import words
from tests.sharing.conftest import RESULTS, share, signed_in

LIST = "/admin/search/sharedlink/"


@pytest.fixture
def boss(db):
    return signed_in("boss", is_superuser=True)


def test_in_the_admin_sharers_see_their_own_links_and_admins_all(market, sharer, boss):
    share(sharer, title="By Ann")
    share(signed_in("bob", "Sharer"), title="By Bob")
    assert "By Bob" not in words(sharer.get(LIST))
    assert {"By Ann", "By Bob"} <= {title for title in ("By Ann", "By Bob") if title in words(boss.get(LIST))}


def test_the_admin_leads_to_a_link_only_who_sees_it(market, sharer, boss):
    """The admin sends every colleague on to a row's own address, if its model has one."""
    code, row = share(sharer), SharedLink.objects.get()
    kind = ContentType.objects.get_for_model(SharedLink)
    assert signed_in("bob").get(f"/admin/r/{kind.pk}/{row.pk}/").status_code == 404
    for client in (sharer, boss):
        page = client.get(f"/admin/search/sharedlink/{row.pk}/change/")
        assert f'href="/s/{code}/"' in page.content.decode()


@pytest.mark.parametrize(
    ("place", "moment", "over"),
    [
        ("Porto", "2030-05-01T23:00", True),  # in summer time
        ("Honolulu", "2030-05-02T09:59", False),
    ],
)
def test_a_link_is_live_as_long_for_colleagues_as_recipients(
    market, sharer, visitor, monkeypatch, place, moment, over
):
    code = share(sharer, RESULTS.replace("Porto", place), expires="2030-05-01")
    now = datetime.fromisoformat(f"{moment}+00:00")
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    assert (visitor.get(f"/s/{code}/").status_code == 410) is over
    sharer.force_login(User.objects.get(username="ann"))
    assert ("Dates passed" in words(sharer.get("/share/links/"))) is over
    boss = signed_in("late", is_superuser=True)
    for state, there in (("past", over), ("live", not over), ("expired", False)):
        rows = boss.get(f"{LIST}?state={state}")
        assert [one.code for one in rows.context["cl"].queryset] == [code] * there
    assert ("dates passed</td>" in boss.get(LIST).text) is over


def test_the_admin_filters_by_state_and_by_owners_who_left(market, sharer, boss):
    share(sharer, title="Mine")
    share(signed_in("bob", "Sharer"), title="Orphan")
    User.objects.get(username="bob").delete()
    SharedLink.objects.filter(title="Mine").update(revoked_at=timezone.now())
    found = {
        "?owner__isnull=True": "Orphan",
        "?state=live": "Orphan",
        "?state=revoked": "Mine",
    }
    for query, title in found.items():
        rows = list(boss.get(LIST + query).context["cl"].queryset)
        assert [row.title for row in rows] == [title], query
    for state in ("expired", "past", "nonsense"):
        assert boss.get(f"{LIST}?state={state}").status_code == 200


@pytest.mark.parametrize(("action", "status"), [("revoke", 410), ("extend", 200), ("restore", 200)])
def test_the_admin_revokes_and_extends_many_at_once(market, sharer, boss, visitor, action, status):
    code = share(sharer)
    SharedLink.objects.update(expires=localdate())
    boss.post(LIST, {"action": action, "_selected_action": [SharedLink.objects.get().pk]})
    assert visitor.get(f"/s/{code}/").status_code == status
    assert (SharedLink.objects.get().expires > localdate()) == (action == "extend")


def test_the_admin_hands_links_over_to_a_colleague_who_may_share(market, sharer, boss, visitor):
    code = share(sharer)
    bob, eve = signed_in("bob", "Sharer"), signed_in("eve")
    chosen = {"action": "hand_over", "_selected_action": [SharedLink.objects.get().pk]}
    refused = boss.post(LIST, {**chosen, "colleague": ""}, follow=True)
    assert "Choose a colleague who may share links." in words(refused)
    for nonsense in ("0", "x", User.objects.get(username="eve").pk):
        assert "handed over" not in words(boss.post(LIST, {**chosen, "colleague": nonsense}, follow=True))
    boss.post(LIST, {**chosen, "colleague": User.objects.get(username="bob").pk})
    assert code in bob.get("/share/links/").content.decode()
    assert code not in sharer.get("/share/links/").content.decode()
    assert code not in eve.get("/share/links/").content.decode()
    assert visitor.get(f"/s/{code}/").status_code == 200
    assert share(sharer) != code


def test_only_who_sees_everybodys_links_chooses_among_colleagues(market, sharer, boss):
    share(sharer)
    share(signed_in("bob", "Sharer"))
    signed_in("eve", "Site editor")
    offered = boss.get(LIST).context["action_form"].fields["colleague"].queryset
    assert sorted(one.username for one in offered) == ["ann", "bob", "boss"]
    assert "colleague" not in sharer.get(LIST).context["action_form"].fields
    assert "bob" not in words(sharer.get(LIST))
    assert "By shared by" in words(boss.get(LIST))
    assert "By shared by" not in words(sharer.get(LIST))


def test_sharers_hand_nothing_over_in_the_admin(market, sharer):
    share(sharer)
    row, bob = SharedLink.objects.get(), signed_in("bob", "Sharer")
    assert bob
    chosen = {"action": "hand_over", "_selected_action": [row.pk]}
    sharer.post(LIST, {**chosen, "colleague": User.objects.get(username="bob").pk})
    assert SharedLink.objects.get().owner == row.owner


def test_the_admin_refuses_late_last_days_and_direction_signs(market, sharer, boss):
    share(sharer, title="Porto")
    row = SharedLink.objects.get()
    page, said = f"{LIST}{row.pk}/change/", {"title": "Porto", "note": "", "label": ""}
    refused = boss.post(page, {**said, "expires": "2099-01-01"})
    assert "until check-in at the latest" in words(refused)
    assert SharedLink.objects.get().expires == row.expires
    boss.post(page, {**said, "note": "ab\u202ecd\u2066", "expires": row.check_in.isoformat()})
    row = SharedLink.objects.get()
    assert (row.note, row.expires) == ("abcd", row.check_in)


def test_moments_in_the_admin_name_their_zone(market, sharer, boss):
    share(sharer)
    text = words(boss.get(f"{LIST}{SharedLink.objects.get().pk}/change/"))
    assert re.search(r"Shared: [0-9]+ \w{3} 20[0-9]{2}, [0-9]{2}:[0-9]{2} UTC", text)


def test_a_reworded_link_is_not_reused_when_sharing_again(market, sharer, boss):
    code = share(sharer)
    row = SharedLink.objects.get()
    page = f"{LIST}{row.pk}/change/"
    assert "Hotel aa, Hotel bb, Hotel cc" in words(boss.get(page))
    boss.post(page, {"title": "", "note": "New words", "label": "", "expires": row.expires.isoformat()})
    assert SharedLink.objects.get(code=code).note == "New words"
    assert share(sharer) != code


def test_links_cannot_be_made_in_the_admin(boss):
    assert boss.get(f"{LIST}add/").status_code == 403
