"""Pages that begin before the gateway has answered, and those that don't."""

from __future__ import annotations

import gc
import re
import zlib
from collections.abc import Iterator
from itertools import cycle
from threading import Event

import brotli
import pytest
from django.http import HttpResponse
from django.test import Client
from prometheus_client import REGISTRY

from search.web import streaming
from tests.gateway.documents import a_listing_document, an_entry, details_document
from tests.wire import Reply, Wire

# Each test asks for nights of its own: what another one still fetches may reach the cache.
NIGHTS = (f"checkin=2030-05-{day:02}&checkout=2030-05-{day + 1:02}" for day in cycle(range(1, 30)))
OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "User-Agent": "Mozilla/5.0 Firefox/140"}
LONG = 10.0


class SlowGateway:
    """Answers a search once it is told to."""

    def __init__(self, wire: Wire) -> None:
        self.go = Event()
        self.search = f"?place=Porto&{next(NIGHTS)}&guests=2"
        self.results = f"/hotels/{self.search}"
        self.reply = Reply(a_listing_document(an_entry(), total=1))
        wire.answer_search(lambda _request: self.held(self.reply))

    def held(self, reply: Reply) -> Reply:
        """The reply, not before it may go."""
        assert self.go.wait(LONG)
        return reply


@pytest.fixture
def slow(wire: Wire, db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowGateway]:
    monkeypatch.setattr(streaming, "SECONDS_FOR_THE_WHOLE", 0.001)
    gateway = SlowGateway(wire)
    yield gateway
    gateway.go.set()


def pieces(response: HttpResponse) -> Iterator[str]:
    return (piece.decode() for piece in response.streaming_content)


def test_a_waiting_browser_gets_head_form_and_skeleton(slow: SlowGateway) -> None:
    response = Client().get(slow.results, headers=OPENED)
    begun = next(pieces(response))
    assert not slow.go.is_set()
    assert "<title>Hotels in Porto" in begun
    assert 'name="checkin"' in begun
    assert '<h1 class="results__title" dir="auto">Hotels in Porto</h1>' in begun
    assert "skeleton__card" in begun
    assert "</main>" not in begun


def test_a_begun_page_is_kept_by_no_shared_cache(slow: SlowGateway) -> None:
    """Like the page of a failure, which is this one's end where the gateway fails."""
    response = Client().get(slow.results, headers=OPENED)
    assert response.streaming
    assert response["Cache-Control"] == "private"


def test_the_hotels_follow_in_the_same_response(slow: SlowGateway) -> None:
    response = Client().get(slow.results, headers=OPENED)
    parts = pieces(response)
    begun = next(parts)
    slow.go.set()
    rest = "".join(parts)
    assert response.status_code == 200
    assert 'class="listing-card"' in rest
    assert rest.rstrip().endswith("</html>")
    assert (begun + rest).count("<!DOCTYPE html>") == (begun + rest).count("</footer>") == 1


def test_begun_or_not_a_page_has_the_same_content(slow: SlowGateway) -> None:
    parts = pieces(Client().get(slow.results, headers=OPENED))
    next(parts)
    slow.go.set()
    rest = "".join(parts)
    whole = Client().get(slow.results).content.decode()
    assert rest == whole.partition(streaming.CONTENT)[2]


def test_a_hotel_without_dates_begins_without_days_and_prices(slow: SlowGateway, wire: Wire) -> None:
    wire.answer_details(lambda _request: slow.held(Reply(details_document())))
    begun = next(pieces(Client().get("/hotels/ACME/77/?place=Porto", headers=OPENED)))
    content = begun[begun.index(streaming.CONTENT) :]
    assert "Hotel details" in content
    assert "nights" not in content
    assert "Asking every provider for prices…" not in content
    assert 'name="description"' not in begun


def test_a_property_begins_too_and_names_itself_when_it_is_known(slow: SlowGateway) -> None:
    parts = pieces(Client().get(f"/hotels/ACME/77/{slow.search}", headers=OPENED))
    begun = next(parts)
    assert "<title>Hotel details" in begun
    assert re.search(r'<meta name="description" content="[^"]+ nights? · [^"]+">', begun)
    slow.go.set()
    assert '<page-title data-title="' in "".join(parts)


def test_a_failure_after_the_beginning_ends_as_a_whole_page(slow: SlowGateway) -> None:
    slow.reply = Reply(status=503)
    parts = pieces(Client().get(slow.results, headers=OPENED))
    next(parts)
    slow.go.set()
    rest = "".join(parts)
    assert "<h1>" in rest
    assert "Try again" in rest
    assert rest.rstrip().endswith("</html>")


@pytest.mark.parametrize("path", ["", "ACME/77/"])
def test_a_failure_after_the_beginning_has_every_id_once(slow: SlowGateway, wire: Wire, path: str) -> None:
    slow.reply = Reply(status=503)
    wire.answer_details(lambda _request: slow.held(Reply(status=404)))
    parts = pieces(Client().get(f"/hotels/{path}{slow.search}", headers=OPENED))
    begun = next(parts)
    slow.go.set()
    page = begun + "".join(parts)
    assert "skeleton" in page
    assert 'class="message-page' in page
    assert page.count('role="search"') == page.count("js/date-range.") == 1
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert sorted(ids) == sorted(set(ids))


def test_an_error_of_ours_after_the_beginning_is_logged_and_said(
    slow: SlowGateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    parts = pieces(Client().get(slow.results, headers=OPENED))
    next(parts)
    monkeypatch.setattr("search.results.views.page_or_json", None)
    slow.go.set()
    rest = "".join(parts)
    assert "Something went wrong on our side" in rest
    assert "TypeError" not in rest
    assert any(record.exc_info for record in caplog.records if record.name == streaming.__name__)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Pages that other tests left unread don't end meanwhile."""
    gc.disable()
    yield
    gc.enable()


def counted(status: int) -> float:
    labels = {"view": "results", "status": str(status)}
    return REGISTRY.get_sample_value("hotelsite_http_requests_total", labels) or 0


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("status", [200, 500, 503])
def test_log_and_counts_tell_how_it_ended(
    slow: SlowGateway, status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "hotelsite.request")
    before = counted(status)
    if status == 503:
        slow.reply = Reply(status=503)
    response = Client().get(slow.results, headers=OPENED)
    parts = pieces(response)

    def lines() -> list[str]:
        id_ = response["X-Request-ID"]
        return [one.getMessage() for one in caplog.records if one.request_id == id_ and "path=" in one.msg]

    next(parts)
    assert not lines()
    if status == 500:
        monkeypatch.setattr("search.results.views.page_or_json", None)
    slow.go.set()
    list(parts)
    (line,) = lines()
    assert f"path=/hotels/ status={status} " in line
    assert counted(status) == before + 1


@pytest.mark.usefixtures("uncollected")
def test_a_visitor_who_left_is_counted(slow: SlowGateway) -> None:
    before = counted(200)
    response = Client().get(slow.results, headers=OPENED)
    next(pieces(response))
    response.close()
    assert counted(200) == before + 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"User-Agent": "curl/8"},
        {**OPENED, "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"},
        {**OPENED, "Sec-Purpose": "prefetch"},
        {**OPENED, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {**OPENED, "Cookie": f"sessionid={'a' * 32}"},
    ],
    ids=["nothing said", "program", "robot", "prefetch", "script", "staff"],
)
def test_everybody_else_gets_the_whole_page_with_its_true_status(
    slow: SlowGateway, headers: dict[str, str]
) -> None:
    slow.go.set()
    slow.reply = Reply(status=503)
    assert Client().get(slow.results, headers=headers).status_code == 503


def test_head_gets_the_true_status(slow: SlowGateway) -> None:
    slow.go.set()
    slow.reply = Reply(status=503)
    assert Client().head(slow.results, headers=OPENED).status_code == 503


def test_an_answer_in_time_is_a_whole_page_with_its_true_status(
    wire: Wire, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "SECONDS_FOR_THE_WHOLE", LONG)
    wire.search(status=503)
    response = Client().get(f"/hotels/?place=Porto&{next(NIGHTS)}&guests=2", headers=OPENED)
    assert not response.streaming
    assert response.status_code == 503


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_each_piece_is_compressed_and_complete(slow: SlowGateway, encoding: str) -> None:
    response = Client().get(slow.results, headers={**OPENED, "Accept-Encoding": encoding})
    assert response["Content-Encoding"] == encoding
    sent = iter(response.streaming_content)
    unpack = brotli.Decompressor().process if encoding == "br" else zlib.decompressobj(31).decompress
    assert "skeleton__card" in unpack(next(sent)).decode()
    slow.go.set()
    assert b"".join(unpack(piece) for piece in sent if piece).decode().rstrip().endswith("</html>")
