"""What tiles say of places: the middle total of a sample of hotels there, and the photo of one of them.

Made behind the pages, one place after another, of one gateway page each; processes share these pages through
the cache for the day.
"""

import logging
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from itertools import chain
from threading import Lock

from cachetools import LRUCache
from django.http import QueryDict
from django.utils import timezone

from search.destinations.pages import PlaceTile, PlaceTiles
from search.domain import process
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.gateway import Garbled, Rejected
from search.gateway.resilience import behind_pages
from search.web import formatting, streaming
from search.web.formatting import Reader, whole_money
from search.web.links import photo_addresses
from search.web.search_form import SearchForm
from search.web.shortcuts import page_deadline
from search.web.translation import gettext as _

from . import dates
from .context import context_of
from .full_results import FullResults
from .listings import visible
from .page import PlaceShown

logger = logging.getLogger(__name__)

MOST_KEPT = 4_000
# Places that wait for their turn; more are left to a later page.
MOST_WAITING = 100
# Hotels that are looked at for a photo, and for where they are.
MOST_LOOKED_AT = 12

# The middle total in words and the address of a photo; either may be empty.
Made = tuple[str, str]


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="tiles")


class Tiles:
    """What this process has made today, by address and settings."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made: LRUCache[Hashable, Made] = LRUCache(MOST_KEPT)
        self._waiting: set[Hashable] = set()

    def made(self, addresses: Sequence[str], site: Site, *, fill: bool) -> list[Made]:
        """What is made for these addresses; to `fill` is to make the rest behind the page."""
        keys = [(timezone.localdate(), site, address) for address in addresses]
        with self._lock:
            due = [key for key in keys if key not in self._made and key not in self._waiting]
            due = due if fill and len(self._waiting) < MOST_WAITING else []
            self._waiting.update(due)
            made = [self._made.get(key, ("", "")) for key in keys]
        if due:
            streaming.started(process.part(build_pool), copy_context(), partial(self._make, due))
        return made

    def _make(self, keys: Sequence[tuple[object, Site, str]]) -> None:
        """Stop where the gateway fails: a later page asks again."""
        try:
            for key in keys:
                made = _made_of(key[2], key[1])
                with self._lock:
                    self._made[key] = made
        except Exception as error:  # no visitor waits for it
            logger.warning("tiles=not-made error=%s", type(error).__name__)
        finally:
            with self._lock:
                self._waiting.difference_update(keys)


@behind_pages
def _made_of(address: str, site: Site) -> Made:
    """The middle total and the photo for the search of this address, after one call at most: both empty where
    all hotels are in another place of the name. Raises GatewayError where the gateway has no answer."""
    now = timezone.localtime()
    today = (now - now.replace(hour=0, minute=0, second=0)).seconds
    # A page of today is fresh enough.
    lasting = replace(site, search_fresh_seconds=max(site.search_fresh_seconds, today))
    query = QueryDict(address.partition("?")[2])
    form = SearchForm(query, site=lasting, today=now.date())
    if not form.is_valid():
        return "", ""
    context = context_of(form, query, page_deadline())
    try:
        available = FullResults(context).fresh_or_first_page()
    except (Garbled, Rejected) as error:
        if isinstance(error, Garbled) or error.kind == "request":
            return "", ""
        raise
    reader, rows = Reader.for_search(context), available.result_set.rows
    listings = available.result_set.listings(rows[:MOST_LOOKED_AT]).values()
    hotels = [one.property for one in listings if visible(one, context)]
    if PlaceShown(context, [(one.country, one.coordinates) for one in hotels], reader).instead:
        return "", ""
    total = dates.middle_of(available, context).middle
    photo = next(chain.from_iterable(photo_addresses(hotel.images) for hotel in hotels), "")
    return whole_money(total, context.search.currency, reader.numbers) if total else "", photo


def place_tiles(tiles: Sequence[PlaceTile], stay: StaySearch, site: Site, *, fill: bool) -> PlaceTiles:
    """The tiles with the totals of the `stay` and photos, as far as they are made."""
    reader = Reader.of(site, stay.market)
    days = formatting.stay_days(stay.dates, reader.texts, "MMMd")
    made = process.part(Tiles).made([one.href for one in tiles], site, fill=fill)

    def shown(tile: PlaceTile, total: str, photo: str) -> PlaceTile:
        typical = _("typically %(amount)s") % {"amount": total}
        words = formatting.in_whole_parts(f"{typical} · {days}") if total else ""
        return tile._replace(total=words, picture=tile.picture or photo)

    note = [reader.stay_line(stay), *([dates.note(site)] if any(total for total, _ in made) else [])]
    return PlaceTiles(tuple(shown(one, *of) for one, of in zip(tiles, made, strict=True)), " · ".join(note))
