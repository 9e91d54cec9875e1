"""Static files: hashed names, one style sheet out of many files, and whether they need collecting again.

STATICFILES_FINDERS holds the finder of `css/site.css`, so that collectstatic finds the sheet, too.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.core.files.storage import FileSystemStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from search.web import icons


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage whose missing file costs its style, not the page."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """The hashed name of a file; its own name when it was never collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name


BUNDLE = "css/site.css"
FINGERPRINT = "static.sha256"
# Tokens open with the order of the cascade layers, so the order of the other files decides nothing.
FIRST = ("tokens", "base", "layout")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"\s*\n\s*")
_ICON = re.compile(r"\bicon\(([\w-]+)\)")


def parts() -> list[str]:
    """The static paths of the style sheet's parts, in their order."""
    first = [f"css/{name}.css" for name in FIRST]
    components = [f"css/components/{path.name}" for path in sorted(_folder().glob("components/*.css"))]
    return [*first, *components, "css/forced-colors.css", "css/print.css"]


def _folder() -> Path:
    return Path(settings.STATICFILES_DIRS[0]) / "css"


class StyleSheetFinder(BaseFinder):
    """Finds the bundle, written anew under var/ whenever a part is newer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.VAR_DIR / "bundle")

    def check(self, **kwargs: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path != BUNDLE:
            return []
        written = str(self._written())
        return [written] if find_all or kwargs.get("all") else written

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        self._written()
        yield BUNDLE, self.storage

    def _written(self) -> Path:
        sources = [_folder().parent / part for part in parts()]
        bundle = Path(self.storage.path(BUNDLE))
        if not bundle.exists() or bundle.stat().st_mtime < max(one.stat().st_mtime for one in sources):
            bundle.parent.mkdir(parents=True, exist_ok=True)
            sheets = (_COMMENT.sub("", one.read_text("utf-8")) for one in sources)
            # Without indentation either; compression does the rest.
            text = "\n".join(_INDENT.sub("\n", one).strip() for one in sheets)
            bundle.write_text(_ICON.sub(lambda name: f'url("{icons.icon_address(name[1])}")', text), "utf-8")
        return bundle


def changed() -> bool:
    """Whether the static files differ from those that were last collected."""
    try:
        kept = (settings.VAR_DIR / FINGERPRINT).read_text()
    except FileNotFoundError:
        return True
    return kept != _fingerprint() or not (settings.STATIC_ROOT / "staticfiles.json").exists()


def remember() -> None:
    """Keeps the fingerprint of what was just collected."""
    (settings.VAR_DIR / FINGERPRINT).write_text(_fingerprint())


def _fingerprint() -> str:
    """Of names and contents: a checkout changes times without changing files."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(path.encode() + b"\0")
            with storage.open(path) as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
