"""The site against a gateway that misbehaves, with a key that must appear nowhere."""

from __future__ import annotations

from contextlib import AbstractContextManager
from urllib.parse import quote, urlencode

from tests import servers
from tests.servers import STAY, Seen, Site, results

KEY = "s3cret/key+with=odd&parts"
SPELLINGS = (KEY, quote(KEY, safe=""))


def running_site(gateway: str, *options: str, **variables: str) -> AbstractContextManager[Site]:
    of_the_gateway = {"GATEWAY_BASE_URL": gateway, "GATEWAY_API_KEY": KEY, "LOG_LEVEL": "DEBUG"}
    return servers.running_site(*options, **{**of_the_gateway, **variables})


def address(page: str, place: str) -> str:
    """Of results, of a property or of home; each place makes another search."""
    stay = urlencode({"place": place, **STAY})
    return {"results": results(place), "property": f"/hotels/TST/{quote(place)}/?{stay}", "home": "/"}[page]


def leaks(seen: Seen) -> int:
    """How often the key is in an answer."""
    return sum((str(seen.headers) + seen.text).count(spelling) for spelling in SPELLINGS)


def leaks_in_files(site: Site) -> int:
    """How often the key is in what the site has written: its output, its database and its cache."""
    files = (file.read_bytes() for file in site.folder.rglob("*") if file.is_file())
    return sum(text.count(spelling.encode()) for text in files for spelling in SPELLINGS)
