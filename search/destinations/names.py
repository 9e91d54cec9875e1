"""Folded names and what they stand for, found whole, by their beginning or misspelt; and the names of
countries.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate, chain
from pathlib import Path
from typing import Generic, Self, TypeVar

import msgspec
from rapidfuzz.distance import OSA

from search.domain.text import fold, spellings

T = TypeVar("T", int, str)

_AFTER = "\U0010ffff"
_SHORTLIST = 48
_MOST_LOOKED_AT = 3_000
_MIN_MISSPELT = 4
_MOST_MISTAKES = 2
# Two mistakes in a shorter name make another one of it: Salento is not Sagunto.
_MIN_TWICE = 8
# A shorter beginning with a mistake is near to too many names: Gozo is no unfinished Gorzów.
_MIN_UNFINISHED = 6


class Postings(Generic[T]):
    """Folded texts in order, each with the entries it stands for."""

    def __init__(self, pairs: Mapping[str, Iterable[T]]) -> None:
        self._texts = sorted(pairs)
        self._entries: list[tuple[T, ...]] = [tuple(sorted(set(pairs[text]))) for text in self._texts]
        self._joined = "\n".join(self._texts)
        self._starts = [0, *accumulate(len(text) + 1 for text in self._texts)]

    @classmethod
    def by_words(cls, pairs: Iterable[tuple[str, T]]) -> Self:
        """Names that are found by the beginning of any of their words and what follows it."""
        found: defaultdict[str, list[T]] = defaultdict(list)
        for name, entry in pairs:
            words = name.split()
            for first in range(len(words)):
                found[" ".join(words[first:])].append(entry)
        return cls(found)

    def exact(self, text: str) -> tuple[T, ...]:
        place = bisect_left(self._texts, text)
        is_there = place < len(self._texts) and self._texts[place] == text
        return self._entries[place] if is_there else ()

    def starting_with(self, prefix: str) -> set[T]:
        first, last = bisect_left(self._texts, prefix), bisect_right(self._texts, prefix + _AFTER)
        return set(chain.from_iterable(self._entries[first:last]))

    def containing(self, part: str) -> set[T]:
        entries: set[T] = set()
        at = self._joined.find(part)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            entries.update(self._entries[number])
            at = self._joined.find(part, self._starts[number + 1])
        return entries

    @property
    def pairs(self) -> Mapping[str, Iterable[T]]:
        return dict(zip(self._texts, self._entries, strict=True))


class Similar:
    """Texts by the pairs of letters in them, to shortlist what a misspelt one may have meant."""

    def __init__(self, postings: Iterable[Mapping[str, Iterable[int]]]) -> None:
        entries: defaultdict[str, set[int]] = defaultdict(set)
        for text, numbers in chain.from_iterable(posting.items() for posting in postings):
            entries[text].update(numbers)
        self._texts = sorted(text for text in entries if len(text) >= _MIN_MISSPELT)
        self._entries = [sorted(entries[text]) for text in self._texts]
        self._pairs: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self._texts):
            for pair in _pairs(text):
                self._pairs[pair].append(number)

    def to(self, text: str) -> dict[int, tuple[int, bool]]:
        """Entries with a name or word one or two typing mistakes away from `text`, closest first, each with
        its mistakes and whether `text` is rather the beginning of its name."""
        # Forgiven are no mistakes in up to three letters, one in four to six, else two.
        allowed = 0 if len(text) < _MIN_MISSPELT else 1 if len(text) < 7 else _MOST_MISTAKES
        best: dict[int, tuple[int, bool]] = {}
        for number in self._shortlist(text) if allowed else ():
            # A longer rest is always more mistakes than allowed.
            meant = self._texts[number][: len(text) + allowed + 1]
            found = mistakes(text, meant)
            if found[0] <= allowed and _is_likely(text, meant, *found):
                for entry in self._entries[number]:
                    best[entry] = min(best.get(entry, (allowed, True)), found)
        return {entry: best[entry] for entry in sorted(best, key=lambda entry: (best[entry], entry))}

    def _shortlist(self, text: str) -> list[int]:
        """The texts that share most pairs with `text`; rare pairs tell most, so they are looked at first."""
        shared: Counter[int] = Counter()
        looked_at = 0
        for posting in sorted((self._pairs.get(pair, ()) for pair in _pairs(text)), key=len):
            if looked_at + len(posting) > _MOST_LOOKED_AT and shared:
                break
            shared.update(posting)
            looked_at += len(posting)
        return [number for number, _ in shared.most_common(_SHORTLIST)]


def mistakes(typed: str, meant: str) -> tuple[int, bool]:
    """The typing mistakes (a letter missing, added, wrong, or two swapped) from `meant` to `typed`, and
    whether `typed` is rather an unfinished `meant`; exact up to the most that are forgiven."""
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


_SAINT = re.compile(r"St\.? ")


def _read_also_called() -> dict[str, tuple[str, ...]]:
    """More names of each country, by its lower-case code: those in wide use, and those in its own languages
    where the site doesn't speak them; none that is its capital's as well, such as that of Tunis in Arabic."""
    table = Path(__file__).with_name("country_names.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in table.splitlines())
    return {code: tuple(names.split(", ")) for code, _, names in lines}


_ALSO_CALLED = _read_also_called()


class CountryNames(msgspec.Struct, frozen=True):
    """`labels` maps a lower-case country code to its name in `language` (`de`), `in_english` to the English.

    `terms` are the folded names of those two languages, `similar` finds them misspelt, by their places among
    the sorted codes; `known` maps the folded names of every language to codes.
    """

    language: str
    labels: Mapping[str, str]
    in_english: Mapping[str, str]
    terms: Postings[str]
    similar: Similar
    known: Mapping[str, set[str]]

    @classmethod
    def of(
        cls, language: str, labels: Mapping[str, str], english: Mapping[str, str], *others: Mapping[str, str]
    ) -> Self:
        """Country names of one language, to be found by their English names as well; a whole name also in
        `others`, the names in more languages."""
        called = [(code, other) for code, name in english.items() for other in _also_called(code, name)]
        terms = _folded(*labels.items(), *english.items(), *called)
        numbers = {code: number for number, code in enumerate(sorted({*labels, *english}))}
        similar = Similar([{term: [numbers[code]]} for term, code in terms])
        known: defaultdict[str, set[str]] = defaultdict(set, {code: {code} for code in labels})
        for term, code in terms + _folded(*(pair for names in others for pair in names.items())):
            known[term].add(code)
        return cls(language, labels, english, Postings.by_words(terms), similar, dict(known))

    def label(self, code: str) -> str:
        """The country's name, or its code in capitals when the list has none."""
        return self.labels.get(code) or code.upper()

    def begins(self, code: str, text: str) -> bool:
        """Whether the folded `text` is the beginning of a name of the country, not of a word within."""
        return any(name.startswith(text) for name in self._of(code))

    def similar_to(self, text: str) -> dict[str, tuple[int, bool]]:
        """The codes of the countries with a name one or two typing mistakes away, as `Similar` has them."""
        codes = sorted({*self.labels, *self.in_english})
        return {codes[number]: far for number, far in self.similar.to(text).items()}

    def called(self, text: str) -> set[str]:
        """The codes of the countries with this folded name in the reader's language or in English."""
        return {code for code in self.terms.exact(text) if text in self._of(code)}

    def _of(self, code: str) -> list[str]:
        english = self.in_english.get(code, "")
        return [fold(name) for name in (self.label(code), english, *_also_called(code, english))]

    def exact(self, text: str) -> set[str]:
        """The codes of the countries that `text` is a name or the code of."""
        return self.known.get(fold(text), set())


def _folded(*names: tuple[str, str]) -> list[tuple[str, str]]:
    return [(spelling, code) for code, name in names for spelling in spellings(name)]


def _also_called(code: str, english: str) -> list[str]:
    """What a country is called besides its English name; one with "&" has "and" for it, too, and "Saint" for
    "St"."""
    names = [english, *_ALSO_CALLED.get(code, ())]
    names += [name.replace("&", "and") for name in names if "&" in name]
    names += [_SAINT.sub("Saint ", name) for name in names if _SAINT.match(name)]
    return names[1:]
