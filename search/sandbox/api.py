"""The interface document as code: routes, parameters, paging and status codes.

``answer`` is a pure function of the address, the weather and the day. Delays and failures belong to
``faults.py``.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import unquote

import msgspec

from search.sandbox import descriptions, dialects, photos, rooms
from search.sandbox.airports import airports
from search.sandbox.details import property_details
from search.sandbox.documents import Json
from search.sandbox.facilities import facilities
from search.sandbox.houses import houses
from search.sandbox.identity import key_of, number_at
from search.sandbox.movement import LONG_BEFORE
from search.sandbox.names import STOCKS, names_for
from search.sandbox.offers import offers
from search.sandbox.parameters import BadParameter, Paging, Query
from search.sandbox.pricing import Stay
from search.sandbox.properties import listed, page_of, pictures_of, property_ids
from search.sandbox.selection import Selection
from search.sandbox.terms import all_terms
from search.sandbox.weather import FAIR, Weather
from search.sandbox.world import world

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


def prepare() -> None:
    """Make what properties and answers share, rather than when it is first met: a few tenths of a second."""
    airports()
    descriptions.prepare()
    rooms.prepare()
    all_terms()
    for house in houses():
        pictures_of(house)
        facilities(house)
        for language in STOCKS:
            names_for(language, house.kind)


def answer(
    path: str,
    query_string: str,
    *,
    weather: Weather = FAIR,
    key: str = DEFAULT_KEY,
    asked: date = LONG_BEFORE,
) -> Answer:
    """The answer to ``GET path?query_string``, both still percent-encoded, on the day ``asked``.

    Photos need no key. Everything else answers 401 without the right one, 400 for a parameter it can't
    use, 404 for what doesn't exist, and otherwise 200; errors are JSON, too.
    """
    photo = _PHOTO.fullmatch(path)
    if photo:
        return _photo(int(photo[1]), photo[2])
    try:
        query = Query(query_string, weather, asked)
        if not hmac.compare_digest((query.optional("apikey") or "").encode(), key.encode()):
            return problem(401, "The apikey is missing or not known.", parameter="apikey")
        return _route(path, query, weather)
    except BadParameter as error:
        return problem(400, f"The parameter {error.parameter} {error.reason}.", parameter=error.parameter)


def problem(status: int, message: str, *, parameter: str | None = None) -> Answer:
    """An error with a JSON body that names the parameter at fault, if one is."""
    body: Json = {"status": status, "message": message}
    if parameter:
        body["parameter"] = parameter
    return _json(body, status)


def _route(path: str, query: Query, weather: Weather) -> Answer:
    if path == SEARCH_PATH:
        place = world().find(query.required("place"))
        stay, stars, paging = query.stay(), query.stars(), query.paging()
        chosen = Selection(place, stars) if place else None
        return _as_json(_listing(chosen, stay, paging, weather))
    if path == AIRPORTS_PATH:
        return _json(airports())
    details = _DETAILS.fullmatch(path)
    if details:
        provider, property_id = unquote(details[1]), unquote(details[2])
        query.stay()
        number = number_at(provider, property_id)
        if number is None or key_of(number) in weather.gone:
            return problem(404, "There is no such property at this provider.")
        described = property_details(number, provider)
        return _json(dialects.details(described, property_ids(number, provider), weather))
    return problem(404, "There is nothing at this address.")


def _listing(chosen: Selection | None, stay: Stay, paging: Paging, weather: Weather) -> bytes:
    numbers = _numbers(chosen, paging, weather) if chosen else []
    if weather.gaps:
        numbers = dialects.without_sold_out(numbers)
    if weather.gone:
        numbers = [number for number in numbers if key_of(number) not in weather.gone]
    page = page_of(numbers)
    sold = dialects.offers(offers(page, stay), numbers, weather)
    total = chosen.total if chosen else 0
    if weather.repeats:
        total += dialects.repeats_of(total)
    said = dialects.said_total(total, paging.page, weather)
    told = _told(listed(page), sold, said)
    if weather.text_numbers:
        return msgspec.json.encode(dialects.spelled(msgspec.json.decode(told), weather))
    return told


def _numbers(chosen: Selection, paging: Paging, weather: Weather) -> list[int]:
    """The properties of one page."""
    if paging.page == weather.empty_page:
        return []
    count = paging.count
    if weather.window is not None:
        count = max(0, min(count, weather.window - paging.first))
    if not weather.repeats:
        return chosen.numbers(paging.first, count)
    ranks = dialects.repeated(paging.first, count, chosen.total)
    return [chosen.numbers(rank, 1)[0] for rank in ranks]


def _told(described: list[tuple[str, str]], sold: list[str], said: Json) -> bytes:
    """The JSON text of a listing: of each result its summary, its distance and what is sold of it; what else
    is ``said`` goes last."""
    texts = [b'{"results":[']
    for (summary, distance), offered in zip(described, sold, strict=True):
        # Encoded apart: the offers are longer and mostly ASCII, which takes no time. Put together once, for
        # copies of a page take longer than its text.
        beginning = f'{{"propertySummary":{summary},"distance":{distance},"offers":'
        texts += beginning.encode(), offered.encode(), b"},"
    if described:
        texts[-1] = b"}"
    rest = msgspec.json.encode(said)
    return b"".join([*texts, b"]," if said else b"]", rest[1:]])


def _photo(number: int, kind: str) -> Answer:
    if kind not in photos.KINDS or number >= world().size:
        return problem(404, "There is no such picture.")
    headers = {"Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=31536000, immutable"}
    return Answer(200, headers, photos.draw(number, kind))


def _json(document: object, status: int = 200) -> Answer:
    return _as_json(msgspec.json.encode(document), status)


def _as_json(body: bytes, status: int = 200) -> Answer:
    return Answer(status, {"Content-Type": "application/json; charset=utf-8"}, body)
