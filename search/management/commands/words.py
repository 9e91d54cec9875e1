"""`python manage.py words`: keeps the catalogues of all languages in step with the source."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from hotelsite import translations


class Command(BaseCommand):
    help = "Gathers the words of the site into its catalogues (--update), or says what is wrong (--check)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--update", action="store_true", help="rewrite the catalogues from the source")
        what.add_argument("--check", action="store_true", help="change nothing; fail if anything is amiss")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = translations.check(options["update"])
        for line in lines:
            self.stdout.write(line)
        if options["update"]:
            translations.compile_changed()
            self.stdout.write(f"{len(lines)} still to be translated")
        elif lines:
            raise CommandError(f"{len(lines)} found")
