"""A stop that comes early, and how long one may take."""

import os
import signal
from types import SimpleNamespace

import pytest

from hotelsite import gunicorn_conf


@pytest.mark.django_db
def test_a_stop_while_a_process_starts_is_not_lost() -> None:
    gunicorn_conf.pre_fork(None, None)
    child = os.fork()
    if not child:
        heard: list[int] = []
        try:
            # As gunicorn's first process does it at any moment, and as that one's handlers are inherited.
            signal.signal(signal.SIGTERM, lambda *_: None)
            os.kill(os.getpid(), signal.SIGTERM)
            signal.signal(signal.SIGTERM, lambda number, _frame: heard.append(number))
            gunicorn_conf.post_worker_init(SimpleNamespace())
        finally:
            # Else a failure would go on as one more of pytest's processes, and the run would wait for it.
            os._exit(0 if heard else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    # The first process goes on hearing it at once.
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & gunicorn_conf.STOPS
