"""Postcodes in the form of their country, in some cities with the digits theirs begin with."""

from __future__ import annotations

from functools import cache

from search.sandbox.world import City

_FOUR = "at be bg ch cy dk hu lu lv no si za au nz"
_FORMS = {
    **dict.fromkeys(_FOUR.split(), "{0:04}"),
    **dict.fromkeys(("cz", "gr", "se", "sk"), "{1:03} {2}{3}"), "gb": "{letters}{2} {3}{letter}{other}",
    "ie": "D{2:02} {letter}{3}{other}{2}", "nl": "{0:04} {letter}{other}", "pt": "{0:04}-{1:03}",
    "pl": "{2}{3}-{1:03}", "ca": "{letter}{2}{other} {3}{letter}{2}", "jp": "{1:03}-{0:04}",
}  # fmt: skip
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
    return form.format(
        1000 + digits % 9000,
        100 + digits % 900,
        1 + digits % 9,
        1 + digits // 10 % 9,
        letters=_letters(city.name),
        letter=_LAST[digits % len(_LAST)],
        other=_LAST[digits // 20 % len(_LAST)],
    )


@cache
def _letters(city: str) -> str:
    """What the postcodes of a city begin with where they begin with letters."""
    plain = "".join(letter for letter in city.upper() if "A" <= letter <= "Z") or "A"
    return _LETTERS.get(city, plain[:2])
