"""What docs/architecture.md says of the tree, held by reading every import of it."""

import ast
import re
from collections.abc import Iterator

from tests.house.imports import ROOT, TREE, Module, within
from tests.house.rooms import PLACES, against_the_order, arrows, may_import
from tests.rows import each

# A file of fewer lines that one other module uses belongs into that module.
LEAST_LINES = 30


def test_a_module_imports_only_its_own_room_and_those_before_it() -> None:
    assert not against_the_order(TREE), (
        "a room imports itself and earlier rooms (tests/house/rooms.py): pass a value in, or move what both"
        " need to the earlier room"
    )


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert not TREE.circles(), "move what they share to a module that imports none of them"


def test_every_room_of_the_order_is_a_folder() -> None:
    assert all((ROOT / "search" / room / "__init__.py").exists() for room in PLACES if room != "top")


def test_a_short_module_has_more_than_one_user() -> None:
    closets = {
        module.name: TREE.importers(module.name)
        for module in TREE.modules.values()
        if 0 < module.lines < LEAST_LINES
        and module.path.name != "__init__.py"
        and len(TREE.importers(module.name)) == 1
    }
    assert not closets, (
        f"fewer than {LEAST_LINES} lines and one user: move the lines into the user, beside it"
    )


def test_the_drawing_shows_the_imports_between_rooms() -> None:
    """Each arrow of the drawing is an import, and each import an arrow or a way along several."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = re.search(r"^```mermaid\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert drawing, "docs/architecture.md has no drawing"
    drawn = set(re.findall(r"^\s+(\w+) --> (\w+)$", drawing[1], re.MULTILINE))
    assert drawn == arrows(TREE), "draw the new arrow, take away what no import or other arrows say"


@each(
    ("module", "name"),
    [
        ("search.domain.money", "django.utils.timezone"),
        ("search.gateway.client", "django.conf.settings"),
        ("search.gateway.client", "search.site_settings.store"),
        ("search.results.page", "search.sharing.models.SharedLink"),
        ("search.results.page", "search.urls"),
        ("search.results.page", "search.sandbox.api"),
        ("search.results.page", "hotelsite.settings"),
        ("search.sandbox.api", "search.domain.money"),
        ("hotelsite.logging", "search.domain.money"),
    ],
)
def test_an_import_against_the_order_is_refused(module: str, name: str) -> None:
    assert not may_import(module, name)


def _modules(*homes: str) -> Iterator[Module]:
    return (module for module in TREE.modules.values() if within(module.name, *homes))


ENVIRONMENT = re.compile(r"\bos\.(environ|getenv)\b|\bgetenv\(")


def test_only_the_settings_read_the_environment() -> None:
    readers = {module.name for module in TREE.modules.values() if ENVIRONMENT.search(module.source)}
    assert readers <= {"hotelsite.settings", "hotelsite.wsgi"}, "read it in hotelsite/settings.py, by `env`"


def _state(tree: ast.Module) -> Iterator[str]:
    """Names set anew by functions, and lower-case ones set at import to an object of some class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func).rpartition(".")[2].lstrip("_")
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            # A context variable belongs to a request.
            if made != "ContextVar" and made[:1].isupper() and not name.lstrip("_")[:1].isupper():
                yield name


# What Django finds under this name, and packers, which keep nothing.
NOT_STATE = frozenset({"register", "_rows", "_chunks", "_listings", "_encoder", "_writer"})


def test_only_the_process_keeps_state() -> None:
    keepers = [
        f"{module.name}.{name}"
        for module in _modules("search")
        if not module.name.startswith("search.sandbox") and module.name != "search.domain.process"
        for name in _state(module.tree)
        if name not in NOT_STATE
    ]
    assert not keepers, "keep it in an object that `process.part` makes (search/domain/process.py)"


def test_state_is_an_object_made_at_import_or_a_name_set_anew() -> None:
    source = "_pool = futures.ThreadPoolExecutor(4)\nLIMITS = Limits()\ndef f():\n    global _now\n"
    assert sorted(_state(ast.parse(source))) == ["_now", "_pool"]


# Both ask Django's active language each time, behind a lock of the whole process.
ASKS_THE_ACTIVE_LANGUAGE = re.compile(r"django\.utils\.translation(?!\.trans_real)|django\.urls\.reverse$")
# The admin is for few; `public_files` answers machines.
MAY_ASK = (
    "search.admin",
    "search.management",
    "search.public_files",
    "search.sharing.models",
    "search.site_settings",
    "search.web.translation",
)


def test_pages_take_texts_and_paths_from_the_site_s_own_modules() -> None:
    assert not [
        (module.name, name)
        for module in _modules("search")
        if not within(module.name, *MAY_ASK)
        for name in module.imported
        if ASKS_THE_ACTIVE_LANGUAGE.match(name)
    ], "texts are in search/web/translation.py, `reverse` in search/web/links.py"


CLOCKS = re.compile(
    r"\b(datetime\.now|datetime\.today|date\.today|timezone\.now|localdate|localtime|utcnow)\("
    r"|\btime\.(time|monotonic|perf_counter)\b|\bimport (monotonic|perf_counter)\b"
)


def test_domain_and_sandbox_read_no_clock() -> None:
    homes = ("search.domain", "search.sandbox")
    readers = [module.name for module in _modules(*homes) if CLOCKS.search(module.source)]
    assert not readers, "take the day or the deadline as a parameter"


CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]*)+")
# JSON-LD has spellings of its own, two of which the gateway shares.
SCHEMA_ORG = {"checkinTime", "checkoutTime"}


def _wire_spellings() -> set[str]:
    """The names of fields and parameters that stand in the gateway room, as the interface spells them."""
    nodes = [node for module in _modules("search.gateway") for node in module.nodes]
    fields = {
        node.target.id
        for node in nodes
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {name for name in fields | texts if CAMEL.fullmatch(name)} - SCHEMA_ORG


def test_the_spellings_of_the_wire_stay_on_the_wire() -> None:
    spellings = _wire_spellings()
    assert {"ryanairId", "customerPrice", "roomAllocations"} <= spellings
    wire = re.compile(rf"\b({'|'.join(spellings)})\b")
    elsewhere = [
        *(
            module.path
            for module in _modules("search")
            if not within(module.name, "search.gateway", "search.sandbox")
        ),
        *(path for path in (ROOT / "templates").rglob("*") if path.is_file()),
        *(ROOT / "static").rglob("*.js"),
    ]
    strays = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in elsewhere
        if (found := wire.search(path.read_text(encoding="utf-8")))
    }
    assert not strays, "say it in our words: gateway/parsing.py makes one of the other"


INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=\"|javascript:|<script(?![^>]*\bsrc=)(?![^>]*application/(ld\+)?json)"
)


def test_templates_have_no_inline_script_style_or_handler() -> None:
    templates = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".jinja")]
    assert len(templates) > 50
    strays = [
        str(path.relative_to(ROOT)) for path in templates if INLINE.search(path.read_text(encoding="utf-8"))
    ]
    assert not strays, "the policy lets no inline code or style run: use files in static/js and static/css"
