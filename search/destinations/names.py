"""Folded names and what they stand for, found whole, by their beginning or misspelt; and the names of
countries.
"""

import re
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Self

import msgspec
from babel import Locale
from django.conf import settings
from rapidfuzz.distance import OSA

from search.domain.words import fold, spellings
from search.web.formatting import number_locale

# Of so many names one is kept as an object, of few names each: most steps of a search are among these.
_STEP, _FEW = 16, 20_000
_SHORTLIST = 48
_MOST_LOOKED_AT = 3_000
_MIN_MISSPELT = 4
_MOST_MISTAKES = 2
# Two mistakes in a shorter name make another one of it: Salento is not Sagunto.
_MIN_TWICE = 8
# A shorter beginning with a mistake is near to too many names: Gozo is no unfinished Gorzów.
_MIN_UNFINISHED = 6
# Unicode's names hold more than countries: unions, tests of spelling, the unknown, and a region of Spain.
_NO_COUNTRIES = {"EU", "EZ", "IC", "QO", "UN", "XA", "XB", "ZZ"}
_SAINT = re.compile(r"St\.? ")

Pairs = Iterable[tuple[str, int]]


def numbers_of(column: memoryview, kind: str = "I") -> memoryview:
    """The numbers in it, copied: a view would keep all of the table that it was read from."""
    return memoryview(bytes(column)).cast(kind)  # type: ignore[call-overload, no-any-return]


class Names(msgspec.Struct, array_like=True, dict=True, eq=False):
    """Sorted folded names, repeated for each number of the name, as the table keeps them: one text, where
    each starts and whose each is (32 bits each)."""

    text: bytes
    starts: memoryview
    numbers: memoryview

    def __post_init__(self) -> None:
        self.starts, self.numbers = numbers_of(self.starts), numbers_of(self.numbers)
        self._step = 1 if len(self) < _FEW else _STEP
        self._some = [self[at] for at in range(0, len(self), self._step)]

    @classmethod
    def of(cls, pairs: Pairs) -> Self:
        return cls.in_order(sorted(set(pairs)))

    @classmethod
    def in_order(cls, pairs: Pairs) -> Self:
        """Names in the order they come, each with the number of what it names."""
        texts, starts, numbers = bytearray(), array("I", [0]), array("I")
        for name, number in pairs:
            texts += name.encode()
            starts.append(len(texts))
            numbers.append(number)
        return cls(bytes(texts), memoryview(starts), memoryview(numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, at: int) -> bytes:
        return self.text[self.starts[at] : self.starts[at + 1]]

    def exact(self, text: str) -> set[int]:
        return set(self.numbers[self.where(text, b"\0")])

    def starting_with(self, text: str) -> set[int]:
        return set(self.numbers[self.where(text)])

    def where(self, text: str, end: bytes = b"\xff") -> slice:
        """The positions of the names that begin so or, before the `end` of zero, are exactly so."""
        wanted = text.encode(errors="replace")
        return slice(self._position(wanted), self._position(wanted + end))

    def _position(self, wanted: bytes) -> int:
        last = bisect_left(self._some, wanted) * self._step
        if self._step == 1:
            return last
        return bisect_left(self, wanted, max(0, last - _STEP), min(last, len(self.numbers)))


def endings(name: str) -> Iterator[str]:
    """A name from each of its words on."""
    words = name.split()
    return (" ".join(words[first:]) for first in range(len(words)))


class Similar:
    """Names by the pairs of letters in them, to shortlist what a misspelt one may have meant."""

    def __init__(self, names: Pairs) -> None:
        numbers: defaultdict[str, set[int]] = defaultdict(set)
        for name, number in names:
            if len(name) >= _MIN_MISSPELT:
                numbers[name].add(number)
        self._names = sorted(numbers.items())
        self._pairs: defaultdict[str, list[int]] = defaultdict(list)
        for at, (name, _numbers) in enumerate(self._names):
            for pair in _pairs(name):
                self._pairs[pair].append(at)

    def to(self, text: str) -> dict[int, tuple[int, bool]]:
        """What has a name or word one or two typing mistakes away from `text`, each with its mistakes and
        whether `text` is rather the beginning of its name."""
        # Forgiven are no mistakes in up to three letters, one in four to six, else two.
        allowed = 0 if len(text) < _MIN_MISSPELT else 1 if len(text) < 7 else _MOST_MISTAKES
        best: dict[int, tuple[int, bool]] = {}
        for at in self._shortlist(text) if allowed else ():
            name, numbers = self._names[at]
            # A longer rest is always more mistakes than allowed.
            meant = name[: len(text) + allowed + 1]
            far = _mistakes(text, meant)
            if far[0] <= allowed and _is_likely(text, meant, *far):
                best |= {number: min(best.get(number, far), far) for number in numbers}
        return best

    def _shortlist(self, text: str) -> list[int]:
        """The names that share most pairs with `text`; rare pairs tell most, so they are looked at first."""
        shared: Counter[int] = Counter()
        looked_at = 0
        for sharing in sorted((self._pairs.get(pair, ()) for pair in _pairs(text)), key=len):
            if looked_at + len(sharing) > _MOST_LOOKED_AT and shared:
                break
            shared.update(sharing)
            looked_at += len(sharing)
        return [at for at, _ in shared.most_common(_SHORTLIST)]


def _mistakes(typed: str, meant: str) -> tuple[int, bool]:
    """The typing mistakes (a letter missing, added, wrong, or two swapped), and whether `typed` is rather an
    unfinished `meant`; exact up to the most that are forgiven."""
    whole = OSA.distance(typed, meant)
    # A beginning that is much shorter or longer than what was typed is more mistakes than are ever forgiven.
    ends = range(max(0, len(typed) - _MOST_MISTAKES), min(len(meant), len(typed) + _MOST_MISTAKES + 1))
    unfinished = min((OSA.distance(typed, meant[:end]) for end in ends), default=whole)
    return min((whole, False), (unfinished, True))


def _is_likely(typed: str, meant: str, count: int, is_unfinished: bool) -> bool:
    """Whether these are mistakes that one makes: hardly ever is the first letter another one (Kavos is not
    Davos). It may be missing, doubled or swapped, where nothing else is wrong."""
    if is_unfinished and (count > 1 or len(typed) < _MIN_UNFINISHED):
        return False
    if count > 1 and max(len(typed), len(meant)) < _MIN_TWICE:
        return False
    return typed[0] == meant[0] or (count == 1 and (typed[0] == meant[1] or typed[1] == meant[0]))


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)} | {"^" + text[0]}


class CountryNames:
    """The names of all countries for readers of a language, who also find them by what they are called in
    English or, whole, in any language of the site."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.labels, self.in_english = _territories(language), _territories("en")
        self._codes = sorted({*self.labels, *self.in_english})
        self._names = {
            code: {*spellings(self.label(code))}.union(*map(spellings, _english_names(code)))
            for code in self._codes
        }
        pairs = [(name, at) for at, code in enumerate(self._codes) for name in self._names[code]]
        self._endings = Names.of((ending, at) for name, at in pairs for ending in endings(name))
        self._similar = Similar(pairs)

    def label(self, code: str) -> str:
        """The country's name, or its code in capitals when the list has none."""
        return self.labels.get(code) or code.upper()

    def exact(self, text: str) -> set[str]:
        """The codes of the countries that `text` is a name or the code of."""
        return _codes_of_names().get(fold(text), set())

    def called(self, text: str) -> set[str]:
        """The codes of the countries with this folded name in the reader's language or in English."""
        return {code for code in self.exact(text) if text in self._names[code]}

    def beginning(self, text: str) -> set[str]:
        """The codes of the countries with a name that begins so."""
        named = ((code, name) for code in self.with_word(text) for name in self._names[code])
        return {code for code, name in named if name.startswith(text)}

    def with_word(self, text: str) -> set[str]:
        """The codes of the countries with a name in which this begins a word."""
        return {self._codes[at] for at in self._endings.starting_with(text)}

    def similar_to(self, text: str) -> dict[str, tuple[int, bool]]:
        """The codes of the countries with a name one or two typing mistakes away, as `Similar` has them."""
        return {self._codes[at]: far for at, far in self._similar.to(text).items()}


country_names = lru_cache(maxsize=16)(CountryNames)


@lru_cache(maxsize=16)
def _territories(language: str) -> dict[str, str]:
    names = Locale.parse(number_locale(language)).territories.items()
    codes = {code: name for code, name in names if len(code) == 2 and code.isalpha()}
    return {code.lower(): name for code, name in codes.items() if code not in _NO_COUNTRIES}


@cache
def _also_called() -> Mapping[str, list[str]]:
    """More names of each country, by its lower-case code: those in wide use, and those in its own languages
    where the site doesn't speak them; none that is its capital's as well, such as that of Tunis in Arabic."""
    table = Path(__file__).with_name("country_names.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in table.splitlines())
    return {code: names.split(", ") for code, _, names in lines}


def _english_names(code: str) -> list[str]:
    """What a country is called in English; one with "&" has "and" for it, too, and "Saint" for "St"."""
    names = [name for name in (_territories("en").get(code), *_also_called().get(code, ())) if name]
    names += [name.replace("&", "and") for name in names if "&" in name]
    return names + [_SAINT.sub("Saint ", name) for name in names if _SAINT.match(name)]


@cache
def _codes_of_names() -> Mapping[str, set[str]]:
    """The codes of countries by their folded names in all languages, and by themselves."""
    codes: defaultdict[str, set[str]] = defaultdict(set)
    for language in ("pt-br", *dict(settings.LANGUAGES)):
        for code, label in _territories(language).items():
            for name in (code, label, *_english_names(code)):
                for spelling in spellings(name):
                    codes[spelling].add(code)
    return dict(codes)
