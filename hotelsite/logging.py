"""One line a record, `key=value`, with the request's id and without the gateway's key."""

import json
import logging
import logging.config
import re
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, quote_plus

from django.conf import settings

request_id: ContextVar[str] = ContextVar("request_id", default="-")
"""The id of the request being answered, "-" outside one; also in the X-Request-ID header of its answer."""

REDACTED = "[redacted]"
_KEY_PARAMETER = re.compile(r"(apikey(?:=|%3D|['\"]?\s*[:,]\s*['\"]?))[^&\s'\"<>\])}]+", re.IGNORECASE)
# Logs must not open shared links or watches. Django names paths in lines of its own; in ours the status
# follows, which is no code. Only the first of a run of slashes begins a match: trying thousands of them takes
# seconds.
_SHARED_LINK = re.compile(r"(?<![\w./])(/+(?:s|watch|share/+links)/+)(?!\s+status=)\s*[^/\s]+")
_ALREADY_PAIRS = re.compile(r"[a-z_]+=\S")
_SHORTEST_SECRET = 4


def redaction(secret: str = "") -> Callable[[str], str]:
    """What takes a secret, in plain or percent-encoded spelling, every `apikey=` value and the code of each
    shared link and watch out of a text."""
    spellings = {secret, quote(secret, safe=""), quote_plus(secret), repr(secret)[1:-1]}
    long_enough = [one for one in spellings if len(one) >= _SHORTEST_SECRET]

    def redact(text: str) -> str:
        for spelling in sorted(long_enough, key=len, reverse=True):
            text = text.replace(spelling, REDACTED)
        return _SHARED_LINK.sub(r"\1...", _KEY_PARAMETER.sub(rf"\1{REDACTED}", text))

    return redact


def record_factory(secret: str) -> Callable[..., logging.LogRecord]:
    """A factory of clean records: a filter would leave other handlers (an error tracker's) with the key."""
    redact = redaction(secret)

    def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = logging.LogRecord(*args, **kwargs)
        record.request_id = request_id.get()
        try:
            message = record.getMessage()
        except Exception:
            # Arguments that don't fit, or can't say what they are, cost neither a page nor a second line.
            message = f"{record.msg} {record.args!r}"
            record.msg, record.args = message, ()
        clean = redact(message)
        if clean != message:
            record.msg, record.args = clean, ()
        if record.exc_info and record.exc_info[0]:
            text = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            clean = redact(text)
            if clean != text:
                record.exc_text, record.exc_info = clean, None
        return record

    return make


def configure(config: Mapping[str, Any]) -> None:
    """Django's LOGGING_CONFIG: dictConfig, then records that can't hold the gateway's key."""
    logging.config.dictConfig(dict(config))
    logging.setLogRecordFactory(record_factory(settings.GATEWAY_API_KEY))


def has_traceback(record: logging.LogRecord) -> bool:
    """A filter of django.request: of its line for every 4xx and 5xx ours says the same with the request's id,
    and what was refused (a page that one may not see, a form that can't be read) needs no traceback."""
    return record.levelno >= logging.ERROR and bool(record.exc_info or record.exc_text)


def calm(record: logging.LogRecord) -> bool:
    """A filter that makes INFO, without a traceback, of what any visitor can cause: an address or a host name
    that Django refused with a 400."""
    if not record.name.startswith("django.security."):
        return True
    record.levelno, record.levelname = logging.INFO, "INFO"
    record.exc_info = record.exc_text = None
    return logging.getLogger().isEnabledFor(logging.INFO)


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, request, message, and a traceback as trace."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(self.fields(record))

    def fields(self, record: logging.LogRecord) -> dict[str, str]:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        trace = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else "")
        return {
            "time": moment.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "request": getattr(record, "request_id", "-"),
            "message": record.getMessage(),
            **({"trace": trace} if trace else {}),
        }


class LineFormatter(JsonFormatter):
    """`time=… level=… logger=… request=… msg="…"`; a message made of pairs is written as it is, a traceback
    follows as trace="…" with its line ends escaped."""

    def format(self, record: logging.LogRecord) -> str:
        fields = self.fields(record)
        message, trace = fields.pop("message"), fields.pop("trace", "")
        parts = [f"{name}={value}" for name, value in fields.items()]
        parts.append(_escaped(message) if _ALREADY_PAIRS.match(message) else f"msg={_quoted(message)}")
        return " ".join([*parts, f"trace={_quoted(trace)}"] if trace else parts)


def _escaped(text: str) -> str:
    """Control characters spelled out: no visitor writes a second line, or to a terminal, through a log."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _quoted(text: str) -> str:
    return '"' + _escaped(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'
