"""Sorted texts, and what each of them stands for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Generic, TypeVar

T = TypeVar("T", int, str)

_AFTER = "\U0010ffff"


class Postings(Generic[T]):
    """Folded texts in order, each with the entries it stands for."""

    def __init__(self, pairs: Mapping[str, Iterable[T]]) -> None:
        self._texts = sorted(pairs)
        self._entries: list[tuple[T, ...]] = [tuple(sorted(set(pairs[text]))) for text in self._texts]

    @classmethod
    def by_words(cls, pairs: Iterable[tuple[str, T]]) -> Postings[T]:
        """Names that are found by the beginning of any of their words and what follows it."""
        found: defaultdict[str, list[T]] = defaultdict(list)
        for name, entry in pairs:
            words = name.split()
            for first in range(len(words)):
                found[" ".join(words[first:])].append(entry)
        return cls(found)

    def exact(self, text: str) -> tuple[T, ...]:
        place = bisect_left(self._texts, text)
        found = place < len(self._texts) and self._texts[place] == text
        return self._entries[place] if found else ()

    def starting_with(self, prefix: str) -> set[T]:
        first, last = bisect_left(self._texts, prefix), bisect_right(self._texts, prefix + _AFTER)
        return set(chain.from_iterable(self._entries[first:last]))
