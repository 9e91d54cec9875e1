"""What search engines and previews read of a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """Parameters of components/meta.html.

    `canonical` is a path, `picture` a path or an https address; both may be empty. `robots` is empty where
    indexing is welcome. `data` is a JSON-LD text, already escaped for a script.
    """

    title: str
    description: str = ""
    canonical: str = ""
    robots: str = ""
    picture: str = ""
    data: str = ""
