"""`manage.py serve`: what a first start prepares, and how gunicorn is started."""

import errno
import io
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as site
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.http.request import validate_host

from hotelsite import static_files
from search.management.commands import serve
from search.site_settings.models import Provider
from tests.rows import each
from tests.servers import environment, free_port


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> list[list[str]]:
    """The command lines that `serve` would have become, with a var/ of its own."""
    lines: list[list[str]] = []
    monkeypatch.setattr(serve.os, "execv", lambda program, arguments: lines.append([program, *arguments]))
    settings.VAR_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    monkeypatch.setattr(static_files, "changed", lambda: False)
    return lines


def _option(line: list[str], name: str) -> str:
    return line[line.index(name) + 1]


@pytest.mark.django_db
def test_a_first_start_prints_address_and_password_once(
    started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    call_command("serve", port=port)
    first = capsys.readouterr().out
    for path in ("/destinations/", "/admin/", "/share/links/"):
        assert f"http://127.0.0.1:{port}{path} " in first
    assert "sandbox" in first
    password = first.partition("password ")[2].split()[0]
    assert User.objects.get(username="admin").check_password(password)
    assert Provider.objects.get(code="SOL").label == "Sol y Sombra Rooms"
    call_command("serve", port=port)
    assert "password" not in capsys.readouterr().out
    assert len(started) == 2


@pytest.mark.django_db
@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("number", ["", "two"])
def test_a_wrong_number_of_processes_does_not_reach_gunicorn(number: str) -> None:
    os.putenv("WEB_CONCURRENCY", number)
    call_command("serve", port=free_port())
    found = subprocess.run(["printenv", "WEB_CONCURRENCY"], check=False, capture_output=True)
    assert (found.returncode, found.stdout) == (1, b"")


@pytest.mark.django_db
def test_a_real_gateway_gets_no_admin_made_for_it(
    started: list[list[str]], capsys: pytest.CaptureFixture[str], settings: Any
) -> None:
    settings.GATEWAY_BASE_URL = "https://gateway.example"
    call_command("serve", port=free_port())
    assert "password" not in capsys.readouterr().out
    assert not User.objects.exists()
    assert not Provider.objects.exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("started")
def test_the_database_of_a_first_start_is_its_owners_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    new, kept = tmp_path / "new.sqlite3", tmp_path / "kept.sqlite3"
    kept.write_bytes(b"of its owner's group")
    kept.chmod(0o660)
    for file in (new, kept, tmp_path / "nowhere" / "db.sqlite3"):
        database = SimpleNamespace(
            vendor="sqlite", is_in_memory_db=lambda: False, settings_dict={"NAME": str(file)}
        )
        monkeypatch.setattr(serve, "connection", database)
        call_command("serve", port=free_port())
    assert [file.stat().st_mode & 0o777 for file in (new, kept)] == [0o600, 0o660]
    assert kept.read_bytes()


@pytest.mark.django_db
def test_several_processes_only_with_a_shared_cache(
    started: list[list[str]], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve.os, "sched_getaffinity", lambda pid: {0, 1, 2}, raising=False)
    settings.CACHE_IS_SHARED = False
    call_command("serve", port=free_port())
    settings.CACHE_IS_SHARED = True
    call_command("serve", port=free_port())
    call_command("serve", port=free_port(), workers=2, threads=5)
    assert [(_option(line, "--workers"), _option(line, "--threads")) for line in started] == [
        ("1", "64"),
        ("3", "32"),
        ("2", "5"),
    ]
    assert started[0][:3] == [sys.executable, sys.executable, "-m"]


def test_systemd_starts_it_with_the_same_settings_of_memory() -> None:
    unit = (site.BASE_DIR / "deploy" / "hotels.service").read_text(encoding="utf-8")
    given = " ".join(re.findall(r"^Environment=(.+)$", unit, re.MULTILINE)).split()
    assert dict(one.split("=", 1) for one in given) == serve.MALLOC


@pytest.mark.django_db
def test_a_foreign_address_is_not_blamed_on_the_port(started: list[list[str]]) -> None:
    with pytest.raises(CommandError, match=r"192\.0\.2\.1.*--host"):
        call_command("serve", host="192.0.2.1", port=free_port())
    assert not started


@pytest.mark.django_db
def test_a_taken_port_is_refused_instead_of_shared(started: list[list[str]]) -> None:
    with socket.socket() as neighbour:
        neighbour.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        neighbour.bind(("127.0.0.1", 0))
        neighbour.listen()
        with pytest.raises(CommandError, match="--port"):
            call_command("serve", port=neighbour.getsockname()[1])
    assert not started


@pytest.mark.django_db
@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_a_start_on_all_addresses_names_one_that_is_answered(
    started: list[list[str]], host: str, shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    call_command("serve", host=host, port=port)
    said = capsys.readouterr().out
    (address,) = re.findall(r"http://(\S+)/admin/", said)
    assert address == f"{shown}:{port}"
    assert validate_host(shown, site.ALLOWED_HOSTS)
    assert _option(started[0], "--bind").rpartition(":")[0].strip("[]") == host


@pytest.mark.django_db
def test_a_start_needs_nobody_who_reads_what_it_says(started: list[list[str]]) -> None:
    class FullDisk(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    call_command("serve", port=free_port(), stdout=FullDisk())
    assert len(started) == 1


def test_a_folder_that_cannot_be_written_is_named(started: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "serve.lock").mkdir()
    with pytest.raises(CommandError, match=rf"Can't write {tmp_path}/serve\.lock \("):
        call_command("serve", port=free_port())
    assert not started


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            r"Can't write under .* \(No space left on device\)",
        ),
        (OperationalError("unable to open"), "DATABASE_URL can't be used: unable to open"),
    ],
)
def test_a_disk_or_database_that_cannot_be_used_is_one_line(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
) -> None:
    def prepare(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(serve, "call_command", prepare)
    with pytest.raises(CommandError, match=line):
        call_command("serve", port=free_port())
    assert not started


@each("port", ["0", "-1", "65536", "eighty"])
def test_what_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match="--port"):
        call_command("serve", "--port", port)


@each(
    ("options", "line"),
    [
        (
            ["-c", "import sys; sys.version_info = (3, 9); exec(open('manage.py').read())"],
            "Python 3.11 or newer",
        ),
        (["-S", "-I", "manage.py", "serve"], "pip install -r requirements.txt"),
        (
            ["-c", "import sys; sys.modules['jinja2'] = None; exec(open('manage.py').read())", "check"],
            "jinja2 is not installed here. First: pip install -r requirements.txt",
        ),
    ],
)
def test_what_stops_a_first_start_is_said_in_one_line(options: list[str], line: str) -> None:
    command = [sys.executable, *options]
    done = subprocess.run(command, cwd=site.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.thorough
def test_no_process_at_all_is_refused() -> None:
    command = [sys.executable, "-m", "gunicorn", "-c", "python:hotelsite.gunicorn_conf"]
    done = subprocess.run(
        [*command, "--bind", f"127.0.0.1:{free_port()}", "hotelsite.wsgi"],
        cwd=site.BASE_DIR, env=environment(WEB_CONCURRENCY="0"), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "WEB_CONCURRENCY and --workers count from 1.\n")
