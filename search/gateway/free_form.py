"""Texts of the gateway, cleaned once: nothing after this module sees a control character.

Fields whose shape the interface doesn't show (2.6) become lines of readable text. The lines never hold Python
or JSON syntax, and nothing readable is lost within the bounds below.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from search.domain.text import humanise, without_entities
from search.domain.vocabulary import card_named, facility_named, is_absent, is_charged

MAX_LINES = 60
MAX_ENTRIES = 4 * MAX_LINES
MAX_LINE = 1_000
MAX_DEPTH = 6
_MAX_URL = 2_000

# Control characters except tab and newline, lone surrogates, noncharacters, and the characters that
# embed or override text direction (an unclosed one would turn our own words around).
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
# What leaves nothing to be seen of a text that has nothing else: spaces, also those of no width, and marks of
# where lines break or which way letters run.
_UNSEEN = re.compile("[\\s\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]*")
# The markup that descriptions are written with: tags where a line ends, other ones, entities. Whatever else
# stands between angle brackets is text.
_BREAK = re.compile(r"<(?:/?(?:p|br|div|ul|ol|h[1-6])|li)(?:\s[^<>]*|/)?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|font|small|li)(?:\s[^<>]*)?>", re.IGNORECASE)
_CUT_MARKUP = re.compile(r"(?:</?[a-zA-Z][^<>]*|&#?[a-zA-Z0-9]*)\Z")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")
# What nearly every picture's address looks like; any other one is taken apart.
_PLAIN_URL = re.compile(r"https://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?/[\x21-\x25\x27-\x7e]{0,1000}")
# A place in an address that is to be filled in: {size}, %7Bsize%7D, [width], <name>, %HEIGHT%.
_TO_FILL_IN = re.compile(
    r"[{}]|%7B\w+%7D|<\w+>|%3C\w+%3E|\[[a-z_]+\](?!=)|%5B[a-z_]+%5D(?!=|%3D)|%[g-z_]\w*%", re.IGNORECASE
)

# With its seconds or its zone; a minus without seconds leads to the end of a span: 9:00-11:00.
_SECONDS = re.compile(
    r"(\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?(?:-\d{2}:?\d{2})?)?(?:Z|\+\d{2}:?\d{2})?", re.ASCII
)
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:(Z|[+-]00:?00)|[+-]\d{2}:?\d{2})?", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?: |\Z)", re.ASCII)
_DAY_OF_A_TIME = re.compile(r"\d{4}-\d{2}-\d{2} (?=\d{2}:\d{2})", re.ASCII)
_HOUR = re.compile(r"[01]?[0-9]|2[0-4]")
_HOUR_AND_MINUTE = re.compile(r"([01]?[0-9]|2[0-3])([0-5][0-9])")
_TWELVE_HOURS = re.compile(
    r"\b(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))? ?([ap])(?:m\b|\.m\.)", re.ASCII | re.IGNORECASE
)
_LONG_NUMBER = re.compile(r"[1-9][0-9]{4,}")
_CODE = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)+|[A-Z]{5,}|[a-z0-9]+(?:_[a-z0-9]+)+")
_STARTS = ("from", "start", "begin", "earliest")
_ENDS = ("to", "until", "end", "latest")
_HEADINGS = ("title", "name", "label", "heading")
_TEXTS = ("description", "text", "value", "content", "message", "policy", "items")
_CODES = ("type", "code", "id")
_COUNTS = ("count", "quantity", "number")
_VALUES = ("value", "amount")
_CURRENCIES = ("currencycode", "currency")
_ASIDES = ("availability", "group")  # say where a facility is or which list it is in, not what it is
_OF_A_FACILITY = {"type", "code", "description", "text"}
_NUMBERED = ("code", "id")
# Say whether what they are a member of is there.
_WHETHER = {
    name
    for word in ("value", "available", "availability", "present", "exists", "included", "offered", "provided",
                 "active", "enabled", "indyesorno", "accepted", "supported", "allowed", "valid", "payable")
    for name in (word, f"is{word}")
}  # fmt: skip
_TRUTHS = {"true": True, "false": False}
_ANSWER = re.compile(r"[\W\d]*|yes|no", re.IGNORECASE)  # says nothing without what it answers
_FEW = 120  # characters of short lines that are read as one
# A run of blanks is looked through once, from its first on: from each of them a thousand take milliseconds.
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[,;|\u2022\u00b7](?![^()]*\))\s*")
_CARDS_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[,;|/\u2022\u00b7]\s*")


def lines_of(value: Any, most: int = MAX_LINES) -> tuple[str, ...]:
    """At most so many different lines; empty for null, empty and unreadable values."""
    lines = (clean_line(line, MAX_LINE) for line in _lines(value, 0) if line)
    return tuple(dict.fromkeys(lines))[:most]


def policies_of(value: Any) -> tuple[str, ...]:
    """`lines_of` for rules, which also say what is not so: `{"smoking": false}` -> `Smoking: no`."""
    return lines_of(_changed(value, _denied))


def _changed(value: Any, change: Callable[[Any], Any], depth: int = 0) -> Any:
    """The value changed, and then as much of what it holds as is read."""
    value = change(value)
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, list):
        return [_changed(one, change, depth + 1) for one in value[:MAX_ENTRIES]]
    if isinstance(value, dict):
        return {name: _changed(one, change, depth + 1) for name, one in islice(value.items(), MAX_ENTRIES)}
    return value


def _denied(value: Any) -> Any:
    """An object with a word in place of each false member."""
    if isinstance(value, dict):
        return {name: "no" if _meant(one) is False else one for name, one in value.items()}
    return value


def times_of(value: Any) -> tuple[str, ...]:
    """`lines_of` for a time of day: whole numbers are hours, or hours and minutes, and its date doesn't
    matter."""
    return tuple(dict.fromkeys(filter(None, map(_time, lines_of(value)))))


def _time(line: str) -> str:
    """Empty for a number that is no time of day."""
    if _HOUR.fullmatch(line):
        return f"{line}:00"
    if both := _HOUR_AND_MINUTE.fullmatch(line):
        return f"{both[1]}:{both[2]}"
    if _LONG_NUMBER.fullmatch(line):
        return ""
    return _of_24_hours(_DAY_OF_A_TIME.sub("", line).removesuffix(" UTC"))


def _of_24_hours(line: str) -> str:
    """`15:00 - 23:30` of `3 PM - 11:30 p.m.`, which not every language has; as it is where another number
    may be an hour, too: `3 - 6 pm`."""
    if re.search(r"\d", _TWELVE_HOURS.sub("", line)):
        return line
    return _TWELVE_HOURS.sub(
        lambda time: f"{int(time[1]) % 12 + 12 * (time[3] in 'pP'):02}:{time[2] or '00'}", line
    )


def cards_of(value: Any) -> tuple[str, ...]:
    """`lines_of` for payment cards; a line of known cards alone becomes their names: `VI, MC` -> two lines.
    A line without a letter is a provider's own number and is left out."""
    lines = [line for line in lines_of(_changed(value, _card)) if any(map(str.isalpha, line))]
    named = [(line, [*map(card_named, _CARDS_BETWEEN.split(line))]) for line in lines]
    return tuple(dict.fromkeys(name for line, names in named for name in (names if all(names) else [line])))


def _card(value: Any) -> Any:
    """The card that it names in place of an object of codes: `{"code": "VI", "type": "Card"}` -> `Visa`;
    nothing of one that is said not to be accepted."""
    if not isinstance(value, dict):
        return value
    if _denies_itself(value):
        return ""
    if {*_HEADINGS} & value.keys():
        return {name: one for name, one in value.items() if name.lower() not in _WHETHER or one is not True}
    names = (card_named(one) for one in value.values() if isinstance(one, str))
    return next(filter(None, names), value)


def facilities_of(value: Any) -> tuple[str, ...]:
    """`lines_of` for facilities: one line each, without the names of their groups, and none that is only a
    number."""
    lines = lines_of(_changed(value, _facility), MAX_ENTRIES)
    listed = (name for line in lines for name in _taken_apart(line))
    return tuple(dict.fromkeys(name for name in listed if any(map(str.isalpha, name))))[:MAX_ENTRIES]


def _facility(value: Any) -> Any:
    """A group of facilities becomes the list that it holds. A facility loses where it is, and numbers that
    only its provider understands; nothing is left of one that isn't there."""
    if not isinstance(value, dict):
        return value
    groups = [one for one in value.values() if _has_lists(one)]
    if groups and not _OF_A_FACILITY & value.keys():
        return groups
    if _denies_itself(value):
        return ""
    facility = {name: _meant(one) for name, one in value.items() if _describes(name.lower(), one)}
    if _is_charged_for(value):
        facility["charge"] = True
    return _remarked(facility) if {*_OF_A_FACILITY, *_HEADINGS} & value.keys() else facility


def _is_charged_for(facility: dict[str, Any]) -> bool:
    return any(name.lower() == "availability" and _says(is_charged, one) for name, one in facility.items())


def _describes(name: str, value: Any) -> bool:
    return name not in _ASIDES and not (name.endswith(_NUMBERED) and type(value) is int)


def _denies_itself(value: dict[str, Any]) -> bool:
    """Whether an object says that what it describes isn't there: `{"name": "Spa", "available": false}`."""
    members = [(name.lower(), _meant(one)) for name, one in value.items() if name.lower() in _WHETHER]
    return any(one is False or (name != "value" and _says(is_absent, one)) for name, one in members)


def _says(what: Callable[[str], bool], value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _FEW and what(value)


def _has_lists(value: Any) -> bool:
    return isinstance(value, list) or (
        isinstance(value, dict) and any(isinstance(one, list) for one in value.values())
    )


def _remarked(facility: dict[str, Any]) -> dict[str, Any] | str:
    """`{"name": "Spa", "charge": true}` -> `Spa (charge)`."""
    remarks = [
        _label(name).lower().removeprefix("is ")
        for name, one in facility.items()
        if one is True and name.lower() not in _WHETHER
    ]
    described = {name: one for name, one in facility.items() if one is not True}
    lines = lines_of(described)
    return f"{lines[0]} ({', '.join(remarks)})" if remarks and len(lines) == 1 else described


def _taken_apart(line: str) -> list[str]:
    """`Pool, Sauna, Bar` -> its three; a line is left whole where most of its parts are no known facility."""
    parts = [] if facility_named(line).code else _BETWEEN.split(line)
    named = [part for part in parts if facility_named(part).code]
    return [part for part in parts if part] if len(named) * 2 > len(parts) else [line]


def _lines(value: Any, depth: int) -> list[str]:
    if depth > MAX_DEPTH or isinstance(value, bool):
        return []
    match value:
        case str():
            return [_readable(line) for line in prose(value, MAX_LINE * MAX_LINES).split("\n")]
        case int() | float() | Decimal():
            return [_number(value)]
        case list():
            return [line for one in value[:MAX_ENTRIES] for line in _lines(one, depth + 1)]
        case dict() if _by_number(value):
            return _lines(list(value.values()), depth)
        case dict():
            return _object_lines(value, depth)
    return []


def _by_number(value: dict[str, Any]) -> bool:
    """Whether it is a list whose entries, with names of their own, are found by their numbers:
    `{"130": {"id": "130", "name": "Pool"}}`."""
    return bool(value) and all(
        name.isdigit() and isinstance(one, dict) and {"id", *_HEADINGS} & one.keys()
        for name, one in value.items()
    )


def _readable(line: str) -> str:
    line = clean_line(line, MAX_LINE)
    if timed := _SECONDS.fullmatch(line):
        return timed[1]
    if moment := _MOMENT.fullmatch(line):
        # An offset is the property's own; UTC is the gateway's, hours away from where the reader goes.
        return f"{moment[1]} {moment[2]}{' UTC' * bool(moment[3])}"
    # Splitting is slow, and few lines are codes.
    parts = _BETWEEN.split(line) if "_" in line or line.isupper() else [line]
    return ", ".join(map(humanise, parts)) if all(map(_CODE.fullmatch, parts)) else line


def _number(value: float | Decimal) -> str:
    number = Decimal(str(value))
    readable = number.is_finite() and abs(number.adjusted()) <= 15
    return format(number.normalize(), "f") if readable else ""


class _Member(NamedTuple):
    """One member of an object: its key in words and its lines, none for a bare `true`."""

    label: str
    lines: list[str]

    @property
    def line(self) -> str:
        return ", ".join(self.lines)


_Members = dict[str, _Member]


def _object_lines(value: dict[str, Any], depth: int) -> list[str]:
    """Each rule takes its members out of the object; each member that is left stands under its own name."""
    members = _members(value, depth)
    heading, *texts = _taken(members, _HEADINGS) or [""]
    measured = _amount(members) or _span(members)
    named = next((members[name].label for name in _TEXTS if name in members), "")
    texts += _taken(members, _TEXTS)
    code, answers = _code(members), all(map(_ANSWER.fullmatch, texts))
    if not heading and answers:
        # A number says nothing beside others that have a name.
        heading = code or (named if members else "")
    lines = _headed(heading, [*measured, *texts, *_named(members)])
    return _together(lines) if depth and answers else lines


def _members(value: dict[str, Any], depth: int) -> _Members:
    """The readable members by lower-case key, in their order."""
    members: _Members = {}
    for key, given in islice(value.items(), MAX_LINES):
        inner = _meant(given)
        lines = [line for line in _lines(inner, depth + 1) if line]
        if any(", " in line for line in lines):
            lines = _together(lines, "; ")
        if lines or inner is True:
            members[key.lower()] = _Member(_label(key), lines)
    describing = {name: member for name, member in members.items() if name not in _ASIDES}
    return describing or members


def _meant(value: Any) -> Any:
    """The value, or the truth that a text spells."""
    return _TRUTHS.get(value.strip().lower(), value) if isinstance(value, str) else value


def _label(key: str) -> str:
    return humanise(clean_line(key, 100))


def _taken(members: _Members, names: tuple[str, ...]) -> list[str]:
    """The lines of the members of these names, which are then no longer among the members."""
    return [line for name in names if name in members for line in members.pop(name).lines]


def _code(members: _Members) -> str:
    """The first code in words, with its count if it has one: `2 × Single bed`."""
    codes = [members.pop(name).line for name in _CODES if name in members]
    if not codes:
        return ""
    count = " ".join(_taken(members, _COUNTS))
    return f"{count} × {humanise(codes[0])}" if count else humanise(codes[0])


def _amount(members: _Members) -> list[str]:
    """`{value, currencyCode}` -> `12.5 EUR`; an amount among other members keeps its name beside it."""
    value, unit = _first_of(_VALUES, members), _first_of(_CURRENCIES, members)
    if not value or not unit:
        return []
    amount = f"{members[value].line} {members.pop(unit).line}"
    if value != "value" and len(members) > 1:
        members[value] = _Member(members[value].label, [amount])
        return []
    del members[value]
    return [amount]


def _first_of(names: tuple[str, ...], members: _Members) -> str:
    return next((name for name in names if name in members), "")


def _span(members: _Members) -> list[str]:
    """`{from, until}` and the like -> `14:00 – 22:00`. A date alone is left to its name."""
    named = [name for name in (*_STARTS, *_ENDS) if name in members]
    if len(named) == 1 and _DATE.match(members[named[0]].line):
        return []
    ends = (_taken(members, _STARTS), _taken(members, _ENDS))
    return [" – ".join(", ".join(lines) for lines in ends if lines)] if any(ends) else []


def _named(members: _Members) -> list[str]:
    """The members no rule knows, each under its own name."""
    return [line for member in members.values() for line in _headed(member.label, member.lines)]


def _headed(heading: str, texts: list[str]) -> list[str]:
    if not texts:
        return [heading]
    if not heading or heading.casefold() == texts[0].casefold():
        return texts
    first, *others = _together(texts)
    return [f"{heading}: {first}", *others]


def _together(lines: list[str], between: str = ", ") -> list[str]:
    """A few words each as one line, so that what belongs together is read together; sentences stay apart."""
    few = sum(map(len, lines)) <= _FEW and not any(line.endswith((".", "!", "?")) for line in lines)
    return [between.join(lines)] if lines and few else lines


def clean(text: str, limit: int) -> str:
    """`text` without hostile characters, at most `limit` characters, newlines as `\\n`; empty where there is
    nothing to be seen."""
    text = text[: 2 * limit]
    if not text.isprintable():
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        # Nearly every text has nothing but new lines there. Looking for more takes a millisecond a page.
        if not text.replace("\n", "").isprintable():
            text = _HOSTILE.sub("", text)
            text = "" if _UNSEEN.fullmatch(text) else text
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def prose(text: str, limit: int) -> str:
    """`clean` for what may be written in HTML: as its readers see it."""
    head = text[: 2 * limit]
    if "<" in head or "&" in head:
        if head == text:
            return clean(_without_markup(head), limit)
        head = _without_markup(_CUT_MARKUP.sub("", head)).rstrip() + "…"
    return clean(head, limit)


def _without_markup(text: str) -> str:
    """Entities that stand for markup are taken for it."""
    text = without_entities(text)
    plain = _TAG.sub("", _BREAK.sub("\n", text))
    return text if plain == text else _EMPTY_LINES.sub("\n\n", plain)


def clean_line(text: str, limit: int) -> str:
    """`clean`, on one line."""
    text = clean(text, limit)
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def https_addresses(texts: list[str]) -> tuple[str, ...]:
    """The https addresses among `texts`, each once, without user information and without spaces; none with a
    placeholder to fill in."""
    return tuple(dict.fromkeys(filter(None, map(_https_address, texts))))


def _https_address(text: str) -> str | None:
    if _TO_FILL_IN.search(text):
        return None
    if _PLAIN_URL.fullmatch(text):
        return text
    text = text.replace("&amp;", "&")  # as it stood in a page
    address = "".join(text.split()) if not text.isprintable() else text.strip()
    if _HOSTILE.search(address) or len(address) > _MAX_URL:
        return None
    try:
        parts = urlsplit(address)
        usable = parts.scheme == "https" and parts.hostname and parts.username is None
    except ValueError:
        return None
    # Lists of addresses have a space between them, and what reads them later knows the scheme in lower case.
    return f"https{address[5:]}".replace(" ", "%20") if usable else None
