"""Names and words that a misspelt text may have meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

_SHORTLIST = 48
_MOST_LOOKED_AT = 3_000
_MIN_WORD = 4


class Similar:
    """Words by the pairs of letters in them, to shortlist what a misspelt word may have meant."""

    def __init__(self, postings: Iterable[Mapping[str, Iterable[int]]]) -> None:
        entries: defaultdict[str, set[int]] = defaultdict(set)
        for posting in postings:
            for text, numbers in posting.items():
                entries[text].update(numbers)
        self._texts = sorted(text for text in entries if len(text) >= _MIN_WORD)
        self._entries = [tuple(sorted(entries[text])) for text in self._texts]
        self._pairs: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self._texts):
            for pair in _pairs(text):
                self._pairs[pair].append(number)

    def to(self, text: str) -> list[int]:
        allowed = mistakes_allowed(text)
        if not allowed:
            return []
        best: dict[int, tuple[int, bool]] = {}
        for number in self._shortlist(text):
            # A longer rest is more mistakes than allowed, whatever it is.
            distance, unfinished = mistakes(text, self._texts[number][: len(text) + allowed + 1])
            if distance <= allowed:
                for entry in self._entries[number]:
                    best[entry] = min(best.get(entry, (allowed, True)), (distance, unfinished))
        return sorted(best, key=lambda entry: (best[entry], entry))

    def _shortlist(self, text: str) -> list[int]:
        """The texts that share most pairs with `text`; rare pairs tell most, so they are looked at first."""
        postings = sorted((self._pairs.get(pair, ()) for pair in _pairs(text)), key=len)
        shared: Counter[int] = Counter()
        looked_at = 0
        for posting in postings:
            if looked_at + len(posting) > _MOST_LOOKED_AT and shared:
                break
            shared.update(posting)
            looked_at += len(posting)
        return [number for number, _ in shared.most_common(_SHORTLIST)]


def mistakes_allowed(text: str) -> int:
    """How many typing mistakes are forgiven: none in up to three letters, one in four to six, else two."""
    return 0 if len(text) < _MIN_WORD else 1 if len(text) < 7 else 2


def mistakes(typed: str, meant: str) -> tuple[int, bool]:
    """The typing mistakes (a letter missing, added, wrong, or two swapped) from `meant` to `typed`, and
    whether `typed` is rather an unfinished `meant`.

    Optimal string alignment, bit-parallel: H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and
    Damerau edit distances", Nordic Journal of Computing 10 (2003). One column of the matrix per letter of
    `meant`; the bottom cell of each column is the distance to that beginning of `meant`.
    """
    letters: dict[str, int] = {}
    for position, letter in enumerate(typed):
        letters[letter] = letters.get(letter, 0) | 1 << position
    everything = (1 << len(typed)) - 1
    bottom = 1 << len(typed) - 1
    rising, falling, diagonal, before = everything, 0, 0, 0
    distance = shortest = len(typed)
    for letter in meant:
        here = letters.get(letter, 0)
        swapped = (((~diagonal) & here) << 1) & before
        diagonal = ((((here & rising) + rising) ^ rising) | here | falling | swapped) & everything
        right_up = falling | (everything & ~(diagonal | rising))
        right_down = diagonal & rising
        if right_up & bottom:
            distance += 1
        elif right_down & bottom:
            distance -= 1
        shortest = min(shortest, distance)
        right_up = (right_up << 1 | 1) & everything
        right_down = (right_down << 1) & everything
        rising = right_down | (everything & ~(diagonal | right_up))
        falling = right_up & diagonal
        before = here
    return (shortest, True) if shortest < distance else (distance, False)


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)} | {"^" + text[0]}
