"""Words for the gateway's codes that we know, any other code made readable by its own letters; and icons."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from urllib.parse import quote
from zipfile import ZipFile

from markupsafe import Markup

from search.domain.hotels import Property
from search.domain.site_settings import CodeLabel, Site
from search.domain.words import CodeKind, Note, in_words, known_code, known_policy

from .translation import gettext

# The English words by table and code; `[note]` and `[topic]` belong to facilities.
KNOWN: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("labels.toml").read_text("utf-8"))


def known_words(table: str, code: str) -> str:
    """Our words for a code in the language of the page; empty without any."""
    words = KNOWN[table].get(code)
    return gettext(words) if words else ""


@cache
def icon(name: str) -> Markup:
    """One of Lucide's icons. It says nothing to a screen reader, the text beside it does."""
    return Markup(_drawing(name).replace("<svg", '<svg class="icon" aria-hidden="true"'))  # noqa: S704 - no text of others


@cache  # a development server makes the sheets at each request
def icon_address(name: str) -> str:
    """The icon as a data: address, for a style sheet."""
    return "data:image/svg+xml," + quote(_drawing(name).replace('"', "'"), safe=" =:/'<>(),")


def _drawing(name: str) -> str:
    return " ".join(_drawings().read(f"{name}.svg").decode().split()).replace("> <", "><")


@cache  # the package's own function reads the list of all 1,700 icons for each of them
def _drawings() -> ZipFile:
    return ZipFile(BytesIO(files("lucide").joinpath("lucide.zip").read_bytes()))


@dataclass(frozen=True, slots=True)
class FacilityView:
    """A facility in words. `code` tells it from others, on other properties, too; `note` is what is said
    beside it, such as that it is charged for. One that is not `known` has the provider's own words."""

    code: str
    label: str
    icon: str = "check"
    note: Note = Note.NONE
    known: bool = False

    @property
    def text(self) -> str:
        """`Parking (charge)`."""
        return f"{self.label} ({known_words('note', self.note)})" if self.note else self.label


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A policy in words. One that is not `known` has the provider's own."""

    text: str
    known: bool


def label(kind: CodeKind, code: str, site: Site, otherwise: str = "") -> str:
    """The words for `code`: an admin's, else ours, else `otherwise`, else the code made readable."""
    known = known_code(kind, code)
    admins = site.code_label(kind, code) or (known and site.code_label(kind, known))
    return admins or known_words(kind, known) or otherwise or in_words(code)


def policy(line: str) -> PolicyView:
    """A line of a provider's policies: in our words where it is one of the few that everybody has."""
    ours = known_words("policy", known_policy(line))
    return PolicyView(ours or line, known=bool(ours))


def policies(lines: Iterable[str]) -> tuple[PolicyView, ...]:
    """Each of a provider's policies once."""
    return tuple(dict.fromkeys(map(policy, lines)))


def canonical_code(kind: CodeKind, code: str, site: Site) -> str:
    """The one code that stands for all codes with the same words: POOL for SWIMMING_POOL. For codes without
    words of ours or an admin's it is the code made readable: `Tour desk` for `TOUR_DESK` and `Tour Desk`."""
    first, texts = _first_codes(kind, site.code_labels)
    text = texts.get(code) or texts.get(code.upper()) or texts.get(known_code(kind, code), "")
    return first.get(text) or in_words(code)


@lru_cache(maxsize=16)
def _first_codes(kind: CodeKind, labels: tuple[CodeLabel, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The first code of each text and the text of each code, in English or an admin's words."""
    texts = KNOWN[kind] | {one.code: one.label for one in labels if one.kind == kind}
    first: dict[str, str] = {}
    for code, text in texts.items():
        first.setdefault(text, code)
    return first, texts


def property_name(building: Property) -> str:
    """The property's name; for one without, words made of its address or city."""
    return name_or_place(building.name, building.address or building.city)


def name_or_place(name: str, place: str) -> str:
    """The name; without one `Hotel in Porto`."""
    if name:
        return name
    return gettext("Hotel in %(place)s") % {"place": place} if place else gettext("Hotel")
