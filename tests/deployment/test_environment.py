"""The environment is taken literally; what can't be right is refused at start, by name and never by value."""

import runpy
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from environ import Env

from hotelsite import environment as env
from tests.rows import each
from tests.servers import ROOT, manage

Start = Callable[..., dict[str, Any]]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Start:
    """The settings of a process with these variables."""

    def started(**variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(ROOT / "hotelsite" / "settings.py"))

    return started


@pytest.fixture
def variables(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    given: dict[str, str] = {}
    monkeypatch.setattr(Env, "ENVIRON", given)
    return given


def test_a_dollar_sign_is_no_other_variable(variables: dict[str, str]) -> None:
    variables["GATEWAY_API_KEY"] = "$HOME$x"
    assert env.text("GATEWAY_API_KEY") == "$HOME$x"


def test_empty_counts_as_unset(variables: dict[str, str]) -> None:
    variables.update(SEARCH_FRESH_SECONDS=" ", GATEWAY_DEADLINE="", DEBUG="", ALLOWED_HOSTS="")
    assert env.number("SEARCH_FRESH_SECONDS", int, None, (0, 10)) is None
    assert env.number("GATEWAY_DEADLINE", float, 6.0, (0, 10)) == 6.0
    assert env.switch("DEBUG") is False
    assert env.each("ALLOWED_HOSTS", env.HOST_NAME, "hosts", "localhost") == ["localhost"]


def test_a_time_zone_is_one_that_there_is(start: Start) -> None:
    assert start()["TIME_ZONE"] == "UTC"
    assert start(TIME_ZONE="Europe/Madrid")["TIME_ZONE"] == "Europe/Madrid"
    for wrong in ("Europe", "Madrid", "../etc/passwd", "+02:00"):
        with pytest.raises(ImproperlyConfigured, match="TIME_ZONE must be a time zone"):
            start(TIME_ZONE=wrong)


def test_a_choice_may_be_written_in_capitals(variables: dict[str, str]) -> None:
    assert env.one_of("LOG_FORMAT", "pairs", "json") == "pairs"
    variables["LOG_FORMAT"] = "JSON"
    assert env.one_of("LOG_FORMAT", "pairs", "json") == "json"


def test_a_switch_is_on_or_off(variables: dict[str, str]) -> None:
    for word in ("1", "on", "ON", "Yes", "true"):
        variables["SECURE_TLS"] = word
        assert env.switch("SECURE_TLS") is True, word
    for word in ("0", "off", "OFF", "No", "false", ""):
        variables["SECURE_TLS"] = word
        assert env.switch("SECURE_TLS") is False, word


@pytest.mark.parametrize(
    "url", ["postgres://ann:word@host:5432/name", "postgresql:///name", "sqlite:////folder/file"]
)
def test_the_databases_that_the_site_works_with_are_taken(url: str) -> None:
    assert env.database(url)["ENGINE"].startswith("django.db.backends.")


HOSTS = "must be host names such as hotels.example, without https:// and port."
CACHE = f"must be {env.A_CACHE}."
DATABASE = "must be an address such as postgres://user@host/name or sqlite:////folder/file."


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SECURE_TLS", "enabled", "must be on or off."),
        ("TRUST_PROXY", "2", "must be on or off."),
        ("LOG_FORMAT", "xml-secret", "must be one of pairs, json."),
        ("LOG_LEVEL", "LOUD", "must be one of INFO, DEBUG, WARNING, WARN, ERROR, CRITICAL, FATAL."),
        ("DATABASE_URL", "mysqlx://ann:word@host/name", DATABASE),
        ("DATABASE_URL", "/elsewhere/file", DATABASE),
        ("DATABASE_URL", "sqlite://:memory:", DATABASE),
        ("DATABASE_URL", "sqlite://file", DATABASE),
        ("DATABASE_URL", "postgres://ann:word@host:port/name", DATABASE),
        ("DATABASE_URL", "postgres://host/name?conn_max_age=abc", DATABASE),
        ("CACHE_URL", "redis://:word@host:port/0", CACHE),
        ("CACHE_URL", "rediz://:word@host", CACHE),
        ("CACHE_URL", "memcache://host:11211", CACHE),
        ("CACHE_URL", "dbcache://table", CACHE),
        ("CACHE_URL", "file:///missing/folder/cache", CACHE),
        ("CACHE_URL", f"file://{__file__}", CACHE),
        ("CACHE_MAX_BYTES", "256MB", "must be a number from 16777216 to 1099511627776."),
        ("CACHE_MAX_BYTES", "1000", "must be a number from 16777216 to 1099511627776."),
        ("GATEWAY_BASE_URL", "https://gateway.example", "wants a key."),
        ("GATEWAY_BASE_URL", "http://gateway.example", "(http:// is for this machine alone)."),
        ("GATEWAY_DEADLINE", "1e2s", "must be a number from 0.1 to 120."),
        ("AIRPORTS_FRESH_SECONDS", "2592001", "must be a number from 0 to 2592000."),
        ("ALLOWED_HOSTS", "localhost,https://hotels.example", HOSTS),
        ("ALLOWED_HOSTS", " , ", HOSTS),
        ("CSRF_TRUSTED_ORIGINS", "elsewhere.example", "must be origins such as https://hotels.example."),
        ("SANDBOX_DAY", "30 April", "must be a date such as 2030-05-01."),
    ],
)
@pytest.mark.filterwarnings("ignore:SQLite URL contains host")
def test_a_value_that_means_nothing_stops_the_start(start: Start, name: str, value: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        start(**{"GATEWAY_API_KEY": "", name: value})
    assert name in str(refusal.value)
    assert str(refusal.value).endswith(said)
    assert value not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_a_database_that_is_gone_is_given_up_in_time(start: Start) -> None:
    database = start(DATABASE_URL="postgres://ann@host/name?connect_timeout=7")["DATABASES"]["default"]
    assert database["OPTIONS"] == {"connect_timeout": 7, "tcp_user_timeout": 5000, "keepalives_idle": 5}
    # Each thread would keep a connection of its own: a few processes of 32 use up those that PostgreSQL has.
    assert database.get("CONN_MAX_AGE", 0) == 0


def test_an_unreadable_file_of_variables_is_refused(variables: dict[str, str], tmp_path: Path) -> None:
    env.read_file(tmp_path / "missing")
    (tmp_path / "kept").write_text("DEBUG=on\nTIME_ZONE=Europe/Madrid\n")
    variables["DEBUG"] = "off"
    env.read_file(tmp_path / "kept")
    assert (env.switch("DEBUG"), env.text("TIME_ZONE")) == (False, "Europe/Madrid")
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes(b"SITE=Caf\xe9\n")
    for name in ("folder", "latin"):
        with pytest.raises(ImproperlyConfigured, match=f"{name} can't be read: "):
            env.read_file(tmp_path / name)


@pytest.mark.parametrize("line", ["API_KEY = secretword", " API_KEY=secretword", "secretword"])
def test_a_line_without_a_variable_is_refused_and_not_shown(
    variables: dict[str, str], tmp_path: Path, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "kept").write_text(f"# one\n  \nexport DEBUG=on\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match="line 4 is no NAME=value") as refusal:
        env.read_file(tmp_path / "kept")
    assert "secretword" not in f"{refusal.value}{caplog.text}"


def test_a_list_may_have_blanks_between_its_entries(variables: dict[str, str]) -> None:
    variables["ALLOWED_HOSTS"] = " hotels.example, www.hotels.example , "
    assert env.each("ALLOWED_HOSTS", env.HOST_NAME, "hosts") == ["hotels.example", "www.hotels.example"]


HOST_NAMES = ("hotels.example", ".hotels.example", "*", "192.0.2.1", "[::1]", "[2001:db8::1]", "hotels_1")
ORIGINS = ("https://hotels.example", "https://*.hotels.example", "http://localhost:8000")
NO_HOST_NAMES = (
    *("https://hotels.example", "hotels.example/", "hotels.example:8000"),
    *("::1", "[::1]:80", '"hotels.example"'),
)
NO_ORIGINS = ("hotels.example", "//hotels.example", "https://", "https://hotels.example/admin", "*")


@pytest.mark.parametrize(
    ("name", "taken", "refused"),
    [("ALLOWED_HOSTS", HOST_NAMES, NO_HOST_NAMES), ("CSRF_TRUSTED_ORIGINS", ORIGINS, NO_ORIGINS)],
)
def test_hosts_and_origins_are_those_that_browsers_say(
    start: Start, name: str, taken: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    assert start(**{name: ",".join(taken)})[name] == [*taken]
    for one in refused:
        with pytest.raises(ImproperlyConfigured, match=name):
            start(**{name: one})


def test_an_origin_loses_its_closing_slash(start: Start) -> None:
    origins = start(CSRF_TRUSTED_ORIGINS="https://hotels.example/")["CSRF_TRUSTED_ORIGINS"]
    assert origins == ["https://hotels.example"]


def test_a_number_is_the_one_that_is_spelled(variables: dict[str, str]) -> None:
    variables["GATEWAY_DEADLINE"] = "1e1"
    assert env.number("GATEWAY_DEADLINE", float, 6.0, (0.1, 120)) == 10


@pytest.mark.parametrize(
    "url",
    ["redis://cache.example:6379/3", "rediss://:pass%20word@cache.example/0", "unix:///run/redis.sock?db=1"],
)
def test_redis_gets_the_whole_address(url: str) -> None:
    cache = env.cache(url, Path("unused"), 2**24)
    assert cache["BACKEND"] == "django.core.cache.backends.redis.RedisCache"
    assert cache["LOCATION"] == url


def test_a_slow_cache_leaves_a_page_half_its_time() -> None:
    patience = env.cache("redis://cache.example:6379/3", Path("unused"), 2**24)["OPTIONS"]
    most = settings.GATEWAY_DEADLINE / 2 / 12
    # A packet that is lost is sent again after a fifth of a second.
    assert all(0.2 < patience[name] <= most for name in ("socket_connect_timeout", "socket_timeout"))


def test_the_default_cache_is_a_file_in_a_folder(tmp_path: Path) -> None:
    cache = env.cache("", tmp_path / "cache", 2**24)
    assert cache["BACKEND"] == "hotelsite.file_cache.FileCache"
    assert (cache["LOCATION"], cache["OPTIONS"]) == (str(tmp_path / "cache"), {"MAX_BYTES": 2**24})
    cache = env.cache(f"file://{tmp_path}/elsewhere", tmp_path / "cache", 2**24)
    assert cache["LOCATION"] == f"{tmp_path}/elsewhere"


def test_local_memory_serves_where_no_file_can_be_written(tmp_path: Path) -> None:
    cache = env.cache("", tmp_path / "missing" / "cache", 2**24)
    # Which keeps 300 entries unless it is told otherwise, and counts no bytes.
    assert cache == {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


@each(
    ("url", "address"),
    [
        ("", ""),
        ("https://gateway.example", "https://gateway.example"),
        ("https://gateway.example:8443/api/", "https://gateway.example:8443/api"),
        ("http://127.0.0.1:8099", "http://127.0.0.1:8099"),
        ("http://localhost:8099/", "http://localhost:8099"),
        ("http://[::1]:8099", "http://[::1]:8099"),
    ],
)
def test_a_base_address_loses_its_closing_slash(url: str, address: str) -> None:
    assert env.gateway_address(url) == address


def test_an_unsafe_base_address_is_refused_and_not_shown(variables: dict[str, str]) -> None:
    for url in [
        "http://gateway.example", "http://10.0.0.1", "http://127.0.0.1.evil.example",
        "http://localhost.evil.example", "https://user:secretword@gateway.example",
        "https://@gateway.example", "https://gateway.example/?apikey=secretword",
        "https://gateway.example/#x", "https://gateway.example?", "ftp://gateway.example",
        "gateway.example", "https://", "https://gateway.example:port", "https://gate way.example",
        "https://[::1", "//gateway.example",
    ]:  # fmt: skip
        variables["GATEWAY_BASE_URL"] = url
        with pytest.raises(ImproperlyConfigured, match="GATEWAY_BASE_URL") as refusal:
            env.read("GATEWAY_BASE_URL", env.gateway_address, env.AN_ADDRESS)
        assert "secretword" not in str(refusal.value), url


@each(
    ("url", "sources"),
    [
        ("", ""),
        ("/tiles/{z}/{x}/{y}.svg", ""),
        ("https://tile.example/{z}/{x}/{y}.png", "https://tile.example"),
        (
            "https://{s}.tile.example:8443/{z}/{x}/{y}.png?key=1",
            "https://a.tile.example:8443 https://b.tile.example:8443 https://c.tile.example:8443",
        ),
        (
            "https://tiles-{s}.example/{z}/{x}/{y}",
            "https://tiles-a.example https://tiles-b.example https://tiles-c.example",
        ),
        ("https://tile.example/{s}/{z}/{x}/{-y}{r}.png", "https://tile.example"),
        ("http://[::1]:8099/{z}/{x}/{y}.png", "http://[::1]:8099"),
    ],
)
def test_tiles_may_come_from_their_own_hosts_only(url: str, sources: str) -> None:
    assert env.tile_sources(url) == sources.split()


@each(
    "url",
    [
        "http://tile.example/{z}/{x}/{y}.png",
        "https://tile.example;script-src */{z}/{x}/{y}",
        "javascript:1/{z}/{x}/{y}",
        "//tile.example/{z}/{x}/{y}.png",
        "https://user:word@tile.example/{z}/{x}/{y}.png",
        "https://{z}.tile.example/{x}/{y}.png",
        "https://łódź.example/{z}/{x}/{y}.png",
        "https://tile.example/",
        "https://tile.example/{z}/{x}.png",
        "/tiles/{z}/{x}/{y}.png?key={key}",
    ],
)
def test_a_tile_address_without_tiles_or_of_odd_hosts_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        env.tile_sources(url)


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    path.touch()  # as a full disk left it
    with ThreadPoolExecutor(8) as pool:
        secrets = set(pool.map(lambda _: env.kept_secret(path), range(32)))
    assert len(secrets) == 1
    assert len(secrets.pop()) >= 50
    path.unlink()
    env.kept_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("name", ["binary", "folder", "missing/secret_key"])
def test_a_secret_that_can_be_neither_read_nor_kept_is_asked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ImproperlyConfigured, match=f"Set SECRET_KEY: none can be kept in .*/{name[-10:]}"):
        env.kept_secret(tmp_path / name)


def test_a_misspelt_drill_stops_the_start_with_one_line() -> None:
    done = manage("serve", SANDBOX_WEATHER="slow=1,flakey=0.3")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("SANDBOX_WEATHER: unknown sandbox weather: 'flakey' (known: slow, flaky, ")


TLS = {"SECURE_TLS": "on", "ALLOWED_HOSTS": "hotels.example"}


@pytest.mark.thorough
@pytest.mark.parametrize("variables", [{}, TLS, {**TLS, "SECURE_HSTS_SECONDS": "0"}])
def test_djangos_deployment_check_passes(variables: dict[str, str]) -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **variables)
    assert done.returncode == 0, done.stderr
    assert ("0 silenced" in done.stdout) is (variables == TLS)


@pytest.mark.thorough
def test_a_public_host_without_tls_does_not_pass() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", ALLOWED_HOSTS="hotels.example")
    assert done.returncode != 0
    assert "SECURE_SSL_REDIRECT" in done.stderr
