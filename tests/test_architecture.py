"""The order of rooms of docs/architecture.md, held by reading every import of the tree."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Each room may import itself and the rooms before it; what stands in one tuple may not import each other.
ROOMS: tuple[tuple[str, ...], ...] = (
    ("search.domain",),
    ("search.gateway", "search.site_settings"),
    ("search.web",),
    ("search.destinations",),
    ("search.monitoring",),
    ("search.results",),
    ("search.property",),
    ("search.sharing",),
    ("search",),
)
# The sandbox is a program of its own; these know of it to start it or to send calls into it.
SANDBOX = "search.sandbox"
SANDBOX_USERS = frozenset({"search.gateway.factory", "search.management.commands.serve_sandbox"})
# What some rooms do without: a domain that is Django's, or a wire that is, could not be tested by itself.
OUTSIDE = {
    "search.domain": ("msgspec", "babel"),
    "search.gateway": ("msgspec", "requests", "urllib3"),
    "search.gateway.factory": ("django.conf", "django.core", "requests"),
    SANDBOX: ("airportsdata", "requests", "urllib3"),
}


def _room(module: str) -> int:
    """The place of a module's room in the order."""
    return next(place for place, room in enumerate(ROOMS) if _within(module, room))


def _may_import(module: str, name: str) -> bool:
    top = name.partition(".")[0]
    if _within(module, (SANDBOX,)):
        return _within(name, (SANDBOX,)) or top in sys.stdlib_module_names or _within(name, OUTSIDE[SANDBOX])
    if top == "hotelsite":
        return _within(module, ("hotelsite", "search.management", "search.apps"))
    if _within(name, (SANDBOX,)):
        return module in SANDBOX_USERS or module == "hotelsite.gunicorn_conf"
    if module.startswith("hotelsite"):
        return top != "search" or (module == "hotelsite.urls" and name.startswith("search.monitoring.health"))
    if top == "search":
        mine = ROOMS[_room(module)]
        own = next(room for room in mine if _within(module, (room,)))
        return _within(name, (own,)) or _room(name) < _room(module)
    allowed = next(
        (OUTSIDE[home] for home in sorted(OUTSIDE, reverse=True) if _within(module, (home,))), None
    )
    return allowed is None or top in sys.stdlib_module_names or _within(name, allowed)


def _within(name: str, homes: tuple[str, ...]) -> bool:
    return any(name == home or name.startswith(f"{home}.") for home in homes)


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[str]:
    """The full names of what a file imports, relative imports and imports inside functions too."""
    module = _module(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            # `from search import models` names a module; `from search.models import Provider` a thing in one.
            yield from (f"{source}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", _sources("search", "hotelsite"), ids=_module)
def test_a_module_imports_only_its_own_room_and_those_before_it(path: Path) -> None:
    module = _module(path)
    broken = [name for name in _imports(path) if not _may_import(module, name)]
    assert not broken, f"{module} may not import {broken}"


def test_the_test_sees_relative_imports_and_imports_inside_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    source = tmp_path / "search" / "domain" / "query.py"
    source.parent.mkdir(parents=True)
    source.write_text("from ..gateway import client\n\ndef today():\n    from django.utils import timezone\n")
    found = list(_imports(source))
    assert found == ["search.gateway.client", "django.utils.timezone"]
    assert not any(_may_import("search.domain.query", name) for name in found)


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        _module(path)
        for path in _sources("search", "hotelsite")
        if re.search(r"\bos\.(environ|getenv)\b|\bgetenv\(", path.read_text(encoding="utf-8"))
    }
    assert readers <= {"hotelsite.settings", "hotelsite.wsgi"}


CLOCKS = re.compile(r"\b(datetime\.now|date\.today|timezone\.now|localdate|time\.time|utcnow)\(")


def test_domain_and_sandbox_read_no_clock() -> None:
    readers = [
        _module(path)
        for path in _sources("search/domain", "search/sandbox")
        if CLOCKS.search(path.read_text(encoding="utf-8"))
    ]
    assert not readers


WIRE_SPELLINGS = re.compile(
    r"ryanairId|roomAllocations|propertySummary|providerPropertyId|minPrice|customerPrice|rateDescription"
)


def test_the_spellings_of_the_wire_stay_on_the_wire() -> None:
    files = [*_sources("search"), *(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.js")]
    strays = [
        str(path.relative_to(ROOT))
        for path in files
        if not _within(_module(path), ("search.gateway", "search.sandbox"))
        and WIRE_SPELLINGS.search(path.read_text(encoding="utf-8"))
    ]
    assert not strays


INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=\"|javascript:|<script(?![^>]*\bsrc=)(?![^>]*application/(ld\+)?json)"
)


def test_templates_have_no_inline_script_style_or_handler() -> None:
    strays = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.html")
        if INLINE.search(path.read_text(encoding="utf-8"))
    ]
    assert not strays
