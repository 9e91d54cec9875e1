"""Lets ``requests`` talk to the sandbox without a socket.

Mount it on ``BASE_URL``: that name never resolves, so a session without the adapter can't reach
anything by mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from io import BytesIO

from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter
from requests.exceptions import ReadTimeout
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse

from search.sandbox.api import DEFAULT_KEY, Answer, problem
from search.sandbox.faults import RunningSandbox, in_its_time, long_before, standing_still
from search.sandbox.photos import ORIGIN
from search.sandbox.weather import FAIR, Weather

BASE_URL = ORIGIN

Timeout = float | tuple[float | None, float | None] | None


class SandboxAdapter(BaseAdapter):
    """Answers every request in process, in the given weather. ``clock`` as in ``SandboxServer``."""

    def __init__(
        self,
        weather: Weather = FAIR,
        *,
        key: str = DEFAULT_KEY,
        today: Callable[[], date] = long_before,
        clock: Callable[[], float] = standing_still,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._sandbox = RunningSandbox(weather, key=key, today=today)

    @property
    def delay(self) -> float:
        """What each answer takes in seconds, beside the time to make it."""
        return self._sandbox.delay

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Timeout = None,
        verify: bool | str = True,
        cert: bytes | str | tuple[bytes | str, bytes | str] | None = None,
        proxies: Mapping[str, str] | None = None,
    ) -> Response:
        """The response to a request; ``ReadTimeout`` if the weather is slower than the timeout allows."""
        patience = timeout[1] if isinstance(timeout, tuple) else timeout
        make, seconds = partial(self._answer, request), self._sandbox.delay
        try:
            return _response(request, in_its_time(make, seconds, self._clock, patience))
        except TimeoutError:
            raise ReadTimeout(request=request) from None

    def close(self) -> None:
        """Nothing is held open."""

    def _answer(self, request: PreparedRequest) -> Answer:
        if request.method != "GET":
            return problem(405, "Only GET is answered here.")
        return self._sandbox.answer(request.path_url)


def _response(request: PreparedRequest, answer: Answer) -> Response:
    headers = {**answer.headers, "Content-Length": str(len(answer.body))}
    response = Response()
    response.status_code = answer.status
    response.headers = CaseInsensitiveDict(headers)
    response.encoding = "utf-8"
    response.url = request.url or ""
    response.request = request
    response.raw = HTTPResponse(
        body=BytesIO(answer.body), headers=headers, status=answer.status, preload_content=False
    )
    return response
