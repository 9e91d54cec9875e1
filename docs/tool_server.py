"""A tool server for assistants (Model Context Protocol over stdin and stdout) on top of the site's JSON.

`python docs/tool_server.py https://hotels.example` answers one JSON-RPC message a line; nothing but Python
is needed. https://modelcontextprotocol.io/specification describes the messages.
"""

import json
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import Request, urlopen

SITE = sys.argv[1]
TEXT, DAY = {"type": "string"}, {"type": "string", "format": "date"}
STAY = {"place": TEXT, "checkin": DAY, "checkout": DAY, "guests": {"type": "integer"}, "currency": TEXT}
TOOLS = {
    "search_hotels": {
        "description": "Hotels in a place with every provider's total for the stay, surcharges included.",
        "inputSchema": {"type": "object", "properties": {**STAY, "sort": TEXT}, "required": [*STAY][:4]},
    },
    "open_page": {
        "description": "A hotel in full or the next page: the address that an answer gave as page or next.",
        "inputSchema": {"type": "object", "properties": {"address": TEXT}, "required": ["address"]},
    },
}


def document(path: str) -> str:
    """The JSON of a page of the site, and of its errors, which say in words what to ask otherwise."""
    try:
        with urlopen(Request(urljoin(SITE, path), headers={"Accept": "application/json"})) as response:
            return response.read().decode()
    except HTTPError as error:
        return error.read().decode()


def call(name: str, arguments: dict[str, str]) -> dict[str, object]:
    is_search = name == "search_hotels"
    path = f"/hotels/?{urlencode(arguments)}" if is_search else arguments["address"]
    # Texts of hotels may hold addresses of other hosts: they are refused.
    inside = path.startswith("/") and not path.startswith("//")
    text = document(path) if inside else "Only addresses of this site."
    return {"content": [{"type": "text", "text": text}], "isError": not inside}


def result_of(method: str, parameters: dict) -> object:
    if method == "initialize":
        server = {"name": "hotels", "version": "1"}
        version = parameters.get("protocolVersion", "2025-06-18")
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [{"name": name, **tool} for name, tool in TOOLS.items()]}
    if method == "tools/call" and parameters["name"] in TOOLS:
        return call(parameters["name"], parameters.get("arguments", {}))
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:  # a notification wants no answer
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    result = result_of(message["method"], message.get("params", {}))
    answer |= {"result": result} if result else {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps(answer), flush=True)
