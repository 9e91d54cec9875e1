"""Reading the environment: values taken literally, and refused by name, never by value."""

import fcntl
import ipaddress
import os
import re
import secrets
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

# A page asks the cache a dozen times, so each answer is waited for little longer than a lost packet takes.
CACHE_SECONDS_TO_ANSWER = 0.25
REDIS = "django.core.cache.backends.redis.RedisCache"
LOCAL_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
# Others of Django's want a library or a table that the site doesn't have.
OTHER_CACHES = ("locmemcache://", "filecache://", "dummycache://")
DATABASES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
# What Leaflet puts for {s} in the address of tiles.
TILE_SUBDOMAINS = "abc"
_VARIABLE = re.compile(r"(?:export )?[A-Za-z_0-9]+=")
_PLACEHOLDER = re.compile(r"{([^{}]*)}")
# Of each request Django compares the name alone, and browsers send an origin without a closing slash.
HOST_NAME = re.compile(r"(\*|[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])")
ORIGIN = re.compile(r"(https?://[^\s/]+)/?")
_SOURCE = re.compile(r"https?://[A-Za-z0-9.:\[\]_-]+")
SWITCH = {
    **dict.fromkeys(("1", "on", "yes", "y", "true", "ok"), True),
    **dict.fromkeys(("0", "off", "no", "n", "false"), False),
}

Parsed = TypeVar("Parsed")


class Environment(environ.Env):  # type: ignore[misc]
    """django-environ without its surprises: `$` at the start is no other variable, and empty means unset."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """The value of `var`, cast, else `default`. Raises ImproperlyConfigured without showing the value."""
        value = self.ENVIRON.get(var, "").strip()
        if not value:
            if default is self.NOTSET:
                raise ImproperlyConfigured(f"Set the {var} environment variable.")
            return self.parse_value(default, cast) if parse_default else default
        try:
            return self.parse_value(value, cast)
        except (ValueError, TypeError):
            # The value may be a secret in the wrong place, so neither it nor its cause is shown.
            raise ImproperlyConfigured(f"{var} has a value that can't be read.") from None

    @classmethod
    def read_file(cls, path: Path) -> None:
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
        cls.read_env(StringIO("\n".join(lines)))

    @classmethod
    def parse_value(cls, value: str, cast: Any) -> Any:
        """A number as it is spelled, of which django-environ takes the digits alone ("1e2" would be 12), and
        the entries of a list without the blanks around them."""
        if cast is float:
            return float(value)
        if cast is list:
            return [entry.strip() for entry in value.split(",") if entry.strip()]
        return super().parse_value(value, cast)

    def read(self, var: str, parse: Callable[[str], Parsed], must: str, default: str = "") -> Parsed:
        """What `parse` makes of the value; refused as "VAR must be ..." where it can't."""
        try:
            return parse(str(self.get_value(var, default=default)))
        except (ValueError, LookupError, OSError):
            raise ImproperlyConfigured(f"{var} must be {must}.") from None

    def switch(self, var: str) -> bool:
        """Whether it is on; off when unset. A word that means neither must not pass for off."""
        return self.read(var, lambda value: SWITCH[value.lower()], "on or off", "off")

    def ranged(self, var: str, cast: type, default: float | None, limits: tuple[float, float]) -> Any:
        """A number within these limits; `default` when unset."""
        value, (low, high) = self.get_value(var, cast, default), limits
        if value is not None and not low <= value <= high:
            raise ImproperlyConfigured(f"{var} must be a number from {low} to {high}.")
        return value

    def each(self, var: str, form: re.Pattern[str], must: str, default: Sequence[str] = ()) -> list[str]:
        """Of each entry of a list the part in brackets; refused as "VAR must be ..." where one has another
        form, or where there is none instead of a default."""
        entries = [form.fullmatch(entry) for entry in self.list(var, default=[*default])]
        if not all(entries) or (default and not entries):
            raise ImproperlyConfigured(f"{var} must be {must}.")
        return [entry[1] for entry in entries if entry]

    def one_of(self, var: str, default: str, *others: str) -> str:
        """One of these words, in capitals or not; the first when unset."""
        words = {word.casefold(): word for word in (default, *others)}
        one_of_them = f"one of {', '.join(words.values())}"
        return self.read(var, lambda value: words[value.casefold()], one_of_them, default)

    def checked(self, var: str, check: Callable[[str], object]) -> str:
        """A text, empty when unset; refused where `check` raises ValueError, whose reason is shown."""
        value = str(self.get_value(var, default=""))
        try:
            check(value)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var}: {error}.") from None
        return value

    def database(self, var: str, default: str) -> dict[str, Any]:
        """The database of a URL such as postgres://user@host/name, for DATABASES."""
        url = str(self.get_value(var, default=default))
        if self.DB_SCHEMES.get(url.partition(":")[0]) not in DATABASES:
            raise ImproperlyConfigured(f"{var} must begin with sqlite:// or postgres://.")
        try:
            config = dict(self.db_url_config(url))
        except ValueError:  # of a port that is no number, with the whole address
            raise ImproperlyConfigured(f"{var} is not an address.") from None
        # So is sqlite://a.file, where a.file is a host. Each process would have an empty database of its own.
        if config["NAME"] == ":memory:":
            raise ImproperlyConfigured(f"{var} must name a file, such as sqlite:////folder/file.")
        if not isinstance(config.get("CONN_MAX_AGE", 0), int | None):
            raise ImproperlyConfigured(f"{var}: conn_max_age must be a number of seconds.")
        return config

    def cache(self, var: str, folder: Path, most: int) -> dict[str, Any]:
        """The cache of a URL such as redis://host:6379/0, for CACHES; unset, a file in `folder`.

        file:///a/folder puts that file, of `most` bytes, elsewhere. Where none can be written, local memory.
        """
        url = self.get_value(var, default="")
        if url.startswith(("redis://", "rediss://", "unix://")):
            _parts(url, var)
            # django-environ picks django_redis and mangles the options; Django's own takes the URL whole.
            # A cache that is down must cost a page next to nothing: it then works without.
            patience = dict.fromkeys(("socket_connect_timeout", "socket_timeout"), CACHE_SECONDS_TO_ANSWER)
            return {"BACKEND": REDIS, "LOCATION": url, "OPTIONS": patience}
        if url.startswith(OTHER_CACHES):
            return dict(self.cache_url_config(url))
        if url and not url.startswith("file://"):
            begins = "redis://, rediss://, unix://, file:// or locmemcache://"
            raise ImproperlyConfigured(f"{var} must begin with {begins}.")
        folder = Path(url.removeprefix("file://") or folder)
        where = folder if folder.exists() else folder.parent
        if where.is_dir() and os.access(where, os.W_OK):
            options = {"MAX_BYTES": most}
            return {"BACKEND": "hotelsite.file_cache.FileCache", "LOCATION": str(folder), "OPTIONS": options}
        if url:
            raise ImproperlyConfigured(f"{var} must name a folder that can be written, in one that there is.")
        # It bounds entries, not bytes: 300 of them, each of a megabyte at most.
        return {"BACKEND": LOCAL_MEMORY}


def gateway_address(url: str) -> str:
    """The gateway's base address without a closing slash; "" (the sandbox) stays "". Raises
    ImproperlyConfigured naming GATEWAY_BASE_URL: the key travels in it, hence https but for loopback."""
    if not url:
        return ""
    parts = _split(url, "GATEWAY_BASE_URL")
    if parts.username is not None or parts.password is not None:
        raise ImproperlyConfigured("GATEWAY_BASE_URL must not hold a user name or password.")
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise ImproperlyConfigured("GATEWAY_BASE_URL must not hold a query or a fragment.")
    return url.rstrip("/")


def tile_sources(url: str) -> list[str]:
    """Where a Content-Security-Policy lets map tiles come from, such as https://a.tile.example; nothing for
    tiles of our own. Raises ImproperlyConfigured naming MAP_TILE_URL."""
    named = set(_PLACEHOLDER.findall(url))
    if url and not ({"z", "x"} <= named and named & {"y", "-y"} and named <= {"z", "x", "y", "-y", "s", "r"}):
        raise ImproperlyConfigured("MAP_TILE_URL must hold {z}, {x} and {y}, and may hold {s} and {r}.")
    if not url or (url.startswith("/") and not url.startswith("//")):
        return []
    # Each by name, as a policy knows no asterisk but a whole first part of a host.
    hosts = [_split(url.replace("{s}", letter), "MAP_TILE_URL") for letter in TILE_SUBDOMAINS]
    sources = list(dict.fromkeys(f"{parts.scheme}://{parts.netloc}" for parts in hosts))
    if not all(map(_SOURCE.fullmatch, sources)):
        raise ImproperlyConfigured("MAP_TILE_URL must have a plain host name, in which {s} alone may stand.")
    return sources


def _parts(url: str, name: str) -> SplitResult:
    """The parts of an address whose port, if any, is a number."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ImproperlyConfigured(f"{name} is not an address.") from None
    return parts


def _split(url: str, name: str) -> SplitResult:
    parts = _parts(url, name)
    host = parts.hostname
    if not host or any(character.isspace() or character in "\\;," for character in url):
        raise ImproperlyConfigured(f"{name} is not an address.")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        raise ImproperlyConfigured(f"{name} must begin with https:// (http:// is for this machine alone).")
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
