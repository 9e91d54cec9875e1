"""Static files: hashed names, scripts shortened, three style sheets out of many files, and whether they need
collecting again.

STATICFILES_FINDERS holds the finder of the style sheets, so that collectstatic finds them, too.
"""

import hashlib
import re
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseStorageFinder, get_finders
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from search.web import labels

# Texts and comments are read whole, so that nothing in them is taken for the beginning of another.
_SCRIPT = re.compile(
    r"""
    (?P<dropped> ^[ \t]* (?: //[^\n]* | /\*.*?\*/[ \t]* )? \n | ^[ \t]+ | [ \t]+//[ ][^\n]* )
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*` | //[^\n]* | /\*.*?\*/
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


def shortened(script: str) -> str:
    """The script without empty lines, indentation and comments; `//` behind code is one between spaces."""
    return _SCRIPT.sub(lambda part: "" if part["dropped"] is not None else part[0], script)


def _as_served(name: str | None, content: "File[Any] | None") -> "File[Any] | None":
    """The content of a static file; our own scripts are shortened."""
    if content is None or not re.fullmatch(r"js/.+\.js", name or ""):
        return content
    return ContentFile(shortened(b"".join(content.chunks()).decode()).encode())


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage with shortened scripts; where a file is missing, a page goes without it."""

    manifest_strict = False

    def _save(self, name: str, content: "File[Any]") -> str:
        """Writes under another name first: half a file, left by a full disk, would be served ever after."""
        begun = f"{name}.part"
        self.delete(begun)
        begun = super()._save(begun, _as_served(name, content))
        Path(self.path(begun)).replace(self.path(name))
        return name

    def load_manifest(self) -> tuple[dict[str, str], str]:
        """Names and hash of what was collected; none where that can't be read."""
        try:
            paths, digest = super().load_manifest()
        except (ValueError, AttributeError):  # of JSON that is no object
            return {}, ""
        return paths, digest

    def file_hash(self, name: str | None, content: "File[Any] | None" = None) -> str:
        """The hash of what is served: a script in which only comments have changed keeps its name."""
        return str(super().file_hash(name, _as_served(name, content)))

    def stored_name(self, name: str) -> str:
        """The hashed name of a file; its own name when it was never collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name


SITE, HOTELS, CHOSEN = "css/site.css", "css/hotels.css", "css/chosen.css"
FINGERPRINT = "static.sha256"
# Tokens open with the order of the cascade layers, so the order of the other files decides nothing.
FIRST, LAST = ("tokens", "base", "layout"), ("forced-colors", "print")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_END = re.compile(r"(?<=[{};,])\s*\n\s*")
_ICON = re.compile(r"\bicon\(([\w-]+)\)")


# Pages without hotels need these alone.
EVERYWHERE = (
    "button", "calendar", "destination-card", "destination-picker", "destinations", "field", "hero", "icon",
    "market-choice", "navigation-progress", "notice", "pills", "recent-searches", "search-bar",
    "search-form", "shortlist", "site-footer", "site-header",
)  # fmt: skip
# Hotels that were chosen: a comparison, a shortlist, a shared link.
OF_CHOSEN = ("compare", "shared")


def parts() -> dict[str, list[Path]]:
    """The parts of each style sheet, in their order."""
    folder = Path(settings.STATICFILES_DIRS[0]) / "css"
    others = {path.stem: path for path in sorted(folder.glob("components/*.css"))}
    everywhere, chosen = ([others.pop(name) for name in names] for names in (EVERYWHERE, OF_CHOSEN))
    first, last = ([folder / f"{name}.css" for name in names] for names in (FIRST, LAST))
    return {SITE: [*first, *everywhere, *last], HOTELS: [*others.values()], CHOSEN: chosen}


class StyleSheetFinder(BaseStorageFinder):
    """Finds the sheets. They are written under var/ first, where their parts have changed: releases share
    var/, so what lies there may be another's, older or newer."""

    def __init__(self) -> None:
        folder = settings.VAR_DIR / "bundle"
        super().__init__(FileSystemStorage(location=folder))
        for sheet, paths in parts().items():
            # Without lines either; compression does the rest.
            rules = (_LINE_END.sub("", _COMMENT.sub("", path.read_text("utf-8"))).strip() for path in paths)
            text = _ICON.sub(lambda name: f'url("{labels.icon_address(name[1])}")', "".join(rules)).encode()
            bundle = folder / sheet
            if not bundle.exists() or bundle.read_bytes() != text:
                bundle.parent.mkdir(parents=True, exist_ok=True)
                # Several processes may do this at once, and none may read half a sheet.
                with NamedTemporaryFile(dir=bundle.parent, delete=False) as file:
                    file.write(text)
                Path(file.name).chmod(0o644)
                Path(file.name).replace(bundle)


def changed() -> bool:
    """Whether the static files differ from those that were last collected, or one of those is gone."""
    try:
        fingerprint = (settings.VAR_DIR / FINGERPRINT).read_text()
    except FileNotFoundError:
        return True
    storage = StaticStorage()
    collected = storage.hashed_files.values()
    return not collected or not all(map(storage.exists, collected)) or fingerprint != _fingerprint()


def remember() -> None:
    """Writes the fingerprint of what was just collected."""
    (settings.VAR_DIR / FINGERPRINT).write_text(_fingerprint())


def _fingerprint() -> str:
    """A hash of names, contents and this module, not of times: a checkout changes those alone."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(path.encode() + b"\0")
            with storage.open(path) as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
