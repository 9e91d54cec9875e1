"""The style page: for colleagues only, and whole."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db


def test_visitors_do_not_find_it(client: Client):
    assert client.get("/styleguide/").status_code == 404


def test_staff_see_every_component(client: Client):
    client.force_login(User.objects.create_user("ann", is_staff=True))
    html = client.get("/styleguide/").content.decode()
    for block in (
        "listing-card",
        "room-type",
        "pager",
        "notice--caution",
        "search-form",
        "stay-map",
        "price",
    ):
        assert f'class="{block}' in html or f" {block}" in html
