"""The browser that every check of ours opens, and how it is told to be quiet and quick."""

from __future__ import annotations

from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
# The same engine in the same version, without the windows around pages, which cost as much as the pages.
SHELL = "/usr/bin/chromium-headless-shell"
QUICKEST = SHELL if Path(SHELL).exists() else CHROMIUM

# The first two: each window would load two pages of the browser's own for its address bar, which nobody sees
# and which cost as much as a page of ours. The last list that a browser is given counts, so those of
# Playwright's own list that could disturb a test here are named again.
DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
)

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-features=" + ",".join(DISABLED_FEATURES),
]
