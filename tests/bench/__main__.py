"""`python -m tests.bench [--only WORD ...]`: what pages cost, beside a limit of the same run, as a table.

A part runs if its name holds one of the words: `cold` and `warm` take a good minute, `load` asks the real
site alone.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time

import django

from tests.bench.figures import Figure, print_table, unit


def main(words: list[str]) -> int:
    """1 where no part is named by these words."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")
    django.setup()
    from hotelsite.gunicorn_conf import when_ready  # it wants Django set up, as the parts do
    from tests.bench import load, pages, picker, refine, scale

    logging.disable(logging.WARNING)
    modules = {"load": load.PARTS, "pages": pages.PARTS, "picker": picker.PARTS, "refine": refine.PARTS}
    modules["scale"] = scale.PARTS
    parts = {f"{name}.{part.__name__}": part for name, listed in modules.items() for part in listed}
    chosen = [name for name in parts if not words or any(word in name for word in words)]
    if not chosen:
        print(f"No part is called {' or '.join(words)}. There are {', '.join(parts)}.", file=sys.stderr)
        return 1
    when_ready(None)  # the collector as the server sets it
    began = time.perf_counter()
    rows, units = [Figure.HEAD], [unit()]
    for name in chosen:
        print(f"measuring {name} ...", file=sys.stderr)
        rows += [figure.row for figure in parts[name]()]
        units.append(unit())
    print_table(rows)
    print(
        f"\n{os.cpu_count()} processors, Python {sys.version.split()[0]}, a unit took {min(units):.0f} to"
        f" {max(units):.0f} ms; {time.perf_counter() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, prog="python -m tests.bench")
    arguments.add_argument("--only", nargs="+", default=[], metavar="WORD", help="a part of a part's name")
    sys.exit(main(arguments.parse_args().only))
