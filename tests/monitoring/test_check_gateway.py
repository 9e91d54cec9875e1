"""What `check_gateway` says, and what it ends with."""

import pytest
from django.core.management import CommandError, call_command

from search.domain import process
from tests.gateway.documents import a_listing_document, an_entry

pytestmark = pytest.mark.django_db


def test_the_three_calls_are_told_with_what_they_found(capsys):
    call_command("check_gateway")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Gateway: the embedded sandbox"
    outcomes = dict(line.split()[:2] for line in lines[1:])
    assert outcomes == {"airports": "ok", "search": "ok", "details": "ok"}


def test_a_place_without_hotels_is_not_the_gateways_fault():
    with pytest.raises(CommandError, match="name a place that has hotels with --place"):
        call_command("check_gateway", place="Zzqqxx")


def test_a_gateway_that_is_down_is_said_to_be_of_no_use(settings):
    settings.SANDBOX_WEATHER = "down"
    process.start()
    with pytest.raises(CommandError, match="The gateway can't be used"):
        call_command("check_gateway")


def test_without_a_count_the_number_of_hotels_is_unknown(wire, capsys):
    wire.search(a_listing_document(an_entry(), total=None))
    call_command("check_gateway")
    assert "1 of an unknown number of properties in Barcelona, 1 offers" in capsys.readouterr().out
