"""All destinations to browse, by country and by theme, and where one can fly from an airport."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from search import formatting
from search.domain.airports import Airport
from search.domain.codes import humanise
from search.domain.destinations import Destination, DestinationIndex, Kind, Reachable, fold
from search.domain.stay import StaySearch, encode_pairs

from .destinations import all_airports, search_path
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
# A list as long as the world would be a page of megabytes: then each country shows its first few.
_SHOW_ALL = 600
_FEW = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """One destination as a link. `fly` is the address of where one can fly from it, or empty; `airports` are
    those of a city."""

    name: str
    code: str
    note: str
    href: str
    fly: str
    seasonal: bool
    airports: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One country: `href` searches it, `more` leads to the rest of its airports or is empty."""

    id: str
    name: str
    note: str
    href: str
    regions: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    more: str
    more_text: str


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
    def build(cls, index: DestinationIndex, links: Links, theme: str = "", country: str = "") -> BrowsePage:
        """`theme` is a category code and `country` a lower-case code of the list, or both are empty."""
        shown = [
            airport
            for airport in index.airports
            if (not theme or theme in airport.categories) and (not country or airport.country == country)
        ]
        heading = _("All destinations")
        if theme:
            heading = _("Destinations: %(theme)s") % {"theme": theme_label(theme)}
        if country:
            heading = _("Destinations: %(country)s") % {"country": links.reader.country(country)}
        asked = [(name, value) for name, value in (("theme", theme), ("country", country)) if value]
        return cls(
            head=Head(
                title=heading,
                description=_("Every city, region and airport to search hotels by."),
                canonical=_with(reverse("destinations"), asked),
            ),
            heading=heading,
            summary=_airports(len(shown)),
            themes=_themes(index, links, theme),
            sections=_sections(index, shown, links, whole=bool(country), regions=not theme),
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
        cls, index: DestinationIndex, start: Airport, reachable: Sequence[Reachable], links: Links
    ) -> FlyFromPage:
        name = {"airport": start.name or start.code}
        heading = _("Where can I fly from %(airport)s?") % name
        itself = index.destination(start.code)
        return cls(
            head=Head(
                title=heading,
                description=_("Direct flights from %(airport)s, by country, with hotels at each place.")
                % name,
                canonical=reverse("fly-from", args=[start.code]),
            ),
            heading=heading,
            summary=_reach(len(reachable)),
            hint=_("The usual currency here is %(currency)s.") % {"currency": start.currency}
            if start.currency
            else "",
            here=search_path(itself, links.stay) if itself else "",
            here_text=_("Hotels near %(airport)s") % name,
            sections=_reachable_sections(index, reachable, links),
            browse=links.browse(),
        )


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of these pages for one visitor: `keep` are the stay's parameters if they were given."""

    stay: StaySearch
    reader: Reader
    keep: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, stay: StaySearch, reader: Reader, given: bool) -> Links:
        return cls(stay, reader, tuple(stay.pairs()[1:]) if given else ())

    def browse(self, **asked: str) -> str:
        return _with(reverse("destinations"), [*asked.items(), *self.keep])

    def fly_from(self, airport: Airport | None) -> str:
        if airport is None or not (airport.routes or airport.seasonal_routes):
            return ""
        return _with(reverse("fly-from", args=[airport.code]), self.keep)


def theme_label(code: str) -> str:
    """The words for a category code."""
    return str(_THEMES.get(code, "")) or humanise(code)


def _with(path: str, pairs: Iterable[tuple[str, str]]) -> str:
    query = encode_pairs(list(pairs))
    return f"{path}?{query}" if query else path


def _airports(count: int) -> str:
    return ngettext("%(count)s airport", "%(count)s airports", count) % {"count": count}


def _reach(count: int) -> str:
    if not count:
        return _("The list names no direct flights from here.")
    return ngettext("%(count)s place without a change", "%(count)s places without a change", count) % {
        "count": count
    }


def _themes(index: DestinationIndex, links: Links, current: str) -> tuple[Theme, ...]:
    counted = Counter(code for airport in index.airports for code in set(airport.categories))
    order = {code: position for position, code in enumerate(_THEMES)}
    codes = sorted(counted, key=lambda code: (order.get(code, len(order)), -counted[code], code))
    return tuple(Theme(theme_label(code), links.browse(theme=code), code == current) for code in codes)


def _by_country(airports: Iterable[Airport], reader: Reader) -> list[tuple[str, str, list[Airport]]]:
    """Country code, its name, its airports; in the order of the names as they are read."""
    groups: defaultdict[str, list[Airport]] = defaultdict(list)
    for airport in airports:
        groups[airport.country].append(airport)
    named = [(code, reader.country(code) or _("Elsewhere"), group) for code, group in groups.items()]
    return sorted(named, key=lambda group: fold(group[1]))


def _sections(
    index: DestinationIndex, shown: Sequence[Airport], links: Links, *, whole: bool, regions: bool
) -> tuple[Section, ...]:
    few = len(shown) > _SHOW_ALL and not whole
    sections = []
    for number, (code, name, group) in enumerate(_by_country(shown, links.reader), start=1):
        listed = group[:_FEW] if few else group
        cut = len(listed) < len(group)
        sections.append(
            Section(
                id=f"country-{number}",
                name=name,
                note=", ".join(sorted({airport.currency for airport in group} - {""})),
                href=search_path(_country(code, links), links.stay) if code else "",
                regions=_regions(index, code, links) if regions else (),
                entries=_entries(index, listed, links),
                more=links.browse(country=code) if cut and code else "",
                more_text=all_airports(len(group)) if cut else "",
            )
        )
    return tuple(sections)


def _country(code: str, links: Links) -> Destination:
    english = formatting.country_name(code, "en")
    return Destination(Kind.COUNTRY, code.upper(), english, english, code, (), "", english)


def _regions(index: DestinationIndex, country: str, links: Links) -> tuple[Entry, ...]:
    found = [region for region in index.regions if region.country == country]
    return tuple(
        Entry(region.name, "", all_airports(len(region.airports)), search_path(region, links.stay), "", False)
        for region in found
    )


def _entries(index: DestinationIndex, airports: Sequence[Airport], links: Links) -> tuple[Entry, ...]:
    """Cities with several airports hold them; all in the order of the names."""
    codes = {airport.code for airport in airports}
    beneath: set[str] = set()
    found = []
    for entry in index.entries:
        if entry.kind is Kind.CITY and len(codes.intersection(entry.airports)) > 1:
            inner = [index.destination(code) for code in entry.airports if code in codes]
            held = tuple(_airport_entry(index, one, links) for one in inner if one)
            beneath.update(entry.airports)
            note = all_airports(len(held))
            found.append(Entry(entry.name, "", note, search_path(entry, links.stay), "", False, held))
        elif entry.code in codes - beneath and entry.kind is Kind.AIRPORT:
            found.append(_airport_entry(index, entry, links))
    return tuple(sorted(found, key=lambda entry: fold(entry.name)))


def _airport_entry(index: DestinationIndex, one: Destination, links: Links, seasonal: bool = False) -> Entry:
    airport = index.airport(one.code)
    return Entry(one.name, one.code, "", search_path(one, links.stay), links.fly_from(airport), seasonal)


def _reachable_sections(
    index: DestinationIndex, reachable: Iterable[Reachable], links: Links
) -> tuple[Section, ...]:
    flights = {flight.destination.code: flight for flight in reachable}
    airports = [airport for code in flights if (airport := index.airport(code))]
    sections = []
    for number, (code, name, group) in enumerate(_by_country(airports, links.reader), start=1):
        entries = [
            _airport_entry(index, flights[airport.code].destination, links, flights[airport.code].seasonal)
            for airport in group
        ]
        entries.sort(key=lambda entry: fold(entry.name))
        href = search_path(_country(code, links), links.stay) if code else ""
        sections.append(Section(f"country-{number}", name, "", href, (), tuple(entries), "", ""))
    return tuple(sections)
