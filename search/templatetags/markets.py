"""`{% market_links request site as links %}`, `{% market_addresses head request site as addresses %}`,
`{% page_address "home" request site as home %}`."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.urls import reverse

from search.domain.site_settings import Site
from search.web import markets
from search.web.meta import Head

register = template.Library()


@register.simple_tag
def market_links(request: HttpRequest | str, site: Site | str) -> tuple[markets.MarketLink, ...]:
    """The links of the chooser; none on a page without a request or a site, such as one of an error."""
    if isinstance(request, str) or isinstance(site, str):
        return ()
    return markets.market_links(request, site)


@register.simple_tag
def market_addresses(head: Head, request: HttpRequest | str, site: Site | str) -> markets.Addresses:
    """The canonical address of a page and those of its other markets."""
    if isinstance(request, str) or isinstance(site, str):
        return markets.Addresses(head.canonical)
    return markets.addresses(head, request, site)


@register.simple_tag
def page_address(name: str, request: HttpRequest | str, site: Site | str) -> str:
    """The address of the page `name` of the URL table, in the market a visitor has chosen."""
    path = reverse(name)
    if isinstance(request, str) or isinstance(site, str):
        return path
    return markets.kept_market(path, request, site)
