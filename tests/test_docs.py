"""What the documents say is held against the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from django.core.management import get_commands
from django.urls import resolve

from hotelsite import gunicorn_conf
from search.monitoring import probe
from tests.house.imports import TREE
from tests.house.rooms import PLACES
from tests.rows import each

ROOT = Path(__file__).resolve().parent.parent
HOMES = (ROOT, ROOT / "search")
NAME_IN_DOCS = re.compile(r"`([A-Z][A-Z_]+[A-Z])`")
LOGS = re.compile(r"\.(warning|error|exception)\(|_without_cache\(")
LOGGERS = {"logger", "log", "_log"}
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
# `search/domain/query.py`, `search/domain`, `search/locale/*/LC_MESSAGES/django.po`, `python -m tests.house`
FOLDERS = "search|hotelsite|templates|static|tests|docs|deploy"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./*-]*)`")
PROGRAM = re.compile(rf"-m ((?:{FOLDERS})[\w.]+)")
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for place in ("*.md", "docs/*.md", ".github/*.md", "search/sandbox/README.md")
    for path in ROOT.glob(place)
)

SETUP = (
    "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/python manage.py serve",
    "python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt && .venv/bin/pytest",
)


# `web.links`, `gateway.transport`, site_settings/store.py: how comments and docstrings name a module.
ROOMS = "|".join(room for room in PLACES if room != "top")
MODULE = re.compile(rf"`(?:search\.)?((?:{ROOMS})\.[a-z_]+)\b|\b((?:\w+/)+\w+\.py)\b")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _read_variables() -> set[str]:
    """The names given to `env....("NAME"` in the settings."""
    return set(re.findall(r'\benv\.\w+\(\s*"([A-Z_]+)"', _text("hotelsite/settings.py")))


def _example_variables() -> list[str]:
    return re.findall(r"^([A-Z_]+)=", _text(".env.example"), re.MULTILINE)


def test_the_reader_finds_the_variables() -> None:
    assert {
        "GATEWAY_BASE_URL",
        "DATABASE_URL",
        "CACHE_URL",
        "SEARCH_FRESH_SECONDS",
        "DEBUG",
    } <= _read_variables()


def test_every_variable_that_is_read_is_in_the_example() -> None:
    assert sorted(_example_variables()) == sorted(_read_variables())


def test_every_variable_that_is_read_is_in_the_readme() -> None:
    assert set(NAME_IN_DOCS.findall(_text("README.md"))) == _read_variables()


def test_every_line_of_the_example_says_what_it_is_for() -> None:
    lines = _text(".env.example").splitlines()
    explained = False
    for line in lines:
        if line.startswith("#"):
            explained = True
        elif not line:
            explained = False
        else:
            # The three cache times share one explanation.
            assert explained or line.endswith("FRESH_SECONDS="), line
            explained = line.endswith("FRESH_SECONDS=")


def test_the_readme_has_exactly_the_two_setup_commands() -> None:
    lines = _text("README.md").splitlines()
    assert [line for line in lines if line.startswith("python3 -m venv")] == list(SETUP)


@each("page", PAGES)
def test_links_between_documents_lead_somewhere(page: str) -> None:
    targets = [
        t for t in LINK.findall(_text(page)) if not t.startswith(("http://", "https://", "#", "mailto:"))
    ]
    missing = [t for t in targets if not ((ROOT / page).parent / t.partition("#")[0]).exists()]
    assert not missing


def test_a_host_of_repositories_finds_the_gate_and_usable_forms() -> None:
    gate = yaml.safe_load(_text(".github/workflows/gate.yml"))["jobs"]["gate"]
    assert any(".ci/run" in step.get("run", "") for step in gate["steps"])
    updates = yaml.safe_load(_text(".github/dependabot.yml"))["updates"]
    assert {one["package-ecosystem"] for one in updates} == {"pip", "docker", "github-actions"}
    forms = [yaml.safe_load(path.read_text("utf-8")) for path in ROOT.glob(".github/ISSUE_TEMPLATE/*.yml")]
    assert {form["name"] for form in forms} == {"A wrong price", "A gateway unlike the others"}
    assert f"at most {probe.MOST_CALLS} questions" in str(forms)


@each("page", PAGES)
def test_files_and_programs_that_a_document_names_exist(page: str) -> None:
    text = _text(page)
    paths = [*PATH.findall(text), *(name.replace(".", "/") + "*" for name in PROGRAM.findall(text))]
    assert not [path for path in paths if not list(ROOT.glob(path.rstrip("/")))]


def test_modules_that_comments_and_docstrings_name_exist() -> None:
    named = {
        f"{module.name}: {dotted or path}"
        for module in TREE.modules.values()
        for dotted, path in MODULE.findall(module.source)
        if not any((home / (path or dotted.replace(".", "/") + ".py")).exists() for home in HOMES)
    }
    assert not named


def _told_in_templates() -> Iterator[tuple[str, str]]:
    """What the comments of templates name: a module, and a name in it that may be empty."""
    for template in (ROOT / "templates").rglob("*.html"):
        for comment in re.findall(r"\{#.*?#\}", template.read_text(encoding="utf-8"), re.DOTALL):
            yield from ((path, name) for path, name in re.findall(r"([\w/]+\.py)(?: (\w+))?", comment))
            yield from ((path, name) for name, path in re.findall(r"(\w+) \(([\w/]+\.py)", comment))


def test_modules_and_page_objects_that_templates_name_exist() -> None:
    told = set(_told_in_templates())
    assert ("results/page.py", "ResultsPage") in told
    for path, name in told:
        module = next((home / path for home in HOMES if (home / path).exists()), None)
        assert module, path
        if name[:1].isupper():
            assert re.search(rf"^class {name}\b", module.read_text(encoding="utf-8"), re.MULTILINE), (
                path,
                name,
            )


@each(
    "addition",
    [
        "A filter",
        "An order",
        "A field of the gateway",
        "A line on a card",
        "A setting",
        "A page",
        "A fault of the sandbox",
        "A language",
    ],
)
def test_the_guide_names_files_for_each_kind_of_addition(addition: str) -> None:
    _before, _heading, rest = _text("docs/contributing.md").partition(f"\n### {addition}\n")
    assert re.search(r"^1\. `(search|hotelsite)/", rest.partition("\n### ")[0], re.MULTILINE)


def _logged() -> Iterator[str]:
    """What warnings and errors say beside their values."""
    for module in TREE.modules.values():
        for node in module.nodes if LOGS.search(module.source) else ():
            if not (isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)):
                continue
            to = node.func
            warns = isinstance(to, ast.Attribute) and to.attr in ("warning", "error", "exception")
            if (warns and ast.unparse(to.value) in LOGGERS) or ast.unparse(to) == "_without_cache":
                message = node.args[0].value
                fixed = re.split(r" ?\(?%\w\)?:? ?", re.sub(r" ?\w+=%\w", "", message))
                yield from [max(fixed, key=len).strip()] if any(fixed) else re.findall(r"\w+=", message)[-1:]


def test_every_warning_of_the_log_is_explained() -> None:
    logs = _text("docs/operations.md").partition("\n## Logs\n")[2].partition("\n## ")[0]
    said = set(_logged())
    assert {"breaker=", "unusable entries left out", "a guess was not counted"} <= said
    assert not {one for one in said if one not in logs}


def test_limits_of_the_server_are_documented_as_they_are() -> None:
    table = _text("docs/operations.md").partition("\n## Limits of the server\n")[2].partition("\n## ")[0]
    documented = re.findall(r"^\| `([A-Z_]+)` \| (\d+)", table, re.MULTILINE)
    assert len(documented) >= 5
    assert all(getattr(gunicorn_conf, name) == int(value) for name, value in documented)


def test_the_guide_tells_every_word_of_the_domain() -> None:
    words = _text("docs/contributing.md").partition("\n## Words\n")[2].partition("\n## ")[0]
    for name in ("StaySearch", "Refinement", "Listing", "SearchPage"):
        assert f"`{name}`" in words


def test_every_address_of_the_readme_is_one_of_the_site() -> None:
    tour = _text("README.md").partition("\n## A tour\n")[2].partition("\n| Command")[0]
    addresses = re.findall(r"`(/[^`?]*)", tour)
    assert len(addresses) > 8
    for address in addresses:
        resolve(address.replace("<IATA>", "STN").replace("<", "").replace(">", ""))


def test_every_command_of_ours_is_in_the_readme() -> None:
    ours = {name for name, app in get_commands().items() if app == "search"}
    assert ours <= set(re.findall(r"`(\w+)(?:`| )", _text("README.md")))
