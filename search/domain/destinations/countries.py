"""Countries by name: in the visitor's language, in English, and as people call them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from .folding import fold, spellings

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
    """`labels` maps a lower-case country code to its name in one language, `in_english` to the English one;
    `terms` are folded names with the code of each."""

    labels: dict[str, str]
    in_english: dict[str, str]
    terms: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, labels: Mapping[str, str], english: Mapping[str, str]) -> CountryNames:
        """Country names of one language, to be found by their English names as well."""
        terms: dict[tuple[str, str], None] = {}
        for names in (labels, english, _ALSO_CALLED):
            for code, listed in names.items():
                # CLDR's own names hold no comma-separated lists; ours do.
                for name in listed.split(", ") if names is _ALSO_CALLED else [listed]:
                    terms.update({(spelling, code): None for spelling in spellings(name)})
        return cls(dict(labels), dict(english), tuple(terms))

    def label(self, code: str) -> str:
        """The country's name, or its code in capitals when the list has none."""
        return self.labels.get(code) or code.upper()

    def english(self, code: str) -> str:
        """The country's English name, the one to search by."""
        return self.in_english.get(code) or self.label(code)

    def exact(self, text: str) -> frozenset[str]:
        """The codes of the countries that `text` is a name or the code of."""
        folded = fold(text)
        found = {code for term, code in self.terms if term == folded}
        return frozenset(found | ({folded} if folded in self.labels else set()))

    def starting_with(self, folded: str) -> frozenset[str]:
        """The codes of the countries with a name, or a word of one, that begins with `folded`."""
        inner = " " + folded
        return frozenset(code for term, code in self.terms if term.startswith(folded) or inner in term)
