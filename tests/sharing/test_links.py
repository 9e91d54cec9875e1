"""A link from its making to its end, as the sender and the recipient see it."""

from __future__ import annotations

from tests.journey.reading import words
from tests.sharing.conftest import SEARCH, share


def test_a_recipient_without_login_sees_what_was_shared(sandbox, sharer, visitor):
    code = share(sharer, note="Three quiet ones & a bold one")
    page = visitor.get(f"/s/{code}/")
    assert page.status_code == 200
    assert "Three quiet ones & a bold one" in words(page)
    assert words(page).count("the same as when shared on") == 20


def test_a_revoked_link_says_so_with_its_search_filled_in(sandbox, sharer, visitor):
    code = share(sharer)
    sharer.post(f"/share/links/{code}/revoke/")
    page = visitor.get(f"/s/{code}/")
    assert page.status_code == 410
    assert "This link has been withdrawn" in words(page)
    assert 'value="Porto"' in page.content.decode()
    assert 'value="2030-05-01"' in page.content.decode()


def test_only_staff_with_the_permission_learn_that_sharing_exists(sandbox, sharer, visitor):
    assert (
        f"/share/hotels/?{SEARCH}".replace("&", "&amp;") in sharer.get(f"/hotels/?{SEARCH}").content.decode()
    )
    anonymous = visitor.get(f"/hotels/?{SEARCH}")
    assert "share" not in anonymous.content.decode().lower().replace("shared areas", "")
    assert not anonymous.cookies
    assert visitor.get(f"/share/hotels/?{SEARCH}").status_code == 404
    assert visitor.get("/share/links/").status_code == 404
