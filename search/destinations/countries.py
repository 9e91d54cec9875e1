"""Countries by name: in the visitor's language, in English, and as people call them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import msgspec

from search.domain.text import fold, spellings

from .index import Postings

# Names in wide use that the Unicode list of territory names (2026) does not hold.
_ALSO_CALLED = {
    "ae": "UAE, Emirates",
    "ba": "Bosnia",
    "cz": "Czech Republic, Bohemia",
    "gb": "UK, Great Britain, Britain",
    "ie": "Republic of Ireland, Eire",
    "kr": "Korea",
    "mk": "Macedonia",
    "nl": "Holland, The Netherlands",
    "ru": "Russian Federation",
    "tr": "Turkey",
    "us": "USA, America, United States of America",
}


class CountryNames(msgspec.Struct, frozen=True):
    """`labels` maps a lower-case country code to its name in one language, `in_english` to the English one.

    `terms` are the folded names of those two languages; `known` maps the folded names
    of every language to codes.
    """

    labels: dict[str, str]
    in_english: dict[str, str]
    terms: Postings[str]
    known: dict[str, frozenset[str]]

    @classmethod
    def of(
        cls, labels: Mapping[str, str], english: Mapping[str, str], *others: Mapping[str, str]
    ) -> CountryNames:
        """Country names of one language, to be found by their English names as well; a whole name also in
        `others`, the names in more languages."""
        terms = {pair: None for names in (labels, english) for pair in _folded(names)}
        for code, listed in _ALSO_CALLED.items():
            terms.update({pair: None for name in listed.split(", ") for pair in _folded({code: name})})
        known: defaultdict[str, set[str]] = defaultdict(set)
        for term, code in (*terms, *(pair for names in others for pair in _folded(names))):
            known[term].add(code)
        for code in labels:
            known[code].add(code)
        every = {term: frozenset(codes) for term, codes in known.items()}
        return cls(dict(labels), dict(english), Postings.by_words(terms), every)

    def label(self, code: str) -> str:
        """The country's name, or its code in capitals when the list has none."""
        return self.labels.get(code) or code.upper()

    def english(self, code: str) -> str:
        """The country's English name, the one to search by."""
        return self.in_english.get(code) or self.label(code)

    def exact(self, text: str) -> frozenset[str]:
        """The codes of the countries that `text` is a name or the code of."""
        return self.known.get(fold(text), frozenset())

    def starting_with(self, folded: str) -> set[str]:
        """The codes of the countries with a name, or a word of one, that begins with `folded`."""
        return self.terms.starting_with(folded)


def _folded(names: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(spelling, code) for code, name in names.items() for spelling in spellings(name)]
