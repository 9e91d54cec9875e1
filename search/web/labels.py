"""Words and icons for the gateway's codes that we know; any other is made readable by its own letters."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import chain
from pathlib import Path
from urllib.parse import quote
from zipfile import ZipFile

from markupsafe import Markup

from search.domain.hotels import Facility, Property, PropertyDetails
from search.domain.offers import PricedOffer
from search.domain.site_settings import CodeLabel, Site
from search.domain.words import (
    TOPICS,
    CodeKind,
    Note,
    broader,
    facility_of,
    fold,
    in_words,
    known_code,
    known_policy,
)

from .translation import gettext

# The English words by table and code; `[note]` and `[topic]` belong to facilities.
KNOWN: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("labels.toml").read_text("utf-8"))
ICONS = {
    code: icon
    for icon, codes in tomllib.loads(Path(__file__).with_name("icons_of_facilities.toml").read_text()).items()
    for code in codes.split(", ")
}


def known_words(table: str, code: str) -> str:
    """Our words for a code in the language of the page; empty without any."""
    words = KNOWN[table].get(code)
    return gettext(words) if words else ""


@cache
def icon(name: str) -> Markup:
    """One of Lucide's icons. It says nothing to a screen reader, the text beside it does."""
    return Markup(_drawing(name).replace("<svg", '<svg class="icon" aria-hidden="true"'))  # noqa: S704 - no text of others


@cache  # a development server makes the sheets at each request
def icon_address(name: str) -> str:
    """The icon as a data: address, for a style sheet."""
    return "data:image/svg+xml," + quote(_drawing(name).replace('"', "'"), safe=" =:/'<>(),")


def _drawing(name: str) -> str:
    return " ".join(_drawings().read(f"{name}.svg").decode().split()).replace("> <", "><")


@cache  # the package's own function reads the list of all 1,700 icons for each of them
def _drawings() -> ZipFile:
    return ZipFile(BytesIO(files("lucide").joinpath("lucide.zip").read_bytes()))


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A policy in words. One that is not `known` has the provider's own."""

    text: str
    known: bool


def label(kind: CodeKind, code: str, site: Site, otherwise: str = "") -> str:
    """The words for `code`: an admin's, else ours, else `otherwise`, else the code made readable."""
    known = known_code(kind, code)
    admins = site.code_label(kind, code) or (known and site.code_label(kind, known))
    return admins or known_words(kind, known) or otherwise or in_words(code)


def policy(line: str) -> PolicyView:
    """A line of a provider's policies: in our words where it is one of the few that everybody has."""
    ours = known_words("policy", known_policy(line))
    return PolicyView(ours or line, known=bool(ours))


def policies(lines: Iterable[str]) -> tuple[PolicyView, ...]:
    """Each of a provider's policies once."""
    return tuple(dict.fromkeys(map(policy, lines)))


def canonical_code(kind: CodeKind, code: str, site: Site) -> str:
    """The one code that stands for all codes with the same words: POOL for SWIMMING_POOL. For codes without
    words of ours or an admin's it is the code made readable: `Tour desk` for `TOUR_DESK` and `Tour Desk`."""
    first, texts = _first_codes(kind, site.code_labels)
    text = texts.get(code) or texts.get(code.upper()) or texts.get(known_code(kind, code), "")
    return first.get(text) or in_words(code)


@lru_cache(maxsize=16)
def _first_codes(kind: CodeKind, labels: tuple[CodeLabel, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The first code of each text and the text of each code, in English or an admin's words."""
    texts = KNOWN[kind] | {one.code: one.label for one in labels if one.kind == kind}
    first: dict[str, str] = {}
    for code, text in texts.items():
        first.setdefault(text, code)
    return first, texts


def property_name(building: Property) -> str:
    """The property's name; for one without, words made of its address or city."""
    return name_or_place(building.name, building.address or building.city)


def name_or_place(name: str, place: str) -> str:
    """The name; without one `Hotel in Porto`."""
    if name:
        return name
    return gettext("Hotel in %(place)s") % {"place": place} if place else gettext("Hotel")


@dataclass(frozen=True, slots=True)
class FacilityView:
    """A facility in words. `code` tells it from others, on other properties, too; `note` is what is said
    beside it, such as that it is charged for. One that is not `known` has the provider's own words."""

    code: str
    label: str
    icon: str = "check"
    note: Note = Note.NONE
    known: bool = False

    @property
    def text(self) -> str:
        """`Parking (charge)`."""
        return f"{self.label} ({known_words('note', self.note)})" if self.note else self.label


class FacilityWords(dict[Facility, FacilityView]):
    """The facilities of one page in words: each once, in all spellings of all providers."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def __missing__(self, facility: Facility) -> FacilityView:
        kind, site = CodeKind.FACILITY, self.site
        named = facility_of(facility.type, facility.description, facility.availability)
        our_code = facility.type if site.code_label(kind, facility.type) else named.code
        code = canonical_code(kind, our_code or facility.type, site)
        words = label(kind, code, site, "" if our_code else facility.description)
        key, icon = code if our_code else fold(words), ICONS.get(code, "check")
        view = FacilityView(key, words, icon, named.note, known=bool(our_code))
        self[facility] = view
        return view

    def of_hotel(
        self, offers: Iterable[PricedOffer], details: PropertyDetails | None = None
    ) -> tuple[FacilityView, ...]:
        """What the details and the offers of a hotel name."""
        lines = (Facility("", line) for line in (details.facilities if details else ()))
        return self.views(chain(lines, *(one.offer.facilities for one in offers)))

    def views(self, named: Iterable[Facility]) -> tuple[FacilityView, ...]:
        """Each facility once, in the order in which they come, without those that a narrower one includes."""
        of_code: dict[str, FacilityView] = {}
        for facility in named:
            view = self[facility]
            first = of_code.setdefault(view.code, view)
            if first.note is not view.note:
                of_code[view.code] = replace(first, note=_united(first.note, view.note))
        included = set(chain.from_iterable(map(broader, of_code)))
        return tuple(
            view
            for code, view in of_code.items()
            if view.label and (code not in included or view.note is Note.CHARGE)
        )


def _united(one: Note, other: Note) -> Note:
    """What is said of money stays; where it is, or that it is on request, only if everybody says so."""
    return next((note for note in (one, other) if note in (Note.CHARGE, Note.FREE)), Note.NONE)


def without_included_breakfast(views: Iterable[FacilityView]) -> tuple[FacilityView, ...]:
    """The facilities of the hotel itself: included breakfast belongs to single offers, which say so."""
    return tuple(one for one in views if one.code != "FREE_BREAKFAST")


def facility_groups(views: Iterable[FacilityView]) -> dict[str, list[FacilityView]]:
    """The facilities by headings that say what they are about."""
    groups: dict[str, list[FacilityView]] = {known_words("topic", topic): [] for topic in KNOWN["topic"]}
    for view in views:
        groups[facility_heading(view.code)].append(view)
    return {heading: members for heading, members in groups.items() if members}


def facility_heading(code: str) -> str:
    """What the facility of a code is about."""
    return known_words("topic", TOPICS.get(code) or "other")
