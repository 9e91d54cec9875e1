"""One object holds what a process keeps; another process begins without any of it."""

from __future__ import annotations

import threading

from search.domain import process


class Part:
    pass


def test_a_part_is_built_once_for_all_threads() -> None:
    built: list[Part] = []
    begin = threading.Barrier(8)

    def build() -> Part:
        built.append(Part())
        return built[-1]

    def ask() -> None:
        begin.wait()
        process.part(build)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1


def test_a_part_may_need_another_while_it_is_built() -> None:
    def build() -> tuple[Part]:
        return (process.part(Part),)

    assert process.part(build) == (process.part(Part),)


def test_a_new_process_has_none_of_the_parts_of_the_one_before() -> None:
    before = process.part(Part)
    process.start()
    assert process.part(Part) is not before


def test_a_part_put_in_place_is_the_one_that_is_used() -> None:
    other = Part()
    process.start().put(Part, other)
    assert process.part(Part) is other
