"""The layers of docs/architecture.md, held by reading every import of the tree."""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 16 * 1024

OURS = frozenset({"search", "hotelsite"})


@dataclass(frozen=True)
class Layer:
    """What modules under `home` may import: names of ours, names of others; `home` itself always."""

    home: str
    ours: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def allows(self, name: str) -> bool:
        if _within(name, self.never):
            return False
        if _within(name, (self.home,)):
            return True
        top = name.partition(".")[0]
        if top in OURS:
            return _within(name, self.ours)
        return top in sys.stdlib_module_names or _within(name, self.others)


DJANGO_PAGES = ("django.http", "django.forms", "django.template", "django.shortcuts", "django.views")

LAYERS = (
    # More exact homes first: a module belongs to the first layer that holds it.
    Layer("search.gateway.connection", ours=("search.gateway", "search.domain", "search.sandbox"),
          others=("django.conf", "django.core", "requests")),
    Layer("search.sandbox.adapter", ours=("search.sandbox",), others=("requests", "urllib3")),
    Layer("search.domain", others=("msgspec", "babel")),
    Layer("search.sandbox", others=("airportsdata",)),
    Layer("search.gateway", ours=("search.domain",), others=("msgspec", "requests", "urllib3")),
    Layer("search.services", ours=("search.domain", "search.gateway", "search.models"),
          others=("django", "msgspec", "babel", "segno", "airportsdata"), never=DJANGO_PAGES),
    Layer("search.models", ours=("search.domain",), others=("django", "msgspec", "babel"),
          never=("django.http", "django.shortcuts", "django.views")),
    Layer("search.forms", ours=("search.domain", "search.formatting"), others=("django", "babel")),
    Layer("search.formatting", ours=("search.domain",), others=("django.utils", "babel")),
    Layer("search.pages", ours=("search.domain", "search.formatting"), others=("django", "babel", "msgspec")),
    Layer("search.templatetags",
          ours=("search.domain", "search.formatting", "search.pages", "search.style_sheet"),
          others=("django", "babel", "lucide")),
    Layer("search.views", ours=("search.services", "search.forms", "search.pages", "search.domain",
                                "search.formatting"), others=("django",)),
    Layer("search.admin", ours=("search.services", "search.models", "search.domain", "search.forms",
                                "search.pages", "search.formatting"), others=("django", "msgspec")),
    Layer("search.management", ours=("search.services", "search.gateway", "search.domain", "search.sandbox",
                                     "search.models", "hotelsite"), others=("django",)),
    Layer("search.migrations", ours=("search.models", "search.domain"), others=("django",)),
    Layer("search.urls", ours=("search.views", "search.converters"), others=("django",)),
    Layer("search.converters", ours=("search.domain",)),
    Layer("search.apps", ours=("search.services",), others=("django",)),
    Layer("search.context", ours=("search.services",), others=("django",)),
    Layer("search.language", ours=("search.services", "search.domain"), others=("django", "babel")),
    Layer("search.style_sheet", others=("django.conf", "django.contrib.staticfiles", "django.core.files")),
    Layer("search", others=()),
    Layer("hotelsite.gunicorn_conf", ours=("search.sandbox.api",), others=("django",)),
    Layer("hotelsite", ours=("search.views.health",),
          others=("django", "environ", "csp", "whitenoise", "brotli")),
)  # fmt: skip


def _within(name: str, homes: tuple[str, ...]) -> bool:
    return any(name == home or name.startswith(f"{home}.") for home in homes)


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _layer_of(module: str) -> Layer:
    return next(layer for layer in LAYERS if _within(module, (layer.home,)))


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
def test_a_module_imports_only_what_its_layer_may(path: Path) -> None:
    layer = _layer_of(_module(path))
    broken = [name for name in _imports(path) if not layer.allows(name)]
    assert not broken, f"{_module(path)} is in the layer {layer.home} and may not import {broken}"


def test_the_test_sees_relative_imports_and_imports_inside_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    source = tmp_path / "search" / "domain" / "stay.py"
    source.parent.mkdir(parents=True)
    source.write_text("from ..gateway import client\n\ndef today():\n    from django.utils import timezone\n")
    found = list(_imports(source))
    assert found == ["search.gateway.client", "django.utils.timezone"]
    assert not any(_layer_of("search.domain.stay").allows(name) for name in found)


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        _module(path)
        for path in _sources("search", "hotelsite")
        if re.search(r"\bos\.(environ|getenv)\b|\bgetenv\(", path.read_text(encoding="utf-8"))
    }
    assert readers <= {"hotelsite.settings", "hotelsite.wsgi"}


CLOCKS = re.compile(r"\b(datetime\.now|date\.today|timezone\.now|localdate|time\.time|utcnow)\(")


def test_domain_and_pages_read_no_clock() -> None:
    readers = [
        _module(path)
        for path in _sources("search/domain", "search/pages", "search/sandbox")
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


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "core", "manager", "misc"])
def test_no_module_has_a_name_that_says_nothing(name: str) -> None:
    assert not [path for path in _sources("search", "hotelsite") if name in (path.stem, path.parent.name)]


def test_no_file_grew_beyond_what_one_noun_needs() -> None:
    long = [
        _module(path)
        for path in _sources("search", "hotelsite", "tests")
        if path.stat().st_size > LONGEST_FILE
    ]
    assert not long
