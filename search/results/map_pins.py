"""The map of the results: every compared property that passes the filters, and the cards of its pins."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Self

import msgspec

from search.domain.context import SearchContext
from search.domain.hotels import KM_PER_MILE, Airport, Coordinates
from search.web.formatting import Reader, in_miles, measure, whole_money
from search.web.labels import name_or_place
from search.web.links import Links, property_path

from . import service
from .card import CardMaker, ListingCard
from .full_results import AvailableResults
from .index import RowOffer
from .listings import PricedListing
from .selection import Selection

# Five decimals are a metre.
SCALE = 100_000
RINGS = (1, 2, 5)
MOST_CARDS = 12

# A name, then degrees of latitude and longitude.
Landmark = tuple[str, float, float]


class Landmarks(msgspec.Struct, frozen=True):
    """What a map has besides hotels: the middle of the place with rings (words and metres) and an airport."""

    centre: Landmark | None
    airport: Landmark | None
    rings: list[tuple[str, int]]

    @classmethod
    def of(cls, context: SearchContext, airport: Airport | None, reader: Reader) -> Self:
        # Whole miles where road signs are in miles.
        unit = KM_PER_MILE if in_miles(reader.numbers) else Decimal(1)
        return cls(
            centre=_landmark(context.search.place, context.centre),
            airport=_landmark(airport.code, airport.coordinates) if airport else None,
            rings=[(measure(unit * one, "KM", reader.numbers), round(unit * one * 1000)) for one in RINGS],
        )


def landmarks_of(
    hotels: Sequence[PricedListing], context: SearchContext, reader: Reader, airport: Airport | None = None
) -> str:
    """JSON for the map of these hotels: the centre only where one is near it, the chosen airport or else this
    one; empty without a map."""
    if not (context.site.map_enabled and any(one.listing.property.coordinates for one in hotels)):
        return ""
    near = any(one.centre_km is not None for one in hotels)
    here = context if near else replace(context, centre=None)
    return msgspec.json.encode(Landmarks.of(here, context.anchor or airport, reader)).decode()


class MapPins(Landmarks, frozen=True):
    """The properties that pass the filters and have coordinates, in the order of the page, in columns.

    Degrees are whole numbers: `SCALE` times the degrees beyond `south` and `west`, which are scaled, too.
    `paths` are the addresses of the pages ("" without one), each followed by `query`. `prices` are places in
    `totals`, -1 without a total; the first `comparable` totals are in ascending order, the others can't be
    compared. `matching` also counts properties without coordinates.
    """

    matching: int
    south: int
    west: int
    latitudes: list[int]
    longitudes: list[int]
    names: list[str]
    paths: list[str]
    query: str
    prices: list[int]
    totals: list[str]
    comparable: int

    @classmethod
    def build(cls, context: SearchContext) -> Self | None:
        """The pins of the cached results; None without any."""
        cached = service.cached_selection(context)
        if cached is None:
            return None
        (available, selection), reader = cached, Reader.for_search(context)
        rows, paths = selection.index.rows, _paths(available, selection)
        placed = [number for number in paths if rows[number].coordinates]
        leads = [selection.leading(number) for number in placed]
        points = [at for number in placed if (at := rows[number].coordinates)]
        south, latitudes = _scaled([at.latitude for at in points])
        west, longitudes = _scaled([at.longitude for at in points])
        ranks = [selection.headline_ranks[number] for number in placed]
        prices, totals, comparable = _totals(ranks, leads, len(selection.index.comparable_totals), reader)
        return cls(
            matching=selection.count,
            south=south,
            west=west,
            latitudes=latitudes,
            longitudes=longitudes,
            names=[name_or_place(rows[number].name, rows[number].place) for number in placed],
            paths=[paths[number] for number in placed],
            query=Links(context).query,
            prices=prices,
            totals=totals,
            comparable=comparable,
            **msgspec.structs.asdict(Landmarks.of(context, context.anchor, reader)),
        )


def _scaled(degrees: Iterable[float]) -> tuple[int, list[int]]:
    """The least, and each one's difference to it."""
    scaled = [round(one * SCALE) for one in degrees]
    least = min(scaled, default=0)
    return least, [one - least for one in scaled]


def _paths(available: AvailableResults, selection: Selection) -> dict[int, str]:
    """The path of each property's page in the order of the results, by number, as on its card: at the
    provider of its leading offer, else at the one that describes it; empty without an identifier."""
    paths = {}
    for number in selection.ordered():
        row, lead = selection.index.rows[number], selection.leading(number)
        at = (lead.provider, lead.property_id) if lead else (row.provider, row.id)
        apart = row.key if at in available.result_set.shared else ""
        paths[number] = property_path(*at, apart) if all(at) else ""
    return paths


def _totals(
    ranks: Sequence[int], leads: Sequence[RowOffer | None], end: int, reader: Reader
) -> tuple[list[int], list[str], int]:
    """For each offer the place of its total among the different totals; these, the comparable ones (ranks
    below `end`) first and ascending; and how many of them are comparable."""
    texts = {
        rank: (rank >= end, whole_money(lead.total, lead.currency, reader.numbers))
        for rank, lead in sorted(dict(zip(ranks, leads, strict=True)).items())
        if lead and lead.total is not None
    }
    totals = {text: place for place, text in enumerate(dict.fromkeys(texts.values()))}
    prices = [totals[texts[rank]] if rank in texts else -1 for rank in ranks]
    return prices, [text for _apart, text in totals], sum(not apart for apart, _text in totals)


def _landmark(name: str, at: Coordinates | None) -> Landmark | None:
    return (name, round(at.latitude, 5), round(at.longitude, 5)) if at else None


def cards_at(context: SearchContext, paths: Sequence[str]) -> tuple[ListingCard, ...]:
    """The cards of the cached properties whose pages have these paths, in that order."""
    if not (cached := service.cached_selection(context)):
        return ()
    numbers = {path: number for number, path in _paths(*cached).items()}
    wanted = [numbers[path] for path in dict.fromkeys(paths[:MOST_CARDS]) if path and path in numbers]
    return CardMaker(context, 1).cards(service.cards_of(*cached, wanted, context))
