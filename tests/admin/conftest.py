"""Staff accounts of each role, signed in; a settings page that offers few markets and currencies."""

import pytest
from django.contrib.auth.models import Group, User
from django.template import Template
from django.test import Client

from search.domain.site_settings import Site
from search.site_settings.models import SiteSettings

SOME = {"", *Site().markets, *Site().currencies, "pt-br", "THB"}


def signed_in(role=None, **flags):
    user = User.objects.create_user(username=role or "nobody", is_staff=True, **flags)
    if role:
        user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def editor(db):
    return signed_in("Site editor")


@pytest.fixture
def sharer(db):
    return signed_in("Sharer")


@pytest.fixture
def boss(db):
    return signed_in(is_superuser=True)


@pytest.fixture
def whole_lists():
    """For tests of what the settings page offers where its choices are many."""


@pytest.fixture(autouse=True)
def _short_lists(request, monkeypatch):
    """Elsewhere it offers some of them: twelve hundred boxes and options take longer than all the rest."""
    if "whole_lists" not in request.fixturenames:
        for name in ("default_market", "markets", "default_currency", "currencies"):
            field = SiteSettings._meta.get_field(name)
            monkeypatch.setattr(field, "choices", [one for one in field.choices if one[0] in SOME])


@pytest.fixture(scope="session", autouse=True)
def _fields_are_rendered_unseen(django_test_environment):
    """Django's tests copy the context of each template that they render; a form has thousands of them."""
    seen = Template._render

    def render(template, context):
        of_a_field = str(template.name).startswith("django/forms/")
        return template.nodelist.render(context) if of_a_field else seen(template, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield
