"""The command that forgets links which ended long ago."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError, connection
from django.utils.timezone import localdate

from search.sharing.models import LinkOpens, SharedLink
from tests.sharing.conftest import share


def test_ended_links_are_forgotten_after_some_time(market, sharer, capsys):
    for number, days in enumerate((0, 10, 40)):
        share(sharer, title=str(number))
        SharedLink.objects.filter(title=str(number)).update(expires=localdate() - timedelta(days=days))
    call_command("forget_links", "--dry-run")
    assert capsys.readouterr().out == "1 link would be deleted\n"
    for link in SharedLink.objects.all():
        LinkOpens.objects.create(link=link, day=localdate())
    call_command("forget_links", days=5)
    assert [link.title for link in SharedLink.objects.all()] == ["0"]
    assert capsys.readouterr().out == "2 links deleted\n"


def test_a_link_that_still_opens_is_not_forgotten(market, sharer, visitor):
    """West of the site its last day may not be over yet."""
    code = share(sharer)
    links = SharedLink.objects.all()
    links.update(expires=localdate() - timedelta(days=1))
    call_command("forget_links", days=0)
    assert visitor.get(f"/s/{code}/").status_code == 200
    links.update(expires=localdate() - timedelta(days=2))
    assert visitor.get(f"/s/{code}/").status_code == 410
    call_command("forget_links", days=0)
    assert not links.exists()


@pytest.mark.parametrize("days", ["-3", "99999999", "a month"])
def test_no_link_is_forgotten_for_days_that_make_no_sense(market, sharer, days):
    share(sharer)
    SharedLink.objects.update(expires=localdate() - timedelta(days=1))
    with pytest.raises(CommandError, match="a whole number from 0"):
        call_command("forget_links", f"--days={days}")
    assert SharedLink.objects.exists()


@pytest.mark.parametrize("asked", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OperationalError("no such table: links"), "no such table: links. `manage.py migrate`"),
        (ProgrammingError('"links" does not exist\nLINE 1: SELECT'), "does not exist. `manage.py migrate`"),
        (OperationalError("Connection refused\n\tIs the server running?"), "Connection refused$"),
    ],
)
def test_a_database_that_is_away_or_lacks_its_tables_is_one_line(market, asked, error, said):
    def fail(*_question):
        raise error

    with (
        connection.execute_wrapper(fail),
        pytest.raises(CommandError, match=f"DATABASE_URL can't be used: .*{said}") as raised,
    ):
        call_command("forget_links", *asked)
    assert "\n" not in str(raised.value)
