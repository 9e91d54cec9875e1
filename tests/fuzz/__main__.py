"""`python -m tests.fuzz [N] [--seed S]`: N hostile requests to every route of the site; tests make 150."""

import argparse
from pathlib import Path

import pytest

from tests.fuzz.plan import Plan

parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.fuzz")
parser.add_argument("count", nargs="?", type=int, default=10_000, metavar="N")
parser.add_argument("--seed", type=int, default=1, metavar="S")
plan = Plan(**vars(parser.parse_args()))
raise SystemExit(
    pytest.main([str(Path(__file__).parent), "-n0", "--show-capture=no", "--tb=short"], plugins=[plan])
)
