"""Values of the interface's documents -> ours: an amount, a code, a name, a picture.

One that can't be used is None, or an empty text. Sizes are bounded here.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from search.domain.hotels import Coordinates, Distance, GuestRating, Route
from search.domain.money import CURRENCIES, NO_CURRENCIES, Money
from search.domain.offers import Price

from . import schema
from .free_form import MAX_DEPTH
from .text import clean_line, https_addresses

MAX_NAME = 300
MAX_IMAGES = 40
MAX_CODE = 60
MAX_ID = 500
MAX_AMOUNT = Decimal(10) ** 12
_ZERO, _CENT = Decimal(0), Decimal("0.01")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")
_UNKNOWN_COUNTRIES = frozenset({"xx", "zz"})
THREE_LETTERS = re.compile(r"[A-Za-z]{3}")
# Where an object has a picture's address, and what it calls sizes of the picture, in pixels or by a word that
# stands for so many.
_ADDRESSES = ("url", "href", "src", "link")
_SIZE = re.compile(r"([1-9][0-9]{1,4})(?:px|x[0-9]{1,5})?", re.ASCII)
_SIZES = {
    100: ("thumbnail", "thumb", "xs"),
    200: ("small", "s"),
    500: ("medium", "m"),
    1000: ("large", "big", "l"),
    1500: ("xl", "xlarge", "extralarge", "full"),
    2000: ("xxl", "xxlarge", "original"),
}
# What stands where nothing is known: `null`, `N/A`, NOT_SPECIFIED, NO_PROMOTION. Most texts begin otherwise.
_NOTHING = re.compile(
    r"null|none|nil|n/?a|no[ _-]?(?:value|data|rating|promotion|promo)"
    r"|not[ _-]?(?:specified|defined|available|applicable|provided|rated|mapped|known|given|set)"
    r"|un(?:known|specified|defined|rated|mapped|assigned|set)",
    re.IGNORECASE,
)
# The same among identifiers, which are never below 0.
NOBODY = re.compile(rf"\s*(?:[0-]*|-\d+|{_NOTHING.pattern}|missing|empty|invalid)\s*", re.IGNORECASE)
_NUMBERS = frozenset({int, float})  # bool is none
# Codes, facilities and rates are the same few texts all over; a longer text is read each time it comes.
OFTEN = 80

T = TypeVar("T")


def nonempty(entries: list[T | None] | None, most: int | None = None) -> list[T]:
    """Those of the first `most` entries that are neither null nor empty."""
    return [one for one in (entries or [])[:most] if one]


def with_letters(text: str) -> str:
    """Empty for a text without any letter: no type, no address and no bed is read from figures or commas."""
    return text if text[:1].isalpha() or any(map(str.isalpha, text)) else ""


def stars(category: Any) -> int | None:
    """Half a star is none: a hotel of 3.5 stars is found among those of three."""
    if type(category) is int:
        return category if 1 <= category <= 5 else None
    found = number(category)
    return int(found) if found is not None and 1 <= found < 6 else None


def currency(given: str | None) -> str:
    """An ISO 4217 code in capitals, or nothing, also for one that says that there is no currency."""
    return _currency(given) if given and len(given) == 3 else ""


@lru_cache(maxsize=512)
def _currency(given: str) -> str:
    letters = given.upper()
    return letters if THREE_LETTERS.fullmatch(given) and letters not in NO_CURRENCIES else ""


def country(given: str | None) -> str:
    """A two-letter country code in lower case, or nothing, also for one that says that it isn't known."""
    letters = code(given).lower()
    return letters if _TWO_LETTERS.fullmatch(letters) and letters not in _UNKNOWN_COUNTRIES else ""


def price(triple: schema.PricePair | None) -> Price | None:
    if triple is None:
        return None
    customer, own = money(triple.customerPrice), money(triple.propertyPrice)
    return Price(customer, own) if customer or own else None


def deposit(value: Any) -> Price | None:
    """A deposit counts only as an amount or as a price triple; its type is not shown in the interface."""
    if not isinstance(value, dict):
        return None
    if "currencyCode" in value:
        amount = money(schema.mended(value, schema.Amount))
        return Price(amount) if amount else None
    return price(schema.mended(value, schema.Triple))


def money(amount: schema.Amount | None) -> Money | None:
    """None for a missing, textual, negative, infinite or absurd value or an odd currency."""
    if amount is None:
        return None
    value, code = amount.value, amount.currencyCode
    # What nearly all amounts are; the rest takes twice the time.
    if type(value) is Decimal and code in CURRENCIES and _CENT <= value <= MAX_AMOUNT:
        return Money(value, code)
    unit, value = currency(code), number(value)
    return Money(value, unit) if unit and value is not None and _ZERO <= value <= MAX_AMOUNT else None


def extra_cost(amount: schema.Amount | None) -> Money | None:
    """As `money`, of a surcharge: one below 0 takes something off, so it is no extra cost."""
    if (found := money(amount)) or amount is None:
        return found
    unit, value = currency(amount.currencyCode), number(amount.value)
    return Money(_ZERO, unit) if unit and value is not None and -MAX_AMOUNT <= value < 0 else None


def number(value: Any) -> Decimal | None:
    """A JSON number that arithmetic can be done on cheaply; textual numbers are none."""
    if type(value) is Decimal:
        found = value
    elif type(value) in _NUMBERS:
        found = Decimal(str(value))
    else:
        return None
    # 1e-999999 is finite too, and writing it out is not cheap.
    return found if found.is_finite() and (-15 <= found.adjusted() <= 15 or not found) else None


def whole(value: Any, most: int) -> int | None:
    """A whole number of 0 to `most`."""
    if type(value) is int:
        return value if 0 <= value <= most else None
    found = number(value)
    return int(found) if found is not None and found == int(found) and 0 <= found <= most else None


def rating(rated: schema.WireRating | None) -> GuestRating | None:
    """None without a number above 0, which is how the unrated are counted, and without a word."""
    value = rating_value(rated)
    word = with_letters(open_code(rated.code if rated else None))
    return GuestRating(value, word) if value is not None or word else None


def rating_value(rated: schema.WireRating | None) -> Decimal | None:
    value = number(rated.value) if rated else None
    return value if value is not None and 0 < value <= 1_000 else None


def coordinates(point: schema.WireCoordinates | None) -> Coordinates | None:
    """None outside the globe, and for 0,0: a property in the Gulf of Guinea is a missing value."""
    latitude, longitude = (number(point.latitude), number(point.longitude)) if point else (None, None)
    if latitude is None or longitude is None:
        return None
    found = Coordinates(float(latitude), float(longitude))
    on_globe = abs(found.latitude) <= 90 and abs(found.longitude) <= 180
    return found if on_globe and (latitude or longitude) else None


def distance(measured: schema.WireDistance | None) -> Distance | None:
    value = number(measured.value) if measured else None
    return Distance(value, code(measured.unit)) if measured and value is not None and value >= 0 else None


def routes(entries: list[str | None] | None) -> tuple[Route, ...]:
    pairs = (code(entry).partition(":") for entry in nonempty(entries))
    return tuple(dict.fromkeys(Route(kind, place) for kind, _, place in pairs if kind and place))


def line(given: str | None) -> str:
    """A name or a sentence on one line."""
    return meaningful(clean_line(given or "", MAX_NAME))


def meaningful(text: str) -> str:
    """Empty for a text that stands for nothing, such as `null` or a dash."""
    said = text[:1].isalnum() or any(map(str.isalnum, text))
    return text if said and not _NOTHING.fullmatch(text) else ""


def code(given: str | None) -> str:
    """A code or another short text."""
    given = given or ""
    return _short_code(given) if len(given) <= OFTEN else clean_line(given, MAX_CODE)


@lru_cache(maxsize=4096)
def _short_code(given: str) -> str:
    return clean_line(given, MAX_CODE)


def open_code(given: str | None) -> str:
    """A code of an open list; empty for one that says that there is none, such as NOT_SPECIFIED."""
    return _telling_code(given) if given and len(given) <= OFTEN else code(given)


@lru_cache(maxsize=4096)
def _telling_code(given: str) -> str:
    return meaningful(clean_line(given, MAX_CODE))


def identifier(given: schema.Identifier | None) -> str:
    """Kept as it came, so that it can be sent back; an absurdly long one is none, nor one that can't be
    encoded or that no database keeps."""
    if type(given) is not str:
        given = str(given) if type(given) is int else ""
    encodable = given.isascii() or not any("\ud800" <= char <= "\udfff" for char in given)
    return given if encodable and "\0" not in given and len(given) <= MAX_ID else ""


def images(values: list[Any] | None) -> tuple[str, ...]:
    """The https addresses among the first values, each once."""
    return https_addresses([one for one in (values or [])[:MAX_IMAGES] if isinstance(one, str)])


def pictures(value: Any, depth: int = 0) -> Iterator[Any]:
    """The texts that may be addresses of a room's pictures. The interface shows neither addresses nor objects
    that hold one; of one picture in several sizes the largest is taken."""
    if isinstance(value, list) and depth <= MAX_DEPTH:
        for one in value:
            yield from pictures(one, depth + 1)
    elif isinstance(value, dict) and depth <= MAX_DEPTH:
        sizes = {name: size for name in value if (size := _size_named(name))}
        named = next(
            (name for name in _ADDRESSES if name in value), max(sizes, key=sizes.__getitem__, default="")
        )
        yield from pictures(value[named] if named else list(value.values()), depth + 1)
    elif isinstance(value, str):
        yield value


def _size_named(name: str) -> int:
    """How large a picture is that an object has under this name, such as `large` or `1000px`; 0 for none."""
    if digits := _SIZE.fullmatch(name):
        return int(digits[1])
    return next((size for size, words in _SIZES.items() if name.lower() in words), 0)
