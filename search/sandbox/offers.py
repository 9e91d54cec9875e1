"""Offers: what each provider asks for a stay, with surcharges, discounts, credit and every odd case."""

from __future__ import annotations

from collections.abc import Sequence

from search.sandbox.currencies import telling
from search.sandbox.documents import quoted
from search.sandbox.facilities import facilities, odd_facilities
from search.sandbox.houses import board_of, house_of
from search.sandbox.identity import provider_property_id
from search.sandbox.pricing import Quote, Stay, own_currency_of, quotes
from search.sandbox.rooms import rooms_of


def offers(numbers: Sequence[int], stay: Stay) -> list[str]:
    """Of each property one offer per provider that isn't sold out, as the JSON text of a list.

    One property in 83 has none at all.
    """
    asked = [quotes(number, stay) if number % 83 != 41 else [] for number in numbers]
    return [_told(*one, stay) for one in zip(numbers, asked, strict=True)]


def _told(number: int, asked: list[Quote], stay: Stay) -> str:
    """The offers of one property at the prices asked for, without those that are sold out."""
    house, rooms = house_of(number), rooms_of(number, stay.guests)
    lists, odd = facilities(house), odd_facilities(number)
    tell = telling(stay.money, own_currency_of(number))
    told = []
    for quote in asked:
        if quote.sold_out:
            continue
        price, terms = round(quote.price / stay.nights) if stay.nightly else quote.price, quote.terms
        places = tell(price, terms.parts)
        if places:
            if terms.again:
                places.insert(terms.again, places[0])
            rate = board_of(house) if terms.rate is None else terms.rate
            places.append(quoted(rooms[terms.room % len(rooms)].name + rate))
        offer = terms.offer.copy()
        property_id = quoted(provider_property_id(number, quote.provider))
        offer[1::2] = quote.provider, property_id, *places, ",".join(lists[terms.facilities] + odd)
        told.append("".join(offer))
    return f"[{','.join(told)}]"
