"""`python -m tests.mutations [module ...]`: small mistakes put into the code, and whether its tests notice.

`mutmut` makes the mistakes, one at a time, and runs the tests that meet the changed function. Printed: the
share of mistakes noticed, module by module, and each one that was not. Exits with 1 below the GOAL.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "var" / "mutations"
GOAL = 95.0
MODULES: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("modules.toml").read_text())
COPIED = ("hotelsite", "templates", "static", "tests", "manage.py")
# Made while the module loads: before a mistake is switched on.
NOT_CHANGED = ["return lambda", r"= OfferFact\(lambda", "return SwitchFilter"]
DECORATORS = ("property", "cached_property")
# What mutmut notes: the exit code of pytest, or why there was none.
UNNOTICED = {0: "survived", 33: "no test meets it"}


class Outcome(NamedTuple):
    module: str
    noticed: int
    unnoticed: dict[str, str]
    seconds: float

    @property
    def share(self) -> float:
        return 100 * self.noticed / (self.noticed + len(self.unnoticed))

    def __str__(self) -> str:
        counts = f"{self.noticed} noticed, {len(self.unnoticed)} not, {self.seconds:.0f} s"
        return f"{self.module:24}{self.share:6.1f} %  {counts}"


def run(module: str, tests: list[str]) -> Outcome:
    started = time.monotonic()
    place = _workplace(module, tests)
    done = _mutmut(place, "run", "--max-children", "1")
    noted = place / "mutants" / f"{path_of(module)}.meta"
    codes = json.loads(noted.read_text())["exit_code_by_key"] if noted.exists() else {}
    if not codes or None in codes.values():
        raise SystemExit(f"{module}: mutmut didn't finish\n{done[-3000:]}")
    unnoticed = {name: _mutmut(place, "show", name) for name, code in codes.items() if code in UNNOTICED}
    return Outcome(module, len(codes) - len(unnoticed), unnoticed, time.monotonic() - started)


def _workplace(module: str, tests: list[str]) -> Path:
    """A folder with the site and the settings of one run, for mutmut copies what it changes."""
    place = WORK / module
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "search", place / "search", ignore=shutil.ignore_patterns("__pycache__"))
    for name in COPIED:
        (place / name).symlink_to(ROOT / name)
    source = place / path_of(module)
    source.write_text(with_plain_properties(source.read_text(encoding="utf-8")), encoding="utf-8")
    pytest_options = ["-n0", "-pno:cacheprovider", "--hypothesis-profile=mutations"]
    settings = {
        "source_paths": ["search"],
        "only_mutate": [str(path_of(module))],
        "do_not_mutate_patterns": NOT_CHANGED,
        "also_copy": list(COPIED),
        "pytest_add_cli_args": pytest_options,
        "pytest_add_cli_args_test_selection": tests,
        "use_git_change_detection": False,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    own = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (place / "pyproject.toml").write_text("\n".join((own, "[tool.mutmut]", *lines, "")), encoding="utf-8")
    return place


def with_plain_properties(source: str) -> str:
    """`source` with `name = property(name)` for each property: mutmut leaves decorated functions alone."""
    lines = source.splitlines()
    for node in sorted(_properties(ast.parse(source)), key=lambda one: -one.lineno):
        decorator, indent = node.decorator_list[0], " " * node.col_offset
        lines.insert(node.end_lineno, f"{indent}{node.name} = {ast.unparse(decorator)}({node.name})")
        del lines[decorator.lineno - 1]
    return "\n".join((*lines, ""))


def _properties(tree: ast.Module) -> list[ast.FunctionDef]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    alone = {name: [name] for name in DECORATORS}.values()
    return [one for one in functions if list(map(ast.unparse, one.decorator_list)) in alone]


def path_of(module: str) -> Path:
    return Path("search", *module.split(".")).with_suffix(".py")


def _mutmut(place: Path, *arguments: str) -> str:
    """What it prints."""
    command, environment = [sys.executable, "-m", "mutmut", *arguments], {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.mutations")
    parser.add_argument("module", nargs="*", help=f"all without any: {', '.join(MODULES)}")
    outcomes = []
    for module in parser.parse_args().module or MODULES:
        outcome = run(module, MODULES[module])
        outcomes.append(outcome)
        for difference in outcome.unnoticed.values():
            print(difference)
        print(outcome, flush=True)
    raise SystemExit(any(outcome.share < GOAL for outcome in outcomes))


if __name__ == "__main__":
    main()
