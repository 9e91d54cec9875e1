"""Looks through the cache's file, as a program of its own: LMDB trusts its file, and what is rotten in it may
end the process that reads it. `python -P lmdb_look.py FOLDER` exits with `ROTTEN`, or by a signal, then."""

import resource
import struct
import sys
from contextlib import suppress

import lmdb
from isal.isal_zlib import crc32

ROTTEN = 3
READERS = 1024
DATABASES = (b"entries", b"order", b"sums")
# When an entry expires, its number in the order of writing, the checksum of its value.
HEAD = struct.Struct(">dQI")
# More than is free in one piece: to find that out LMDB reads all it has noted of free pages.
LARGE = 4 * 2**20
# What reading a rotten file raises, where it raises anything.
ERRORS = (
    struct.error,
    lmdb.CorruptedError,
    lmdb.InvalidError,
    lmdb.NotFoundError,
    lmdb.PageNotFoundError,
    lmdb.PanicError,
    lmdb.VersionMismatchError,
)


def value_of(entry: memoryview) -> memoryview:
    """The value of an entry. Raises CorruptedError if it isn't the one that was written."""
    value = entry[HEAD.size :]
    if crc32(value) != HEAD.unpack_from(entry)[2]:
        raise lmdb.CorruptedError("checksum")
    return value


def look_through(folder: str) -> None:
    """Raises one of ERRORS for a file that is rotten."""
    environment = lmdb.open(folder, map_size=0, max_dbs=len(DATABASES), max_readers=READERS, create=False)
    entries, *others = (environment.open_db(name, create=False) for name in DATABASES)
    with environment.begin(buffers=True) as transaction:
        for entry in transaction.cursor(entries).iternext(keys=False):
            value_of(entry)
        for database in others:
            list(transaction.cursor(database))
    writing = environment.begin(write=True)
    with suppress(lmdb.MapFullError):
        writing.put(b"large", bytes(LARGE), db=entries)
    writing.abort()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        look_through(sys.argv[1])
    except ERRORS:
        sys.exit(ROTTEN)
