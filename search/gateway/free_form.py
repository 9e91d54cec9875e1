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

from search.domain.words import (
    Note,
    card_named,
    facility_named,
    humanise,
    is_absent,
    note_of,
    without_entities,
)

MAX_LINES = 60
MAX_ENTRIES = 4 * MAX_LINES
MAX_LINE = 1_000
MAX_DEPTH = 6

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
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]"
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
# With its seconds or its zone; a minus without seconds leads to the end of a span: 9:00-11:00.
_MOMENT = re.compile(
    r"\b(?:(\d{4}-\d\d-\d\d)[T ])?(\d\d?:\d\d)(?::\d\d(?:\.\d+)?(?:-\d\d:?\d\d)?)?"
    r"(Z|\+\d\d:?\d\d)?(?![\d:])",
    re.ASCII,
)
_UTC = {"Z": "UTC", "+00:00": "UTC", "+0000": "UTC"}
_HOUR_AND_MINUTE = re.compile(r"([01]?[0-9]|2[0-4])([0-5][0-9])?")
_TWELVE_HOURS = re.compile(r"(?i)\b(1[0-2]|0?[1-9])(?:[:.]([0-5][0-9]))? ?([ap])(?:m\b|\.m\.)", re.ASCII)
_TWICE = re.compile(r"\A(.*\S) ?[-\u2013\u2014] ?\1\Z")
_CODE = r"(?:[A-Z0-9-]+(?:_[A-Z0-9-]+)+|[A-Z]{5,}|[a-z0-9]+(?:_[a-z0-9]+)+|[a-z]{3,}(?:[A-Z][a-z]+)+)"
_CODES = re.compile(rf"{_CODE}(?:\s*[,;|/]\s*{_CODE})*")
# A run of blanks is looked through once, from its first on: from each of them a thousand take milliseconds.
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[,;|/\u2022\u00b7](?![^()]*\))\s*")
_ADDRESS = re.compile(r"(?:https?:)?//\S+", re.IGNORECASE)
_ANSWER = re.compile(r"[\W\d]*|yes|no", re.IGNORECASE)  # says nothing without what it answers
_NUMBERED = re.compile(r"\S*\d\S*")  # a code that no word is made of
_TRUTHS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NOTES = {Note.CHARGE: "charge", Note.FREE: "free", Note.ON_REQUEST: "on request"}
_NO_COST = re.compile(r"[0.,]*|no|none|free", re.IGNORECASE)
_FEW = 120  # characters of short lines that are read as one

_TABLE = tomllib.loads(Path(__file__).with_name("members.toml").read_text(encoding="utf-8"))
_WHOLE, _LAST = (
    {word: role for role, names in _TABLE.items() if place in names for word in names[place].split(", ")}
    for place in ("is", "ends")
)
_ENDS = ("from", "until", "before")
_WHETHER = re.compile(r"(?:is|are|has|ind) (?=.)", re.IGNORECASE)
_EXTREME = re.compile(r"\b(min|max)\b", re.IGNORECASE)
_CHECK_IN = re.compile(r"check[ _-]?(?:in|out)[ _-]?(?:info[ _-]?)?", re.IGNORECASE)
_WHEN = re.compile(r" (?:time|date|at|on)\Z")  # around the end of a span: `Date from`, `Begin time`


class Member(NamedTuple):
    """A member of an object. Its role is a heading of members.toml, else "other"; its label is its name."""

    role: str
    label: str
    value: Any


def _members(value: dict[str, Any]) -> list[Member]:
    return [
        Member(*_role(name), _TRUTHS.get(one, one) if isinstance(one, str) else one)
        for name, one in islice(value.items(), MAX_ENTRIES)
        if one is not None
    ]


@lru_cache(maxsize=4_096)
def _role(name: str) -> tuple[str, str]:
    """The role of a member and its name in words. A number is a place in a list."""
    if name.isdigit():
        return "list", ""
    label = _WHETHER.sub("", _EXTREME.sub(r"\1imum", humanise(clean_line(name, 100))), count=1)
    words = _WHEN.sub("", label.lower()).removesuffix("s")
    before, _, last = words.rpartition(" ")
    role = _WHOLE.get(words) or _LAST.get(last, "other")
    label = _WHEN.sub("", f" {before}").strip() if role in _ENDS else label
    return role, label[:1].upper() + label[1:]


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
        case {"hour": int(hour), "minute": int(minute)} | {"hours": int(hour), "minutes": int(minute)}:
            return [f"{hour}:{minute:02}"]
        case dict():
            return _sentences(_members(value), depth)
    return []


def _readable(line: str) -> str:
    """Empty for a web address and for a text that stands for nothing."""
    line = clean_line(line, MAX_LINE)
    if _ADDRESS.fullmatch(line) or not (meaningful(line) or is_absent(line)):
        return ""
    if _CODES.fullmatch(line):
        return ", ".join(map(humanise, _BETWEEN.split(line)))
    # An offset is the property's own; UTC is the gateway's, hours away from where the reader goes.
    return _MOMENT.sub(lambda at: " ".join(filter(None, (at[1], at[2], at[1] and _UTC.get(at[3])))), line)


def _sentences(members: list[Member], depth: int) -> list[str]:
    """A heading, what is said, a span of time, and the rest under its own names."""
    said: dict[str, list[str]] = defaultdict(list)
    for member in _priced(members):
        said_as, lines = _in_words(member, depth)
        said[said_as] += lines
    heading, texts = "".join(said["heading"][:1]), said["heading"][1:] + said["text"]
    answers = all(map(_ANSWER.fullmatch, texts))
    if not heading and answers:
        heading = "".join(said["code"][:1])
    spans = _spans(members, depth)
    lines = _headed(heading, [*texts, *spans, *said["priced"], *said["word"], *said["other"]])
    return _together(lines) if depth and answers else lines


def _priced(members: list[Member]) -> list[Member]:
    """The members with amounts in their currency, of several the first: the next ones are before or after a
    commission, and an amount beside a price counts something. 0 in no currency says nothing."""
    amounts = [one for role in ("price", "amount") for one in members if one.role == role]
    unit = next((one.value for one in members if one.role == "currency"), "")
    return [_with_unit(one, unit) for one in members if one not in amounts[1:]]


def _with_unit(member: Member, unit: Any) -> Member:
    role, label, value = member
    is_price = role in ("price", "amount")
    if not unit:
        return member._replace(role="bookkeeping") if is_price and value in (0, "0", "0.00") else member
    amount = "" if isinstance(value, list | dict) else " ".join(_lines(value, 0))
    if amount and (is_price or role == "fee" or label == "Value"):
        return Member(role if role == "fee" else "priced", label, f"{amount} {unit}")
    return member


def _said(members: list[Member], role: str) -> list[str]:
    return [line for one in members if one.role == role for line in _lines(one.value, 1)]


def _in_words(member: Member, depth: int) -> tuple[str, list[str]]:
    """The lines of a member, and how they are said: `word` without a name, `other` behind its own."""
    role, label, value = member
    if isinstance(value, bool):
        return _yes_or_no(role, label, value)
    lines, said_as = _lines(value, depth + 1), _TABLE.get(role, {}).get("as", "other")
    if any(", " in line for line in lines):
        lines = _together(lines, "; ")
    match said_as:
        case "code":
            named = lines and not _NUMBERED.fullmatch(lines[0])
            return "code", [humanise(", ".join(lines))] if named else []
        case "word" if depth:
            return "word", [line.lower() for line in lines]
        case "word" | "other":
            return "other", _headed(label, lines) if lines else []
    return said_as, lines


def _yes_or_no(role: str, label: str, value: bool) -> tuple[str, list[str]]:
    """`Pets allowed`, `Pets not allowed`, `Smoking: no`."""
    what, _, whether = label.rpartition(" ")
    if role == "text":
        return role, [] if value else ["no"]
    if not value:
        told = _WHOLE.get(whether.lower()) == "present"
        label = f"{what} not {whether.lower()}".strip() if told else f"{label}: no"
    return ("word", [label.lower()]) if role == "present" else ("other", [label])


def _spans(members: list[Member], depth: int) -> Iterator[str]:
    """`{from, until}` and the like -> `14:00 – 22:00`; one alone is `Until 22:00`, a number has its name."""
    spans: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in (one for role in _ENDS for one in members if one.role == role):
        if text := ", ".join(_lines(one.value, depth + 1)):
            spans[one.label].append((one.role, text))
    for name, ((preposition, text), *others) in spans.items():
        if others:
            yield from _headed(name, [" – ".join(dict.fromkeys([text, *(text for _, text in others)]))])
        else:
            yield f"{name} {preposition}".strip().capitalize() + f"{':' * text.isdigit()} {text}"


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


def persons_of(value: Any, depth: int = 0) -> tuple[str, ...]:
    """How many sleep in a room; of an object its total: `{"total": 3, "adults": 2}`."""
    members = _members(value) if isinstance(value, dict) and depth < MAX_DEPTH else []
    totals = [persons_of(one.value, depth + 1) for one in members if one.role == "total"]
    return totals[0] if totals else lines_of(value)


def facilities_of(value: Any) -> tuple[str, ...]:
    """One a line, without their groups and without those that aren't there: `Pool`, `Parking (charge)`."""
    names = dict.fromkeys(name for line in _names(value) for name in _taken_apart(line))
    return tuple(name for name in names if f"{name} (charge)" not in names)[:MAX_ENTRIES]


def cards_of(value: Any) -> tuple[str, ...]:
    """A line of known payment cards alone becomes their names: `VI, MC` -> two lines."""
    named = [(line, [*map(card_named, _BETWEEN.split(line))]) for line in _names(value)]
    return tuple(dict.fromkeys(name for line, names in named for name in (names if all(names) else [line])))


def beds_of(value: Any) -> tuple[str, ...]:
    """With their numbers: `2 × Single`."""
    return tuple(dict.fromkeys(filter(None, map(_bed, _things(value, 0)))))[:MAX_LINES]


def _names(value: Any) -> Iterator[str]:
    for thing in islice(_things(value, 0), MAX_ENTRIES):
        notes = ", ".join(dict.fromkeys(_NOTES[note] for note in _notes(thing) if note in _NOTES))
        yield from (f"{name} ({notes})" if notes else name for name in _name(thing))


def _bed(thing: list[Member]) -> str:
    """`{type: Queen bed, count: 1}` -> `1 × Queen bed`."""
    numbered = (one for one in thing if one.role in ("count", "text") and isinstance(one.value, int | str))
    counts = [one for one in numbered if str(one.value).isdigit()]
    name = ", ".join(_name([one for one in thing if one not in counts]))
    return f"{counts[0].value} × {name}" if counts and name and not name[:1].isdigit() else name


def _name(thing: list[Member]) -> list[str]:
    lines = _sentences([one for one in thing if one.role in ("heading", "text", "code", "list")], 1)
    named = (clean_line(line, MAX_LINE) for line in lines if meaningful(with_letters(line)))
    return [line.capitalize() if line.islower() else line for line in named]


def _things(value: Any, depth: int) -> Iterator[list[Member]]:
    """The members of each thing. A group is what it holds, and an object without a name is its members."""
    if depth > MAX_DEPTH or not isinstance(value, list | dict):
        yield from ([Member("text", "", line)] for line in _lines(value, depth))
    elif isinstance(value, list):
        for one in value[:MAX_ENTRIES]:
            yield from _things(one, depth + 1)
    elif not any(map(_denies, members := _members(value))):
        things = [
            [*thing, Member("group", group.role, True)]
            for group in _groups(members)
            for thing in _things(group.value, depth + 1)
        ]
        yield from things or [members]


def _denies(member: Member) -> bool:
    role, label, value = member
    says_whether = role in ("present", "word") or label == "Value"
    if isinstance(value, str):
        return says_whether and is_absent(value[:_FEW])
    return says_whether and (value is False or (role == "present" and value == 0))


def _groups(members: list[Member]) -> Iterator[Member]:
    """The lists of things, and their maps: by id, or by kind where the object has no name."""
    roles = {one.role for one in members}
    holders = {"list", "code", "count", "paid", "free", "other", "" if "text" in roles else "part"}
    nameless = roles.isdisjoint({"heading", "text"})
    for one in members:
        is_list = isinstance(one.value, list) and one.role in holders
        is_map = isinstance(one.value, dict) and one.role in {*holders, "word"}
        if is_list or (is_map and (nameless or "".join(one.value).isdigit())):
            yield one


def _notes(thing: list[Member]) -> Iterator[Note]:
    """What is said of its price, and whether it is on request."""
    for role, label, value in thing:
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


def times_of(value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Times of day, and the rules beside them: `{"beginTime": "3 PM", "minAge": 18}`. Whole numbers are
    hours, or hours and minutes, and the date of a time doesn't matter."""
    pairs = [*map(_times, value[:MAX_LINES] if isinstance(value, list) else [value])]
    times, rules = (dict.fromkeys(line for pair in pairs for line in pair[side] if line) for side in (0, 1))
    return tuple(times), tuple(rules)


def _times(value: Any) -> tuple[list[str], list[str]]:
    named = value.items() if isinstance(value, dict) else ()
    members = _members({_CHECK_IN.sub("", name) or "time": one for name, one in named})
    ends = [_time(line) for role in _ENDS for line in _said(members, role)]
    times = [" – ".join(dict.fromkeys(filter(None, ends))), *map(_time, _said(members, "time"))]
    if not any(times):
        return [*map(_time, _lines(value, 1))], []
    return times, _sentences([one for one in members if one.role not in (*_ENDS, "time")], 1)


def _time(line: str) -> str:
    """`15`, `1530` and `3:30 PM` by the hours of a whole day."""
    if both := _HOUR_AND_MINUTE.fullmatch(line):
        return f"{both[1]}:{both[2] or '00'}"
    # Not where another number may be an hour, too: `3 - 6 pm`. Not every language has these hours.
    if not re.search(r"\d", _TWELVE_HOURS.sub("", line)):
        line = _TWELVE_HOURS.sub(
            lambda at: f"{int(at[1]) % 12 + 12 * (at[3] in 'pP'):02}:{at[2] or '00'}", line
        )
    return _TWICE.sub(r"\1", line)


def meaningful(text: str) -> str:
    """Empty for a text that stands for nothing, such as `null` or a dash."""
    says_something = text[:1].isalnum() or any(map(str.isalnum, text))
    return text if says_something and not _NOTHING.fullmatch(text) else ""


def with_letters(text: str) -> str:
    """Empty for a text without any letter: no type, no address and no bed is read from figures or commas."""
    return text if text[:1].isalpha() or any(map(str.isalpha, text)) else ""


def clean(text: str, limit: int) -> str:
    """`text` without hostile characters, of at most `limit` characters; empty where nothing is to be seen."""
    text = text[: 2 * limit]
    if not text.isprintable():
        text = _HOSTILE.sub("", "\n".join(text.splitlines()))
        text = "" if _UNSEEN.fullmatch(text) else text
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def prose(text: str, limit: int) -> str:
    """`clean` for what may be written in HTML, as readers see it; entities of markup are taken for it."""
    head = text if len(text) <= 4 * limit else _CUT_MARKUP.sub("", text[: 4 * limit])
    plain = _TAG.sub("", _BREAK.sub("\n", without_entities(head)))
    return clean(_EMPTY_LINES.sub("\n\n", plain), limit)


def clean_line(text: str, limit: int) -> str:
    text = clean(text, limit)
    return " ".join(text.split()) if "\n" in text or "\t" in text else text
