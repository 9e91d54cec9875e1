"""The default cache: Django's interface, bounded in bytes, one for all processes."""

import multiprocessing
import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hotelsite.file_cache import FileCache
from tests.servers import running_site

MEGABYTE = 2**20

TIGHT: dict[str, Any] = {"OPTIONS": {"MAX_BYTES": MEGABYTE}}
ROOM: dict[str, Any] = {"OPTIONS": {"MAX_BYTES": 64 * MEGABYTE}}
Spoil = Callable[[Path, int, int], None]


@pytest.fixture
def cache(tmp_path: Path) -> FileCache:
    return FileCache(str(tmp_path / "cache"), TIGHT)


def test_what_was_kept_is_found_until_it_expires(cache: FileCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.set("a", ("stamp", b"bytes"), 60)
    cache.set("for ever", 1, None)
    cache.set("never", 1, 0)
    assert cache.get("a") == ("stamp", b"bytes")
    assert cache.get("never", "nothing") == "nothing"
    monkeypatch.setattr("hotelsite.file_cache.time.time", lambda: 1e11)
    assert cache.get("a") is None
    assert cache.get("for ever") == 1


def test_none_is_a_value(cache: FileCache) -> None:
    cache.set("a", None)
    assert cache.get("a", "nothing") is None
    assert "a" in cache


def test_a_key_may_be_long_and_in_any_script(cache: FileCache) -> None:
    cache.set("東京" * 1000, 1)
    assert cache.get_many(["東京" * 1000, "other"]) == {"東京" * 1000: 1}


def test_a_key_is_added_once_until_it_is_deleted_or_expires(
    cache: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache.add("claim", "one", 60)
    assert not cache.add("claim", "two", 60)
    assert cache.get("claim") == "one"
    assert cache.delete("claim")
    assert not cache.delete("claim")
    assert cache.add("claim", "three", 60)
    monkeypatch.setattr("hotelsite.file_cache.time.time", lambda: 1e11)
    assert cache.add("claim", "four", 60)


def test_a_number_is_counted_up_and_keeps_its_time(cache: FileCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.set("misses", 1, 60)
    assert [cache.incr("misses"), cache.incr("misses", 5), cache.decr("misses")] == [2, 7, 6]
    with pytest.raises(ValueError, match="not found"):
        cache.incr("nothing")
    monkeypatch.setattr("hotelsite.file_cache.time.time", lambda: 1e11)
    assert cache.get("misses") is None


def test_the_oldest_go_first_when_the_bytes_are_used_up(cache: FileCache, tmp_path: Path) -> None:
    for number in range(200):
        cache.set(f"page {number}", bytes(50_000), 60)
    kept = [number for number in range(200) if cache.get(f"page {number}") is not None]
    assert kept == list(range(200 - len(kept), 200))
    assert 15 <= len(kept) <= MEGABYTE // 50_000
    assert (tmp_path / "cache" / "cache.sqlite3").stat().st_size <= 2 * MEGABYTE


def test_small_entries_are_bounded_too(tmp_path: Path) -> None:
    cache = FileCache(str(tmp_path / "cache"), {"OPTIONS": {"MAX_BYTES": 100_000}})
    for number in range(1_000):
        cache.set(f"mark {number}", 1, 60)
    assert cache.get("mark 999") == 1
    assert cache.get("mark 0") is None


def test_writing_one_key_again_and_again_takes_the_room_of_one(cache: FileCache) -> None:
    cache.set("first", 1)
    for _ in range(500):
        cache.set("page", bytes(50_000))
    assert cache.get("first") == 1


def test_what_is_too_large_is_not_kept_and_drives_nothing_out(cache: FileCache) -> None:
    cache.set("page", b"page")
    cache.set("large", b"small")
    cache.set("large", bytes(MEGABYTE))
    assert cache.get("large") is None
    assert cache.get("page") == b"page"


def test_clear_forgets_all_and_the_room_is_free_again(cache: FileCache) -> None:
    for _ in range(3):
        for number in range(15):
            cache.set(f"page {number}", bytes(50_000))
        assert cache.get("page 0") is not None
        cache.clear()
        assert cache.get("page 14") is None


def _in_a_child(job: Callable[[], None]) -> None:
    child = multiprocessing.Process(target=job)
    child.start()
    child.join(30)
    assert child.exitcode == 0


def _zeroed(file: Path, begin: int, size: int) -> None:
    with file.open("r+b") as data:
        data.seek(begin)
        data.write(bytes(size))


def _random(file: Path, begin: int, size: int) -> None:
    with file.open("r+b") as data:
        data.seek(begin)
        data.write(random.Random(size).randbytes(size))


def _cut(file: Path, begin: int, _size: int) -> None:
    with file.open("r+b") as data:
        data.truncate(begin)


@pytest.mark.parametrize(("spoil", "part"), [(_zeroed, 0.5), (_random, 0.0), (_cut, 0.6)])
def test_a_rotten_file_is_made_anew(tmp_path: Path, spoil: Spoil, part: float) -> None:
    cache, file = FileCache(str(tmp_path / "cache"), ROOM), tmp_path / "cache" / "cache.sqlite3"

    def fill() -> None:
        for number in range(120):
            cache.set(f"page {number}", number.to_bytes(2) * 25_000)

    def use() -> None:
        kept = {number: cache.get(f"page {number}") for number in range(120)}
        assert None in kept.values()
        assert all(page in (None, number.to_bytes(2) * 25_000) for number, page in kept.items())
        cache.set("misses", 1)
        assert cache.incr("misses") == 2

    _in_a_child(fill)
    size = file.stat().st_size
    spoil(file, int(size * part), size // 10)
    _in_a_child(use)


@pytest.mark.thorough
def test_a_site_with_a_rotten_cache_is_ready_and_limits_guesses() -> None:
    with running_site() as site:
        for spoil, part in ((_random, 0.0), (_zeroed, 0.5), (_cut, 0.9)):
            assert site.search("Barcelona").status == 200
            site.stop()
            file = site.folder / "cache" / "cache.sqlite3"
            size = file.stat().st_size
            spoil(file, int(size * part), size // 3)
            site.start()
            assert site.get("/readyz").status == 200, site.output
            statuses = [site.get(f"/s/nowhere{number}/").status for number in range(30)]
            assert statuses[20:] == [429] * 10  # what was counted before may be whole


def test_what_rots_while_it_is_read_is_made_anew(tmp_path: Path) -> None:
    cache = FileCache(str(tmp_path / "cache"), ROOM)
    cache.set("page", b"what was sent" * 1_000)
    cache.set("later page", bytes(8 * MEGABYTE))
    file, child = tmp_path / "cache" / "cache.sqlite3", _Child(tmp_path / "cache")
    assert child.get("page") == b"what was sent" * 1_000
    _random(file, file.read_bytes().index(b"what was sent") + 5_000, 10)
    assert cache.get("page") is None
    cache.set("misses", 1)
    assert (child.get("page"), child.get("misses")) == (None, 1)
    child.set("misses", 2)
    assert cache.get("misses") == 2


def test_a_folder_that_an_operator_empties_is_filled_anew(cache: FileCache, tmp_path: Path) -> None:
    cache.set("page", 1)
    shutil.rmtree(tmp_path / "cache")
    assert cache.get("page") is None
    cache.set("page", 2)
    assert _Child(tmp_path / "cache").get("page") == 2


class _Child:
    """A process that has the same file open all the time."""

    def __init__(self, folder: Path) -> None:
        self._connection, other = multiprocessing.Pipe()
        multiprocessing.Process(target=self._serve, args=(str(folder), other), daemon=True).start()

    @staticmethod
    def _serve(folder: str, connection: Any) -> None:
        cache = FileCache(folder, ROOM)
        while True:
            name, *arguments = connection.recv()
            connection.send(getattr(cache, name)(*arguments))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(*arguments: object) -> Any:
            self._connection.send((name, *arguments))
            return self._connection.recv()

        return ask


def _add_all(folder: str, won: "multiprocessing.Queue[int]") -> None:
    cache = FileCache(folder, ROOM)
    won.put(sum(cache.add(f"claim {number}", 1, 60) for number in range(200)))
    cache.set("from a child", "seen", 60)


def test_processes_share_it_and_one_of_them_wins_each_claim(tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    cache = FileCache(folder, ROOM)
    cache.set("before the fork", 1)
    won: multiprocessing.Queue[int] = multiprocessing.Queue()
    children = [multiprocessing.Process(target=_add_all, args=(folder, won)) for _ in range(2)]
    for child in children:
        child.start()
    assert won.get(timeout=30) + won.get(timeout=30) == 200
    for child in children:
        child.join()
    assert cache.get("from a child") == "seen"
    assert cache.get("claim 0") == 1


def _hold_a_claim(folder: str, held: "multiprocessing.Queue[bool]") -> None:
    held.put(FileCache(folder, ROOM).claim("page") is not None)
    signal.pause()


def test_a_claim_keeps_other_processes_out_until_it_ends(tmp_path: Path) -> None:
    cache = FileCache(str(tmp_path / "cache"), ROOM)
    held: multiprocessing.Queue[bool] = multiprocessing.Queue()
    child = multiprocessing.Process(target=_hold_a_claim, args=(str(tmp_path / "cache"), held))
    child.start()
    assert held.get(timeout=30)
    assert cache.claim("page") is None
    give_back = cache.claim("another page")
    assert give_back
    give_back()
    child.kill()
    child.join()
    assert cache.claim("page")


def test_usage_tells_what_was_dropped_before_its_time(
    cache: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [1e9]
    monkeypatch.setattr("hotelsite.file_cache.time.time", lambda: moment[0])
    assert [cache.usage()[name] for name in ("entries", "oldest_at", "evicted")] == [0, 1e9, 0]
    for timeout in (10, 1_000):
        for number in range(4):
            cache.set(f"page {number} of {timeout}", bytes(100_000), timeout)
        moment[0] += 100
    assert [cache.usage()[name] for name in ("entries", "oldest_at", "evicted")] == [8, 1e9, 0]
    for number in range(8):
        cache.set(f"later page {number}", bytes(100_000), 1_000)
    used = cache.usage()
    assert 800_000 < used["bytes"] <= MEGABYTE
    # Four had expired.
    assert used["evicted"] == 8 + 8 - used["entries"] - 4
    assert used["oldest_at"] == pytest.approx(1e9 + 150, abs=51)
