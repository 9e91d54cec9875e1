"""Texts of the gateway, cleaned once: nothing after this module sees a control character.

Fields whose shape the interface doesn't show (2.6) become lines of readable text, without Python or JSON
syntax. What a member of an object says is read from its name, by the table in members.toml.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from search.domain.text import humanise, without_entities
from search.domain.vocabulary import Note, card_named, facility_named, is_absent, note_of

MAX_LINES = 60
MAX_ENTRIES = 4 * MAX_LINES
MAX_LINE = 1_000
MAX_DEPTH = 6
_MAX_URL = 2_000

# Texts that say that nothing is known: `null`, `N/A`, NOT_SPECIFIED, NO_PROMOTION.
NOTHING = (
    r"null|none|nil|n/?a|no[ _-]?(?:value|data|rating|promotion|promo)"
    r"|not[ _-]?(?:specified|defined|available|applicable|provided|rated|mapped|known|given|set)"
    r"|un(?:known|specified|defined|rated|mapped|assigned|set)"
)
_NOTHING = re.compile(NOTHING, re.IGNORECASE)
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
_ZONE = r"(?::\d{2}(?:\.\d+)?(?:-\d{2}:?\d{2})?)?(?:Z|\+\d{2}:?\d{2})?"
_SECONDS = re.compile(rf"(\d{{1,2}}:\d{{2}}){_ZONE}", re.ASCII)
_MOMENT = re.compile(rf"\b(\d{{4}}-\d\d-\d\d)[T ](\d\d:\d\d){_ZONE}(?![\d:])", re.ASCII)
_UTC = re.compile(r"(?:Z|[+-]00:?00)\Z")
_DAY_OF_A_TIME = re.compile(r"\d{4}-\d{2}-\d{2} (?=\d{2}:\d{2})", re.ASCII)
_HOUR_AND_MINUTE = re.compile(r"([01]?[0-9]|2[0-4])([0-5][0-9])?")
_TWELVE_HOURS = re.compile(r"(?i)\b(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))? ?([ap])(?:m\b|\.m\.)", re.ASCII)
_TWICE = re.compile(r"\A(.*\S) ?[-\u2013\u2014] ?\1\Z")
_LONG_NUMBER = re.compile(r"[1-9][0-9]{4,}")
_CODE = re.compile(r"[A-Z0-9-]+(?:_[A-Z0-9-]+)+|[A-Z]{5,}|[a-z0-9]+(?:_[a-z0-9]+)+|[a-z]{3,}(?:[A-Z][a-z]+)+")
_ADDRESS = re.compile(r"(?:https?:)?//\S+", re.IGNORECASE)
_ANSWER = re.compile(r"[\W\d]*|yes|no", re.IGNORECASE)  # says nothing without what it answers
_NUMBERED = re.compile(r"\S*\d\S*")  # a code that no word is made of
_TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NOTES = {Note.CHARGE: "charge", Note.FREE: "free", Note.ON_REQUEST: "on request"}
_CHARGED = " (charge)"
_NOTE_OF_LIST = {"paid": _CHARGED, "free": " (free)"}
_NO_COST = re.compile(r"[0.,]*|no|none|free", re.IGNORECASE)
_FEW = 120  # characters of short lines that are read as one
# A run of blanks is looked through once, from its first on: from each of them a thousand take milliseconds.
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[,;|\u2022\u00b7](?![^()]*\))\s*")
_CARDS_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[,;|/\u2022\u00b7]\s*")

_TABLE = tomllib.loads(Path(__file__).with_name("members.toml").read_text(encoding="utf-8"))
_WHOLE, _LAST = (
    {word: role for role, names in _TABLE.items() for word in names.get(place, "").split(", ")}
    for place in ("is", "ends")
)
_WHETHER = re.compile(r"(?:is|are|has|ind) (?=.)", re.IGNORECASE)
_EXTREME = re.compile(r"\b(min|max)\b", re.IGNORECASE)
_CHECK_IN = re.compile(r"check[ _-]?(?:in|out)[ _-]?(?:info[ _-]?)?", re.IGNORECASE)
_END_OF_SPAN = re.compile(
    r" ?(?:\b(?:time|date) )?\b(?:(?P<start>from|start|begin|earliest|open|after)"
    r"|(?P<end>to|until|till|end|latest|close|before))s?(?: (?:time|date|at|on))?\Z",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:before|after)\b", re.IGNORECASE)
_SAID_AS = {
    "start": "unsaid",
    "end": "unsaid",
    **{role: names.get("as", "other") for role, names in _TABLE.items()},
}


class Member(NamedTuple):
    """A member of an object. Its role is a heading of members.toml, else "other"; its label is its name."""

    role: str
    label: str
    value: Any


def _members(value: dict[str, Any]) -> list[Member]:
    given = ((name, one) for name, one in islice(value.items(), MAX_ENTRIES) if one is not None)
    return [
        Member(*_role(name), _TRUTHS.get(one, one) if isinstance(one, str) else one) for name, one in given
    ]


@lru_cache(maxsize=4_096)
def _role(name: str) -> tuple[str, str]:
    """The role of a member and its name in words. A number is a place in a list."""
    label = _WHETHER.sub("", _EXTREME.sub(r"\1imum", humanise(clean_line(name, 100))), count=1)
    words = label.lower().removesuffix("s")
    if name.isdigit():
        return "list", ""
    if end := _END_OF_SPAN.search(label):
        return str(end.lastgroup), label
    return _WHOLE.get(words) or _LAST.get(words.rpartition(" ")[2], "other"), label[:1].upper() + label[1:]


# Sentences


def lines_of(value: Any) -> tuple[str, ...]:
    """Different lines; empty for null, empty and unreadable values."""
    lines = (clean_line(line, MAX_LINE) for line in _lines(value, 0))
    return tuple(dict.fromkeys(filter(meaningful, lines)))[:MAX_LINES]


def _lines(value: Any, depth: int) -> list[str]:
    if depth > MAX_DEPTH or isinstance(value, bool):
        return []
    match value:
        case str():
            return [*filter(None, map(_readable, prose(value, MAX_LINE * MAX_LINES).split("\n")))]
        case int() | float() | Decimal():
            number = Decimal(str(value))
            readable = number.is_finite() and abs(number.adjusted()) <= 15
            return [format(number.normalize(), "f")] if readable else []
        case list():
            return [line for one in value[:MAX_ENTRIES] for line in _lines(one, depth + 1)]
        case dict():
            return _sentences(_members(value), depth)
    return []


def _readable(line: str) -> str:
    """Empty for a web address and for a text that stands for nothing."""
    line = clean_line(line, MAX_LINE)
    if _ADDRESS.fullmatch(line) or not (meaningful(line) or is_absent(line)):
        return ""
    if timed := _SECONDS.fullmatch(line):
        return timed[1]
    # An offset is the property's own; UTC is the gateway's, hours away from where the reader goes.
    line = _MOMENT.sub(lambda one: f"{one[1]} {one[2]}{' UTC' * bool(_UTC.search(one[0]))}", line)
    # Splitting is slow, and few lines are codes.
    parts = _BETWEEN.split(line) if "_" in line or line.isupper() else [line]
    return ", ".join(map(humanise, parts)) if all(map(_CODE.fullmatch, parts)) else line


def _sentences(members: list[Member], depth: int) -> list[str]:
    """A heading, what is said, a span of time, and the rest under its own names."""
    said: dict[str, list[str]] = defaultdict(list)
    for member in _priced(members):
        role, lines = _in_words(member, depth)
        said[role] += lines
    heading, texts = "".join(said["heading"][:1]), said["heading"][1:] + said["text"]
    spans, answers = [*_spans(members, depth)], all(map(_ANSWER.fullmatch, texts))
    if not heading and answers:
        # A number says nothing beside others that have a name.
        numbers = [one.label for one in members if one.role == "text" and (spans or said["other"])]
        # The known one of several codes says what it is: `{"type": "CreditCard", "code": "VI"}`.
        codes = sorted(said["code"], key=lambda code: not (card_named(code) or facility_named(code).code))
        heading = "".join((codes or numbers)[:1])
    lines = _headed(heading, [*texts, *spans, *said["priced"], *said["word"], *said["other"]])
    return _together(lines) if depth and answers else lines


def _priced(members: list[Member]) -> Iterator[Member]:
    """The members with amounts in their currency, of several the first: the next ones are before or after a
    commission, and an amount beside a price counts something."""
    unit = next((one.value for one in members if one.role == "currency" and isinstance(one.value, str)), "")
    amounts = [one for role in ("price", "amount") for one in members if one.role == role]
    return (_with_unit(one, unit) for one in members if one not in amounts[1:])


def _with_unit(member: Member, unit: str) -> Member:
    """A price or a fee with its currency; 0 in no currency says nothing."""
    role, label, value = member
    is_price, is_fee = role in ("price", "amount"), role in ("fee", "paid")
    amount = "" if isinstance(value, list | dict) else " ".join(_lines(value, 0))
    if unit and amount and (is_price or is_fee or label == "Value"):
        return Member("other" if is_fee else "priced", label, f"{amount} {unit}")
    return Member("bookkeeping", label, value) if is_price and amount in ("0", "0.00") else member


def _in_words(member: Member, depth: int) -> tuple[str, list[str]]:
    """The lines of a member, and how they are read: `word` without a name, `other` behind its own."""
    role, label, value = member
    if isinstance(value, bool):
        return _yes_or_no(role, label, value)
    lines = _lines(value, depth + 1)
    if any(", " in line for line in lines):
        lines = _together(lines, "; ")
    match "other" if role == "word" and not depth else _SAID_AS.get(role, "other"):
        case "other":
            return "other", _headed(label, lines) if lines else []
        case "code":
            numbered = lines and _NUMBERED.fullmatch(lines[0])
            return "code", [] if numbered else [*filter(None, [humanise(", ".join(lines))])]
        case "word":
            return "word", [*map(_lowered, lines)]
        case said:
            return said, lines


def _lowered(line: str) -> str:
    return line.lower() if line.isupper() else line[:1].lower() + line[1:]


def _said(members: list[Member], role: str) -> list[str]:
    return [line for one in members if one.role == role for line in _lines(one.value, 1)]


def _yes_or_no(role: str, label: str, value: bool) -> tuple[str, list[str]]:
    """`Pets allowed`, `Pets not allowed`, `Smoking: no`."""
    if role == "text":
        return role, [] if value else ["no"]
    what, _, whether = label.rpartition(" ")
    if _WHOLE.get(whether.lower()) == "present":
        label = label if value else f"{what} not {whether.lower()}".strip()
        return ("word", [label.lower()]) if role == "present" else ("other", [label])
    return "other", [label if value else f"{label}: no"]


def _spans(members: list[Member], depth: int) -> Iterator[str]:
    """`{from, until}` and the like -> `14:00 – 22:00`; one alone is `Until 22:00`, a number has its name."""
    spans: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for role, label, value in members:
        if role in ("start", "end") and (text := ", ".join(_lines(value, depth + 1))):
            word = _BEFORE.search(label) or {"start": ["from"], "end": ["until"]}[role]
            spans[_END_OF_SPAN.sub("", label)][role] = word[0].lower(), text
    for name, ends in spans.items():
        ((preposition, text), *_others) = ends.values()
        if len(ends) == 2:
            yield from _headed(name, [_span(ends["start"][1], ends["end"][1])])
        else:
            named = f"{name} {preposition}".strip()
            yield f"{named[:1].upper()}{named[1:]}{':' * text.isdigit()} {text}"


def _span(start: str, end: str) -> str:
    """From the start to the end, once where they are equal."""
    return " – ".join(dict.fromkeys(filter(None, (start, end))))


def _headed(heading: str, texts: list[str]) -> list[str]:
    if not texts:
        return [heading] if heading else []
    if not heading or texts[0].casefold().startswith(heading.casefold()):
        return texts
    first, *others = _together(texts)
    return [f"{heading}: {first}", *others]


def _together(lines: list[str], between: str = ", ") -> list[str]:
    """A few words each as one line, so that what belongs together is read together; sentences stay apart."""
    few = sum(map(len, lines)) <= _FEW and not any(line.endswith((".", "!", "?", ":")) for line in lines)
    return [between.join(lines)] if lines and few else lines


# Names of things


def facilities_of(value: Any) -> tuple[str, ...]:
    """One a line, without their groups and without those that aren't there: `Pool`, `Parking (charge)`."""
    names = [name for line in _things(value) for name in _taken_apart(line)]
    charged = {name.removesuffix(_CHARGED) for name in names if name.endswith(_CHARGED)}
    return tuple(dict.fromkeys(name for name in names if name not in charged))[:MAX_ENTRIES]


def cards_of(value: Any) -> tuple[str, ...]:
    """A line of known payment cards alone becomes their names: `VI, MC` -> two lines."""
    named = [(line, [*map(card_named, _CARDS_BETWEEN.split(line))]) for line in _things(value)]
    return tuple(dict.fromkeys(name for line, names in named for name in (names if all(names) else [line])))


def beds_of(value: Any) -> tuple[str, ...]:
    """With their numbers: `2 × Single`."""
    return tuple(dict.fromkeys(_things(value, counted=True)))[:MAX_LINES]


def _things(value: Any, *, counted: bool = False) -> Iterator[str]:
    lines = (clean_line(line, MAX_LINE) for line in islice(_names(value, 0, counted), MAX_ENTRIES))
    return (line.capitalize() if line.islower() else line for line in lines if meaningful(with_letters(line)))


def _names(value: Any, depth: int, counted: bool) -> Iterator[str]:
    if depth > MAX_DEPTH or not isinstance(value, list | dict):
        yield from _lines(value, depth)
    elif isinstance(value, list):
        for one in value[:MAX_ENTRIES]:
            yield from _names(one, depth + 1, counted)
    elif not any(map(_denies, members := _members(value))):
        lists = ((_NOTE_OF_LIST.get(one.role, ""), one.value) for one in _lists(members))
        names = [f"{name}{note}" for note, held in lists for name in _names(held, depth + 1, counted)]
        yield from names or _of_thing(members, counted)


def _denies(member: Member) -> bool:
    """Whether it says that what it describes isn't there: `{"name": "Spa", "available": false}`."""
    role, label, value = member
    if isinstance(value, str):
        return (role in ("present", "word") or label == "Value") and is_absent(value[:_FEW])
    return (role == "present" and value == 0) or (value is False and (role == "word" or label == "Value"))


def _lists(members: list[Member]) -> list[Member]:
    """The lists of a group, also by id, or by kind where it has no name. Its other members are no names."""
    roles = {one.role for one in members}
    holders = {"list", "code", "count", "paid", "free", "other", "" if "text" in roles else "part"}
    lists = [one for one in members if isinstance(one.value, list) and one.role in holders]
    return lists + [
        one
        for one in members
        if isinstance(one.value, dict)
        and one.role in holders | {"word"}
        and (roles.isdisjoint({"heading", "text"}) or "".join(one.value).isdigit())
    ]


def _of_thing(members: list[Member], counted: bool) -> Iterator[str]:
    """One thing by its name, else by its code, else by the names of its members: `{"lift": true}`."""
    lines = _sentences([one for one in members if one.role in ("heading", "text", "code", "list")], 1)
    lines = _counted(", ".join(lines), members) if counted else lines
    if notes := ", ".join(dict.fromkeys(_NOTES[note] for note in _notes(members) if note in _NOTES)):
        lines = [f"{line} ({notes})" for line in lines[:1]] + lines[1:]
    yield from lines or _flagged(members, counted)


def _flagged(members: list[Member], counted: bool) -> Iterator[str]:
    for role, label, value in members:
        if role == "other" and not _denies(Member("word", label, value)):
            answer = isinstance(value, str) and (_ANSWER.fullmatch(value) or note_of(value[:_FEW]))
            role = "count" if counted else "word" if answer else "text"
            yield from _of_thing([Member("heading", "", label), Member(role, "", value)], counted)


def _counted(name: str, members: list[Member]) -> list[str]:
    """`{type: Queen bed, size: Queen, count: 1}` -> `1 × Queen bed`."""
    size, count = ("".join(_said(members, role)[:1]) for role in ("size", "count"))
    if size.casefold() not in name.casefold():
        name = f"{name} ({size})" if name else size
    return [f"{count} × {name}" if count.isdigit() and not name[:1].isdigit() else name] if name else []


def _notes(members: list[Member]) -> Iterator[Note]:
    """What is said of its price, and whether it is on request."""
    for role, label, value in members:
        if role in ("paid", "fee"):
            costs = value is True or not all(map(_NO_COST.fullmatch, _lines(value, 0)))
            yield Note.CHARGE if costs else Note.NONE
        elif isinstance(value, bool):
            yield note_of(label) if value else Note.CHARGE if role == "free" else Note.NONE
        elif role == "word":
            yield from (note_of(line[:_FEW]) for line in _lines(value, 0))


def _taken_apart(line: str) -> list[str]:
    """`Pool, Sauna, Bar` -> its three; a line is left whole where most of its parts are no known facility."""
    parts = [] if facility_named(line).code else _BETWEEN.split(line)
    named = [part for part in parts if facility_named(part).code]
    return [part for part in parts if part] if len(named) * 2 > len(parts) else [line]


# Times of day


def times_of(value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Times of day, and the rules beside them: `{"beginTime": "3 PM", "minAge": 18}`. Whole numbers are
    hours, or hours and minutes, and the date of a time doesn't matter."""
    pairs = [_times(one) for one in (value[:MAX_LINES] if isinstance(value, list) else [value])]
    times, rules = ([line for pair in pairs for line in pair[side]] for side in (0, 1))
    return tuple(dict.fromkeys(filter(None, map(_time, times)))), tuple(dict.fromkeys(rules))


def _times(value: Any) -> tuple[list[str], list[str]]:
    if not isinstance(value, dict):
        return _lines(value, 1), []
    members = _members({_CHECK_IN.sub("", name) or "time": one for name, one in value.items()})
    start, end = (", ".join(filter(None, map(_time, _said(members, role)))) for role in ("start", "end"))
    times = [*filter(None, [_span(start, end)]), *_said(members, "time")]
    rules = _sentences([one for one in members if one.role not in ("start", "end", "time")], 1)
    return (times, rules) if times else (rules, [])


def _time(line: str) -> str:
    """Empty for a number that is no time of day."""
    if both := _HOUR_AND_MINUTE.fullmatch(line):
        return f"{both[1]}:{both[2] or '00'}"
    if _LONG_NUMBER.fullmatch(line):
        return ""
    line = _of_24_hours(_DAY_OF_A_TIME.sub("", line).removesuffix(" UTC"))
    return _TWICE.sub(r"\1", line)


def _of_24_hours(line: str) -> str:
    """`15:00 - 23:30` of `3 PM - 11:30 p.m.`, which not every language has; as it is where another number
    may be an hour, too: `3 - 6 pm`."""
    if re.search(r"\d", _TWELVE_HOURS.sub("", line)):
        return line
    return _TWELVE_HOURS.sub(
        lambda time: f"{int(time[1]) % 12 + 12 * (time[3] in 'pP'):02}:{time[2] or '00'}", line
    )


# Texts


def meaningful(text: str) -> str:
    """Empty for a text that stands for nothing, such as `null` or a dash."""
    says_something = text[:1].isalnum() or any(map(str.isalnum, text))
    return text if says_something and not _NOTHING.fullmatch(text) else ""


def with_letters(text: str) -> str:
    """Empty for a text without any letter: no type, no address and no bed is read from figures or commas."""
    return text if text[:1].isalpha() or any(map(str.isalpha, text)) else ""


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
