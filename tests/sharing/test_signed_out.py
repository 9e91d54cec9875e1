"""A share form that is sent after the session has ended: sign in, and what was typed is there."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.test.client import RequestFactory

from search.sharing.models import SharedLink
from search.site_settings import store
from search.web.links import card_anchor
from tests.journey.reading import words
from tests.sharing.conftest import RESULTS, SEARCH, signed_in

PICKS = "&".join(f"pick=1.{card_anchor(key)}" for key in ("bb", "aa"))
PATH = f"/share/hotels/?{SEARCH.replace('Porto', 'Krak%C3%B3w%20Centrum')}&{PICKS}"
SAID = {
    "title": "For <you> & me",
    "note": "Zażółć\r\n" + "n" * 1_200,
    "label": "Smith, May",
    "expires": "2030-04-03",
}


@pytest.fixture
def ann(db: None) -> Client:
    """Signed in as people sign in, on a browser whose tokens are checked."""
    user = User.objects.create_user("ann", password="secret", is_staff=True)
    user.groups.set(Group.objects.filter(name="Sharer"))
    client = Client(enforce_csrf_checks=True)
    sign_in(client, "/")
    return client


def sign_in(client: Client, next_page: str, name: str = "ann") -> str:
    """Where the sign-in page leads."""
    form = client.get("/admin/login/", {"next": next_page}).content.decode()
    typed = {"username": name, "password": "secret", "next": next_page}
    done = client.post("/admin/login/", {**typed, "csrfmiddlewaretoken": field(form, "csrfmiddlewaretoken")})
    assert done.status_code == 302, words(done)
    return str(done["Location"])


def field(html: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]*? value="([^"]*)"', html)
    assert found, name
    return unescape(found[1])


def filled_in(client: Client) -> dict[str, str]:
    """The form as a colleague has typed into it."""
    html = client.get(PATH).content.decode()
    return {**SAID, **{name: field(html, name) for name in ("csrfmiddlewaretoken", "sharer")}}


def test_who_signs_in_again_finds_the_form_as_they_left_it(market, ann):
    form = filled_in(ann)
    Session.objects.all().delete()
    asked = ann.post(PATH, form)
    assert asked.status_code == 403
    assert "You have been signed out" in words(asked)
    assert 'id="share-panel"' in asked.content.decode()
    assert not SharedLink.objects.exists()
    link = unescape(re.search(r'href="(/admin/login/[^"]*)"', asked.content.decode())[1])
    assert "Smith" not in link
    again = sign_in(ann, RequestFactory().get(link).GET["next"])
    assert again == PATH
    html = ann.get(again).content.decode()
    assert {name: field(html, name) for name in ("title", "label", "expires")} == {
        name: SAID[name] for name in ("title", "label", "expires")
    }
    note = unescape(re.search(r'<textarea[^>]*name="note"[^>]*>(.*?)</textarea>', html, re.DOTALL)[1])
    assert note.split() == SAID["note"][:1_000].split()
    made = ann.post(
        again, {**SAID, "note": "short", "csrfmiddlewaretoken": field(html, "csrfmiddlewaretoken")}
    )
    assert made.status_code == 302
    link = SharedLink.objects.get()
    assert ([one.key for one in link.shown], link.title) == (["bb", "aa"], SAID["title"])


def test_who_has_signed_in_again_in_another_tab_finds_the_form_as_they_left_it(market, ann):
    form = filled_in(ann)
    ann.cookies.pop("sessionid")
    sign_in(ann, "/")
    again = ann.post(PATH, form)
    assert (again.status_code, again["Location"]) == (302, PATH)
    page = ann.get(PATH)
    assert "Smith, May" in page.text
    assert "What you wrote is still here: please try again." in page.text
    assert 'role="alert" hidden' not in page.text
    fresh = {name: field(page.text, name) for name in ("csrfmiddlewaretoken", "sharer")}
    assert ann.post(PATH, {**SAID, **fresh, "note": "short"}).status_code == 302
    assert SharedLink.objects.get().label == "Smith, May"


def test_a_form_of_a_colleague_or_of_nobody_expires_and_is_not_kept(market, ann):
    form = filled_in(ann)
    User.objects.create_superuser("bob", password="secret")
    ann.cookies.pop("sessionid")
    sign_in(ann, "/", "bob")
    for sent in (form, {**form, "sharer": "forged"}):
        expired = ann.post(PATH, sent)
        assert expired.status_code == 403
        assert "This form has expired" in words(expired)
    assert "Smith, May" not in ann.get(PATH).text
    assert ann.post("/share/links/x/revoke/", {"sharer": form["sharer"]}).status_code == 403


@pytest.mark.parametrize("button", ["revoke", "extend", "restore"])
def test_who_presses_a_button_of_my_links_without_a_session_signs_in_and_is_back_there(market, ann, button):
    made = ann.post(PATH, {**filled_in(ann), "note": "short"})["Location"]
    shown = ann.get("/share/links/?q=Smith&market=en-gb").text
    sent = {name: field(shown, name) for name in ("csrfmiddlewaretoken", "sharer")}
    Session.objects.all().delete()
    pressed = f"{made.partition('?')[0]}{button}/?q=Smith&market=en-gb"
    asked = ann.post(pressed, sent)
    assert asked.status_code == 403
    assert "Nothing has changed yet." in words(asked)
    assert SharedLink.objects.get().revoked_at is None
    link = unescape(re.search(r'href="(/admin/login/[^"]*)"', asked.text)[1])
    again = sign_in(ann, RequestFactory().get(link).GET["next"])
    assert again == "/share/links/?q=Smith&market=en-gb"
    sent = {name: field(ann.get(again).text, name) for name in ("csrfmiddlewaretoken", "sharer")}
    assert ann.post(pressed, sent)["Location"] == again
    stranger = Client()
    for proof in ({}, {"sharer": "forged"}):
        assert stranger.post(pressed, proof).status_code == 404


def test_what_was_kept_is_told_once_and_only_on_its_own_form(market, ann):
    form = filled_in(ann)
    ann.cookies.pop("sessionid")
    ann.post(PATH, form)
    sign_in(ann, PATH)
    assert "Smith, May" not in ann.get(RESULTS).content.decode()
    assert "Smith, May" in ann.get(PATH).content.decode()
    assert "Smith, May" not in ann.get(PATH).content.decode()


def test_another_colleague_on_the_same_browser_does_not_read_it(market, ann):
    bob = User.objects.create_superuser("bob", password="secret")
    form = filled_in(ann)
    ann.cookies.pop("sessionid")
    ann.post(PATH, form)
    sign_in(ann, PATH, bob.username)
    page = ann.get(PATH)
    assert page.status_code == 200
    assert "Smith, May" not in page.content.decode()


@pytest.mark.parametrize("sharer", [None, "", "1", "WzFd:1abcde:forged"])
def test_who_was_never_given_the_form_learns_nothing_and_no_session_begins(market, visitor, db, sharer):
    answer = visitor.post(PATH, SAID if sharer is None else {**SAID, "sharer": sharer})
    assert answer.status_code == 404
    assert not answer.cookies
    assert not Session.objects.exists()


def test_a_colleague_without_the_permission_and_a_site_without_sharing_give_404(market, ann):
    form = filled_in(ann)
    assert signed_in("ed", "Site editor").post(PATH, form).status_code == 404
    store.change({"sharing_enabled": False})
    cache.clear()
    assert Client().post(PATH, form).status_code == 404
