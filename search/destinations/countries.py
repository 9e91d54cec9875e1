"""Countries by name: in the visitor's language, in English, and as people call them."""

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec

from search.domain.text import fold, spellings

from .postings import Postings, Similar

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
