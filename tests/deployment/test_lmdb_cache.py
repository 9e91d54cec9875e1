"""The default cache: Django's interface, bounded in bytes, one for all processes."""

import errno
import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest

from hotelsite.lmdb_cache import LMDBCache

MEGABYTE = 2**20


@pytest.fixture
def cache(tmp_path: Path) -> LMDBCache:
    return LMDBCache(str(tmp_path / "cache"), {"OPTIONS": {"MAX_BYTES": MEGABYTE}})


def test_what_was_kept_is_found_until_it_expires(cache: LMDBCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.set("a", ("stamp", b"bytes"), 60)
    cache.set("for ever", 1, None)
    cache.set("never", 1, 0)
    assert cache.get("a") == ("stamp", b"bytes")
    assert cache.get("never", "nothing") == "nothing"
    monkeypatch.setattr("hotelsite.lmdb_cache.time.time", lambda: 1e11)
    assert cache.get("a") is None
    assert cache.get("for ever") == 1


def test_none_is_a_value(cache: LMDBCache) -> None:
    cache.set("a", None)
    assert cache.get("a", "nothing") is None
    assert "a" in cache


def test_a_key_may_be_long_and_in_any_script(cache: LMDBCache) -> None:
    cache.set("東京" * 1000, 1)
    assert cache.get_many(["東京" * 1000, "other"]) == {"東京" * 1000: 1}


def test_a_key_is_added_once_until_it_is_deleted_or_expires(
    cache: LMDBCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache.add("claim", "one", 60)
    assert not cache.add("claim", "two", 60)
    assert cache.get("claim") == "one"
    assert cache.delete("claim")
    assert not cache.delete("claim")
    assert cache.add("claim", "three", 60)
    monkeypatch.setattr("hotelsite.lmdb_cache.time.time", lambda: 1e11)
    assert cache.add("claim", "four", 60)


def test_a_number_is_counted_up_and_keeps_its_time(cache: LMDBCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.set("misses", 1, 60)
    assert [cache.incr("misses"), cache.incr("misses", 5), cache.decr("misses")] == [2, 7, 6]
    with pytest.raises(ValueError, match="not found"):
        cache.incr("nothing")
    monkeypatch.setattr("hotelsite.lmdb_cache.time.time", lambda: 1e11)
    assert cache.get("misses") is None


def test_the_oldest_go_first_when_the_bytes_are_used_up(cache: LMDBCache, tmp_path: Path) -> None:
    for number in range(200):
        cache.set(f"page {number}", bytes(50_000), 60)
    kept = [number for number in range(200) if cache.get(f"page {number}") is not None]
    assert kept == list(range(200 - len(kept), 200))
    assert 15 <= len(kept) <= MEGABYTE // 50_000
    assert (tmp_path / "cache" / "data.mdb").stat().st_size <= 2 * MEGABYTE


def test_small_entries_are_bounded_too(cache: LMDBCache) -> None:
    for number in range(2_000):
        cache.add(f"mark {number}", 1, 60)
    assert cache.get("mark 1999") == 1
    assert cache.get("mark 0") is None


def test_writing_one_key_again_and_again_takes_the_room_of_one(cache: LMDBCache) -> None:
    cache.set("first", 1)
    for _ in range(500):
        cache.set("page", bytes(50_000))
    assert cache.get("first") == 1


def test_what_is_too_large_is_not_kept_and_drives_nothing_out(cache: LMDBCache) -> None:
    cache.set("page", b"page")
    cache.set("large", b"small")
    cache.set("large", bytes(MEGABYTE))
    assert cache.get("large") is None
    assert cache.get("page") == b"page"


def test_clear_forgets_all_and_the_room_is_free_again(cache: LMDBCache) -> None:
    for _ in range(3):
        for number in range(15):
            cache.set(f"page {number}", bytes(50_000))
        assert cache.get("page 0") is not None
        cache.clear()
        assert cache.get("page 14") is None


def test_a_file_that_is_no_cache_is_replaced_by_an_empty_one(cache: LMDBCache, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "data.mdb").write_bytes(b"rubbish" * 10_000)
    assert cache.get("a") is None
    cache.set("a", 1)
    assert cache.get("a") == 1


def _in_a_child(job: Callable[[], None]) -> None:
    child = multiprocessing.Process(target=job)
    child.start()
    child.join(30)
    assert child.exitcode == 0


def test_a_file_that_is_cut_short_is_replaced_by_an_empty_one(tmp_path: Path) -> None:
    cache = LMDBCache(str(tmp_path / "cache"), {})

    def fill() -> None:
        for number in range(40):
            cache.set(f"page {number}", bytes(50_000))

    def use() -> None:
        assert cache.get("page 39") is None
        cache.set("page 39", 1)
        assert cache.get("page 39") == 1

    # In processes of their own: the system ends the one that reads beyond the end.
    _in_a_child(fill)
    with (tmp_path / "cache" / "data.mdb").open("r+b") as file:
        file.truncate(1_000_000)
    _in_a_child(use)


def _add_all(folder: str, won: "multiprocessing.Queue[int]") -> None:
    cache = LMDBCache(folder, {})
    won.put(sum(cache.add(f"claim {number}", 1, 60) for number in range(200)))
    cache.set("from a child", "seen", 60)


def test_processes_share_it_and_one_of_them_wins_each_claim(tmp_path: Path) -> None:
    folder = str(tmp_path / "cache")
    cache = LMDBCache(folder, {})
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


def test_the_lock_file_has_no_hole(cache: LMDBCache, tmp_path: Path) -> None:
    """It is mapped memory: whoever writes to a hole of it on a full disk gets SIGBUS, at each start anew."""
    cache.set("a", 1)
    lock = (tmp_path / "cache" / "lock.mdb").stat()
    assert lock.st_blocks * 512 >= lock.st_size
    assert cache.get("a") == 1


def test_a_full_disk_at_first_is_an_error_and_no_signal(
    cache: LMDBCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hotelsite.lmdb_cache.os.posix_fallocate", full)
    with pytest.raises(OSError, match="No space left"):
        cache.get("a")
    monkeypatch.undo()
    cache.set("a", 1)
    assert cache.get("a") == 1
