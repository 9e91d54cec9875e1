"""``manage.py serve_sandbox``"""

import pytest
from django.core.management import CommandError, call_command


def test_unknown_weather_stops_the_start_with_its_name(settings):
    settings.SANDBOX_WEATHER = "slow=1,frogs"
    with pytest.raises(CommandError, match="frogs"):
        call_command("serve_sandbox", port=0)


def test_a_port_that_cannot_be_had_stops_the_start(settings):
    settings.SANDBOX_WEATHER = ""
    with pytest.raises(CommandError):
        call_command("serve_sandbox", port=70000)
