"""Postcodes in the form of their country, in some cities with the digits theirs begin with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from search.sandbox.world import City

_FOUR = "at be bg ch cy dk hu lu lv no si za au nz"
_FIVE_SPACED = "cz gr se sk"
_BEGIN = {
    "Barcelona": "08", "Madrid": "28", "Valencia": "46", "Seville": "41", "Malaga": "29", "Alicante": "03",
    "Rome": "00", "Milan": "20", "Naples": "80", "Venice": "30", "Florence": "50", "Paris": "75",
    "Nice": "06", "Marseille": "13", "Berlin": "10", "Munich": "80", "Hamburg": "20", "Cologne": "50",
}  # fmt: skip
_LETTERS = {
    "London": "SW",
    "Manchester": "M",
    "Birmingham": "B",
    "Edinburgh": "EH",
    "Glasgow": "G",
    "Liverpool": "L",
}
_LAST = "ABDEFGHJLNPQRSTUWXYZ"


def postcode(city: City, digits: int) -> str:
    """The postcode of an address; ``digits`` is a number of five that chooses it."""
    form = _FORMS.get(city.country.code)
    if form is None:
        begin = _BEGIN.get(city.name, "")
        return begin + str(digits)[len(begin) :]
    return form(digits, city.name)


def _four(digits: int) -> int:
    return 1000 + digits % 9000


def _three(digits: int) -> int:
    return 100 + digits % 900


def _one(digits: int) -> int:
    return 1 + digits % 9


def _two(digits: int) -> int:
    return _one(digits // 10)


def _letter(digits: int) -> str:
    return _LAST[digits % len(_LAST)]


@cache
def _letters(city: str) -> str:
    """What the postcodes of a city begin with where they begin with letters."""
    plain = "".join(letter for letter in city.upper() if "A" <= letter <= "Z") or "A"
    return _LETTERS.get(city, plain[:2])


# Country -> the form of its postcodes, of a number and the name of the city.
_FORMS: dict[str, Callable[[int, str], str]] = {
    **dict.fromkeys(_FOUR.split(), lambda n, _: f"{_four(n)}"),
    **dict.fromkeys(_FIVE_SPACED.split(), lambda n, _: f"{_three(n)} {_one(n)}{_two(n)}"),
    "gb": lambda n, city: f"{_letters(city)}{_one(n)} {_two(n)}{_letter(n)}{_letter(n // 20)}",
    "ie": lambda n, _: f"D{_one(n):02} {_letter(n)}{_two(n)}{_letter(n // 20)}{_one(n)}",
    "nl": lambda n, _: f"{_four(n)} {_letter(n)}{_letter(n // 20)}",
    "pt": lambda n, _: f"{_four(n)}-{_three(n)}",
    "pl": lambda n, _: f"{_one(n)}{_two(n)}-{_three(n)}",
    "ca": lambda n, _: f"{_letter(n)}{_one(n)}{_letter(n // 20)} {_two(n)}{_letter(n)}{_one(n)}",
    "jp": lambda n, _: f"{_three(n)}-{_four(n)}",
}
