"""Names, addresses and descriptions of properties."""

from __future__ import annotations

from functools import cache
from typing import Any

from search.sandbox import read_toml
from search.sandbox.houses import House
from search.sandbox.rng import THROWS, Dice, scatter
from search.sandbox.world import City

_DATA, _PROSE = read_toml("names.toml"), read_toml("descriptions.toml")
_POSTCODES: dict[str, str] = {
    code: form for form, codes in _DATA["postcodes"].items() for code in codes.split()
}
_POSTCODE_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_LONG_NAME = "{}: the collection of rooms, suites and long-stay residences by the former customs house"
# So many sets of numbers and places there are for what the sentences of a description leave open.
_SHEETS = 256


def name_and_address(throw: int, other: int, city: City, kind: str) -> tuple[str, str | None]:
    """A name in the language of the country, and an address in the same street; both throws have 32 bits."""
    stock = _DATA["languages"][city.country.language]
    throw, at = divmod(throw, len(stock["streets"]))
    street = stock["streets"][at]
    return _name(throw, city, street, kind), _address(other, stock["address"], city, street)


def _name(throw: int, city: City, street: str, kind: str) -> str:
    stock = _DATA["languages"][city.country.language]
    throw, shape = divmod(throw, 50)
    if kind == "HOTEL" and shape < 11 and "native" in stock:
        native: str = stock["native"][throw % len(stock["native"])]
        return native.format(city=city.name)
    patterns = _patterns(city.country.language, kind)
    throw, at = divmod(throw, len(patterns))
    throw, word = divmod(throw, len(stock["words"]))
    name = patterns[at].format(word=stock["words"][word], city=city.name, street=street)
    return _LONG_NAME.format(name) if throw % 500 < 3 else name


@cache
def _patterns(language: str, kind: str) -> list[str]:
    """The patterns of names that a house of a kind can have."""
    languages, kinds = _DATA["languages"], _DATA["kinds"]

    def fits(pattern: str) -> bool:
        said = [one for one in kinds if any(word in pattern for word in kinds[one]["words"])]
        return kind in (said or ["HOTEL"])

    fitting = list(filter(fits, languages[language]["names"]))
    return fitting or [kinds[kind]["pattern"] if kind in kinds else "Hotel {word}"]


def _address(throw: int, pattern: str, city: City, street: str) -> str | None:
    """A few have none, a few are of two lines."""
    throw, shape = divmod(throw, 200)
    if shape < 3:
        return None
    throw, house = divmod(throw, 180)
    post = _postcode(city, 10_000 + throw % 89_000)
    address = pattern.format(street=street, house=1 + house, city=city.name, post=post)
    return address.replace(", ", "\n", 1) if shape >= 194 else address


def _postcode(city: City, digits: int) -> str:
    """The postcode that a number of five digits chooses, in the form of its country."""
    begin: str = _DATA["postcode_beginnings"].get(f"{city.name}, {city.country.code}", "")
    form = _POSTCODES.get(city.country.code)
    if form is None:
        return begin + str(digits)[len(begin) :]
    return form.format(
        one=1 + digits % 9,
        two=1 + digits // 10 % 9,
        three=100 + digits % 900,
        four=1000 + digits % 9000,
        a=_POSTCODE_LETTERS[digits % 20],
        b=_POSTCODE_LETTERS[digits // 20 % 20],
        letters=begin or "".join(filter(str.isascii, filter(str.isalpha, city.name.upper())))[:2] or "A",
    )


def description(number: int, name: str, city: City, house: House) -> str | None:
    """A few are missing, empty, very short, marked up or very long."""
    throw, shape = divmod(scatter(number, 18, THROWS), 100)
    if shape < 2:
        return None if shape else ""
    throw, sheet = divmod(throw, _SHEETS)
    words = {**_words(sheet), "name": name, "city": city.name, "stars": house.stars}
    openings, *others = _true_of(house.amenities)
    opening = openings[throw % len(openings)].format_map(words)
    if shape < 8:
        return opening
    if 12 <= shape < 16:
        return _at_length(opening, [[text.format_map(words) for text in texts] for texts in others])
    *body, note = (
        texts[throw // step % len(texts)].format_map(words)
        for texts, step in zip(others, (7, 53, 389, 2_711), strict=True)
    )
    if shape < 12:
        return f"<p>{opening}</p><br/>{' '.join(body)} <b>Book direct & save!</b>"
    gap = "\r\n" if shape < 24 else "\n\n"
    return gap.join((opening, " ".join(body), note))


def _at_length(opening: str, groups: list[list[str]]) -> str:
    """Several thousand characters, as some providers send."""
    rooms, food, around, notes = groups
    paragraphs = [opening, " ".join(rooms), " ".join(food), "- " + "\n- ".join(around), "\n".join(notes)]
    return "\n\n".join(paragraphs + paragraphs[1:3] + paragraphs[1:])


@cache
def _words(sheet: int) -> dict[str, Any]:
    """What one sheet has for the braces of sentences."""
    dice = Dice("prose", sheet)
    return {
        "where": dice.pick(_PROSE["where"]),
        "rooms": dice.between(8, 240),
        "floors": dice.between(2, 9),
        "years": dice.between(12, 190),
        "minutes": dice.between(2, 20),
        "month": dice.pick(_PROSE["months"]),
    }


@cache
def _true_of(amenities: frozenset[str]) -> list[list[str]]:
    """Of each of the five groups the sentences that are true of a house with these amenities."""

    def is_true(text: str) -> bool:
        needed = {amenity for part, amenity in _PROSE["needed"].items() if part in text}
        return needed <= amenities and not ("no restaurant" in text and "RESTAURANT" in amenities)

    groups = ("openings", "rooms", "food", "around", "notes")
    return [[text for text in _PROSE[group] if is_true(text)] for group in groups]
