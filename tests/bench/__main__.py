"""`python -m tests.bench [--only NAME]`: what pages cost, beside a limit of the same run, as a table.

NAME is a module's (`load`) or one part of it (`load.warm_page`).
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import django

from tests.bench.figures import Figure, unit

ROWS = ("figure", "measured", "limit of the same run", "ratio", "budget", "first edition")


NO_FIGURES = ("__main__", "figures", "visitors")


def main(only: str) -> int:
    """1 where nothing is called `only`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")
    django.setup()
    from hotelsite.gunicorn_conf import when_ready  # it wants Django set up

    logging.disable(logging.WARNING)
    when_ready(None)  # the collector as the server sets it
    began = time.perf_counter()
    parts = dict(_parts())
    asked = [name for name in parts if only in ("", name, name.partition(".")[0])]
    if not asked:
        print(f"No part is called {only}. There are {', '.join(parts)}.", file=sys.stderr)
        return 1
    rows, pieces = [ROWS], [unit()]
    for name in asked:
        print(f"measuring {name} ...", file=sys.stderr)
        rows += [figure.row for figure in parts[name]()]
        pieces.append(unit())
    widths = [max(len(row[column]) for row in rows) for column in range(len(ROWS))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(
        f"\n{os.cpu_count()} processors, Python {sys.version.split()[0]}, a unit took {min(pieces):.0f} to"
        f" {max(pieces):.0f} ms; {time.perf_counter() - began:.0f} s"
    )
    return 0


def _parts() -> Iterator[tuple[str, Callable[[], Iterator[Figure]]]]:
    """The parts of all modules, by name; a module without PARTS is one."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem not in NO_FIGURES:
            module = importlib.import_module(f"tests.bench.{path.stem}")
            for part in getattr(module, "PARTS", (module.figures,) if hasattr(module, "figures") else ()):
                yield f"{path.stem}.{part.__name__}", part


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench")
    arguments.add_argument("--only", default="", help="a module or one part of it")
    sys.exit(main(arguments.parse_args().only))
