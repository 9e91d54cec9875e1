"""`python -m tests.bench [name ...]`: every figure that the documents name, printed as one table."""

from __future__ import annotations

import importlib
import logging
import os
import sys
import time
from pathlib import Path

import django

ROWS = ("figure", "measured", "limit of the same run", "ratio", "budget")


def main(names: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelsite.settings")
    django.setup()
    from hotelsite.gunicorn_conf import when_ready  # it wants Django set up

    logging.disable(logging.WARNING)
    modules = names or sorted(
        path.stem
        for path in Path(__file__).parent.glob("*.py")
        if path.stem not in ("__main__", "__init__", "figures")
    )
    when_ready(None)  # the collector as the server sets it
    began = time.perf_counter()
    rows = [ROWS]
    for name in modules:
        rows += [figure.row for figure in importlib.import_module(f"tests.bench.{name}").figures()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(ROWS))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(
        f"\n{os.cpu_count()} processors, Python {sys.version.split()[0]}, {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
