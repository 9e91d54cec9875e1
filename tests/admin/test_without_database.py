"""Search stands without the database. No test here may use it: any access raises, as a stopped one does."""

from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError
from django.utils.timezone import localdate


def test_home_results_and_suggestions_stand_on_built_in_defaults(client, caplog):
    first = localdate() + timedelta(days=40)
    dates = {"checkin": first.isoformat(), "checkout": (first + timedelta(days=3)).isoformat()}
    assert client.get("/").status_code == 200
    page = client.get("/hotels/", {"place": "Porto", "sort": "provider", **dates})
    assert page.status_code == 200
    assert page.content.decode().count('class="listing-card"') == 20
    assert client.get("/destinations/", {"q": "porto"}).status_code == 200
    complaints = [record for record in caplog.records if "settings unreadable" in record.getMessage()]
    assert len(complaints) == 1


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_the_admin_asks_to_try_again_and_leaves_no_trace(client, caplog, monkeypatch, error):
    def away(*_args: object, **_named: object) -> None:
        raise error("no database")

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", away)
    monkeypatch.setattr("django.contrib.auth.models.UserManager.get_by_natural_key", away)
    client.cookies["sessionid"] = "a" * 32
    for answer in (
        client.get("/admin/"),
        client.post("/admin/login/", {"username": "ann", "password": "word"}),
    ):
        assert answer.status_code == 503
        assert answer["Retry-After"]
        assert "Something went wrong on our side" in answer.text
    assert "ERROR" not in {record.levelname for record in caplog.records}
    assert f"database=unavailable error={error.__name__}" in caplog.text
