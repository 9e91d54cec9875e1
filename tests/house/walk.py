"""The walk of one search: what a reader opens who follows `context` from `find` in results/service.py.

A stop is a function that a call gives the context to, a method called on an object that has it, or a class
made with it; each is entered once, depth first, in the order of the source. A way back up is a stop in
another module than the stop before it, one that was opened earlier.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.imports import Definition, Source

CARRIED = "context"
# A module and a name in it: `find`, `FullResults`, `FullResults.available`.
Place = tuple[str, str]


def walk(source: Source, start: Place = ("search.results.service", "find")) -> tuple[int, int, int]:
    """How many stops, modules and ways back up."""
    reader = _Reader(source)
    reader.enter(start)
    modules = [module for module, _name in reader.stops]
    turns = [turn for turn in range(1, len(modules)) if modules[turn] != modules[turn - 1]]
    return len(modules), len(set(modules)), sum(modules[turn] in modules[:turn] for turn in turns)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.modules = source.modules
        self.stops: list[Place] = []

    def enter(self, place: Place) -> None:
        """Stop here, then wherever the calls in it give the context to."""
        if place in self.stops:
            return
        self.stops.append(place)
        module, name = place
        defined = self.modules[module].defined
        # Of a class, how one is made.
        node = defined.get(f"{name}.__init__", defined[name])
        # The classes of local names that hold the context.
        holders = {"self": (module, name.partition(".")[0])}
        for child in _in_order(node):
            for local, value in _bindings(child):
                if made := self._class_of(module, value, holders):
                    holders[local] = made
            if isinstance(child, ast.Call) and (target := self._target(module, child.func, holders)):
                given = [*child.args, *(keyword.value for keyword in child.keywords)]
                if "." in target[1] or any(map(_is_context, given)):
                    self.enter(target)

    def _class_of(self, module: str, value: ast.expr, holders: dict[str, Place]) -> Place | None:
        """The class of an expression or annotation, if its objects have the context."""
        match value:
            case ast.Name(id=name) if name in holders:
                return holders[name]
            case ast.BoolOp(values=parts):
                return next(filter(None, (self._class_of(module, part, holders) for part in parts)), None)
            case ast.BinOp(left=left):
                return self._class_of(module, left, holders)
            case ast.Call(func=function) if target := self._target(module, function, holders):
                node = self.modules[target[0]].defined[target[1]]
                if isinstance(node, ast.ClassDef):
                    return target if _has_context(node) else None
                return self._class_of(target[0], node.returns, {}) if node.returns else None
            case ast.Name(id=name) if place := self._place(module, name):
                return place if _has_context(self.modules[place[0]].defined[place[1]]) else None
        return None

    def _target(self, module: str, function: ast.expr, holders: dict[str, Place]) -> Place | None:
        """What a call enters: a function or class by its name, a method by the class of its object."""
        if isinstance(function, ast.Attribute) and (owner := self._class_of(module, function.value, holders)):
            method = f"{owner[1]}.{function.attr}"
            return (owner[0], method) if method in self.modules[owner[0]].defined else None
        return self._place(module, ast.unparse(function))

    def _place(self, module: str, name: str) -> Place | None:
        """Where a name that stands in a module is defined: `find`, `compare_all.available`."""
        if name in self.modules[module].defined:
            return module, name
        first, dot, rest = name.partition(".")
        full = dict(self.modules[module].imports).get(first, "")
        home, _, own = f"{full}{dot}{rest}".rpartition(".")
        return (home, own) if home in self.modules and own in self.modules[home].defined else None


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a parameter or an assignment binds, with the annotation or the value."""
    match node:
        case ast.arg(arg=name, annotation=ast.expr() as value):
            yield name, value
        case ast.NamedExpr(target=target, value=value) | ast.Assign(targets=[target], value=value):
            pair = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=True) if pair else [(target, value)]
            yield from ((name.id, value) for name, value in pairs if isinstance(name, ast.Name))


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        yield from _in_order(child)


def _is_context(value: ast.expr) -> bool:
    """`context`, `self.context` or `context.with_search(...)`."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == CARRIED
        case ast.Call(func=ast.Attribute(value=owner)):
            return _is_context(owner)
    return False


def _has_context(node: Definition) -> bool:
    parameters = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    fields = {ast.unparse(one.target) for one in node.body if isinstance(one, ast.AnnAssign)}
    return isinstance(node, ast.ClassDef) and CARRIED in parameters | fields
