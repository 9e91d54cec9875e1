"""The interface document as code: routes, paging and status codes.

`answer` is a pure function of the address, the weather and the day. Delays and failures belong to
`server.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import unquote

import msgspec

from search.sandbox import Json, dialects, photos
from search.sandbox.airports import airports
from search.sandbox.details import property_details
from search.sandbox.offers import offers
from search.sandbox.parameters import BadParameter, Paging, Query
from search.sandbox.pricing import LONG_BEFORE, Stay
from search.sandbox.properties import key_of, number_at, providers_of, summary_and_distance
from search.sandbox.weather import FAIR, Weather
from search.sandbox.world import Selection, world

DEFAULT_KEY = "sandbox"
# Every answer over a socket has it, so that a site can tell made-up hotels from a gateway's.
MADE_UP_HEADER = "X-Made-Up-Hotels"
SEARCH_PATH = "/pub/v1/rooms/ha/v2/propertyOffers"
AIRPORTS_PATH = "/pub/v1/core/3/airports"
_DETAILS = re.compile(re.escape(SEARCH_PATH) + r"/provider/([^/]+)/property/([^/]+)")
_PHOTO = re.compile(r"/photos/([0-9]{1,9})/([a-z]{1,12})\.svg")


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes


def answer(path: str, query_string: str, *, weather: Weather = FAIR, asked: date = LONG_BEFORE) -> Answer:
    """The answer to `GET path?query_string`, both still percent-encoded, on the day `asked`. Photos need no
    key; errors are JSON, too."""
    photo = _PHOTO.fullmatch(path)
    if photo:
        return _photo(int(photo[1]), photo[2])
    try:
        query = Query(query_string, weather, asked)
        if query.optional("apikey") != DEFAULT_KEY:
            return problem(401, "The apikey is missing or not known.", parameter="apikey")
        return _route(path, query, weather)
    except BadParameter as error:
        return problem(400, f"The parameter {error.parameter} {error.reason}.", parameter=error.parameter)


def problem(status: int, message: str, *, parameter: str | None = None) -> Answer:
    """An error with a JSON body that names the parameter at fault, if one is."""
    body: Json = {"status": status, "message": message}
    return _json(body | ({"parameter": parameter} if parameter else {}), status=status)


def _route(path: str, query: Query, weather: Weather) -> Answer:
    if path == SEARCH_PATH:
        return _json(_listing(query, weather), weather)
    if path == AIRPORTS_PATH:
        return _json(airports())
    details = _DETAILS.fullmatch(path)
    if details:
        provider, property_id = unquote(details[1]), unquote(details[2])
        query.stay()
        number = number_at(provider, property_id)
        if number is None or key_of(number) in weather.gone:
            return problem(404, "There is no such property at this provider.")
        ids = {"providerId": provider, "ryanairId": key_of(number), "id": property_id}
        return _json(dialects.details(property_details(number, provider), ids, weather), weather)
    return problem(404, "There is nothing at this address.")


def _listing(query: Query, weather: Weather) -> Json:
    place = world().find(query.required("place"))
    stay, stars, paging = query.stay(), query.stars(), query.paging()
    selection = Selection(place, stars) if place else None
    numbers = _numbers(selection, paging, weather) if selection else []
    total = selection.total if selection else 0
    results = [_entry(number, stay, weather, again=again) for number, again in numbers]
    return {"results": results} | dialects.said_total(total, paging.page, weather)


def _numbers(selection: Selection, paging: Paging, weather: Weather) -> list[tuple[int, bool]]:
    """The properties of one page, and which come for the second time."""
    if paging.page == weather.empty_page:
        return []
    count = paging.count
    if weather.window is not None:
        count = max(0, min(count, weather.window - paging.first))
    if weather.repeats:
        places = dialects.repeated(paging.first, count, selection.total, weather)
        numbers = [(selection.numbers(rank, 1)[0], again) for rank, again in places]
    else:
        numbers = [(number, False) for number in selection.numbers(paging.first, count)]
    if weather.gaps:
        numbers = [one for one in numbers if one[0] % dialects.SOLD_OUT_EVERY]
    return [one for one in numbers if key_of(one[0]) not in weather.gone] if weather.gone else numbers


def _entry(number: int, stay: Stay, weather: Weather, *, again: bool) -> Json:
    summary, distance = summary_and_distance(number, providers_of(number)[0])
    if again and weather.repeats == "prices":
        stay = replace(stay, moved=stay.moved + 10)
    sold = dialects.offers(offers(number, stay), number, weather)
    document = {"propertySummary": summary, "distance": distance, "offers": sold}
    return dialects.entry(document, number, weather, again=again)


def _photo(number: int, kind: str) -> Answer:
    if kind not in photos.KINDS or number >= world().size:
        return problem(404, "There is no such picture.")
    headers = {"Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=31536000, immutable"}
    return Answer(200, headers, photos.draw(number, kind))


def _json(document: object, weather: Weather = FAIR, *, status: int = 200) -> Answer:
    if weather.text_numbers:
        document = dialects.numbers_as_text(document)
    headers = {"Content-Type": "application/json; charset=utf-8"}
    return Answer(status, headers, msgspec.json.encode(document))
