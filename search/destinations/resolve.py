"""What a whole text means: the destination it names, or itself."""

import re
from collections.abc import Callable, Sequence

import msgspec

from search.domain.hotels import Airport, Route
from search.domain.text import fold

from .countries import CountryNames
from .destination import Destination, free_text, is_airport_code
from .index import DestinationIndex
from .suggest import MAX_TEXT, country_destination

Called = Callable[[str], Sequence[int]]

_CODE_IN_LABEL = re.compile(r"\(([A-Z0-9]{3})\)\s*\Z")
# "London - all 5 airports": a suggestion's own label, whatever language its second half is in.
_CITY_IN_LABEL = re.compile(r"\s+[-\u2013\u2014]\s+")


def resolve(index: DestinationIndex, text: str, countries: CountryNames) -> Destination | None:
    """The destination of an IATA code, of the name of a city, airport, region or country in any spelling, or
    of a suggestion's label; the text itself as free text when it is none of these; None for a blank text.

    `countries` are of the visitor's language. Only a text that means the airport itself gives an anchor:
    "Malaga" is the city, "Malaga (AGP)" the airport. Names of the list go before what its cities are called
    elsewhere, and a name that somewhere else has, too (Ragusa), is free text. Free text keeps every
    character, because the gateway knows far more places than there are airports.
    """
    written = text.strip()
    if not written:
        return None
    if len(written) > MAX_TEXT:
        return free_text(written)
    in_label = _CITY_IN_LABEL.split(written)[0]
    return (
        _by_code(index, written)
        or _by_name(index, index.terms.exact, written)
        or index.destination(written)
        or _by_area(index, written, countries)
        or _by_name(index, index.terms.other_names.exact, written)
        or _with_country(index, written, countries)
        or _by_name(index, index.terms.exact, in_label)
        or _by_name(index, index.terms.other_names.exact, in_label)
        or free_text(written)
    )


def _by_code(index: DestinationIndex, written: str) -> Destination | None:
    """A code in capitals, alone or at the end of a label; in small letters a name such as Nice goes first."""
    labelled = _CODE_IN_LABEL.search(written)
    if labelled:
        return index.destination(labelled[1])
    return index.destination(written) if is_airport_code(written) else None


def _by_name(
    index: DestinationIndex, called: Called, name: str, within: set[str] | None = None
) -> Destination | None:
    folded = fold(name)
    for number in called(folded):
        entry = index.entries[number]
        if within is None or entry.country in within:
            means_airport = folded == fold(entry.name) != fold(entry.place)
            return entry if means_airport else msgspec.structs.replace(entry, near="")
    return None


def _by_area(index: DestinationIndex, written: str, countries: CountryNames) -> Destination | None:
    # A country's code alone is too short to be meant as its name.
    codes = sorted(countries.exact(written)) if len(fold(written)) > 2 else ()
    found = (country_destination(code, index, countries) for code in codes)
    return _by_region(index, written) or next(filter(None, found), None)


def _by_region(index: DestinationIndex, name: str, within: set[str] | None = None) -> Destination | None:
    regions = index.regions_called(name)
    return next((one for one in regions if within is None or one.country in within), None)


def _with_country(index: DestinationIndex, written: str, countries: CountryNames) -> Destination | None:
    """`Valencia, Spain`."""
    name, comma, country = written.rpartition(",")
    if not comma:
        return None
    within = countries.exact(country)
    return (
        _by_name(index, index.terms.exact, name, within)
        or _by_region(index, name, within)
        or _by_name(index, index.terms.other_names.exact, name, within)
    )


def reachable_from(index: DestinationIndex, airport: Airport) -> tuple[tuple[Airport, bool], ...]:
    """The airports that `airport` names as reachable, most important first, each with whether it is seasonal.

    Only entries of the kind airport are flights; the city, country and region entries beside them name the
    same flights again by where they land.
    """
    all_year, seasonal = _airports(airport.routes), _airports(airport.seasonal_routes)
    codes = (all_year | seasonal) - {airport.code}
    return tuple((one, one.code in seasonal) for one in index.airports if one.code in codes)


def _airports(routes: tuple[Route, ...]) -> set[str]:
    return {route.code.upper() for route in routes if route.kind == "airport"}
