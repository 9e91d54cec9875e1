"""The site as it is deployed: start-up refusals, headers, health, throttle, static files."""

import pytest
from django.test import Client


def test_healthz_answers_without_a_cookie(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert not answer.cookies


@pytest.mark.django_db
def test_readyz_tells_of_database_cache_and_breaker(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"ready": True, "database": "ok", "cache": "ok", "breaker": "closed"}
