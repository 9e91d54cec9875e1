"""Gunicorn's settings, the same under `serve` and under a process manager:

gunicorn -c python:hotelsite.gunicorn_conf hotelsite.wsgi
"""

import gc
from typing import Any

from django.conf import settings
from django.urls import get_resolver

from search.sandbox import api

worker_class = "hotelsite.worker.WaitressWorker"
logger_class = "hotelsite.worker.GunicornLogger"
preload_app = True
reuse_port = True
control_socket_disable = True
loglevel = "warning"
# Longer than any page may take (GATEWAY_DEADLINE), so that a stop loses no answer.
graceful_timeout = 30
timeout = 60


def when_ready(server: Any) -> None:
    """Before the fork, once for all processes: load the pages' code and the sandbox's world.

    What is loaded then is never garbage, and the collector is told so.
    """
    get_resolver().check()
    if not settings.GATEWAY_BASE_URL:
        api.answer(api.AIRPORTS_PATH, f"apikey={api.DEFAULT_KEY}")
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
