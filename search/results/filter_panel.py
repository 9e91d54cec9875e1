"""The filters of a results page: a form of choices with counts, and a chip for each filter in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from search.domain.money import Money
from search.domain.query import Refinement, StaySearch
from search.domain.site_settings import CodeKind, Site
from search.web.formatting import Reader, star_words
from search.web.links import results_path

from .facets import Drop, Facet, FacetValue
from .filters import SWITCHES
from .listings import RefinedAnswer

# More choices than this fold away, unless one of them is chosen.
CHOICES_SHOWN = 6
MOST_CHOICES = 40
# Star ratings and switches can be offered before any facet is known.
PLAIN = (
    Facet("stars", tuple(FacetValue(str(star), None, None, selected=False) for star in range(5, 0, -1))),
    *(Facet(name, (FacetValue("1", None, None, selected=False),)) for name in SWITCHES),
)


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One checkbox or radio button. `count` is what a click gives, in words or empty; `none` disables it."""

    name: str
    value: str
    label: str
    count: str
    chosen: bool
    none: bool


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """A fieldset. `kind` is the type of its inputs; `more` are the choices folded away."""

    legend: str
    kind: str
    choices: tuple[FilterChoice, ...]
    more: tuple[FilterChoice, ...]
    more_label: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter in force: its words, what removing it is called, and the address without it."""

    text: str
    remove: str
    href: str


@dataclass(frozen=True)
class FilterWords:
    """Words for filters and their values, as one reader reads them."""

    reader: Reader
    currency: str
    near: str

    def value(self, name: str, value: str) -> str:
        """A value of a filter with several: `Pool`, `4 stars`, the provider's label."""
        kinds = {"type": CodeKind.PROPERTY_TYPE, "facility": CodeKind.FACILITY}
        if name in kinds:
            return self.reader.label(kinds[name], value)
        if name == "provider":
            return self.reader.site.provider_label(value)
        if name == "stars":
            return star_words(int(value))
        if name in SWITCHES:
            return self.switch(name)
        return self.limit(name, Decimal(value))

    def switch(self, name: str) -> str:
        words = {
            "free_cancellation": _("Free cancellation"),
            "pay_later": _("Pay later"),
            "deals": _("Reduced price"),
        }
        return words[name]

    def limit(self, name: str, limit: Decimal) -> str:
        if name == "max_price":
            return _("Up to %(amount)s") % {"amount": self.reader.money(Money(limit, self.currency))}
        if name == "min_rating":
            return _("Rated %(rating)s or more") % {"rating": self.reader.number(limit)}
        return _("Within %(km)s km of %(airport)s") % {
            "km": self.reader.number(limit),
            "airport": self.near,
        }

    def chips(self, search: StaySearch, refinement: Refinement) -> Iterator[tuple[str, str, str]]:
        """Each filter in force: its name, the value to remove (empty for a whole filter), its words."""
        for star in search.stars:
            yield "stars", str(star), star_words(star)
        for name in ("type", "facility", "provider"):
            for value in getattr(refinement, name):
                yield name, value, self.value(name, value)
        for name in SWITCHES:
            if getattr(refinement, name):
                yield name, "", self.switch(name)
        for name in ("max_price", "min_rating", "max_km"):
            limit = getattr(refinement, name)
            if limit is not None:
                yield name, "", self.limit(name, limit)
        if refinement.name:
            yield "name", "", _("Name: %(text)s") % {"text": refinement.name}
        if refinement.bbox is not None:
            yield "bbox", "", _("On this part of the map")


def without(search: StaySearch, refinement: Refinement, name: str, value: str = "") -> str:
    """The address of the same view without one filter, or one value of it."""
    if name == "stars":
        kept = tuple(star for star in search.stars if value and str(star) != value)
        return results_path(msgspec.structs.replace(search, stars=kept), refinement)
    return results_path(search, refinement.without(name, value or None))


def chips(search: StaySearch, refinement: Refinement, words: FilterWords) -> tuple[Chip, ...]:
    return tuple(
        Chip(
            text, _("Remove filter: %(filter)s") % {"filter": text}, without(search, refinement, name, value)
        )
        for name, value, text in words.chips(search, refinement)
    )


def cleared(search: StaySearch, refinement: Refinement) -> str:
    """The address without any filter; order and airport stay."""
    bare = Refinement(sort=refinement.sort, near=refinement.near)
    return results_path(msgspec.structs.replace(search, stars=()), bare)


def drop_links(
    drops: tuple[Drop, ...], search: StaySearch, refinement: Refinement, words: FilterWords
) -> tuple[Chip, ...]:
    """For an answer that the filters emptied: each filter as a link that says what comes back without it."""
    texts: dict[str, list[str]] = {}
    for name, _value, text in words.chips(search, refinement):
        texts.setdefault(name, []).append(text)
    found = []
    for drop in drops:
        label = ", ".join(texts.get(drop.name, ()))
        back = _regained(drop, words.reader)
        if label and back:
            found.append(
                Chip(
                    _("Without “%(filter)s”") % {"filter": label},
                    back,
                    without(search, refinement, drop.name),
                )
            )
    return tuple(found)


def _regained(drop: Drop, reader: Reader) -> str:
    """What comes back, in words; empty where that is nothing."""
    if drop.regains is None:
        return _("not looked for yet")
    if drop.regains == 0:
        return ""
    text = ngettext("%(count)s place comes back", "%(count)s places come back", drop.regains)
    return text % {"count": reader.number(drop.regains)}


def groups(
    search: StaySearch, refinement: Refinement, refined: RefinedAnswer | None, words: FilterWords
) -> tuple[ChoiceGroup, ...]:
    """The form's fieldsets, those with nothing to choose left out."""
    site = words.reader.site
    known = {facet.name: facet for facet in (refined.facets if refined else _plain(search, site))}
    matching = refined.matching if refined else 0
    legends = {
        "stars": _("Stars"),
        "min_rating": _("Guest rating"),
        "type": _("Kind of place"),
        "facility": _("Facilities"),
        "max_km": _("Distance from %(airport)s") % {"airport": words.near},
        "provider": _("Provider"),
    }
    found = [_switches(known, words, matching)]
    for name, legend in legends.items():
        if name in known:
            single = name in ("min_rating", "max_km")
            make = _radio_group if single else _checkbox_group
            found.append(make(known[name], legend, words, matching))
    return tuple(group for group in found if group.choices)


def _plain(search: StaySearch, site: Site) -> tuple[Facet, ...]:
    chosen = {str(star) for star in search.stars}
    offered = [facet for facet in PLAIN if facet.name in site.filters]
    return tuple(
        msgspec.structs.replace(
            facet,
            values=tuple(
                msgspec.structs.replace(value, selected=facet.name == "stars" and value.value in chosen)
                for value in facet.values
            ),
        )
        for facet in offered
    )


def _switches(known: dict[str, Facet], words: FilterWords, matching: int) -> ChoiceGroup:
    choices = tuple(
        _choice(name, value, words, matching, adds=False)
        for name in SWITCHES
        if name in known
        for value in known[name].values
    )
    return ChoiceGroup(_("Booking"), "checkbox", choices, (), "")


def _checkbox_group(facet: Facet, legend: str, words: FilterWords, matching: int) -> ChoiceGroup:
    adds = any(value.selected for value in facet.values)
    choices = [
        _choice(facet.name, value, words, matching, adds=adds) for value in facet.values[:MOST_CHOICES]
    ]
    shown = [choice for place, choice in enumerate(choices) if place < CHOICES_SHOWN or choice.chosen]
    more = [choice for choice in choices if choice not in shown]
    label = ngettext("%(count)s more", "%(count)s more", len(more)) % {"count": len(more)}
    return ChoiceGroup(legend, "checkbox", tuple(shown), tuple(more), label)


def _radio_group(facet: Facet, legend: str, words: FilterWords, matching: int) -> ChoiceGroup:
    free = not any(value.selected for value in facet.values)
    everything = FilterChoice(facet.name, "", _("Any"), "", free, none=False)
    choices = tuple(_choice(facet.name, value, words, matching, adds=False) for value in facet.values)
    return ChoiceGroup(legend, "radio", (everything, *choices), (), "")


def _choice(name: str, value: FacetValue, words: FilterWords, matching: int, *, adds: bool) -> FilterChoice:
    """`adds` where other values of the filter are chosen: then this one widens the answer."""
    number = value.own if value.selected else value.count
    text = "" if number is None else words.reader.number(number)
    if adds and not value.selected and number is not None:
        text = f"+{words.reader.number(number - matching)}"
    return FilterChoice(
        name=name,
        value=value.value,
        label=words.value(name, value.value),
        count=text,
        chosen=value.selected,
        none=not value.selected and text in ("0", "+0"),
    )
