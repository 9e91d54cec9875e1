"""Facilities as pages name them: each once, in all spellings of all providers."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path

from search.domain.hotels import Facility, PropertyDetails
from search.domain.offers import Offer
from search.domain.words import TOPICS, CodeKind, Note, broader, facility_of, fold

from .formatting import Reader
from .labels import KNOWN, FacilityView, canonical_code, known_words

_ICONS = {
    code: icon
    for icon, codes in tomllib.loads(Path(__file__).with_name("icons_of_facilities.toml").read_text()).items()
    for code in codes.split(", ")
}


@dataclass(frozen=True, slots=True)
class FacilityGroup:
    heading: str
    facilities: tuple[FacilityView, ...]


def named_facilities(details: PropertyDetails | None, offers: Iterable[Offer]) -> Iterable[Facility]:
    """The facilities of a property as its details and its offers name them, repeats and all."""
    for line in details.facilities if details else ():
        yield Facility("", line)
    for offer in offers:
        yield from offer.facilities


def facility_views(named: Iterable[Facility], reader: Reader) -> tuple[FacilityView, ...]:
    """Each facility once, in the order they are first named, without those that a narrower one includes."""
    found: dict[str, FacilityView] = {}
    for facility in named:
        view = reader.facilities.get(facility)
        if view is None:
            view = reader.facilities[facility] = _new_view(facility, reader)
        known = found.setdefault(view.code, view)
        if known.note is not view.note:
            found[view.code] = replace(known, note=_united(known.note, view.note))
    included = set(chain.from_iterable(map(broader, found)))
    return tuple(
        view
        for code, view in found.items()
        if view.label and (code not in included or view.note is Note.CHARGE)
    )


def without_included_breakfast(views: Iterable[FacilityView]) -> tuple[FacilityView, ...]:
    """The facilities of the hotel itself: included breakfast belongs to single offers, which say so."""
    return tuple(one for one in views if one.code != "FREE_BREAKFAST")


def facility_groups(views: Iterable[FacilityView]) -> tuple[FacilityGroup, ...]:
    """The facilities under headings that say what they are about."""
    headings = [*KNOWN["topic"]]
    in_order = sorted(views, key=lambda view: headings.index(_topic(view.code)))
    groups = groupby(in_order, lambda view: facility_heading(view.code))
    return tuple(FacilityGroup(heading, tuple(members)) for heading, members in groups)


def facility_heading(code: str) -> str:
    """What the facility of a code is about."""
    return known_words("topic", _topic(code))


def _topic(code: str) -> str:
    return TOPICS.get(code) or "other"


def _new_view(facility: Facility, reader: Reader) -> FacilityView:
    kind, named = CodeKind.FACILITY, facility_of(facility.type, facility.description, facility.availability)
    of_admin = facility.type if reader.site.code_label(kind, facility.type) else ""
    code = canonical_code(kind, of_admin or named.code or facility.type, reader.site)
    label = reader.label(kind, code, "" if of_admin or named.code else facility.description)
    known = bool(of_admin or named.code)
    return FacilityView(code if known else fold(label), label, _ICONS.get(code, "check"), named.note, known)


def _united(one: Note, other: Note) -> Note:
    """What is said of money stays; where it is, or that it is on request, only if everybody says so."""
    return next((note for note in (one, other) if note in (Note.CHARGE, Note.FREE)), Note.NONE)
