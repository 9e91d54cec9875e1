"""The rooms of `search/` in their order, and what a module may import."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from tests.house.imports import SANDBOX, Graph, Source, reachable, within

# Each room may import itself and the rooms before it; what stands in one tuple may not import each other.
ROOMS: tuple[tuple[str, ...], ...] = (
    ("domain",),
    ("gateway", "site_settings"),
    ("web",),
    ("destinations",),
    ("monitoring",),
    ("results",),
    ("property",),
    ("compare",),
    ("sharing",),
    ("top",),
)
PLACES = {room: place for place, rooms in enumerate(ROOMS) for room in rooms}
# The sandbox is a program of its own; these know of it to start it, to read what it is told to play, or to
# send calls into it.
SANDBOX_USERS = frozenset(
    {
        "search.gateway.factory",
        "search.management.commands.serve",
        "search.management.commands.serve_sandbox",
        "search.management.commands.update_map",
        "hotelsite.gunicorn_conf",
        "hotelsite.settings",
    }
)
HOTELSITE_USERS = ("hotelsite", "search.management")
# Health is an address before all others; destinations are read before the fork and asked for after it; what a
# process has counted is written when it ends; it may look totals up; the style sheet draws some of the icons;
# the admin's pages have the site's name.
HOTELSITE_USES = frozenset(
    {
        ("hotelsite.urls", "search.monitoring.status"),
        ("hotelsite.gunicorn_conf", "search.destinations.service"),
        ("hotelsite.gunicorn_conf", "search.monitoring.metrics"),
        ("hotelsite.gunicorn_conf", "search.property.observed"),
        ("hotelsite.gunicorn_conf", "search.sharing.watches"),
        ("hotelsite.static_files", "search.web.labels"),
        ("hotelsite.admin_site", "search.web.shortcuts"),
    }
)
# What some rooms do without: a domain that is Django's, or a wire that is, could not be tested by itself.
LIBRARIES = {
    "search.domain": ("msgspec", "babel"),
    "search.gateway": ("cachetools", "msgspec", "requests", "urllib3", "zstandard"),
    "search.gateway.factory": ("django.conf", "django.core", "django.utils.timezone", "requests"),
    SANDBOX: ("airportsdata", "babel", "msgspec", "requests", "urllib3"),
}


def room_of(module: str) -> str:
    """The room of a module; `top` for what stands beside the rooms: addresses, admin, commands."""
    package, _, rest = module.partition(".")
    folder = rest.partition(".")[0]
    if package == "search":
        return folder if folder in PLACES or folder == "sandbox" else "top"
    return package


def may_import(module: str, name: str) -> bool:
    home, target = room_of(module), room_of(name)
    if home == "sandbox":
        return target == "sandbox" or _library_allowed(module, name)
    if target == "sandbox":
        return module in SANDBOX_USERS
    if target == "hotelsite":
        return within(module, *HOTELSITE_USERS)
    if home == "hotelsite":
        return target not in PLACES or (module, name) in HOTELSITE_USES
    if target in PLACES:
        return home == target or PLACES[target] < PLACES[home]
    return _library_allowed(module, name)


def against_the_order(source: Source) -> list[str]:
    """Every import that `may_import` forbids, as "module imports name"."""
    return [
        f"{module.name} imports {name}"
        for module in source.modules.values()
        for name in module.imported
        if not may_import(module.name, name)
    ]


def arrows(source: Source) -> set[tuple[str, str]]:
    """Which room imports which, without what follows from other arrows: a to c where a to b and b to c."""
    graph: dict[str, set[str]] = {}
    for module, imported in source.graph.items():
        if (room := room_of(module)) in PLACES:
            graph.setdefault(room, set()).update(map(room_of, imported))
    return {(room, other) for room in graph for other in _direct(graph, room)}


def _direct(graph: Mapping[str, set[str]], room: str) -> set[str]:
    others = {other for other in graph[room] if other in PLACES and other != room}
    rest: Graph = {name: frozenset(targets - {name}) for name, targets in graph.items()}
    return {other for other in others if other not in reachable(rest, *(others - {other}))}


def _library_allowed(module: str, name: str) -> bool:
    home = max((home for home in LIBRARIES if within(module, home)), key=len, default="")
    return not home or name.partition(".")[0] in sys.stdlib_module_names or within(name, *LIBRARIES[home])
