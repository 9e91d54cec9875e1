"""The filters over results, each described once, in FILTERS: address, selection, counts, panel, chips and the
admin's list read this table. docs/contributing.md says how to add one.
"""

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from operator import attrgetter
from typing import Any, ClassVar

import msgspec
from django.utils.functional import Promise

from search.domain.hotels import KM_PER_MILE, Coordinates
from search.domain.money import Money
from search.domain.query import ALL_STARS, Filter, MapArea, Refinement, StaySearch
from search.domain.site_settings import Site
from search.domain.words import CodeKind, broader, fold
from search.web.formatting import Reader, in_miles, kilometres_read_as, measure, number_locale, star_words
from search.web.labels import canonical_code
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy

from .index import OfferFact, RowFact, RowIndex

MIN_PRICE = "min_price"
MAX_VALUES = 30
MAX_CODE = 80
MAX_NAME = 100
MAX_NUMBER = Decimal(1_000_000_000)
# So many distances are offered, of those that leave different numbers of hotels.
MOST_STEPS = 4
KM_STEPS = tuple(map(Decimal, (1, 2, 5, 10, 25, 50)))
MILE_STEPS = tuple((miles * KM_PER_MILE).quantize(Decimal("0.01")) for miles in KM_STEPS)
# The useful limits of each scale that ratings may be on.
_SCALES = {5: "4.5 4 3.5 3", 10: "9 8 7 6", 100: "90 80 70 60"}
RATING_STEPS = {scale: tuple(map(Decimal, steps.split())) for scale, steps in _SCALES.items()}

Values = tuple[Any, ...]

_CODE = re.compile(rf"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{{1,{MAX_CODE}}}")
_NUMBER = re.compile(r"[0-9]{1,10}(\.[0-9]{1,4})?", re.ASCII)
_DEGREES = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,12})?", re.ASCII)


@dataclass(frozen=True)
class FilterWords:
    """What the words of filters depend on. `near` is the name of the airport that distances are measured
    from, empty for the centre; limits of price are for the stay or `per_night`."""

    reader: Reader
    currency: str
    near: str
    per_night: bool = False


@dataclass(frozen=True)
class ResultsFilter(ABC):
    """One filter. `name` is its parameter in the address and its field of Refinement. In the panel, filters
    with the same `legend` share a fieldset."""

    # The type of its inputs in the panel: `checkbox` and `radio` are choices with counts, `hidden` is only
    # carried along by the form, any other is a field of the template's own.
    input: ClassVar[str]
    # Whether several values can be chosen at once, as alternatives.
    several: ClassVar[bool] = False
    # Choices that don't depend on the rows.
    always: ClassVar[Values] = ()

    name: str
    legend: str | Promise = ""
    _: KW_ONLY
    # The offered filter that brings this one along; empty: itself.
    part_of: str = ""

    @property
    def about_offers(self) -> bool:
        """Whether it is offers that pass, not the hotel with all of them."""
        return False

    def offered(self, site: Site) -> bool:
        return (self.part_of or self.name) in site.filters

    def parse(self, given: list[str], site: Site) -> Any:
        """The value for Refinement of the texts in the address; None without one or for nonsense."""
        return self.read(given[-1].strip()) if given else None

    def read(self, text: str) -> Any:
        """The value of one text, None for nonsense."""
        raise NotImplementedError

    def values(self, refinement: Refinement, stars: tuple[int, ...]) -> Values:
        """The chosen values, empty if the filter isn't in force; `stars` are the search's."""
        return refinement.values(self.name)

    @abstractmethod
    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int | None:
        """The slots that pass with these values chosen (see `index`); None without the anchor it needs."""

    def choices(self, index: RowIndex, chosen: Values, anchor: Coordinates | None) -> Values:
        """The values to offer for these rows, in an order that filtering doesn't change."""
        return self.always

    def toggled(self, chosen: Values, value: Any) -> Values:
        """The chosen values after a click on `value`."""
        left = tuple(one for one in chosen if one != value)
        return left if value in chosen else (*(left if self.several else ()), value)

    def countable(self, values: Values, fetched_stars: tuple[int, ...], *, complete: bool = True) -> bool:
        """Whether the rows tell how many match with these values chosen (see `facets`)."""
        return True

    @abstractmethod
    def label(self, text: str, words: FilterWords) -> str:
        """The words of a value, spelled as in the address, on chips and choices."""

    def choice_label(self, text: str, words: FilterWords) -> str:
        return self.label(text, words)

    def legend_text(self, words: FilterWords) -> str:
        return str(self.legend)

    def removed(self, search: StaySearch, refinement: Refinement, text: str) -> tuple[StaySearch, Refinement]:
        """The view without this value of the filter, or without the filter where `text` is empty."""
        return search, refinement.without(self.name, text or None)


@dataclass(frozen=True, kw_only=True)
class FactFilter(ResultsFilter):
    """A filter by a fact about rows or offers."""

    input = "checkbox"

    fact: RowFact

    @property
    def about_offers(self) -> bool:
        return isinstance(self.fact, OfferFact)

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int:
        return self.fact.having(index, values)


@dataclass(frozen=True, kw_only=True)
class CodesFilter(FactFilter):
    """Codes of the gateway as alternatives, with the words and the place in an admin's order of each."""

    several = True

    words_for: Callable[[Reader, str], str]
    place_of: Callable[[Site, str], int] = lambda _site, _code: 0

    def parse(self, given: list[str], site: Site) -> tuple[str, ...]:
        codes = {code.strip() for code in given if _CODE.fullmatch(code.strip())}
        if kind := self.fact.kind:
            codes = {canonical_code(kind, code, site) for code in codes}
        return tuple(sorted(codes)[:MAX_VALUES])

    def choices(self, index: RowIndex, chosen: Values, anchor: Coordinates | None) -> Values:
        """In an admin's order, then the codes of most rows first, without a broader one of the very same
        rows; a chosen one stays without rows, too."""
        sets = index.sets_of(self.fact)
        same = {wider for code in sets for wider in broader(code) if sets.get(wider) == sets[code]}
        shown = (code for code in sets if code not in same or code in chosen)
        codes = sorted(shown, key=lambda code: self.place_of(index.site, code))
        return (*codes, *(code for code in chosen if code not in codes))

    def label(self, text: str, words: FilterWords) -> str:
        return self.words_for(words.reader, text)


@dataclass(frozen=True, kw_only=True)
class SwitchFilter(FactFilter):
    always = (True,)

    words: str | Promise

    def read(self, text: str) -> bool | None:
        return True if text == "1" else None

    def label(self, text: str, words: FilterWords) -> str:
        return str(self.words)


def _switch(name: Filter, words: str | Promise) -> SwitchFilter:
    """The filter by the flag of an offer that has its name."""
    fact = OfferFact(lambda offer: (True,) if getattr(offer, name) else ())
    return SwitchFilter(name, gettext_lazy("Booking"), words=words, fact=fact)


@dataclass(frozen=True, kw_only=True)
class StarsFilter(FactFilter):
    """Star ratings: a filter to visitors, but part of the search, as the gateway is asked for them."""

    several = True
    always = ALL_STARS[::-1]

    def parse(self, given: list[str], site: Site) -> None:
        """The search form reads them."""

    def values(self, refinement: Refinement, stars: tuple[int, ...]) -> tuple[int, ...]:
        return stars

    def countable(self, values: Values, fetched_stars: tuple[int, ...], *, complete: bool = True) -> bool:
        """Other stars are another search: these rows tell of some of their own, if they are all there are."""
        return complete and (not fetched_stars or (bool(values) and set(values) <= set(fetched_stars)))

    def label(self, text: str, words: FilterWords) -> str:
        return star_words(int(text))

    def removed(self, search: StaySearch, refinement: Refinement, text: str) -> tuple[StaySearch, Refinement]:
        others = tuple(star for star in search.stars if text and str(star) != text)
        return msgspec.structs.replace(search, stars=others), refinement


class LimitFilter(ResultsFilter):
    def read(self, text: str) -> Decimal | None:
        number = Decimal(text) if _NUMBER.fullmatch(text) else Decimal(0)
        return number.normalize() if 0 < number <= MAX_NUMBER else None


@dataclass(frozen=True, kw_only=True)
class PriceFilter(LimitFilter):
    """At most or at least so much; only comparable totals pass."""

    input = "number"
    about_offers = True

    words: str | Promise

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int:
        limits = (values[0], None) if self.name == MIN_PRICE else (None, values[0])
        return index.offers_priced(*limits)

    def label(self, text: str, words: FilterWords) -> str:
        amount = words.reader.limit(Money(Decimal(text), words.currency))
        if words.per_night:
            amount = _("%(amount)s per night") % {"amount": amount}
        return str(self.words) % {"amount": amount}


class RatingFilter(LimitFilter):
    """Rated at least so high as pages print it; properties without a rating don't pass."""

    input = "radio"

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int:
        return index.rated(values[0])

    def choices(self, index: RowIndex, chosen: Values, anchor: Coordinates | None) -> Values:
        steps = RATING_STEPS.get(index.rating_scale or 0, ())
        return tuple(sorted({*steps, *chosen}, reverse=True))

    def label(self, text: str, words: FilterWords) -> str:
        return _("Rated %(rating)s or more") % {"rating": words.reader.number(Decimal(text))}


class DistanceFilter(LimitFilter):
    """At most so many kilometres from the chosen airport, else from the centre; in the unit of the market,
    and as cards say it: 5.04 km are “5 km”."""

    input = "radio"

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int | None:
        if anchor is None:
            return None
        limit = kilometres_read_as(float(values[0]), number_locale(index.site.default_market))
        return index.slots_where([km < limit for km in index.kilometres(anchor)])

    def choices(self, index: RowIndex, chosen: Values, anchor: Coordinates | None) -> Values:
        if anchor is None:
            return ()
        nearest, numbers = sorted(index.kilometres(anchor)), number_locale(index.site.default_market)
        steps = MILE_STEPS if in_miles(numbers) else KM_STEPS
        # The shortest of those that as many hotels are within.
        by_count = {
            bisect_left(nearest, kilometres_read_as(float(step), numbers)): step for step in reversed(steps)
        }
        differing = sorted(step for count, step in by_count.items() if count)
        return tuple(sorted({*differing[:MOST_STEPS], *chosen}))

    def label(self, text: str, words: FilterWords) -> str:
        within = measure(Decimal(text), "KM", words.reader.numbers)
        of = _("Within %(distance)s of %(airport)s") if words.near else _("Within %(distance)s of the centre")
        return of % {"distance": within, "airport": words.near}

    def choice_label(self, text: str, words: FilterWords) -> str:
        return _("Up to %(amount)s") % {"amount": measure(Decimal(text), "KM", words.reader.numbers)}

    def legend_text(self, words: FilterWords) -> str:
        of = _("Distance from %(airport)s") if words.near else _("Distance from the centre")
        return of % {"airport": words.near}


class NameFilter(ResultsFilter):
    """The name contains every word, accents and case aside."""

    input = "search"

    def read(self, text: str) -> str | None:
        words = " ".join(text.split())
        fits = len(words) <= MAX_NAME and all(map(_CODE.fullmatch, words.split()))
        return words if fits and fold(words) else None

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int:
        words = fold(values[0]).split()
        return index.slots_where(all(word in name for word in words) for name in index.folded_names)

    def label(self, text: str, words: FilterWords) -> str:
        return _("Name: %(text)s") % {"text": text}


class MapFilter(ResultsFilter):
    """Within an area of the map; a property without coordinates is in none."""

    input = "hidden"

    def read(self, text: str) -> MapArea | None:
        """`west,south,east,north` in degrees; five decimals are a metre, more would only split addresses."""
        parts = text.split(",")
        if len(parts) != 4 or not all(_DEGREES.fullmatch(part) for part in parts):
            return None
        west, south, east, north = (round(float(part), 5) + 0.0 for part in parts)
        if east - west >= 360:
            west, east = -180.0, 180.0
        # A map that is moved on and on counts past the date line.
        west, east = (one if abs(one) <= 180 else round((one + 180) % 360 - 180, 5) for one in (west, east))
        usable = -90 <= south < north <= 90 and west != east
        return MapArea(west=west, south=south, east=east, north=north) if usable else None

    def passing(self, index: RowIndex, values: Values, anchor: Coordinates | None) -> int:
        area: MapArea = values[0]
        places = (row.coordinates for row in index.rows)
        return index.slots_where(bool(at and area.holds(at.latitude, at.longitude)) for at in places)

    def label(self, text: str, words: FilterWords) -> str:
        return _("On this part of the map")


# In the order of the panel, of chips and, among equals, of the filters that an empty page proposes to drop.
FILTERS: dict[str, ResultsFilter] = {
    str(one.name): one
    for one in (
        RatingFilter(Filter.MIN_RATING, gettext_lazy("Guest rating")),
        StarsFilter(
            Filter.STARS,
            gettext_lazy("Stars"),
            fact=RowFact(lambda row: () if row.stars is None else (row.stars,)),
        ),
        _switch(Filter.FREE_CANCELLATION, gettext_lazy("Free cancellation")),
        _switch(Filter.PAY_LATER, gettext_lazy("Pay later")),
        _switch(Filter.DEALS, gettext_lazy("Reduced price")),
        DistanceFilter(Filter.MAX_KM),
        CodesFilter(
            Filter.FACILITY,
            gettext_lazy("Facilities"),
            fact=OfferFact(attrgetter("facilities"), CodeKind.FACILITY),
            words_for=lambda reader, code: reader.label(CodeKind.FACILITY, code),
        ),
        CodesFilter(
            Filter.TYPE,
            gettext_lazy("Kind of place"),
            fact=RowFact(lambda row: (row.type,) if row.type else (), CodeKind.PROPERTY_TYPE),
            words_for=lambda reader, code: reader.label(CodeKind.PROPERTY_TYPE, code),
        ),
        CodesFilter(
            Filter.PROVIDER,
            gettext_lazy("Provider"),
            fact=OfferFact(lambda offer: (offer.provider,)),
            words_for=lambda reader, code: reader.site.provider_label(code),
            place_of=lambda site, code: site.provider_order(code)[0],
        ),
        PriceFilter(MIN_PRICE, part_of=Filter.MAX_PRICE, words=gettext_lazy("From %(amount)s")),
        PriceFilter(Filter.MAX_PRICE, words=gettext_lazy("Up to %(amount)s")),
        NameFilter(Filter.NAME),
        MapFilter(Filter.BBOX),
    )
}
