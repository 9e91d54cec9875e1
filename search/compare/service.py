"""Hotels that an address names, looked up with their offers: each by itself, or all of a search at once."""

import contextvars
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from django.db import connections

from search.domain import process
from search.domain.context import SearchContext
from search.gateway.errors import GatewayError, NotFound
from search.property import service as properties
from search.results.listings import FoundProperty

from .address import Stay

# A comparison's hotels at once, for two visitors.
AT_ONCE = 8

Found = FoundProperty | GatewayError


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="compare")


def side_by_side(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Found]:
    """Each hotel in full, or why not: a call for its details, and its offers from the full results of the
    search, which all of them share, or of its own city. Raises GatewayError where none is available."""
    pool = process.part(build_pool)
    asked = {
        one: pool.submit(contextvars.copy_context().run, _found, context, one) for one in dict.fromkeys(stays)
    }
    found = {one: future.result() for one, future in asked.items()}
    errors = [one for one in found.values() if isinstance(one, GatewayError)]
    broken = [one for one in errors if not isinstance(one, NotFound)]
    if broken and len(errors) == len(found):
        raise broken[0].afresh()
    return found


def _found(context: SearchContext, stay: Stay) -> Found:
    try:
        return properties.find_property(context, stay.provider, stay.property_id, 1)
    except GatewayError as error:
        return error
    finally:
        connections.close_all()
