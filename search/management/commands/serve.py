"""`python manage.py serve`: everything a first start needs, then the production server."""

import fcntl
import os
import secrets
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from hotelsite import static_files
from search.management import database_needed
from search.sandbox.properties import PROVIDERS
from search.site_settings.models import Provider

# For a server on all addresses of the machine, the one that browsers reach and ALLOWED_HOSTS answers.
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
THREADS_ALONE = 64
THREADS_EACH = 32
# For glibc: one heap for all threads, as each of many would keep its own, and no freed blocks kept for one
# thread; large blocks go back to the system at once. The same is in deploy/hotels.service.
MALLOC = {
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "2097152",
}
GREETING = """
  Hotels, from {source}:

      {address}/

  Try next: search for Barcelona, tick two filters, open a hotel.
      {address}/destinations/    places by country, and where one can fly from where
      {address}/admin/           settings, content, the gateway's state
      {address}/share/links/     links for clients, once signed in

  Ctrl+C stops.
"""


class Command(BaseCommand):
    help = "Prepares what a first start needs (database, static files, keys) and runs the production server."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
        parser.add_argument("--port", type=port, default=8000, help="port to listen on (default %(default)s)")
        of_workers = "processes (default: one per core; 1 while the cache is local memory)"
        parser.add_argument("--workers", type=int, default=default_workers(), help=of_workers)
        of_threads = f"threads per process (default: {THREADS_ALONE}, or {THREADS_EACH} in each of several)"
        parser.add_argument("--threads", type=int, help=of_threads)

    def handle(
        self, *args: Any, host: str, port: int, workers: int, threads: int | None, **options: Any
    ) -> None:
        """Doesn't return: the process becomes gunicorn, so that signals and exit code are gunicorn's."""
        if threads is None:
            threads = THREADS_ALONE if workers == 1 else THREADS_EACH
        if workers < 1 or threads < 1:
            raise CommandError("--workers and --threads count from 1.")
        refuse_taken_port(host, port)
        try:
            with alone(), database_needed():
                self._prepare()
        except OSError as error:
            # A full disk names no file.
            where = error.filename or f"under {settings.VAR_DIR}"
            raise CommandError(f"Can't write {where} ({error.strerror}).") from None
        source = "the gateway" if settings.GATEWAY_BASE_URL else "the embedded sandbox (no real hotels)"
        address = f"http://{in_address(LOOPBACK.get(host, host))}:{port}"
        self._say(GREETING.format(source=source, address=address))
        run_gunicorn(f"{in_address(host)}:{port}", workers, threads)

    def _prepare(self) -> None:
        make_private_database()
        call_command("migrate", interactive=False, verbosity=0)
        if static_files.changed():
            self._say("Collecting static files ...")
            # Without clear: pages that are open somewhere still ask for the files of the day before.
            call_command("collectstatic", interactive=False, verbosity=0)
            static_files.remember()
        if not settings.GATEWAY_BASE_URL and (password := make_sandbox_admin()):
            # The gateway's interface has no place for their names.
            rows = [Provider(code=code, label=provider.name) for code, provider in PROVIDERS.items()]
            Provider.objects.bulk_create(rows, ignore_conflicts=True)
            self._say(f"\n  Admin (shown once): user admin, password {password}")

    def _say(self, text: str) -> None:
        """Writes to standard output; the site starts without it, too."""
        with suppress(OSError):
            self.stdout.write(text)
            self.stdout.flush()


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def port(text: str) -> int:
    """A port's number. Raises ValueError, which argparse reports."""
    if not 0 < int(text) < 65536:
        raise ValueError(text)
    return int(text)


@contextmanager
def alone() -> Iterator[None]:
    """One start prepares at a time: two would collect into the same folder."""
    settings.VAR_DIR.mkdir(exist_ok=True)
    with (settings.VAR_DIR / "serve.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_private_database() -> None:
    """Makes the file of a new SQLite database its owner's alone: its sessions are as good as passwords."""
    if connection.vendor == "sqlite" and not connection.is_in_memory_db():  # type: ignore[attr-defined]
        # SQLite itself reports a file that can't be made.
        with suppress(OSError):
            os.close(os.open(connection.settings_dict["NAME"], os.O_CREAT | os.O_EXCL, 0o600))


def make_sandbox_admin() -> str:
    """Makes the user "admin" if there is no user; its random password, or ""."""
    users = get_user_model()._default_manager
    if users.exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", "", password)
    return password


def default_workers() -> int:
    """One process per core, but a single one while each process has a cache of its own: it would ask the
    gateway again, and have other stale copies."""
    if not settings.CACHE_IS_SHARED:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def refuse_taken_port(host: str, port: int) -> None:
    """Raises CommandError for a taken port, which gunicorn would try for seconds."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Can't listen on {host}:{port} ({error.strerror}). Choose others with --host and --port."
            ) from None


def run_gunicorn(address: str, workers: int, threads: int) -> None:
    """Replaces this process by gunicorn's."""
    os.chdir(settings.BASE_DIR)
    for name, value in {**MALLOC, "WATCH_INSIDE": "on"}.items():
        os.putenv(name, value)
    # --workers says it; an empty one ends gunicorn with a traceback.
    os.unsetenv("WEB_CONCURRENCY")
    options = f"-c python:hotelsite.gunicorn_conf --bind {address} --workers {workers} --threads {threads}"
    arguments = ["-m", "gunicorn", *options.split(), "hotelsite.wsgi"]
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606
