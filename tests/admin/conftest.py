"""Staff accounts of each role, signed in."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client


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
