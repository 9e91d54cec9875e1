"""Reproducible choices: the same subject throws the same dice for ever."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Choice = TypeVar("Choice")

_REFILL_BELOW = 1 << 40
# The largest limit of `scatter`: one call is several choices, each a remainder.
THROWS = 1 << 40
# Odd constants of 64 bits that scatter numbers, salts and their mixture.
_NUMBERS, _SALTS, _MIXED = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9
_64_BITS, _40_BITS = (1 << 64) - 1, (1 << 40) - 1


def seed(*subject: object) -> int:
    """A 64-bit number that depends on nothing but the subject's parts."""
    text = "\x1f".join(map(str, subject))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def scatter(number: int, salt: int, limit: int) -> int:
    """A whole number below `limit`, spread evenly over the numbers: far cheaper than dice. No two modules use
    the same `salt`, so that nothing depends on anything else."""
    mixed = (number * _NUMBERS + salt * _SALTS) & _64_BITS
    return ((mixed ^ mixed >> 29) * _MIXED >> 24 & _40_BITS) % limit


class Dice:
    """Small choices made from digests of one subject: each throw takes a remainder off one large number.

    Unlike `random.Random` it does not depend on a Python version's generator, and costs a quarter.
    """

    def __init__(self, *subject: object) -> None:
        self._subject = "\x1f".join(map(str, subject)).encode()
        self._refills = 0
        self._pool = int.from_bytes(blake2b(self._subject).digest(), "big")

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1` (`limit` at most a million)."""
        if self._pool < _REFILL_BELOW:
            self._refills += 1
            subject = self._subject + b"\x1e%d" % self._refills
            self._pool = int.from_bytes(blake2b(subject).digest(), "big")
        self._pool, thrown = divmod(self._pool, limit)
        return thrown

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def per_mille(self, share: int) -> bool:
        """True in `share` of a thousand throws."""
        return self.below(1000) < share

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, all equally likely."""
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[Choice], count: int) -> list[Choice]:
        """`count` different choices in the order of the sequence (all of them if there are fewer)."""
        left = list(range(len(choices)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(count, len(choices)))]
        return [choices[index] for index in sorted(taken)]
