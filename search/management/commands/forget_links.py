"""Delete shared links and watches that ended long ago, opens and snapshots with them."""

from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.template.defaultfilters import pluralize
from django.utils.timezone import localdate

from search.management import database_needed
from search.sharing import models as links
from search.sharing import watches
from search.sharing.models import SharedLink

DAYS = 30
MOST_DAYS = 36_500


def whole_days(text: str) -> int:
    """A number of days that a date can go back; ArgumentTypeError for another."""
    if not text.isdecimal() or int(text) > MOST_DAYS:
        raise ArgumentTypeError(f"a whole number from 0 to {MOST_DAYS}")
    return int(text)


class Command(BaseCommand):
    help = "Delete shared links and watches that ended, or whose stay began, more than some days ago."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--days", type=whole_days, default=DAYS, help=f"days since a link ended (default {DAYS})"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say how many there are")

    @database_needed()
    def handle(self, *args: Any, **options: Any) -> None:
        day = localdate() - timedelta(days=options["days"])
        dead = links.ended_before(day)
        if options["dry_run"]:
            count = dead.count()
            self.stdout.write(f"{count} link{pluralize(count)} would be deleted")
        else:
            # With their opens by day, which are rows as well.
            _all, deleted = dead.delete()
            count = deleted.get(SharedLink._meta.label, 0)
            self.stdout.write(f"{count} link{pluralize(count)} deleted")
            watches.ended_before(day).delete()
