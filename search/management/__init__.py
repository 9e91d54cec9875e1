"""A database that can't be used, as commands tell of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import Error, ProgrammingError


@contextmanager
def database_needed() -> Iterator[None]:
    """Raises CommandError, one line, for a database that is away or lacks its tables."""
    try:
        yield
    except Error as error:
        # PostgreSQL adds advice of its own, and the whole question.
        reason = str(error).partition("\n")[0]
        if isinstance(error, ProgrammingError) or reason.startswith("no such"):
            reason += ". `manage.py migrate` brings it up to date."
        raise CommandError(f"The database of DATABASE_URL can't be used: {reason}") from None
