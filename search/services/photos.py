"""Pictures of the sandbox. Pictures of a real gateway are fetched by the visitor's browser, never by us."""

from search.gateway.connection import sandbox_photo

__all__ = ["sandbox_photo"]
