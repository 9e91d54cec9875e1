"""The filters of a results page: a form of choices with counts, and a chip for each filter in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import msgspec

from search.domain.query import Refinement, StaySearch, spelled
from search.domain.site_settings import Site
from search.web.formatting import Reader
from search.web.links import results_path
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .facets import Drop, Facet, FacetValue
from .filters import FILTERS, FilterWords, ResultsFilter
from .listings import RefinedResults

# More choices than this fold away, unless one of them is chosen.
CHOICES_SHOWN = 6
MOST_CHOICES = 40


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


def chips(search: StaySearch, refinement: Refinement, words: FilterWords) -> tuple[Chip, ...]:
    """The filters in force, each value of a filter with several for itself."""
    found = []
    for one, texts in _in_force(search, refinement):
        for text in texts:
            label = one.label(text, words)
            left = one.removed(search, refinement, text if one.several else "")
            found.append(Chip(label, _("Remove filter: %(filter)s") % {"filter": label}, results_path(*left)))
    return tuple(found)


def _in_force(search: StaySearch, refinement: Refinement) -> Iterator[tuple[ResultsFilter, list[str]]]:
    """Each filter that is set, with its values as the address spells them."""
    for one in FILTERS.values():
        texts = [spelled(value) for value in one.values(refinement, search.stars)]
        if texts:
            yield one, texts


def cleared(search: StaySearch, refinement: Refinement) -> str:
    """The address without any filter; order and airport stay."""
    bare = Refinement(sort=refinement.sort, near=refinement.near)
    return results_path(msgspec.structs.replace(search, stars=()), bare)


def drop_links(
    drops: tuple[Drop, ...], search: StaySearch, refinement: Refinement, words: FilterWords
) -> tuple[Chip, ...]:
    """For an answer that the filters emptied: each filter as a link that says what comes back without it."""
    in_force = {
        one.name: ", ".join(one.label(text, words) for text in texts)
        for one, texts in _in_force(search, refinement)
    }
    found = []
    for drop in drops:
        label, back = in_force.get(drop.name), _regained(drop, words.reader)
        if label and back:
            left = FILTERS[drop.name].removed(search, refinement, "")
            found.append(Chip(_("Without “%(filter)s”") % {"filter": label}, back, results_path(*left)))
    return tuple(found)


def _regained(drop: Drop, reader: Reader) -> str:
    """What comes back, in words; empty where that is nothing."""
    if drop.regains is None:
        return _("not looked for yet")
    if drop.regains == 0:
        return ""
    text = ngettext("%(count)s place comes back", "%(count)s places come back", drop.regains)
    return text % {"count": reader.number(drop.regains)}


def kept(search: StaySearch, refinement: Refinement) -> tuple[tuple[str, str], ...]:
    """What the form carries along: the search but its stars, the order, the airport, what has no input."""
    own = {name for name, one in FILTERS.items() if one.input != "hidden"}
    return tuple(pair for pair in search.pairs() + refinement.pairs() if pair[0] not in own)


def groups(
    search: StaySearch, refinement: Refinement, refined: RefinedResults | None, words: FilterWords
) -> tuple[ChoiceGroup, ...]:
    """The form's fieldsets, those with nothing to choose left out."""
    facets = refined.facets if refined else _plain(search, refinement, words.reader.site)
    known = {facet.name: facet for facet in facets if facet.values}
    filters = sorted((one for name, one in FILTERS.items() if name in known), key=_place)
    matching = refined.matching if refined else 0
    return tuple(
        _group([(one, known[one.name]) for one in together], words, matching)
        for _number, together in groupby(filters, key=_place)
    )


def _place(one: ResultsFilter) -> int:
    return one.place


def _plain(search: StaySearch, refinement: Refinement, site: Site) -> tuple[Facet, ...]:
    """What can be offered before any row is known, without counts."""
    found = []
    for name, one in FILTERS.items():
        if one.always and name in site.filters:
            chosen = one.values(refinement, search.stars)
            values = (FacetValue(spelled(value), None, None, value in chosen) for value in one.always)
            found.append(Facet(name, tuple(values)))
    return tuple(found)


def _group(members: list[tuple[ResultsFilter, Facet]], words: FilterWords, matching: int) -> ChoiceGroup:
    """The fieldset of the filters that share a place."""
    first, facet = members[0]
    legend = first.legend_text(words)
    choices = [choice for one, facet in members for choice in _choices(one, facet, words, matching)]
    if first.input == "radio":
        free = not any(value.selected for value in facet.values)
        everything = FilterChoice(first.name, "", _("Any"), "", free, none=False)
        return ChoiceGroup(legend, first.input, (everything, *choices), (), "")
    shown = [choice for place, choice in enumerate(choices) if place < CHOICES_SHOWN or choice.chosen]
    more = [choice for choice in choices if choice not in shown]
    label = ngettext("%(count)s more", "%(count)s more", len(more)) % {"count": len(more)}
    return ChoiceGroup(legend, first.input, tuple(shown), tuple(more), label)


def _choices(one: ResultsFilter, facet: Facet, words: FilterWords, matching: int) -> Iterator[FilterChoice]:
    """The choices of a filter; with another value chosen already, each says what it adds."""
    adds = one.several and any(value.selected for value in facet.values)
    for value in facet.values[:MOST_CHOICES] if one.several else facet.values:
        yield _choice(one, value, words, matching, adds=adds)


def _choice(
    one: ResultsFilter, value: FacetValue, words: FilterWords, matching: int, *, adds: bool
) -> FilterChoice:
    """`adds` where other values of the filter are chosen: then this one widens the answer."""
    number = value.own if value.selected else value.count
    text = "" if number is None else words.reader.number(number)
    if adds and not value.selected and number is not None:
        text = f"+{words.reader.number(number - matching)}"
    return FilterChoice(
        name=one.name,
        value=value.value,
        label=one.label(value.value, words),
        count=text,
        chosen=value.selected,
        none=not value.selected and text in ("0", "+0"),
    )
