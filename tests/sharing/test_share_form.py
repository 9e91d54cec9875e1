"""The form of a new link: what is filled in, what is refused, and where it leads back."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.contrib.auth.models import Permission, User

from search.sharing.models import SharedLink
from search.site_settings import store
from tests.gateway.documents import a_summary
from tests.journey.reading import words
from tests.sharing.conftest import EXPORT, RESULTS, SEARCH, share, signed_in


def test_an_untouched_title_follows_the_readers_language(market, sharer, visitor):
    form = sharer.get(RESULTS).content.decode()
    assert 'value="3 hotels in Porto, 1–4 May 2030, 2 guests"' in form
    code = share(sharer, title="3 hotels in Porto, 1–4 May 2030, 2 guests")
    assert SharedLink.objects.get().title == ""
    page = visitor.get(f"/s/{code}/", headers={"accept-language": "de"})
    assert "3 Hotels – Porto" in words(page)


@pytest.mark.parametrize(("field", "most"), [("title", 120), ("note", 1000), ("label", 80)])
def test_what_is_too_long_is_refused_in_the_words_of_the_site(market, sharer, field, most):
    for spoken, sentence in (
        ("en-gb", f"This is too long. Please use {most} characters at most."),
        ("de-de", f"Das ist zu lang. Bitte verwenden Sie höchstens {most} Zeichen."),
    ):
        answer = sharer.post(f"{RESULTS}&market={spoken}", {field: "x" * (most + 1)})
        assert answer.status_code == 400
        assert f'<p class="field__error" id="id_{field}-error">{sentence}</p>' in answer.content.decode()
    share(sharer, RESULTS, **{field: "x" * most})


def test_a_wrong_field_of_the_share_form_has_words_and_focus(market, sharer):
    fields = r'<(?:input|textarea)[^>]* name="(\w+)"[^>]*'
    asked = sharer.get(RESULTS).content.decode()
    assert re.findall(f"{fields} data-focus", asked) == ["title"]
    assert "aria-invalid" not in asked
    html = sharer.post(RESULTS, {"note": "\x07", "expires": "soon"}).content.decode()
    assert re.findall(f"{fields} data-focus", html) == ["note"]
    told = re.findall(f'{fields} aria-invalid="true" aria-describedby="([^"]+)"', html)
    assert [name for name, _error in told] == ["note", "expires"]
    for _name, error in told:
        assert re.search(rf'<p class="field__error" id="{error}">\w', html)


def test_the_senders_name_is_shown_where_the_setting_says_so(market, sharer, visitor):
    User.objects.filter(username="ann").update(first_name="Ann", last_name="Onym", email="ann@sun.example")
    store.change({"site_name": "Sun Travel", "contact_email": "desk@sun.example"})
    code = share(sharer, f"{RESULTS}&stay=ACME/aa&stay=ACME/bb")
    page = visitor.get(f"/s/{code}/")
    assert '<h1 dir="auto">Ann Onym at Sun Travel picked 2 hotels for you</h1>' in page.text
    assert "mailto:ann@sun.example?subject=2%20hotels%20in%20Porto" in page.text
    assert re.search(r"Shared by Ann Onym on [0-9]+ \w+", words(page))
    store.change({"sender_shown": False})
    page = visitor.get(f"/s/{code}/")
    assert '<h1 dir="auto">Sun Travel picked 2 hotels for you</h1>' in page.text
    assert "mailto:desk@sun.example?" in page.text
    assert "Ann Onym" not in words(page)
    User.objects.all().delete()
    assert re.search(r"Shared on [0-9]+ \w+", words(visitor.get(f"/s/{code}/")))


def test_back_to_the_property_is_back_to_the_picked_place(market, sharer):
    market.wire.details({"propertyDetails": {"propertySummary": a_summary(ryanairId="aa", id="aa")}})
    page = sharer.get(f"/share/hotels/ACME/aa/?{SEARCH}&country=PT").text
    assert re.search(r'href="/hotels/ACME/aa/\?[^"]*&amp;country=PT" data-back', page)


def test_without_a_market_what_is_shared_is_of_the_list_in_front(market, sharer):
    sharer.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert '<html lang="en"' in sharer.get(f"/hotels/?{SEARCH}").text
    assert "Make a link" in words(sharer.get(RESULTS))
    assert next(csv.reader(io.StringIO(sharer.get(EXPORT).text.lstrip("\ufeff"))))[1] == "Stars"
    share(sharer)
    assert "market=en-gb" in SharedLink.objects.get().search


def test_the_right_to_share_comes_with_the_role_and_by_itself(market, db):
    carl = signed_in("carl")
    assert carl.get("/share/links/").status_code == 404
    User.objects.get(username="carl").user_permissions.add(Permission.objects.get(codename="add_sharedlink"))
    assert carl.get("/share/links/").status_code == 200
    assert signed_in("dora", "Sharer").get("/share/links/").status_code == 200
