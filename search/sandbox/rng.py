"""Reproducible choices: the same subject throws the same dice for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

Choice = TypeVar("Choice")

_REFILL_BELOW = 1 << 40
# The largest limit of ``scatter``: one call is several choices, each a remainder.
THROWS = 1 << 40
# Odd constants of 64 bits that scatter numbers, salts and what is made of both.
_NUMBERS, _SALTS, _MIXED = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9
_64_BITS, _40_BITS = (1 << 64) - 1, (1 << 40) - 1
# By how many parts a subject has.
_SUBJECTS = tuple("\x1f".join(["%s"] * parts) for parts in range(8))


def seed(*subject: object) -> int:
    """A 64-bit number that depends on nothing but the subject's parts."""
    text = "\x1f".join(map(str, subject))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def scatter(number: int, salt: int, limit: int) -> int:
    """A whole number below ``limit``, spread evenly over the numbers: far cheaper than dice.

    No two modules use the same ``salt``, so that nothing depends on anything else.
    """
    mixed = (number * _NUMBERS + salt * _SALTS) & _64_BITS
    return ((mixed ^ mixed >> 29) * _MIXED >> 24 & _40_BITS) % limit


def scattered(numbers: Iterable[int], salt: int, limit: int) -> list[int]:
    """``scatter`` of each number, for two thirds of what the calls cost."""
    salted = salt * _SALTS
    mixed = [number * _NUMBERS + salted & _64_BITS for number in numbers]
    return [((one ^ one >> 29) * _MIXED >> 24 & _40_BITS) % limit for one in mixed]


class Dice:
    """A supply of small choices made from blake2b digests of one subject.

    One digest is one large number; each throw takes a remainder off it. That costs a quarter of a
    ``random.Random``, and does not depend on a Python version's generator.
    """

    __slots__ = ("_pool", "_refills", "_subject")

    def __init__(self, *subject: object) -> None:
        self._subject = text = (_SUBJECTS[len(subject)] % subject).encode()
        self._refills = 0
        self._pool = int.from_bytes(blake2b(text).digest(), "big")

    # Each throw stands in its method: a call of below() by the others would take a third of their time.

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit - 1`` (``limit`` at most a million)."""
        pool = self._pool
        if pool < _REFILL_BELOW:
            pool = self._refilled()
        self._pool, thrown = divmod(pool, limit)
        return thrown

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        pool = self._pool
        if pool < _REFILL_BELOW:
            pool = self._refilled()
        self._pool, thrown = divmod(pool, high - low + 1)
        return low + thrown

    def per_mille(self, share: int) -> bool:
        """True in ``share`` of a thousand throws."""
        pool = self._pool
        if pool < _REFILL_BELOW:
            pool = self._refilled()
        self._pool, thrown = divmod(pool, 1000)
        return thrown < share

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, all equally likely."""
        pool = self._pool
        if pool < _REFILL_BELOW:
            pool = self._refilled()
        self._pool, thrown = divmod(pool, len(choices))
        return choices[thrown]

    def some(self, choices: Sequence[Choice], count: int) -> list[Choice]:
        """``count`` different choices in the order of the sequence (all of them if there are fewer)."""
        if not count or not choices:
            return []
        if count == 1:
            return [self.pick(choices)]
        left, taken, pool = list(range(len(choices))), [], self._pool
        for size in range(len(left), max(0, len(left) - count), -1):
            if pool < _REFILL_BELOW:
                pool = self._refilled()
            pool, thrown = divmod(pool, size)
            taken.append(left.pop(thrown))
        self._pool = pool
        return [choices[index] for index in sorted(taken)]

    def _refilled(self) -> int:
        self._refills += 1
        again = self._subject + b"\x1e%d" % self._refills
        return int.from_bytes(blake2b(again).digest(), "big")
