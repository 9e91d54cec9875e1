"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case."""

from __future__ import annotations

from itertools import repeat

from search.sandbox.currencies import telling
from search.sandbox.facilities import facilities_of
from search.sandbox.houses import House, board_of
from search.sandbox.identity import told_id
from search.sandbox.pricing import Quote, Stay, own_currency_of, quotes
from search.sandbox.properties import Page
from search.sandbox.rooms import rooms_of
from search.sandbox.world import City


def offers(page: Page, stay: Stay) -> list[str]:
    """Of each property one offer per provider that isn't sold out, as the JSON text of a list.

    One property in 83 has none at all.
    """
    numbers, cities, houses, providers = page
    asked = [
        quotes(number, city, sellers, stay) if number % 83 != 41 else []
        for number, city, sellers in zip(numbers, cities, providers, strict=True)
    ]
    return list(map(_told, numbers, cities, houses, asked, repeat(stay)))


def _told(number: int, city: City, house: House, asked: list[Quote], stay: Stay) -> str:
    """The offers of one property at the prices asked for, without those that are sold out."""
    rooms, lists = rooms_of(number, house, city, stay.guests), facilities_of(number, house)
    tell, board = telling(stay.money, own_currency_of(city)), board_of(house)
    told = []
    for quote in asked:
        if quote.sold_out:
            continue
        price, terms = round(quote.price / stay.nights) if stay.nightly else quote.price, quote.terms
        places = tell(price, terms.parts)
        if places:
            if terms.again:
                places.insert(terms.again, places[0])
            rate = board if terms.rate is None else terms.rate
            # No name of a room or rate holds what JSON escapes.
            places.append(f'"{rooms[terms.room % len(rooms)].name}{rate}"')
        offer = terms.offer.copy()
        property_id = told_id(number, quote.provider)
        offer[1::2] = [quote.provider, property_id, *places, lists[terms.facilities]]
        told.append("".join(offer))
    return f"[{','.join(told)}]"
