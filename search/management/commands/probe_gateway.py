"""`probe_gateway`: measure what the interface leaves open, and set what the answers decide."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import localdate

from search.gateway import factory
from search.management import database_needed
from search.monitoring import probe
from search.site_settings import store


class Command(BaseCommand):
    help = f"Asks the gateway at most {probe.MOST_CALLS} questions and prints the settings they suggest."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--place", default="", help="where to look (default: the best-served airport's city)"
        )
        parser.add_argument("--apply", action="store_true", help="set the suggested settings")

    @database_needed()
    def handle(self, *_args: Any, **options: Any) -> None:
        where = "the embedded sandbox" if factory.uses_sandbox() else "the gateway"
        self.stdout.write(f"Probing {where} with at most {probe.MOST_CALLS} calls.\n")
        site = store.current()
        findings = probe.Probe(site, localdate(), options["place"]).findings()
        for one in findings:
            self.stdout.write(f"{one.topic:<15} {one.text}")
        suggested = probe.suggestions(findings)
        if not suggested:
            raise CommandError("The answers decide no setting.")
        changes = store.changes_by(suggested, site)
        if not changes:
            undecided = sum(one.text.startswith("undecided") for one in findings)
            left = f" Undecided: {undecided} of {len(findings)}." if undecided else ""
            self.stdout.write(f"\nThe settings agree with what was found.{left}")
            return
        self.stdout.write("\nSuggested settings:")
        for name, before, after in changes:
            self.stdout.write(f"  {name}: {before} -> {after}")
        if options["apply"]:
            try:
                applied = store.change({one.name: suggested[one.name] for one in changes})
            except ValidationError as error:
                raise CommandError(f"Nothing was set: {' '.join(error.messages)}") from None
            self.stdout.write(f"Set {len(applied)} settings.")
        else:
            self.stdout.write("Run again with --apply to set them.")
