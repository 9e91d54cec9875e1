"""What a whole text means: the destination it names, or itself."""

import re
from collections.abc import Iterator

import msgspec

from search.domain.hotels import Airport, Route
from search.domain.text import fold

from .countries import CountryNames
from .destination import Destination, free_text, is_airport_code
from .index import DestinationIndex
from .suggest import MAX_TEXT, Area, city_of_code, exact

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
        or _by_name(index, written, countries)
        or index.destination(written)
        or _by_region(index, written)
        or _by_other_name(index, written)
        or _within_area(index, written, countries)
        or _by_name(index, in_label, countries)
        or _by_other_name(index, in_label)
        or city_of_code(index, written, countries)
        or free_text(written)
    )


def _by_code(index: DestinationIndex, written: str) -> Destination | None:
    """A code in capitals, alone or at the end of a label; in small letters a name such as Nice goes first."""
    labelled = _CODE_IN_LABEL.search(written)
    if labelled:
        return index.destination(labelled[1])
    return index.destination(written) if is_airport_code(written) else None


def _by_name(
    index: DestinationIndex, name: str, countries: CountryNames, within: Area | None = None
) -> Destination | None:
    """The most important of what is called so: an entry of the list, a country, a place of the world."""
    found = next(iter(exact(index, name, countries, within)), None)
    return found and _meant(found, name)


def _meant(found: Destination, name: str) -> Destination:
    """Measured from the airport only if that, and not its city, has this name."""
    means_airport = fold(name) == fold(found.name) != fold(found.place)
    return found if means_airport else msgspec.structs.replace(found, near="")


def _by_other_name(index: DestinationIndex, name: str, within: Area | None = None) -> Destination | None:
    entries = (index.entries[number] for number in index.terms.other_names.exact(fold(name)))
    found = next((one for one in entries if within is None or one.country in within.countries), None)
    if found and index.is_called(found, fold(name)):
        return found
    return found and _meant(found, name)


def _by_region(index: DestinationIndex, name: str, within: Area | None = None) -> Destination | None:
    regions = index.regions_called(name)
    return next((one for one in regions if within is None or one.country in within.countries), None)


def _within_area(index: DestinationIndex, written: str, countries: CountryNames) -> Destination | None:
    """`Valencia, Spain`, `Springfield, Illinois, US`, `London UK`: what follows the name decides."""
    for name, around in _parts(written):
        within = Area.called(around, index, countries)
        found = within and (
            _by_name(index, name, countries, within)
            or _by_region(index, name, within)
            or _by_other_name(index, name, within)
            or city_of_code(index, name, countries, within)
        )
        if found:
            return found
    return None


def _parts(written: str) -> Iterator[tuple[str, str]]:
    """A name and what is around it: parted by the first comma or, where there is none, by any space."""
    name, comma, around = written.partition(",")
    if comma:
        yield name, around.partition(",")[0]
        return
    words = written.split()
    for cut in range(1, len(words)):
        yield " ".join(words[:cut]), " ".join(words[cut:])


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
