"""`watch_prices`: look watched totals up, and mail colleagues what changed."""

from typing import Any

from django.core.management.base import BaseCommand

from search.management import database_needed
from search.sharing import watches

WHY = {
    "off": "Nothing is watched: the settings say so.",
    "busy": "Another process looks them up.",
    "the gateway fails": "The rest waits for the gateway.",
    "visitors wait": "The rest waits for visitors.",
    "budget spent": "The rest waits: the calls for now are spent.",
}


class Command(BaseCommand):
    help = "Looks the watched totals up that are due, within their calls, and mails what changed."

    @database_needed()
    def handle(self, *_args: Any, **_options: Any) -> None:
        report = watches.run()
        counts = f"{report.looked_up} stays looked up with {report.calls} calls, {report.mails} mails sent."
        self.stdout.write(" ".join(filter(None, (counts, WHY.get(report.stopped, "")))))
