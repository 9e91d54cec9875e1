"""Sorted words and names: the parts of the index that answer "which entries are called like this?".

Entries are numbers, most important first, so the smallest numbers of an answer are its best.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from .postings import Postings
from .similar import Similar

_MIN_HIDDEN = 3


class Use(Enum):
    """How a name finds its entry."""

    SHOWN = "shown"
    # Only word by word: the whole name belongs to another entry, as a city's does to the city.
    WORDS = "words"
    # Whole, or by its beginning: a match inside a name that the page doesn't show would look like a mistake.
    HIDDEN = "hidden"


class Terms:
    """`names` are, for each entry, its folded names and their uses; `codes` its IATA code or empty."""

    def __init__(self, names: Sequence[Iterable[tuple[str, Use]]], codes: Sequence[str]) -> None:
        whole: defaultdict[str, list[int]] = defaultdict(list)
        words: defaultdict[str, list[int]] = defaultdict(list)
        hidden: defaultdict[str, list[int]] = defaultdict(list)
        lines: list[str] = []
        self._starts: list[int] = []
        length = 0
        for number, named in enumerate(names):
            self._starts.append(length)
            for name, use in named:
                if use is Use.HIDDEN:
                    hidden[name].append(number)
                    continue
                if use is Use.SHOWN:
                    whole[name].append(number)
                for word in name.split():
                    words[word].append(number)
            line = "\n".join(name for name, use in named if use is not Use.HIDDEN) + "\n"
            lines.append(line)
            length += len(line)
        self._text = "".join(lines)
        self._whole = Postings(whole)
        self._words = Postings(words)
        self._hidden = Postings(hidden)
        self._codes = Postings({code.lower(): [number] for number, code in enumerate(codes) if code})
        self._similar = Similar([words, whole, hidden])

    def code(self, text: str) -> tuple[int, ...]:
        return self._codes.exact(text)

    def exact(self, text: str) -> set[int]:
        return {*self._whole.exact(text), *self._hidden.exact(text)}

    def starting_with(self, text: str) -> set[int]:
        found = self._whole.starting_with(text)
        return found | self._hidden.starting_with(text) if len(text) >= _MIN_HIDDEN else found

    def with_words(self, text: str) -> set[int]:
        """Entries that have, for every word of `text`, a word beginning with it; among several words one
        may be the code."""
        words = sorted(text.split(), key=len, reverse=True)
        found: set[int] | None = None
        for word in words:
            holders = self._words.starting_with(word)
            if len(words) > 1:
                holders |= set(self._codes.exact(word))
            found = holders if found is None else found & holders
            if not found:
                break
        return found or set()

    def code_starting_with(self, text: str) -> set[int]:
        return self._codes.starting_with(text)

    def containing(self, text: str) -> Iterator[int]:
        """Entries with a name that contains `text`, best first."""
        place = self._text.find(text)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            yield number
            following = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
            place = self._text.find(text, following)

    def similar(self, text: str) -> list[int]:
        """Entries with a name or word one or two typing mistakes away from `text`, closest first."""
        return self._similar.to(text)
