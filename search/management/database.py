"""A database that can't be used, as commands tell of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import Error


@contextmanager
def database_needed() -> Iterator[None]:
    """Raises CommandError, one line, for a database that is away or lacks its tables."""
    try:
        yield
    except Error as error:
        raise CommandError(f"The database of DATABASE_URL can't be used: {error}") from None
