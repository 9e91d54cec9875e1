"""`check_gateway`: make the three calls of the interface and say what came back."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import localdate

from search.gateway import factory
from search.monitoring.status import NO_OFFER, check_calls
from search.site_settings import store


class Command(BaseCommand):
    help = "Makes the three calls of the gateway and prints their times and counts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--place", default="Barcelona", help="the place to search (default: Barcelona)")

    def handle(self, *_args: Any, **options: Any) -> None:
        where = "the embedded sandbox" if factory.uses_sandbox() else settings.GATEWAY_BASE_URL
        self.stdout.write(f"Gateway: {where}")
        checks = check_calls(options["place"], store.current(), localdate())
        for check in checks:
            self.stdout.write(
                f"{check.call:<9} {'ok' if check.ok else 'FAILED':<7} {check.ms:>6} ms  {check.found}"
            )
        *others, details = checks
        if details.found == NO_OFFER and all(check.ok for check in others):
            raise CommandError("Nothing to ask for details of: name a place that has hotels with --place.")
        if not all(check.ok for check in checks):
            raise CommandError("The gateway can't be used as it is.")
