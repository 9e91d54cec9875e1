"""How large a page the gateway gives, and the total a place had of late: remembered for all processes, to ask
for as much as possible at once. Both are guesses: a fetch that follows them finds out what is so.
"""

import hashlib

import msgspec
from django.conf import settings

from search.domain.context import SearchContext
from search.domain.site_settings import CategoriesStyle
from search.gateway.cache import DAY
from search.gateway.cache_store import SafeStore, Store
from search.gateway.search_page import SearchPage, is_cut

# What the largest page may hold is not documented; larger ones bring all results in fewer calls.
SIZES = (200, 100, 50, 20)
_SMALLEST = SIZES[-1]
# What a gateway gives at most and a city has changes slowly: for who opens a link that is weeks old the pages
# are asked for together, where two calls one after the other may be all the time that a page has.
LONG = 30 * DAY
# A page of one call per star costs more calls the larger it is.
SIZE_BY_STAR = 50


def smallest(context: SearchContext) -> int:
    """The smallest page asked for: an admin may know of a gateway that gives no more than so few."""
    return min(_SMALLEST, context.site.page_size)


class PageSizes:
    def __init__(self, store: Store) -> None:
        self._store = SafeStore(store)

    def known(self, context: SearchContext) -> int | None:
        """The page size that the gateway is known to give; None until one was tried."""
        size = self._store.get(_size_key(context))
        otherwise = SIZE_BY_STAR if _by_star(context) else None
        return size if size in (*SIZES, smallest(context)) else otherwise

    def learn(self, context: SearchContext, size: int, page: SearchPage) -> None:
        """Remember what page 0, asked for with `size`, says about the gateway's pages and the search's
        total."""
        of_one_call, largest = not _by_star(context), self.largest()
        more = page.total is not None and page.total > page.received
        cut = more and is_cut(page, size, largest) and (size > largest or page.received in SIZES)
        if of_one_call and page.received > largest:
            self._store.set(_key("largest"), page.received, DAY)
        if of_one_call and (cut or page.received >= size):
            given = next((one for one in SIZES if one <= min(size, page.received)), min(size, _SMALLEST))
            # Not kept longer by being used.
            if given != self.known(context):
                self.remember(context, given)
        if not of_one_call and page.received and not self.tried(context, size):
            self.remember(context, size)
        if page.total is not None:
            self._store.set(_total_key(context), page.total, LONG)

    def largest(self) -> int:
        """The most entries that a page of the gateway has held of late."""
        largest = self._store.get(_key("largest"))
        return largest if isinstance(largest, int) else 0

    def tried(self, context: SearchContext, size: int) -> bool:
        """Whether pages have been so large of late; else that may be why one can't be had."""
        if _by_star(context):
            return self._store.get(_size_key(context)) is not None
        return self.known(context) is not None or self.largest() >= size

    def remember(self, context: SearchContext, size: int, seconds: float = DAY) -> None:
        """For a day, in which larger pages aren't tried; the largest for longer."""
        self._store.set(_size_key(context), size, LONG if size == SIZES[0] else seconds)

    def recent_total(self, context: SearchContext) -> int:
        """How many properties the place had last, whatever the dates; 0 if nobody knows."""
        total = self._store.get(_total_key(context))
        return total if isinstance(total, int) else 0


def _by_star(context: SearchContext) -> bool:
    return context.site.categories_style is CategoriesStyle.EACH


def _size_key(context: SearchContext) -> str:
    """Pages of one call per star teach nothing about those of one call."""
    return _key("size", "by star") if _by_star(context) else _key("size")


def _total_key(context: SearchContext) -> str:
    style = context.site.categories_style.value
    return _key("total", style, context.sent.place, *map(str, context.search.stars))


def _key(*parts: str) -> str:
    return f"pages:{hashlib.sha256(msgspec.json.encode((settings.GATEWAY_BASE_URL, *parts))).hexdigest()}"
