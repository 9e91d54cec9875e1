"""``manage.py serve_sandbox``: the sandbox as a gateway of its own, for another client."""

from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from search.gateway.factory import sandbox_day
from search.sandbox.server import SandboxServer
from search.sandbox.weather import parse_weather
from search.sandbox.world import world


class Command(BaseCommand):
    help = "Serve the sandbox gateway over HTTP."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
        parser.add_argument("--port", type=int, default=8001, help="port to listen on (default %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            weather = parse_weather(settings.SANDBOX_WEATHER)
            address = options["host"], options["port"]
            server = SandboxServer(*address, weather, today=sandbox_day)
        except ValueError as error:
            raise CommandError(str(error)) from None
        except (OSError, OverflowError) as error:
            raise CommandError(f"Can't serve there: {error}") from None
        self.stdout.write(f"Sandbox with {world().size:,} properties at {server.base_url}")
        self.stdout.flush()
        with server, suppress(KeyboardInterrupt):
            server.serve_forever()
