"""What other rooms ask about destinations: what a text means, what is suggested, which airports and places
are near. All functions read the one index that `repository` holds.
"""

import hashlib
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache
from itertools import islice
from zoneinfo import ZoneInfo

import msgspec
from babel.languages import get_official_languages
from django.conf import settings

from search.domain import process
from search.domain.context import SearchContext
from search.domain.hotels import Airport, Coordinates, Property
from search.domain.process import Deadline
from search.domain.query import Refinement, StaySearch, place_parts
from search.domain.site_settings import PlaceNames, Site
from search.domain.words import fold
from search.gateway.factory import gateway
from search.site_settings import store
from search.web.shortcuts import release
from search.web.translation import get_language

from .index import Destination, DestinationIndex, Kind, free_text
from .names import country_names
from .repository import DestinationRepository
from .suggest import MAX_TEXT, Area, city_of_code, exact, suggest

_FEATURED = 6
# London has six.
_AROUND_PROPERTY = 6
_AROUND_PROPERTY_KM = 150.0
_OF_ITS_CITY_KM = 80.0
_AROUND_PLACE_KM = 200.0
_OTHER_PLACES = 4
# More than are shown: the airports of one city are one place.
_LOOKED_AT = 12
# A place that is so many times as big as its namesakes is meant by its name alone.
_DWARFED = 10
_BIG = 100_000
# People from which on a place is offered for a text that is nearly its name, or nearly another name of it.
_KNOWN = (50_000, 500_000)
_NEAR_ME_KM = 50.0
_NEAR_ME_PEOPLE = 50_000
_NEAR_ME_CITIES, _NEAR_ME_AIRPORTS = 3, 5
_WITHIN_A_CITY_KM = 15.0
# In capitals, alone or at the end of a label: in small letters a name such as Nice goes first.
_CODE = re.compile(r".*\([A-Z0-9]{3}\)|[A-Z0-9]{3}", re.DOTALL)
# "London - all 5 airports": a suggestion's own label; its second half is in any language.
_CITY_IN_LABEL = re.compile(r"\s+[-\u2013\u2014]\s+")


def resolve(text: str, index: DestinationIndex, language: str = "") -> Destination | None:
    """The destination of a code, a name in any spelling or a suggestion's label, for the page's language or
    another one, else free text; None for a blank text. Names of the list go before what its cities are called
    elsewhere; a name that another place has too (Ragusa) is free text."""
    written, language = text.strip(), language or get_language()
    if not written:
        return None
    if len(written) > MAX_TEXT:
        return free_text(written)
    in_label = _CITY_IN_LABEL.split(written)[0]
    return (
        (_CODE.fullmatch(written) and index.destination(written.rstrip(")")[-3:]))
        or _by_name(index, written, language)
        or index.destination(written)
        or _within_area(index, written, language)
        or _by_name(index, in_label, language)
        or city_of_code(index, written, language)
        or free_text(written)
    )


def _by_name(
    index: DestinationIndex, name: str, language: str, within: Area | None = None
) -> Destination | None:
    """The most important of what is called so: an entry of the list, a country, a place of the world."""
    found = next(iter(exact(index, name, language, within)), None)
    # Measured from the airport only if that, and not its city, has this name.
    return found and (found if index.is_own_name(name, found) else msgspec.structs.replace(found, near=""))


def _within_area(index: DestinationIndex, written: str, language: str) -> Destination | None:
    """`Valencia, Spain`, `Springfield, Illinois, US`, `London UK`: what follows the name decides."""
    for name, within in Area.readings(written, index, language):
        if found := _by_name(index, name, language, within) or city_of_code(index, name, language, within):
            return found
    return None


def index(deadline: Deadline) -> DestinationIndex:
    """All destinations, as fresh as the gateway lets them be; never raises."""
    return process.part(DestinationRepository).index(gateway(), store.current(), deadline)


@lru_cache(maxsize=1)
def stamp(index: DestinationIndex) -> str:
    """A hash of the airports that it is made of."""
    return hashlib.sha256(msgspec.json.encode(index.airports)).hexdigest()


def load() -> None:
    """Load what a page needs before the gateway's airports have come: places, other airports, names."""
    DestinationRepository().known(())
    country_names(get_language())
    release()


def ask_ahead() -> None:
    """Ask for the gateway's airports before anybody comes who would wait for them; never raises."""
    deadline = Deadline(settings.GATEWAY_DEADLINE, time.monotonic)
    process.part(DestinationRepository).ask(gateway(), store.current(), deadline)


def resolved(
    search: StaySearch, refinement: Refinement, deadline: Deadline
) -> tuple[StaySearch, Refinement, Destination | None]:
    """The search with its place in the reader's language and anchored at the airport that the text names, and
    the destination; None for free text. Among places of one name the most important one is meant, unless the
    country or the anchor says which: then the search has the country of the picked place."""
    known, found = index(deadline), _meant(search.place, refinement.around, deadline)
    if found is None or found.kind is Kind.PLACE:
        return search, refinement.replace(country="", region=""), None
    beside = None if refinement.country else known.destination(refinement.near)
    if beside and beside.country != found.country and fold(beside.place) == fold(search.place):
        found = beside
    shown = _city_of_airport(found, known) or found
    name = reader_name(shown, known) or found.place
    anchored = refinement.replace(near=refinement.near or found.near)
    around = _around_picked(search.place, anchored, shown, name, _meant(name, "", deadline))
    search = msgspec.structs.replace(search, place=name)
    return search, anchored.replace(**place_parts({"near": anchored.near, "country": around})), found


def _around_picked(
    typed: str, given: Refinement, picked: Destination, name: str, alone: Destination | None
) -> str:
    """What the address says of the country beside the `name` of what was picked. A name that means it `alone`
    leaves to the gateway which place of the name it means."""
    around = picked.around if name == picked.place else picked.text[len(name) + 2 :]
    if given.country or "," in typed:
        return around or ("" if picked.kind is Kind.COUNTRY else picked.country.upper())
    is_left_open = name == picked.place and not given.near and alone and _is_same(alone, picked)
    return "" if is_left_open else around


def _city_of_airport(found: Destination, known: DestinationIndex) -> Destination | None:
    """The place of the world that is searched for an airport; None for others and as an admin worded it."""
    number = known.place_of(found) if found.kind is Kind.AIRPORT else -1
    city = known.placed(number, get_language()) if number >= 0 else None
    return city if city and city.place == found.place and not known.is_worded(found) else None


def reader_name(found: Destination, known: DestinationIndex) -> str:
    """The name of a place of the world or of a country in the reader's language, where there is one that
    means it in every language: Monaco is Munich only in some. Empty for others."""
    label, text = known.places.labels.get(get_language(), {}).get(found.number, ""), found.text
    if found.kind is Kind.COUNTRY:
        label = text = found.name
    languages = (code for code, _name in settings.LANGUAGES) if label else ()
    meant = (resolve(text, known, code) for code in languages)
    return label if all(one is not None and _is_same(one, found) for one in meant) else ""


def _is_same(one: Destination, other: Destination) -> bool:
    return (one.kind, one.country, one.number) == (other.kind, other.country, other.number)


def sent_name(found: Destination, known: DestinationIndex, names: PlaceNames, market: str) -> str:
    """The name of a destination that the gateway is asked for; English for a place without a name in the
    other language or in a country of several, and an admin's own wording in any case."""
    spoken: tuple[str, ...] = ()
    if names is PlaceNames.MARKET:
        spoken = (market.partition("-")[0],)
    elif names is PlaceNames.LOCAL and found.country:
        spoken = get_official_languages(found.country)
    if len(spoken) != 1 or known.is_worded(found):
        return found.place
    return known.places.labels.get(spoken[0], {}).get(known.place_of(found)) or found.place


def _meant(place: str, country: str, deadline: Deadline) -> Destination | None:
    return resolve(", ".join(filter(None, (place, country))), index(deadline))


def day_at(place: str, country: str, moment: datetime, deadline: Deadline) -> date | None:
    """Which day it is where a place is; None where the place or its time zone is not known."""
    known = index(deadline)
    number = known.place_of(_meant(place, country, deadline))
    zone = known.places.time_zone(number) if number >= 0 else ""
    # A system may be older than a time zone, or have no file left to read it.
    with suppress(KeyError, OSError):
        return moment.astimezone(ZoneInfo(zone)).date() if zone else None
    return None


def hotel_in_place(text: str, deadline: Deadline) -> tuple[str, str]:
    """The well-known place that ends or begins a text, else "", and its other words: `Hilton Rome`."""
    known, words = index(deadline), text[:MAX_TEXT].split()
    for cut in range(1, len(words)):
        for place, name in ((words[cut:], words[:cut]), (words[:-cut], words[-cut:])):
            number = known.place_of(resolve(" ".join(place), known))
            if number >= 0 and known.weight(number) >= _KNOWN[0]:
                return " ".join(place), " ".join(name)
    return "", ""


def centre(found: Destination, deadline: Deadline) -> Coordinates | None:
    """The middle of a city, or of the city of an airport; None for a whole region or country."""
    known = index(deadline)
    number = known.place_of(found)
    is_city = number >= 0 and not known.places[number].is_region
    return known.places[number].coordinates if is_city else None


def namesakes(place: str, around: str, deadline: Deadline, *, every: bool = False) -> tuple[Destination, ...]:
    """Other destinations of the name, the most important first; unless `every` one is asked for without those
    that are dwarfed, but in the country of the page's language: London has none, Toledo one in Spain.
    Places that only are called so too are listed if they are far bigger."""
    known, meant = index(deadline), _meant(place, around, deadline)
    if meant is None or meant.kind is Kind.PLACE:
        return ()
    language = get_language()
    weight = known.weight(meant.number) if meant.number >= 0 else 0.0
    least = 0.0 if every or meant.around else max(weight / _DWARFED, _BIG)

    def is_offered(one: Destination) -> bool:
        if one.kind is Kind.COUNTRY:
            return one.country != meant.country and fold(one.name) == fold(meant.name)
        if one.number < 0 or one.number == meant.number:
            return False
        counts = known.weight(one.number)
        if one.also:
            return 0 < weight * _DWARFED <= counts
        # The languages of the site but English have the code of their country.
        return counts >= least or one.country == language

    return tuple(filter(is_offered, exact(known, place, language)))[:_OTHER_PLACES]


def region(place: str, country: str, deadline: Deadline) -> str:
    """What the reader calls the region around a place; empty where none is known."""
    meant = _meant(place, country, deadline)
    return meant.region if meant else ""


def did_you_mean(place: str, deadline: Deadline) -> Destination | None:
    """What an unknown place was perhaps meant to be, if that is well known; None for a known place."""
    known = index(deadline)
    meant = resolve(place, known)
    if meant is None or meant.kind is not Kind.PLACE:
        return None
    near = next(iter(suggest(known, place, limit=1)), None)
    is_little = near and near.number >= 0 and known.weight(near.number) < _KNOWN[bool(near.also)]
    return None if is_little else near


def airport(code: str, deadline: Deadline) -> Airport | None:
    """The airport of an IATA code, None when it is not known."""
    return index(deadline).airport(code)


def airports_near_property(building: Property, deadline: Deadline) -> tuple[tuple[Airport, float], ...]:
    """The airports of a property's city with kilometres, nearest first; without any, the nearest one."""
    if building.coordinates is None:
        return ()
    found = index(deadline).nearest(building.coordinates, _AROUND_PROPERTY, _AROUND_PROPERTY_KM)
    return tuple(pair for pair in found if pair[1] <= max(found[0][1], _OF_ITS_CITY_KM))


def _nearest(index: DestinationIndex, where: Coordinates, limit: int) -> Iterator[tuple[Destination, float]]:
    """The nearest airports as destinations, with kilometres."""
    found = ((index.destination(airport.code), km) for airport, km in index.nearest(where, limit))
    return ((one, km) for one, km in found if one)


def around(index: DestinationIndex, where: Coordinates) -> tuple[tuple[Destination, float], ...]:
    """The city around a position, the nearest bigger places, then the nearest airports, with kilometres."""
    found = list(islice(index.places.near(where, _NEAR_ME_KM, _NEAR_ME_PEOPLE), _LOOKED_AT))
    # Who stands in a district stands in its city.
    city = [pair for pair in found if pair[1] <= _WITHIN_A_CITY_KM][:1]
    others = sorted((pair for pair in found if pair not in city), key=lambda pair: pair[1])
    cities = [*city, *others][:_NEAR_ME_CITIES]
    language = get_language()
    return (
        *((index.placed(number, language), km) for number, km in cities),
        *_nearest(index, where, _NEAR_ME_AIRPORTS),
    )


def featured(index: DestinationIndex, site: Site, today: date) -> Iterator[Destination]:
    """The places of the first page: cities, or places of an admin's own near their airports."""
    for entry in site.home_places(today)[:_FEATURED]:
        place, number = free_text(entry.place), index.place_of(resolve(entry.place, index))
        city = index.placed(number, get_language()) if number >= 0 else None
        if city and city.place == entry.place:
            place = city
        elif airport := index.destination(entry.airport):
            place = msgspec.structs.replace(place, country=airport.country, near=airport.near)
        yield place


def alternative_places(context: SearchContext) -> tuple[tuple[Destination, float | None], ...]:
    """Other places with their straight-line kilometres, nearest first: the bigger ones around the searched
    one and, where it has an airport, other airports' cities; without kilometres where the place is unknown
    and only its name is a hint."""
    search, known = context.search, index(context.deadline)
    meant = _meant(search.place, context.refinement.around, context.deadline)
    where = context.origin or (meant.coordinates if meant else None)
    found: Iterable[tuple[Destination, float | None]]
    if where:
        found = _bigger_places(known, where) or _nearest(known, where, _LOOKED_AT)
    else:
        found = ((one, None) for one in suggest(known, search.place, limit=_LOOKED_AT))
    others: dict[str, tuple[Destination, float | None]] = {}
    for destination, km in found:
        others.setdefault(fold(destination.place), (destination, km))
    for name in (search.place, context.sent.place):
        others.pop(fold(name), None)
    return tuple(others.values())[:_OTHER_PLACES]


def _bigger_places(known: DestinationIndex, where: Coordinates) -> list[tuple[Destination, float]]:
    """The nearest of the biggest places around, without districts and suburbs of a bigger one."""
    around: list[tuple[Destination, float]] = []
    for number, km in known.places.near(where, _AROUND_PLACE_KM, _BIG):
        middle = known.places[number].coordinates
        if all(middle.km_to(known.places[one.number].coordinates) > _WITHIN_A_CITY_KM for one, _ in around):
            around.append((known.placed(number, get_language()), km))
        if len(around) == _LOOKED_AT:
            break
    return sorted(around, key=lambda pair: pair[1])
