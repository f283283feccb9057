"""A client of the HTTP server that is light enough to be one of fifty in a process: bare JSON-RPC, either era."""

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import cast

import httpx2

from doubles.mcp_client import PROTOCOLS, TOKEN, Mode
from plugineval.pccf.values import Json

Document = dict[str, Json]


@dataclass
class Tally:
    """What all clients of a crowd met: seconds of every read, and how often each item was taken and accepted."""

    reads: list[float] = field(default_factory=list[float])
    calls: Counter[str] = field(default_factory=Counter[str])
    taken: Counter[str] = field(default_factory=Counter[str])
    accepted: Counter[str] = field(default_factory=Counter[str])


class Speaker:
    """One client with a name of its own."""

    def __init__(self, http: httpx2.AsyncClient, url: str, mode: Mode, name: str, tally: Tally) -> None:
        self._http, self._url, self._mode, self._tally = http, url, mode, tally
        self._info: Json = {"name": name, "version": "1"}
        self._asked = 0
        self._headers = {
            "Authorization": f"Bearer {TOKEN}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOLS[mode],
        }

    async def begin(self) -> None:
        """Shake hands, where that is the custom."""
        if self._mode == "auto":
            return
        hello: Document = {"protocolVersion": PROTOCOLS["legacy"], "capabilities": {}, "clientInfo": self._info}
        response = await self._post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
        self._headers["Mcp-Session-Id"] = response.headers["mcp-session-id"]
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def read(self, method: str, **params: Json) -> Document:
        """A request that only reads, timed."""
        started = time.perf_counter()
        found = await self._request(method, params)
        self._tally.reads.append(time.perf_counter() - started)
        return found

    async def look(self, tool: str, **arguments: Json) -> Document:
        """A tool that only reads, timed."""
        return _content(tool, await self.read("tools/call", name=tool, arguments=arguments))

    async def call(self, tool: str, **arguments: Json) -> Document:
        """The structured content of a call that works."""
        return _content(tool, await self._request("tools/call", {"name": tool, "arguments": arguments}))

    async def _request(self, method: str, params: Document) -> Document:
        self._asked += 1
        self._tally.calls[str(params.get("name", method))] += 1
        headers: dict[str, str] = {}
        if self._mode == "auto":
            meta: Document = {
                "io.modelcontextprotocol/protocolVersion": PROTOCOLS["auto"],
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": self._info,
            }
            params = {**params, "_meta": meta}
            headers = {"Mcp-Method": method, "Mcp-Name": str(params.get("name", params.get("uri", "")))}
        response = await self._post({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}, headers)
        answer = _answer(response)
        assert answer.get("id") == self._asked, answer
        assert "result" in answer, answer
        return cast("Document", answer["result"])

    async def _post(self, message: Document, headers: dict[str, str] | None = None) -> httpx2.Response:
        response = await self._http.post(self._url, json=message, headers=self._headers | (headers or {}))
        assert response.status_code in (200, 202), (response.status_code, response.text[:500])
        return response


def _answer(response: httpx2.Response) -> Document:
    """The last message of a stream, or the only one."""
    if "text/event-stream" not in response.headers["content-type"]:
        return cast("Document", response.json())
    told = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: {")]
    return cast("Document", json.loads(told[-1]))


def _content(tool: str, result: Document) -> Document:
    assert not result.get("isError"), (tool, result["content"])
    return cast("Document", result["structuredContent"])
