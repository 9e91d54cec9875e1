"""Search stands without the database. No test here may use it: any access raises, as a stopped one does."""

from datetime import timedelta

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
