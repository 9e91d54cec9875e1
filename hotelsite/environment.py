"""Reading the environment: values taken literally, and refused by name, never by value."""

import fcntl
import ipaddress
import os
import re
import secrets
from collections.abc import Callable
from configparser import ConfigParser
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

# A page asks the cache a dozen times, so each answer is waited for little longer than a lost packet takes.
CACHE_SECONDS_TO_ANSWER = 0.25
REDIS = "django.core.cache.backends.redis.RedisCache"
LOCAL_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
A_CACHE = "redis://, rediss:// or unix:// and an address, file:// and a folder to write in, or locmemcache://"
DATABASES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
A_DATABASE = "an address such as postgres://user@host/name or sqlite:////folder/file"
AN_ADDRESS = "an https:// address without user name, query and fragment (http:// is for this machine alone)"
TILES = (
    "a path or an https:// address with {z}, {x} and {y}, at will {r} and {s}, which may stand in its host"
)
# What Leaflet puts for {s} in the address of tiles.
TILE_SUBDOMAINS = "abc"
_VARIABLE = re.compile(r"(?:export )?[A-Za-z_0-9]+=")
_PLACEHOLDER = re.compile(r"{([^{}]*)}")
# Of each request Django compares the name alone, and browsers send an origin without a closing slash.
HOST_NAME = re.compile(r"(\*|[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])")
ORIGIN = re.compile(r"(https?://[^\s/]+)/?")
_SOURCE = re.compile(r"https?://[A-Za-z0-9.:\[\]_-]+")
Parsed = TypeVar("Parsed")


def read_file(path: Path) -> None:
    """Takes the variables that are not set from a file such as .env, where there is one."""
    try:
        # Windows' editors begin the file with a mark of its encoding.
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it isn't UTF-8"
        raise ImproperlyConfigured(f"{path} can't be read: {reason}.") from None
    # django-environ skips a line that it can't read, and logs the whole of it, the key included.
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if name := _VARIABLE.match(line):
            # Quotes are taken off where nothing stands around them, as systemd and shells do.
            lines.append(name[0] + line[name.end() :].strip())
        elif line.strip() and not line.lstrip().startswith("#"):
            raise ImproperlyConfigured(f"{path} can't be read: line {number} is no NAME=value.")
    Env.read_env(StringIO("\n".join(lines)))


def text(name: str, default: str = "") -> str:
    """A variable as it is set; an empty one counts as unset."""
    return Env.ENVIRON.get(name, "").strip() or default


def read(name: str, parse: Callable[[str], Parsed], must: str, default: str = "") -> Parsed:
    """What `parse` makes of a variable; refused as "NAME must be ..." where it can't."""
    try:
        return parse(text(name, default))
    except (ValueError, LookupError, OSError):
        # The value may be a secret in the wrong place, so neither it nor its cause is shown.
        raise ImproperlyConfigured(f"{name} must be {must}.") from None


def switch(name: str) -> bool:
    """Whether it is on; off when unset. A word that means neither must not pass for off."""
    return read(name, lambda value: ConfigParser.BOOLEAN_STATES[value.lower()], "on or off", "off")


def number(name: str, cast: type, default: float | None, limits: tuple[float, float]) -> Any:
    """A number within these limits; `default` when unset."""
    low, high = limits

    def within(value: str) -> Any:
        if value and not low <= cast(value) <= high:
            raise ValueError
        return cast(value) if value else default

    return read(name, within, f"a number from {low} to {high}")


def each(name: str, form: re.Pattern[str], must: str, default: str = "") -> list[str]:
    """Of each entry of a list the part in brackets; at least one where there is a default."""

    def parts(value: str) -> list[str]:
        entries = [form.fullmatch(entry.strip()) for entry in value.split(",") if entry.strip()]
        if not all(entries) or (default and not entries):
            raise ValueError
        return [entry[1] for entry in entries if entry]

    return read(name, parts, must, default)


def one_of(name: str, *choices: str) -> str:
    """One of these words, in capitals or not; the first when unset."""
    words = {word.casefold(): word for word in choices}
    return read(name, lambda value: words[value.casefold()], f"one of {', '.join(choices)}", choices[0])


def database(url: str) -> dict[str, Any]:
    """The database of a URL such as postgres://user@host/name, for DATABASES. Raises ValueError."""
    if Env.DB_SCHEMES.get(url.partition(":")[0]) not in DATABASES:
        raise ValueError
    config = dict(Env.db_url_config(url))
    # So is sqlite://a.file, where a.file is a host. Each process would have an empty database of its own.
    if config["NAME"] == ":memory:" or not isinstance(config.get("CONN_MAX_AGE", 0), int | None):
        raise ValueError
    return config


def cache(url: str, folder: Path, most: int) -> dict[str, Any]:
    """The cache of a URL, for CACHES. Without one it is a file of `most` bytes in `folder`, of which file://
    names another, or local memory where none can be written. Raises ValueError."""
    scheme, _, rest = url.partition("://")
    if scheme in ("redis", "rediss", "unix"):
        _ = urlsplit(url).port
        # A cache that is down must cost a page next to nothing: it then works without.
        patience = dict.fromkeys(("socket_connect_timeout", "socket_timeout"), CACHE_SECONDS_TO_ANSWER)
        return {"BACKEND": REDIS, "LOCATION": url, "OPTIONS": patience}
    folder = Path(rest) if rest else folder
    where = folder if folder.exists() else folder.parent
    if scheme in ("", "file") and where.is_dir() and os.access(where, os.W_OK):
        options = {"MAX_BYTES": most}
        return {"BACKEND": "hotelsite.file_cache.FileCache", "LOCATION": str(folder), "OPTIONS": options}
    if scheme not in ("", "locmemcache"):
        raise ValueError
    # It bounds entries, not bytes: 300 of them, each of a megabyte at most.
    return {"BACKEND": LOCAL_MEMORY}


def gateway_address(url: str) -> str:
    """The gateway's base address without a closing slash; "" (the sandbox) stays "". Raises ValueError: the
    key travels in it, hence https but for loopback."""
    if not url:
        return ""
    parts = _split(url)
    if parts.username is not None or parts.password is not None or "?" in url or "#" in url:
        raise ValueError
    return url.rstrip("/")


def tile_sources(url: str) -> list[str]:
    """Where a Content-Security-Policy lets map tiles come from, such as https://a.tile.example; nothing for
    tiles of our own. Raises ValueError."""
    if url and {*_PLACEHOLDER.findall(url)} - {"s", "r"} not in ({"z", "x", "y"}, {"z", "x", "-y"}):
        raise ValueError
    if not url or re.match("/(?!/)", url):
        return []
    # Each by name, as a policy knows no asterisk but a whole first part of a host.
    hosts = [_split(url.replace("{s}", letter)) for letter in TILE_SUBDOMAINS]
    sources = list(dict.fromkeys(f"{parts.scheme}://{parts.netloc}" for parts in hosts))
    if not all(map(_SOURCE.fullmatch, sources)):
        raise ValueError
    return sources


def _split(url: str) -> SplitResult:
    """The parts of an address that is safe to send a key to. Raises ValueError."""
    parts = urlsplit(url)
    _ = parts.port
    host = parts.hostname
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host or ""))
    if not host or not is_safe or any(letter.isspace() or letter in "\\;," for letter in url):
        raise ValueError
    return parts


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    host = host.strip("[]").lower()
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def kept_secret(path: Path) -> str:
    """The secret in `path` (mode 0600), made at the first call; several processes may call at once. Raises
    ImproperlyConfigured naming SECRET_KEY where the file can't be read or written."""
    try:
        if path.exists() and (secret := path.read_text().strip()):
            return secret
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not (secret := file.read().strip()):
                secret = secrets.token_urlsafe(64)
                file.write(secret)
    except (OSError, UnicodeDecodeError):
        name = f"{path.parent.name}/{path.name}"
        raise ImproperlyConfigured(f"Set SECRET_KEY: none can be kept in {name}.") from None
    return secret
