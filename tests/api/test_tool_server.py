"""The tool server of the documents, started as an assistant starts it."""

from __future__ import annotations

import json
import subprocess
import sys

from django.conf import settings

from tests.dialects.conftest import DATES


def test_an_assistant_searches_and_opens_a_hotel(live_server):
    program = [sys.executable, f"{settings.BASE_DIR}/docs/tool_server.py", live_server.url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(program, **pipes) as server:

        def ask(method: str, **parameters: object) -> dict:
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        def call(name: str, **arguments: object) -> dict:
            content = ask("tools/call", name=name, arguments=arguments)["result"]["content"]
            return json.loads(content[0]["text"])

        assert ask("initialize", protocolVersion="2025-06-18")["result"]["serverInfo"]["name"] == "hotels"
        names = [tool["name"] for tool in ask("tools/list")["result"]["tools"]]
        found = call("search_hotels", place="Lerwick", **DATES)
        hotel = call("open_page", address=found["hotels"][0]["page"])
        wrong = call("search_hotels", place="Lerwick", **{**DATES, "checkin": "x"})
        elsewhere = ask("tools/call", name="open_page", arguments={"address": "//other.example/"})
        unknown = ask("resources/list")
        server.stdin.close()
    assert names == ["search_hotels", "open_page"]
    assert hotel["hotel"]["name"] == found["hotels"][0]["name"]
    assert (wrong["status"], [*wrong["errors"]]) == (400, ["checkin"])
    assert elsewhere["result"]["isError"]
    assert unknown["error"]["code"] == -32601
