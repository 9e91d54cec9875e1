"""Texts folded for comparing, cut and marked for pages; codes (FREE_WIFI) as words, and one code for all that
providers call the same: `FREE_WIFI`, `Free Wi-Fi` and `Wifi (free of charge)`.

The codes and their spellings are in words.toml; what isn't listed there stays as it came. What the site calls
the codes, and their icons, are in search/web.
"""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from html import unescape
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import combining, normalize

# The codes, their spellings and the words of languages that this room knows.
WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))

# They turn the reading order of the text that follows; no name and no note needs them.
BIDI_CONTROL = re.compile("[\u202a-\u202e\u2066-\u2069]")

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")

# Letters that Unicode does not decompose into a base letter and an accent.
_WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_APOSTROPHES = re.compile(r"[\u0027\u2018\u2019\u02bc`]")
_NOT_A_WORD = re.compile(r"[\W_]+")
_SEPARATORS = re.compile(r"[\s_\-.]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Capitals without a vowel are read out letter by letter.
_ABBREVIATION = re.compile("[B-DF-HJ-NP-TV-XZ]{2,}")
# No code has a percentage, a small word behind another one or a full stop behind a small letter.
_WORDED = re.compile(r"%|\s[^\W\d_A-Z]|[a-z]\.$")
_SMALL_WORDS = frozenset({"and", "at", "de", "del", "der", "di", "do", "of", "on", "sur", "the", "upon"})


def without_entities(text: str) -> str:
    """The text with a character for each HTML entity, once: `&amp;amp;` becomes `&amp;`."""
    return _ENTITY.sub(lambda entity: unescape(entity[0]), text) if "&" in text else text


def fold(text: str) -> str:
    """Lower case, no accents, one space between words: equal for two spellings of a name."""
    if text.isascii():
        plain = text.lower()
    else:
        # Folding the case may compose anew, and decomposing may bring capitals to light.
        decomposed = normalize("NFKD", normalize("NFKD", text).casefold())
        plain = "".join(char for char in decomposed if not combining(char)).translate(_WITHOUT_ACCENT)
    return _NOT_A_WORD.sub(" ", _APOSTROPHES.sub("", plain)).strip()


def spellings(name: str) -> tuple[str, ...]:
    """The folded name, and its spelling on a keyboard without umlauts (`Münster`: munster, muenster)."""
    plain = fold(name)
    german = fold(normalize("NFC", name).lower().translate(_GERMAN))
    return (plain,) if german == plain else (plain, german)


def place_name(code: str) -> str:
    """A code as words: `GRAN_CANARIA` -> Gran Canaria, `SOUTHEND_ON_SEA` -> Southend on Sea."""
    words = code.replace("_", " ").split()
    return " ".join(
        word.lower()
        if position and word.lower() in _SMALL_WORDS
        else "-".join(part.capitalize() for part in word.split("-"))
        for position, word in enumerate(words)
    )


def marked(label: str, text: str) -> tuple[tuple[str, bool], ...]:
    """`label` cut into pieces, each with whether `text` matched it; joined they are the label again. The
    whole text is looked for at the start of a word, then anywhere, then its words one by one."""
    # For each folded letter the place in the label that it came from.
    letters = [(letter, place) for place, char in enumerate(label) for letter in fold(char) or " "]
    folded, origin = "".join(letter for letter, _place in letters), [place for _letter, place in letters]
    hits = {place for start, end in _spans(folded, fold(text)) for place in origin[start:end]}
    runs = groupby(range(len(label)), key=hits.__contains__)
    return tuple(("".join(label[place] for place in places), hit) for hit, places in runs)


def _spans(folded: str, wanted: str) -> list[tuple[int, int]]:
    """The places of `wanted`: the whole text once, else each of its words at the start of a word."""

    def beginning(text: str) -> re.Match[str] | None:
        return re.search(rf"(?<!\w){re.escape(text)}", folded)

    if not wanted:
        return []
    whole = beginning(wanted) or re.search(re.escape(wanted), folded)
    matches = [whole] if whole else map(beginning, wanted.split())
    return sorted(match.span() for match in matches if match)


def shortened(text: str, most: int) -> str:
    """The text on one line, of at most `most` characters: cut after a whole word, with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    # Not every script has spaces between its words.
    cut = line[:most].rpartition(" ")[0] or line[: most - 1]
    return f"{cut.rstrip(',;:.- ')}\u2026"


_SMALL_WORDS_OF = {one: frozenset(words.split()) for one, words in WORDS["small_words"].items()}
_FEWEST_SMALL_WORDS = 4
_READ_FOR_LANGUAGE = 2_000


def printable(identifier: str) -> str:
    """An identifier with a replacement for each character that breaks a document or turns its order."""
    if identifier.isprintable():
        return identifier
    return "".join(char if char.isprintable() else "\ufffd" for char in identifier)


def language_of(text: str) -> str:
    """The language of a text among those of the site; empty in doubt."""
    words = fold(text[:_READ_FOR_LANGUAGE]).split()
    counts = sorted((sum(map(small.__contains__, words)), one) for one, small in _SMALL_WORDS_OF.items())
    (second, _), (most, language) = counts[-2:]
    return language if most >= max(_FEWEST_SMALL_WORDS, 1.5 * second) else ""


def humanise(code: str) -> str:
    """`FREE_WIFI` -> `Free wifi`, `GST` -> `GST`: readable text for a code without a label."""
    words = _SEPARATORS.sub(" ", _CAMEL.sub(" ", code)).split()
    text = " ".join(word if _ABBREVIATION.fullmatch(word) else word.lower() for word in words)
    return text[:1].upper() + text[1:]


def in_words(code: str) -> str:
    """As `humanise`, but leaves words such as `10% MwSt.` or `Taxe due in USD` as written."""
    return code[:1].upper() + code[1:] if _WORDED.search(code) else humanise(code)


class CodeKind(StrEnum):
    """Which of the gateway's open code lists a code belongs to."""

    PROPERTY_TYPE = "property_type"
    RATING = "rating"
    FACILITY = "facility"
    AVAILABILITY = "availability"
    PAYMENT_MODE = "payment_mode"
    PROMO_TYPE = "promo_type"
    SURCHARGE = "surcharge"


class Note(StrEnum):
    NONE = ""
    FREE = "free"
    CHARGE = "charge"
    ON_REQUEST = "on_request"
    SHARED_AREAS = "shared_areas"


class Named(NamedTuple):
    """The code of this vocabulary for a provider's code or text, empty for an unknown one."""

    code: str
    note: Note = Note.NONE


# The subject of each facility.
TOPICS: dict[str, str] = {code: topic for topic, codes in WORDS["facility"].items() for code in codes}
CODES: dict[CodeKind, dict[str, str]] = {
    CodeKind.FACILITY: {code: also for codes in WORDS["facility"].values() for code, also in codes.items()},
    **{kind: WORDS[kind] for kind in CodeKind if kind is not CodeKind.FACILITY},
}
POLICIES: dict[str, str] = WORDS["policy"]
BROADER: dict[str, str] = WORDS["broader"]

_FREE_OF = {code.removeprefix("FREE_"): code for code in BROADER if code.startswith("FREE_")}

_ASIDES = [(Note(note), re.compile(rf"\b(?:{pattern})\b")) for note, pattern in WORDS["asides"]]
# A longer text is a sentence.
_MAX_NAME = 80


def _squeezed(text: str) -> str:
    return fold(text).replace(" ", "")


def _by_spelling(codes: Mapping[str, str]) -> dict[str, str]:
    others = {_squeezed(one): code for code, spelled in codes.items() for one in spelled.split(",") if one}
    return {**others, **{_squeezed(code): code for code in codes}}


_BY_SPELLING = {kind: _by_spelling(codes) for kind, codes in CODES.items()}
_FACILITIES = _BY_SPELLING[CodeKind.FACILITY]
_POLICIES, _CARDS = _by_spelling(POLICIES), _by_spelling(WORDS["card"])


@lru_cache(maxsize=8_192)
def known_code(kind: CodeKind, text: str) -> str:
    """The code of this vocabulary for a gateway's code, empty for an unknown one."""
    if kind is CodeKind.FACILITY:
        return facility_named(text).code
    return _BY_SPELLING[kind].get(_squeezed(text), "")


@lru_cache(maxsize=1_024)
def known_policy(text: str) -> str:
    """The code for a whole line of policies, empty for an unknown one."""
    return _POLICIES.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


def card_named(text: str) -> str:
    return _CARDS.get(_squeezed(text), "") if len(text) <= _MAX_NAME else ""


@lru_cache(maxsize=8_192)
def facility_named(text: str) -> Named:
    """The facility of a code or text, with its note: `Car park (charge)`."""
    folded = fold(text) if len(text) <= _MAX_NAME else ""
    if code := _FACILITIES.get(folded.replace(" ", "")):
        return Named(code)
    note = Note.NONE
    for meaning, aside in _ASIDES:
        folded, times = aside.subn(" ", folded)
        if times and (note is Note.NONE or meaning is Note.CHARGE):
            note = meaning
    return _freed(_FACILITIES.get(folded.replace(" ", ""), ""), note)


@lru_cache(maxsize=8_192)
def facility_of(wire_code: str, description: str, availability: str) -> Named:
    """The facility that its members name: the narrower of code and description, with one note, a charge
    first. An unknown one keeps its own words, so only its availability is a note."""
    by_code, by_text = facility_named(wire_code), facility_named(description)
    narrower = by_code.code in ("", by_text.code, *broader(by_text.code))
    code = by_text.code if narrower else by_code.code
    there = note_of(availability)
    if not code or there is Note.CHARGE:
        return _freed(code, there)
    return _freed(code, by_text.note or by_code.note or there)


def _freed(code: str, note: Note) -> Named:
    """Free `WIFI` is FREE_WIFI, and FREE_WIFI for a charge is WIFI."""
    if note is Note.FREE and code in _FREE_OF:
        return Named(_FREE_OF[code])
    if note is Note.CHARGE and code in _FREE_OF.values():
        return Named(BROADER[code], note)
    return Named(code, note)


def is_absent(availability: str) -> bool:
    """Whether the availability of a facility denies it: `NOT_AVAILABLE`."""
    return known_code(CodeKind.AVAILABILITY, availability) == "NOT_AVAILABLE"


def note_of(availability: str) -> Note:
    """What the availability of a facility adds to its name: a charge for `CHARGEABLE`."""
    return Note.__members__.get(known_code(CodeKind.AVAILABILITY, availability), Note.NONE)


def broader(code: str) -> tuple[str, ...]:
    """The wider codes: WIFI and INTERNET_ACCESS for FREE_WIFI."""
    wider = BROADER.get(code)
    return (wider, *broader(wider)) if wider else ()
