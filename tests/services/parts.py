"""PostgreSQL, Redis and nginx, each a process of our own on a free port and in a folder that goes away."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.servers import ROOT, Server, free_port, stopped_at_the_end

# PostgreSQL refuses to run as root.
NOT_ROOT = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def program(name: str) -> str:
    """Where Debian keeps it. Raises RuntimeError that names a missing one."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: path.parts[4])
        path = str(versions[-1]) if versions else None
    if path is None:
        raise RuntimeError(f"{name} is not installed; .ci/run installs what these tests need")
    return path


@contextlib.contextmanager
def _folder(**owner: Any) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hotels-") as name:
        if owner:
            shutil.chown(name, owner["user"], owner["group"])
        yield Path(name)


@contextlib.contextmanager
def running_postgres() -> Iterator[Server]:
    """PostgreSQL with a user "hotels" who needs no password; see `database_url`."""
    port = free_port()
    with _folder(**NOT_ROOT) as folder:
        data = folder / "data"
        make = f"{program('initdb')} -D {data} -U hotels --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync"
        subprocess.run(make.split(), cwd=folder, check=True, capture_output=True, **NOT_ROOT)
        serve = f"{program('postgres')} -D {data} -h 127.0.0.1 -p {port} -k {folder} -F"
        postgres = Server(serve.split(), port, folder, cwd=folder, **NOT_ROOT)
        # It takes SIGINT for "now, but properly", and waits for its clients at SIGTERM.
        with stopped_at_the_end(postgres, signal.SIGINT):
            yield postgres


def database_url(postgres: Server, name: str = "postgres") -> str:
    return f"postgres://hotels@127.0.0.1:{postgres.port}/{name}"


def postgres_command(postgres: Server, command: str, *arguments: str, **options: Any) -> bytes:
    """What one of PostgreSQL's own programs prints."""
    reach = ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", "hotels"]
    done = subprocess.run([program(command), *reach, *arguments], check=True, capture_output=True, **options)
    return done.stdout


@contextlib.contextmanager
def running_redis() -> Iterator[Server]:
    """Redis with as many databases as any number of pytest's processes want."""
    port = free_port()
    with _folder() as folder:
        command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
        redis = Server([*command, "--save", "", "--databases", "64"], port, folder)
        with stopped_at_the_end(redis):
            yield redis


def cache_url(redis: Server, number: int = 0) -> str:
    return f"redis://127.0.0.1:{redis.port}/{number}"


def nginx_files(folder: Path, port: int, *sites: int, plain_port: int, cache: bool = False) -> Path:
    """The main file of an nginx that runs deploy/nginx.conf, with other ports, paths and certificate, and
    deploy/nginx-cache.conf if it is to have a `cache`."""
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
    if cache:
        in_front = (ROOT / "deploy" / "nginx-cache.conf").read_text(encoding="utf-8")
        site += in_front.replace("/var/cache/hotels", f"{folder}/cache")
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
    """A certificate for hotels.example that no browser trusts."""
    files = f"-keyout {folder / 'privkey.pem'} -out {folder / 'fullchain.pem'}"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=hotels.example {files}"
    subprocess.run(command.split(), check=True, capture_output=True)


@contextlib.contextmanager
def running_nginx(*sites: int, cache: bool = False) -> Iterator[Server]:
    """nginx over the sites at these ports, with a `cache` or without; `port` is that of TLS."""
    port = free_port()
    with _folder() as folder:
        main = nginx_files(folder, port, *sites, plain_port=free_port(), cache=cache)
        command = f"{program('nginx')} -c {main} -p {folder} -e {folder / 'error.log'}"
        with stopped_at_the_end(Server(command.split(), port, folder)) as nginx:
            yield nginx
