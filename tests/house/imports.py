"""Every import of the tree as its source says it: which module needs which."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("search", "hotelsite")
SANDBOX = "search.sandbox"

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
Graph = Mapping[str, frozenset[str]]


def within(name: str, *homes: str) -> bool:
    """Whether a module is one of `homes` or stands inside one."""
    return any(name == home or name.startswith(f"{home}.") for home in homes)


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    source: str

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes if isinstance(node, Function))

    @cached_property
    def defined(self) -> dict[str, Definition]:
        """The functions, classes and methods of the module by name: `find`, `Page`, `Page.build`."""
        tops = {node.name: node for node in self.tree.body if isinstance(node, Definition)}
        classes = [node for node in tops.values() if isinstance(node, ast.ClassDef)]
        methods = [(node.name, one) for node in classes for one in node.body if isinstance(one, Definition)]
        return tops | {f"{name}.{one.name}": one for name, one in methods}

    @property
    def imported(self) -> list[str]:
        """The full names of what is imported, relative imports and imports inside functions too.

        `from search import models` names a module and `from search.models import Provider` a thing in one:
        both come as `source.name`.
        """
        return [full for _name, full in self.imports]

    @cached_property
    def imports(self) -> list[tuple[str, str]]:
        """What is imported as (name in this module, full name)."""
        package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]
        pairs = []
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                source = ""
                if isinstance(node, ast.ImportFrom):
                    base = (
                        package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                    )
                    source = "".join(f"{part}." for part in [*base, *([node.module] if node.module else [])])
                pairs += [(one.asname or one.name, source + one.name) for one in node.names]
        return pairs


@dataclass(frozen=True)
class Source:
    """The Python modules of a checkout by name, and what they import of each other."""

    root: Path = ROOT

    @cached_property
    def modules(self) -> dict[str, Module]:
        paths = sorted(path for package in PACKAGES for path in (self.root / package).rglob("*.py"))
        return {module.name: module for module in map(self._module, paths)}

    @cached_property
    def site(self) -> list[Module]:
        """The modules of the site: without the sandbox, without empty files."""
        modules = self.modules.values()
        return [module for module in modules if module.source.strip() and not within(module.name, SANDBOX)]

    @cached_property
    def graph(self) -> Graph:
        """Each module with the modules of the tree that it imports."""
        return {
            name: frozenset(map(self._module_of, module.imported)) - {"", name}
            for name, module in self.modules.items()
        }

    def importers(self, name: str) -> list[str]:
        return [module for module, imported in self.graph.items() if name in imported]

    def loaded_with(self, name: str) -> set[str]:
        """The modules of the site that importing this one loads, itself among them."""
        return reachable(self.graph, name) & {module.name for module in self.site}

    def circles(self) -> list[list[str]]:
        """Groups of modules that import each other, directly or by way of others."""
        reach = {name: reachable(self.graph, *self.graph[name]) for name in self.graph}
        groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in reach}
        return sorted(sorted(group) for group in groups if group)

    def _module(self, path: Path) -> Module:
        parts = path.relative_to(self.root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        return Module(name, path, path.read_text(encoding="utf-8"))

    def _module_of(self, name: str) -> str:
        """The module of the tree that an imported name is or stands in; empty for what is not ours."""
        while name and name not in self.modules:
            name = name.rpartition(".")[0]
        return name


# To parse it takes a second.
TREE = Source()


def reachable(graph: Graph, *starts: str) -> set[str]:
    """All that the arrows lead to from `starts`, and `starts` themselves."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return found
