"""Which market a visitor is served, and in which language: by the address, else by the browser's wishes where
a search begins, else by the site's default. No cookie and no session: the address alone remembers a choice.
"""

from collections.abc import Callable
from functools import lru_cache

from babel.core import get_global, parse_locale
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from search.domain.query import FILTERS_ABOUT, Refinement, encode_pairs
from search.domain.site_settings import Site

from . import translation
from .links import Head, reverse, with_query
from .search_form import MAX_PLACE, SearchForm
from .shortcuts import address_pairs, preview_of, site_of

GetResponse = Callable[[HttpRequest], HttpResponse]

# Colleagues' tools are in English, machines read no words, and a tile's language is in its address.
ENGLISH = (
    "/admin/",
    "/healthz",
    "/readyz",
    "/metrics",
    "/static/",
    "/media/",
    "/map/ground/",
    "/favicon.ico",
)
# Pages whose address is passed on, and what shares them: without a market they are in the site's default for
# every reader.
SHAREABLE = ("/hotels/", "/compare/", "/shortlist/", "/share/hotels")
# What another market's page of the same address reads, too.
CARRIED = {
    *SearchForm.base_fields, *Refinement.__struct_fields__, *(f"{about}_before" for about in FILTERS_ABOUT),
    "q", "theme", "stay", "pick", "hotel",
}  # fmt: skip
# A shortlist of fifty hotels of fifty searches has some 250.
MOST_PAIRS = 300
# Of a longer header the rest is neither read nor kept: one more than Django reads, which cuts at a comma.
_MOST_WISHES = 501


class MarketLanguageMiddleware:
    """Sets `request.market` and answers in its language; no translation outlives its request."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer. `Vary` names Accept-Language only where that header could have changed it."""
        if request.path_info.startswith(ENGLISH):
            return self.get_response(request)
        site = site_of(request)
        asked = asked_market(request, site)
        if not asked and request.path_info.startswith(SHAREABLE):
            asked = site.default_market
        market = asked or best_market(
            request.META.get("HTTP_ACCEPT_LANGUAGE", "")[:_MOST_WISHES], site.markets, site.default_market
        )
        request.market = market  # type: ignore[attr-defined]
        with translation.override(language_of(market, site.default_market)):
            response = self.get_response(request)
        # A 304 says what its page said, without a type.
        kind = response.get("Content-Type", "text/html")
        if not asked and kind.startswith(("text/html", "application/json")):
            patch_vary_headers(response, ["Accept-Language"])
        return response


def asked_market(request: HttpRequest, site: Site) -> str:
    """The market that the address names, if it is offered; else empty."""
    asked = request.GET.get("market", "").lower()
    return asked if asked in site.markets else ""


def asked_pairs(query: QueryDict, site: Site) -> list[tuple[str, str]]:
    """The market that an address names and, unless it is the market's own, the currency."""
    market, currency = query.get("market", "").lower(), query.get("currency", "").upper()
    is_own = currency == site.currency_of(market or site.default_market)
    pairs = [("market", market)] if market in site.markets else []
    return [*pairs, ("currency", currency)] if currency in site.currencies and not is_own else pairs


def language_of(market: str, default_market: str) -> str:
    """The language of a market if it has a translation, else the default market's, else English."""
    spoken = next((one for one in (market, default_market) if is_translated(one)), settings.LANGUAGE_CODE)
    return spoken.partition("-")[0]


def is_translated(market: str) -> bool:
    """Whether pages for a market are in its own language."""
    return any(market.partition("-")[0] == code for code, _name in settings.LANGUAGES)


@lru_cache(maxsize=512)
def best_market(wishes: str, markets: tuple[str, ...], default: str) -> str:
    """The offered market that suits an Accept-Language header best, else `default`. `de-AT` is that market or
    one that speaks German: the site's default, then the language's likeliest country."""
    for wish, weight in parse_accept_lang_header(wishes.lower()):
        if weight and (found := _market_for(wish, markets, default)):
            return found
    return default


def _market_for(wish: str, markets: tuple[str, ...], default: str) -> str:
    try:
        language, country, *_rest = parse_locale(wish, sep="-")
    except ValueError:
        return ""
    likely = get_global("likely_subtags").get(language, "").rpartition("_")[2]
    speaking = [market for market in markets if market.partition("-")[0] == language]
    favourites = (f"{language}-{country}".lower(), default, f"{language}-{likely}".lower(), *speaking)
    return next((market for market in favourites if market in speaking), "")


def address_before(choice: str, request: HttpRequest, currency: str = "") -> str:
    """The query of this address up to its market or currency, `?place=Rome&market=`: only parameters that
    pages read, and no more or longer ones than they would. A preview is at another address: there the path is
    in front. Limits of price are in the `currency` of the page."""
    # Another market has another list: its first page. A page that isn't there must not repeat its path.
    pairs = [
        (name, value)
        for name, value in address_pairs(request)
        if name in CARRIED and name != choice and len(value) <= MAX_PLACE
    ][:MOST_PAIRS]
    if choice == "currency" and any(name in request.GET for name in FILTERS_ABOUT[choice]):
        pairs.append(("currency_before", currency))
    path = request.path if preview_of(request) else ""
    return f"{path}?{encode_pairs([*pairs, (choice, '')])}"


def addresses(head: Head, request: HttpRequest, site: Site) -> tuple[str, dict[str, str]]:
    """Where search engines find a page: its address, and one by language tag where it may be found."""
    if head.robots or not head.canonical:
        return head.canonical, {}
    by_market = {market: with_query(head.canonical, f"market={market}") for market in site.markets}
    by_tag = {language_tag(one): address for one, address in by_market.items() if is_translated(one)}
    canonical = by_market.get(asked_market(request, site), head.canonical)
    return canonical, {**by_tag, "x-default": head.canonical}


def page_address(name: str, request: HttpRequest, site: Site, *args: str) -> str:
    """The address of the page `name` of the URL table, for the market and the currency that the address at
    hand names; where the browser isn't asked, for the market of the page at hand."""
    path, market = reverse(name, args), getattr(request, "market", site.default_market)
    pairs = dict(asked_pairs(request.GET, site))
    if path.startswith(SHAREABLE) and market != site.default_market:
        pairs["market"] = market
    return with_query(path, encode_pairs(pairs.items()))


def language_tag(market: str) -> str:
    """`de-AT` of `de-at`."""
    language, dash, country = market.partition("-")
    return f"{language}{dash}{country.upper()}"
