"""PostgreSQL, Redis and nginx, each a process of our own on a free port, with nothing kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.faults.site import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 30
# PostgreSQL refuses to run as root.
SOMEBODY = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


class Part:
    """A program that listens on `port`, started and stopped as often as wanted; `folder` is its own."""

    def __init__(self, command: Sequence[str], port: int, folder: Path, **options: Any) -> None:
        self.port = port
        self.folder = folder
        self._command = command
        self._output = folder / "output"
        self._options = options
        self.start()

    def start(self) -> None:
        """Returns when it listens."""
        with self._output.open("ab") as sink:
            self._process = subprocess.Popen(self._command, stdout=sink, stderr=sink, **self._options)
        end = time.monotonic() + START_SECONDS
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self._command[0]} did not start:\n{self._output.read_text()[-4000:]}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Both PostgreSQL and nginx take SIGINT for "now, but properly"; so does Redis."""
        if self._process.poll() is None:
            self._process.send_signal(how)
        self._process.wait(START_SECONDS)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


def program(name: str) -> str:
    """Where Debian keeps it. Raises RuntimeError that names a missing one."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parts[4])
        found = str(versions[-1]) if versions else None
    if found is None:
        raise RuntimeError(f"{name} is not installed; .ci/run installs what these tests need")
    return found


@contextlib.contextmanager
def _running(command: Sequence[str], port: int, folder: Path, **options: Any) -> Iterator[Part]:
    part = Part(command, port, folder, **options)
    try:
        yield part
    finally:
        part.stop()


@contextlib.contextmanager
def _folder(**owner: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hotels-") as name:
        if owner:
            shutil.chown(name, owner["user"], owner["group"])
        yield Path(name)


@contextlib.contextmanager
def running_postgres() -> Iterator[Part]:
    """PostgreSQL with a user "hotels" who needs no password; see `database_url`."""
    port = free_port()
    with _folder(**SOMEBODY) as folder:
        data = folder / "data"
        make = [
            program("initdb"),
            "-D",
            str(data),
            "-U",
            "hotels",
            "--auth=trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ]
        subprocess.run([*make, "--no-sync"], cwd=folder, check=True, capture_output=True, **SOMEBODY)
        serve = [
            program("postgres"),
            "-D",
            str(data),
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-k",
            str(folder),
            "-F",
        ]
        with _running(serve, port, folder, cwd=folder, **SOMEBODY) as part:
            yield part


def database_url(postgres: Part, name: str = "postgres") -> str:
    return f"postgres://hotels@127.0.0.1:{postgres.port}/{name}"


def postgres_command(postgres: Part, command: str, *arguments: str, **options: Any) -> bytes:
    """What one of PostgreSQL's own programs prints."""
    reach = ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", "hotels"]
    done = subprocess.run([program(command), *reach, *arguments], check=True, capture_output=True, **options)
    return done.stdout


@contextlib.contextmanager
def running_redis() -> Iterator[Part]:
    """Redis with as many databases as any number of pytest's processes want."""
    port = free_port()
    with _folder() as folder:
        command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
        with _running([*command, "--save", "", "--databases", "64"], port, folder) as part:
            yield part


def cache_url(redis: Part, number: int = 0) -> str:
    return f"redis://127.0.0.1:{redis.port}/{number}"


def nginx_files(folder: Path, port: int, *sites: int, plain_port: int) -> Path:
    """The main file of an nginx that runs deploy/nginx.conf, with other ports, paths and certificate."""
    certificate(folder)
    site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for shipped, ours in {
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80;": f"listen 127.0.0.1:{plain_port};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "/etc/letsencrypt/live/hotels.example": str(folder),
        "/var/log/nginx": str(folder),
        "/var/lib/hotels": str(ROOT / "var"),
        "    server 127.0.0.1:8000 max_fails=0;\n": "".join(
            f"    server 127.0.0.1:{one} max_fails=0;\n" for one in sites
        ),
    }.items():
        if shipped not in site:
            raise RuntimeError(f"deploy/nginx.conf has no {shipped!r}")
        site = site.replace(shipped, ours)
    (folder / "hotels.conf").write_text(site)
    own = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in TEMPORARY)
    main = folder / "nginx.conf"
    main.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        "daemon off;\nworker_processes 1;\nworker_rlimit_nofile 8192;\nevents { worker_connections 4096; }\n"
        f"http {{\ninclude /etc/nginx/mime.types;\naccess_log off;\n{OWN_OF_DEBIAN}{own}"
        f"include {folder}/hotels.conf;\n}}\n"
    )
    return main


TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
# What Debian's own nginx.conf says to every site.
OWN_OF_DEBIAN = "sendfile on;\ntcp_nopush on;\ndefault_type application/octet-stream;\ngzip on;\n"


def certificate(folder: Path) -> None:
    """A certificate for hotels.example that nobody else vouches for."""
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=hotels.example",
    ]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True)


@contextlib.contextmanager
def running_nginx(*sites: int) -> Iterator[Part]:
    """nginx over the sites at these ports; `port` is that of TLS."""
    port = free_port()
    with _folder() as folder:
        main = nginx_files(folder, port, *sites, plain_port=free_port())
        command = [program("nginx"), "-c", str(main), "-p", str(folder), "-e", str(folder / "error.log")]
        with _running(command, port, folder) as part:
            yield part
