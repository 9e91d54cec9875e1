"""Lighthouse on home, results and a property, as a table: `python -m tests.browser.lighthouse URL`.

Needs the npm package (`npm install --no-save lighthouse`) and a running site; each figure is the median of
three runs of the mobile profile. Ends with 1 when a page misses its mark. Results and properties are told
to search engines as "not for you", which the SEO score counts as a fault: there that one audit is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from .chromium import CHROMIUM, QUIET
from .screenshots import addresses

RUNS = 3
MARKS = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}


def main(base: str) -> int:
    pages = addresses(base.rstrip("/"))
    print(
        f"{'page':<10}"
        + "".join(f"{name:>16}" for name in MARKS)
        + f"{'CLS':>8}{'LCP ms':>8}{'kB':>6}{'requests':>10}"
    )
    missed = False
    for name, address in pages.items():
        runs = [figures(address, indexable=name == "home") for _ in range(RUNS)]
        middle = {key: median(run[key] for run in runs) for key in runs[0]}
        print(
            f"{name:<10}"
            + "".join(f"{middle[key]:>16.0f}" for key in MARKS)
            + f"{middle['cls']:>8.3f}{middle['lcp']:>8.0f}{middle['kb']:>6.0f}{middle['requests']:>10.0f}"
        )
        missed = missed or middle["cls"] > 0.001 or any(middle[key] < mark for key, mark in MARKS.items())
    return 1 if missed else 0


def figures(address: str, *, indexable: bool) -> dict[str, float]:
    """Scores (0 to 100), layout shift, largest paint in ms, kB and requests without photos."""
    report = run(address, [] if indexable else ["--skip-audits=is-crawlable"])
    audits = report["audits"]
    ours = [
        one for one in audits["network-requests"]["details"]["items"] if "/sandbox/photos/" not in one["url"]
    ]
    return {
        **{name: 100 * report["categories"][name]["score"] for name in MARKS},
        "cls": audits["cumulative-layout-shift"]["numericValue"],
        "lcp": audits["largest-contentful-paint"]["numericValue"],
        "kb": sum(one.get("transferSize", 0) for one in ours) / 1000,
        "requests": len(ours),
    }


def run(address: str, options: list[str]) -> dict[str, Any]:
    """Lighthouse's report; a run that saw no navigation is repeated, which happens on a busy machine."""
    program = os.environ.get("LIGHTHOUSE", "node_modules/.bin/lighthouse")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "report.json"
        command = [
            program,
            address,
            "--output=json",
            f"--output-path={output}",
            "--quiet",
            f"--chrome-flags={' '.join(['--headless=new', *QUIET])}",
        ]
        for _attempt in range(3):
            subprocess.run([*command, *options], check=False, env={**os.environ, "CHROME_PATH": CHROMIUM})
            report = json.loads(output.read_text("utf-8")) if output.exists() else {}
            if report and not report.get("runtimeError"):
                return dict(report)
    raise SystemExit(f"Lighthouse could not read {address}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
