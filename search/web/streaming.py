"""Pages that begin before the gateway has answered, and the threads that make pages or parts of them.

Where a page takes longer than a moment, a browser that opens it gets head, search bar, heading and a skeleton
at once, and the rest in the same response. Others, and quick pages, get the whole page with its true status.
"""

import contextvars
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextvars import Context, copy_context
from functools import partial
from html import unescape
from typing import TypeVar

from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.html import format_html

from search.domain import process

logger = logging.getLogger(__name__)

# A whole page that is ready so soon needs no beginning.
SECONDS_FOR_THE_WHOLE = 0.08
# As many as the threads of a process that serve pages: a request has one page at a time.
THREADS = 64
# Stands in base.html where the content begins.
CONTENT = "<!--content-->"
# Marks around a search form that is part of the content (search_form.html), and what a head with one says.
_FORM = re.compile("<!--search-form-->.*?<!--/search-form-->", re.DOTALL)
_BAR = 'class="search-bar"'

_SCRIPT = re.compile(r"<script src=[^>]*></script>")
_MACHINE = re.compile(r"bot\b|bot/|crawl|spider|preview|externalhit", re.IGNORECASE)

T = TypeVar("T")
R = TypeVar("R")


def started(pool: Executor, context: Context, work: Callable[[], R]) -> Future[R] | None:
    """`work` under way in a thread of the pool; None where the process has no thread left for it."""
    try:
        return pool.submit(context.run, _with_own_connections, work)
    except RuntimeError:
        # It is queued all the same: a later thread does it for no visitor.
        return None


def in_parallel(pool: Executor, work: Callable[[T], R], parts: Iterable[T]) -> list[R]:
    """What `work` gives for each part, side by side; in the caller's thread for those that get none."""
    under_way = [(one, started(pool, copy_context(), partial(work, one))) for one in parts]
    return [future.result() if future else work(one) for one, future in under_way]


def _with_own_connections(work: Callable[[], R]) -> R:
    try:
        return work()
    finally:
        connections.close_all()


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="page")


def begun_early(
    request: HttpRequest, whole: Callable[[], HttpResponse], beginning: Callable[[], str]
) -> HttpResponseBase:
    """The response of `whole`. If that takes time and a browser waits, the response begins with `beginning`,
    a page whose content is a skeleton. Its status is 200 then; the content says what is wrong."""
    if not navigates(request):
        return whole()
    context = contextvars.copy_context()
    page = started(process.part(build_pool), context, whole)
    if page is None:
        return whole()
    if wait([page], SECONDS_FOR_THE_WHOLE).done:
        try:
            return page.result()
        finally:
            del page  # or an error of it would keep this frame, and so itself and all it was raised through
    return BegunResponse(_pieces(request, beginning(), page, context), page)


class BegunResponse(StreamingHttpResponse):
    """A response that began before its `page` was made. No cache in front may hold it back or keep it: it may
    end in a failure that its status doesn't tell."""

    def __init__(self, pieces: Iterator[bytes], page: Future[HttpResponse]) -> None:
        super().__init__(pieces, headers={"Cache-Control": "private", "X-Accel-Buffering": "no"})
        self._page = page

    @property
    def true_status(self) -> int:
        """The status of its page, which was too late to be sent: 500 where none could be made, and the one
        that was sent while it is not known."""
        if not self._page.done():
            return self.status_code
        return 500 if self._page.exception() else self._page.result().status_code


def navigates(request: HttpRequest) -> bool:
    """Whether a browser opens this page for a visitor who waits for it. Nothing begins early for staff: their
    pages read the session, which two threads must not share."""
    asked = request.headers
    return (
        request.method == "GET"
        and asked.get("Sec-Fetch-Mode") == "navigate"
        and asked.get("Sec-Fetch-Dest") == "document"
        and not asked.get("Sec-Purpose")
        and not _MACHINE.search(asked.get("User-Agent", ""))
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
    )


def _pieces(
    request: HttpRequest, beginning: str, page: Future[HttpResponse], context: contextvars.Context
) -> Iterator[bytes]:
    """The beginning to the end of its skeleton, then the page from its content on."""
    head, _content, skeleton = beginning.partition(CONTENT)
    yield (head + CONTENT + skeleton.partition("</main>")[0]).encode()
    wait([page])
    yield context.run(_rest, request, page, head).encode()


def _rest(request: HttpRequest, page: Future[HttpResponse], head: str) -> str:
    """The page from its content on, after its title and the scripts of its head where they differ from those
    that were sent. A search form is left out if the head has one: ids would be there twice."""
    # Asked for, not raised: raised here it would keep this frame, and with it the page that holds it.
    error = page.exception()
    if error is not None:
        logger.error("page=failed-after-its-beginning", exc_info=error)
    response = render(request, "error_pages/failed.html") if error else page.result()
    html = response.text
    content = html.partition(CONTENT)[2]
    if not content:  # a redirect, or a page without the site's layout
        address = response.get("Location", "")
        link = format_html('<p class="empty"><a href="{}">{}</a></p>', address, address) if address else html
        return f"{link}</main></body></html>"
    if _BAR in head:
        content = _FORM.sub("", content)
    title, title_sent = (one.partition("<title>")[2].partition("</title>")[0] for one in (html, head))
    if title != title_sent:
        content = format_html('<page-title data-title="{}"></page-title>', unescape(title)) + content
    scripts = _SCRIPT.findall(html.partition("</head>")[0])
    return "".join(one for one in scripts if one not in head) + content
