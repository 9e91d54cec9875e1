"""All destinations to browse, by country and by theme, and where one can fly from an airport."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from search.domain.airports import Airport
from search.domain.codes import humanise
from search.domain.destinations import DestinationIndex, Reachable
from search.domain.stay import encode_pairs

from .destination_links import DestinationLinks
from .destination_sections import Section, SectionMaker
from .head import Head
from .reader import Reader

# Category codes seen in real answers; the interface names none.
_THEMES: dict[str, str | Promise] = {
    "FAM": gettext_lazy("Family"),
    "CTY": gettext_lazy("City break"),
    "CUL": gettext_lazy("Culture"),
    "OUT": gettext_lazy("Outdoors"),
    "SEA": gettext_lazy("Seaside"),
    "NIT": gettext_lazy("Nightlife"),
    "SKI": gettext_lazy("Skiing"),
    "GLF": gettext_lazy("Golf"),
    "ROM": gettext_lazy("Romance"),
    "XMS": gettext_lazy("Christmas"),
}


@dataclass(frozen=True, slots=True)
class Theme:
    label: str
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """Parameters of search/destinations.html, for all destinations, for one theme and for one country."""

    head: Head
    heading: str
    summary: str
    themes: tuple[Theme, ...]
    sections: tuple[Section, ...]
    back: str

    @classmethod
    def build(
        cls,
        index: DestinationIndex,
        links: DestinationLinks,
        reader: Reader,
        theme: str = "",
        country: str = "",
    ) -> BrowsePage:
        """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
        shown = [
            airport
            for airport in index.airports
            if (not theme or theme in airport.categories) and (not country or airport.country == country)
        ]
        heading = _heading(theme, country, reader)
        asked = encode_pairs([pair for pair in (("theme", theme), ("country", country)) if pair[1]])
        maker = SectionMaker(index, links, reader)
        return cls(
            head=Head(
                title=heading,
                description=_("Every city, region and airport to search hotels by."),
                canonical=reverse("destinations") + (f"?{asked}" if asked else ""),
            ),
            heading=heading,
            summary=ngettext("%(count)s airport", "%(count)s airports", len(shown)) % {"count": len(shown)},
            themes=_themes(index, links, theme),
            sections=maker.sections(shown, whole=bool(country), with_regions=not theme),
            back=links.browse() if asked else "",
        )


@dataclass(frozen=True, slots=True)
class FlyFromPage:
    """Parameters of search/destinations_from.html."""

    head: Head
    heading: str
    summary: str
    hint: str
    here: str
    here_text: str
    sections: tuple[Section, ...]
    browse: str

    @classmethod
    def build(
        cls,
        index: DestinationIndex,
        links: DestinationLinks,
        reader: Reader,
        start: Airport,
        reachable: Sequence[Reachable],
    ) -> FlyFromPage:
        name = {"airport": start.name or start.code}
        heading = _("Where can I fly from %(airport)s?") % name
        itself = index.destination(start.code)
        seasonal = frozenset(flight.destination.code for flight in reachable if flight.seasonal)
        airports = [index.airport(flight.destination.code) for flight in reachable]
        maker = SectionMaker(index, links, reader, seasonal)
        hint = _("The usual currency here is %(currency)s.") % {"currency": start.currency}
        return cls(
            head=Head(
                title=heading,
                description=_("Direct flights from %(airport)s, with hotels at each place.") % name,
                canonical=reverse("fly-from", args=[start.code]),
            ),
            heading=heading,
            summary=_reach(len(reachable)),
            hint=hint if start.currency else "",
            here=links.search(itself) if itself else "",
            here_text=_("Hotels near %(airport)s") % name,
            sections=maker.sections([airport for airport in airports if airport], whole=True),
            browse=links.browse(),
        )


def theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


def _heading(theme: str, country: str, reader: Reader) -> str:
    if country:
        return _("Destinations: %(country)s") % {"country": reader.country(country)}
    if theme:
        return _("Destinations: %(theme)s") % {"theme": theme_label(theme)}
    return _("All destinations")


def _reach(count: int) -> str:
    if not count:
        return _("The list names no direct flights from here.")
    places = ngettext("%(count)s place without a change", "%(count)s places without a change", count)
    return places % {"count": count}


def _themes(index: DestinationIndex, links: DestinationLinks, current: str) -> tuple[Theme, ...]:
    counted = Counter(code for airport in index.airports for code in set(airport.categories))
    order = {code: position for position, code in enumerate(_THEMES)}
    codes = sorted(counted, key=lambda code: (order.get(code, len(order)), -counted[code], code))
    return tuple(Theme(theme_label(code), links.browse(theme=code), code == current) for code in codes)
