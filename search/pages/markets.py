"""The same page for other markets: links for people, and for search engines."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from search import formatting
from search.domain.site import Site
from search.domain.stay import encode_pairs

from .head import Head


@dataclass(frozen=True, slots=True)
class MarketLink:
    """One market in its own words. `tag` is its language tag (`de-AT`), `language` the tag's first part."""

    href: str
    label: str
    tag: str
    language: str
    current: bool


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where search engines find a page: its one address, and (tag, address) of it in each market."""

    canonical: str
    alternates: tuple[tuple[str, str], ...] = ()


def market_links(request: HttpRequest, site: Site) -> tuple[MarketLink, ...]:
    """This very address once for each market, without the path; none where there is nothing to choose."""
    if len(site.markets) < 2:
        return ()
    asked = request.GET.lists()
    # Another market has another list: its first page.
    kept = [(name, one) for name, values in asked if name not in ("market", "page") for one in values]
    # A page that isn't there must not repeat the path it was asked for.
    before = f"?{encode_pairs([*kept, ('market', '')])}"
    current = getattr(request, "market", "")
    return tuple(
        MarketLink(
            href=before + market,
            label=formatting.market_label(market),
            tag=language_tag(market),
            language=market.partition("-")[0],
            current=market == current,
        )
        for market in site.markets
    )


def addresses(head: Head, request: HttpRequest, site: Site) -> Addresses:
    """A page that may be found has an address per market, and one without for everybody else."""
    if head.robots or not head.canonical:
        return Addresses(head.canonical)
    joint = "&" if "?" in head.canonical else "?"
    by_market = {market: f"{head.canonical}{joint}market={market}" for market in site.markets}
    asked = request.GET.get("market", "").lower()
    return Addresses(
        canonical=by_market.get(asked, head.canonical),
        alternates=(
            *((language_tag(market), address) for market, address in by_market.items()),
            ("x-default", head.canonical),
        ),
    )


def kept_market(path: str, request: HttpRequest, site: Site) -> str:
    """`path` for the market that the address at hand names, if it names one."""
    asked = request.GET.get("market", "").lower()
    return f"{path}?{encode_pairs([('market', asked)])}" if asked in site.markets else path


def language_tag(market: str) -> str:
    """`de-AT` of `de-at`."""
    language, dash, country = market.partition("-")
    return f"{language}{dash}{country.upper()}"
