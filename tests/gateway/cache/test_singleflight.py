"""Of all who ask the same at once, one goes: in one process, and in several that share a cache."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from search.gateway import GatewayError, Unavailable
from search.gateway.resilience import Background
from tests.gateway.cache.conftest import Recording, Setting, price_of
from tests.waiting import wait_until


def at_once(many: int, work: Callable[[], Any]) -> Counter[str]:
    """How often each result came of `many` threads that start together."""
    results: list[str] = []
    start = threading.Barrier(many)

    def run() -> None:
        start.wait()
        try:
            results.append(price_of(work()))
        except GatewayError as error:
            results.append(error.kind if error.__context__ is None else "history")

    threads = [threading.Thread(target=run) for _ in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(results)


class OpensWhenAsked(threading.Event):
    """Opens once the first call is under way and the others have had every chance to join it."""

    def wait(self, timeout: float | None = None) -> bool:
        return threading.Event().wait(0.2)


def test_fifty_identical_cold_searches_are_one_call(setting: Setting) -> None:
    setting.client.gate = OpensWhenAsked()
    gateway = setting.gateway()
    assert at_once(50, lambda: setting.ask(gateway)) == {"1.10": 50}
    assert setting.client.calls == 1


def test_if_the_one_call_fails_the_others_do_not_each_try(setting: Setting) -> None:
    setting.client.gate = OpensWhenAsked()
    setting.client.failure = Unavailable("timeout")
    gateway = setting.gateway()
    assert at_once(50, lambda: setting.ask(gateway)) == {"timeout": 50}
    assert setting.client.calls == 1


def test_two_processes_with_one_cache_make_one_call(setting: Setting) -> None:
    setting.client.gate = OpensWhenAsked()
    gateways = [setting.gateway(), setting.gateway()]
    turns = iter(range(50))
    lock = threading.Lock()

    def work() -> Any:
        with lock:
            turn = next(turns)
        return setting.ask(gateways[turn % 2])

    assert at_once(50, work) == {"1.10": 50}
    assert setting.client.calls == 1


def test_waiting_for_another_ends_with_the_deadline(setting: Setting) -> None:
    setting.client.gate = threading.Event()
    gateway, other = setting.gateway(), setting.gateway()
    first = threading.Thread(target=lambda: setting.ask(gateway))
    first.start()
    wait_until(lambda: setting.client.calls, "the first call")
    for waiting in (gateway, other):
        began = time.monotonic()
        assert at_once(1, lambda waiting=waiting: setting.ask(waiting, patience=0.2)) == {"timeout": 1}
        assert time.monotonic() - began < 0.7
    setting.client.gate.set()
    first.join()


def test_a_claim_of_a_dead_process_does_not_block(setting: Setting) -> None:
    setting.store = store = Recording()
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 10_000
    (key,) = store.values
    looks = iter(range(3))
    store.values[f"{key}:claim"] = "someone"
    gateway = setting.gateway(
        sleep=lambda seconds: next(looks, None) is None and store.delete(f"{key}:claim")
    )
    assert price_of(setting.ask(gateway)) == "2.10"


def test_a_mistake_of_ours_frees_those_who_wait(setting: Setting) -> None:
    setting.client.failure = ZeroDivisionError()
    gateway = setting.gateway()
    with pytest.raises(ZeroDivisionError):
        setting.ask(gateway)
    setting.client.failure = None
    assert price_of(setting.ask(gateway)) == "2.10"


def test_the_refresh_behind_runs_in_a_thread_of_its_own(setting: Setting) -> None:
    gateway = setting.gateway(Background())
    setting.ask(gateway)
    setting.elapsed = 301
    setting.client.gate = threading.Event()
    began = time.monotonic()
    assert setting.ask(gateway).stale
    assert time.monotonic() - began < 0.5
    setting.client.gate.set()
    for _ in range(200):
        if not setting.ask(gateway).stale:
            break
        threading.Event().wait(0.01)
    assert setting.client.calls == 2


def test_the_background_has_room_for_a_few() -> None:
    gate = threading.Event()
    background = Background(most=4)

    def wait() -> None:
        gate.wait(5)

    assert sum(background.start(wait) for _ in range(40)) == 4
    gate.set()
