"""Log lines: one a record, with the request's id, without the gateway's key."""

import json
import logging
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.test import Client

from hotelsite.logging import (
    JsonFormatter,
    LineFormatter,
    calm,
    has_traceback,
    record_factory,
    redaction,
    request_id,
)
from search.sharing import views
from tests.servers import manage

KEY = "k3y/with+odd=characters"


@pytest.fixture
def keyed() -> Iterator[None]:
    """Records are made as they are with the key KEY configured."""
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(record_factory(KEY))
    yield
    logging.setLogRecordFactory(before)


def _everything(record: logging.LogRecord) -> str:
    """All that any handler could make of a record."""
    return f"{logging.Formatter().format(record)} {record.__dict__!r}"


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        (f"asked with {KEY}", ()),
        ("asked %s", (f"https://gateway.example/x?place=Rome&apikey={KEY}",)),
        ("asked %(url)s", ({"url": f"/x?apikey={KEY}&b=1"},)),
        ("asked %r", (ConnectionError(f"/x?apikey={KEY}"),)),
        ("asked /x?apikey=k3y%2Fwith%2Bodd%3Dcharacters", ()),
        ("asked %s", (["apikey=other-key-than-ours"],)),
        (f"wrong number of arguments {KEY} %s %s", ("one",)),
    ],
)
@pytest.mark.usefixtures("keyed")
def test_no_record_of_any_logger_holds_the_key(
    message: str,
    arguments: tuple[object, ...],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    # A record that can't be formatted makes the logging module itself complain, on a handler of the test.
    monkeypatch.setattr(caplog.handler, "formatter", logging.Formatter("%(msg)s"))
    logging.getLogger("some.library").debug(message, *arguments)
    (record,) = caplog.records
    for secret in (KEY, "k3y%2Fwith", "other-key"):
        assert secret not in repr(record.__dict__)
    assert "[redacted]" in repr(record.__dict__)


@pytest.mark.usefixtures("keyed")
def test_no_traceback_holds_the_key(caplog: pytest.LogCaptureFixture) -> None:
    try:
        try:
            raise ConnectionError(f"https://gateway.example/x?apikey={KEY}")
        except ConnectionError as error:
            raise RuntimeError("the call failed") from error
    except RuntimeError:
        logging.getLogger("anything").exception("no answer")
    (record,) = caplog.records
    assert KEY not in _everything(record)
    assert "RuntimeError: the call failed" in logging.Formatter().format(record)


@pytest.mark.usefixtures("keyed")
def test_a_record_without_a_secret_stays_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("anything").warning("%s of %d", "one", 20)
    (record,) = caplog.records
    assert (record.msg, record.args) == ("%s of %d", ("one", 20))


def _line(message: str, *arguments: object, **more: object) -> str:
    record = logging.getLogRecordFactory()(
        "search.gateway", logging.WARNING, "file.py", 1, message, arguments, more.get("exc_info")
    )
    return LineFormatter().format(record)


class _Unspeakable:
    def __str__(self) -> str:
        raise AttributeError("no words")


@pytest.mark.parametrize(("message", "argument"), [("%d hotels", "many"), ("hotels: %s", _Unspeakable())])
def test_a_record_whose_arguments_do_not_fit_is_one_line_too(message: str, argument: object) -> None:
    line = _line(message, argument)
    assert repr(argument) in line.replace("\\", "")
    assert "\n" not in line


def test_a_message_of_pairs_is_taken_as_it_is() -> None:
    assert _line("endpoint=%s outcome=ok ms=%d", "search", 12).endswith(
        " level=WARNING logger=search.gateway request=- endpoint=search outcome=ok ms=12"
    )


def test_a_sentence_is_quoted_and_stays_on_one_line() -> None:
    line = _line('a "place"\nlevel=ERROR forged \x1b[31m')
    assert line.endswith(r'msg="a \"place\"\nlevel=ERROR forged \x1b[31m"')
    assert "\n" not in line


def test_a_traceback_stays_on_the_line_of_its_record() -> None:
    try:
        raise ValueError("bad")
    except ValueError:
        line = _line("failed", exc_info=sys.exc_info())
    assert "\n" not in line
    assert r"\nValueError: bad" in line


def test_a_record_as_json_is_one_object_on_one_line() -> None:
    try:
        raise ValueError("bad")
    except ValueError:
        record = logging.LogRecord("a.b", logging.ERROR, "f", 1, 'a "place"\nof %s', ("ü",), sys.exc_info())
    line = JsonFormatter().format(record)
    found = json.loads(line)
    assert "\n" not in line
    assert found.pop("trace").endswith("\nValueError: bad")
    assert datetime.fromisoformat(found.pop("time")).tzinfo is UTC
    assert found == {"level": "ERROR", "logger": "a.b", "request": "-", "message": 'a "place"\nof ü'}


def test_django_logs_exceptions_and_no_404() -> None:
    plain = logging.LogRecord("django.request", logging.WARNING, "f", 1, "Not Found: /x", (), None)
    failed = logging.LogRecord("django.request", logging.ERROR, "f", 1, "Error: /x", (), None)
    failed.exc_text = "Traceback"
    refused = logging.LogRecord("django.request", logging.WARNING, "f", 1, "Forbidden: /x", (), None)
    refused.exc_text = "Traceback"
    assert (has_traceback(plain), has_traceback(failed), has_traceback(refused)) == (False, True, False)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/s/AbCdEfGhIjKl/", "/s/.../"),
        ("/s/AbCdEfGhIjKl", "/s/..."),
        ("/s/AbCdEfGhIjKl/x", "/s/.../x"),
        ("/watch/AbCdEfGhIjKl.signature/totals.atom", "/watch/.../totals.atom"),
        ("/share/links/AbCdEfGhIjKl/nothing", "/share/links/.../nothing"),
    ],
)
@pytest.mark.django_db
def test_the_code_of_a_shared_link_is_in_no_line(
    client: Client, caplog: pytest.LogCaptureFixture, address: str, told: str
) -> None:
    caplog.set_level(logging.INFO)
    client.get(address)
    assert f"path={told} " in caplog.text
    assert "AbCdEfGhIjKl" not in caplog.text


@pytest.mark.parametrize("refused", ["csrf", "host", "parameters", "error"])
@pytest.mark.django_db
def test_django_logs_no_code_of_a_shared_link(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    caplog.set_level(logging.INFO)
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    if refused == "csrf":
        client.post("/share/links/AbCdEfGhIjKl/revoke/")
    elif refused == "host":
        client.get("/s/AbCdEfGhIjKl/", headers={"host": "evil.example"})
    elif refused == "parameters":
        client.get(f"/s/AbCdEfGhIjKl/?{'stars=4&' * 1_001}")
    else:
        monkeypatch.setattr(views, "usable_code", lambda _code: 1 / 0)
        client.get("/s/AbCdEfGhIjKl/")
    assert "path=/s" in caplog.text
    assert "AbCdEfGhIjKl" not in "".join(LineFormatter().format(record) for record in caplog.records)


def _refuse(_signal: int, _frame: object) -> None:
    raise AssertionError("more than five seconds of processor time")


def test_an_address_of_nothing_but_slashes_is_logged_at_once() -> None:
    before = signal.signal(signal.SIGVTALRM, _refuse)
    signal.setitimer(signal.ITIMER_VIRTUAL, 5)
    try:
        path = f"/x{'/' * 300_000}"
        assert redaction()(f"method=GET path={path} status=404") == f"method=GET path={path} status=404"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize(
    "address", ["/share/links/", "/s/", "/destinations/from/STN/", "/x%20status=200%20level=ERROR"]
)
@pytest.mark.django_db
def test_any_other_address_stands_in_its_line(
    client: Client, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    caplog.set_level(logging.INFO)
    status = client.get(address).status_code
    assert f"path={address} status={status} " in caplog.text


@pytest.mark.parametrize(("level", "written"), [("INFO", True), ("WARNING", False)])
def test_what_django_refuses_is_no_error(caplog: pytest.LogCaptureFixture, level: str, written: bool) -> None:
    caplog.set_level(level)
    refused, failed = (
        logging.LogRecord(name, logging.ERROR, "f", 1, "no", (), (None, None, None))
        for name in ("django.security.X", "django.request")
    )
    assert (calm(refused), calm(failed)) == (written, True)
    assert (refused.levelname, refused.exc_info) == ("INFO", None)
    assert failed.levelname == "ERROR"


def test_each_answer_carries_the_id_of_its_log_line_and_no_query(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="hotelsite.request")
    answer = client.get("/healthz?place=Rome")
    (record,) = (r for r in caplog.records if r.name == "hotelsite.request")
    assert record.request_id == answer["X-Request-ID"]
    assert record.getMessage().startswith("method=GET path=/healthz status=200 ms=")
    assert "Rome" not in record.getMessage()
    assert request_id.get() == "-"


@pytest.mark.thorough
def test_the_level_holds_for_djangos_own_records() -> None:
    code = (
        "import logging; log = logging.getLogger('django.security');"
        " log.warning('a warning'); log.error('an error')"
    )
    done = manage("shell", "--no-imports", "-c", code, LOG_LEVEL="ERROR")
    assert "an error" in done.stderr
    assert "a warning" not in done.stderr
