"""The addresses that answer programs in JSON, in the words of OpenAPI."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from search.documents import DOCUMENTS, Comparison, Dates, Problem, Property, Results, Shared

FILE = Path(settings.BASE_DIR, "docs", "openapi.json")
SCHEMAS = "#/components/schemas/"
# Name, whether it is needed, schema, what it says.
STAY = (
    ("checkin", False, {"type": "string", "format": "date"}, "The day of arrival."),
    ("checkout", False, {"type": "string", "format": "date"}, "The day of departure, 1 to 27 nights later."),
    ("guests", False, {"type": "integer", "minimum": 1}, "How many people, children among them."),
    ("currency", False, {"type": "string"}, "ISO 4217; one that the site offers."),
    ("market", False, {"type": "string"}, "Such as `en-gb`: the language of all words."),
)
SEARCH = (
    ("place", True, {"type": "string"}, "The name of a place."),
    ("country", False, {"type": "string"}, "Its ISO 3166-1 code, where several have such a place."),
    ("near", False, {"type": "string"}, "IATA code of the airport that distances are measured from."),
    *STAY,
    ("sort", False, {"type": "string"}, "price, rating, stars, distance, tradeoffs or provider."),
    ("max_price", False, {"type": "number"}, "The highest total for the stay."),
    ("free_cancellation", False, {"type": "string", "enum": ["1"]}, "Only what can be cancelled free."),
    ("page", False, {"type": "integer", "minimum": 1}, "Which page of results."),
)
STAYS = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4}
COMPARE = (*STAY, ("stay", True, STAYS, "`provider/property` of a hotel, once for each."))
DATES = (
    *SEARCH[:-1],
    ("view", False, {"type": "string"}, "around, weekends or month."),
    ("month", False, {"type": "string"}, "Such as `2030-06`, of weekends or a whole month."),
    ("weekend", False, {"type": "string"}, "fri-sun, fri-mon or sat-mon."),
    ("nights", False, {"type": "integer", "minimum": 1, "maximum": 14}, "How long stays in a month are."),
    ("stay", False, {"type": "string"}, "`provider/property` of one hotel, whose lowest total is compared."),
    ("ask", False, {"type": "string", "enum": ["1"]}, "Ask providers for totals that aren't known."),
)
PAGES = (
    ("/hotels/", "One page of results", (), SEARCH, Results),
    ("/hotels/{provider}/{property}/", "One hotel in full", ("provider", "property"), SEARCH[:-4], Property),
    ("/compare/", "Two to four hotels side by side", (), COMPARE, Comparison),
    ("/hotels/dates/", "When a stay is cheapest", (), DATES, Dates),
    ("/s/{code}/", "The hotels of a shared link, then and now", ("code",), (), Shared),
)


def document() -> dict[str, Any]:
    _named, schemas = msgspec.json.schema_components(DOCUMENTS, ref_template=SCHEMAS + "{name}")
    for schema in schemas.values():
        schema["description"] = inspect.cleandoc(schema["description"])
    paths = {path: {"get": _operation(*rest)} for path, *rest in PAGES}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hotels",
            "version": settings.VERSION,
            "description": "The site's pages for programs that send `Accept: application/json`.",
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(summary: str, in_path: tuple[str, ...], in_query: tuple[Any, ...], kind: type) -> Any:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in in_path
    ]
    parameters += [
        {"name": name, "in": "query", "required": required, "schema": schema, "description": words}
        for name, required, schema, words in in_query
    ]
    return {
        "summary": summary,
        "parameters": parameters,
        "responses": {"200": _response(summary, kind), "default": _response("Why there is none", Problem)},
    }


def _response(words: str, kind: type) -> dict[str, Any]:
    schema = {"$ref": f"{SCHEMAS}{kind.__name__}"}
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
