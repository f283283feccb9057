"""Whatever knocks over HTTP: an answer that is HTTP, nothing without the token, and a server that goes on."""

import http.client
import json
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.hostile_messages import messages
from doubles.hostile_words import TEXTS, attacks
from doubles.mcp_client import PROTOCOLS, TOKEN, Served, served
from doubles.watch import watched_command
from hostile.conftest import Fort
from hostile.test_hostile_stdio import META
from plugineval.pccf.values import Json

SIZES = [100, pytest.param(1_600, marks=pytest.mark.hostile)]
PATIENCE_S = 30
STATUSES = {200, 202, 307, 400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 421, 422, 431}
"""What a client's mistake may be answered with; 5xx would be ours."""
TYPES = ("application/json", "application/json; charset=utf-7", "text/plain", "application/xml", "", "x" * 300)
ACCEPTS = ("application/json, text/event-stream", "application/json", "text/html", "*/*", "", "text/event-stream")
TARGETS = ("/mcp", "/mcp/", "/mcp/../health", "/mcp?token=x", "//mcp", "/..%2f..%2fetc%2fpasswd", "/health", "*", "/x")


_RAISED = re.compile(r"^([\w.]+(?:Error|Exception|Disconnect|Interrupt))(?::|$)")


class Knock(NamedTuple):
    """A request as it goes over the wire."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    length: int | None
    """Content-Length, where it is not that of the body."""

    @property
    def wire(self) -> bytes:
        """All of it."""
        length = len(self.body) if self.length is None else self.length
        lines = [f"{self.method} {self.target} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers)]
        lines += [f"Content-Length: {length}", "Connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1", "replace") + self.body

    @property
    def entitled(self) -> bool:
        """Whether it brings the token, once and as it should be."""
        given_ = [value for name, value in self.headers if name.lower() == "authorization"]
        return bool(given_) and given_[0] == f"Bearer {TOKEN}"


VALUES = TEXTS.map(lambda text: "".join(each for each in text if each.isprintable())[:200])


@st.composite
def knocks(draw: st.DrawFn, host: str) -> Knock:
    """Requests that differ from a sound one in a few places."""
    modern = draw(st.booleans())
    headers: dict[str, str] = {
        "Host": host,
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Accept": ACCEPTS[0],
        "MCP-Protocol-Version": PROTOCOLS["auto" if modern else "legacy"],
    }
    body = draw(messages(META if modern else None))
    if modern:
        headers |= _routing(body)
    method, target, length = "POST", "/mcp", None
    for damage in draw(st.lists(st.sampled_from(sorted(_DAMAGES)), max_size=2)):
        name, values = _DAMAGES[damage]
        if damage == "method":
            method = draw(st.sampled_from(["GET", "DELETE", "PUT", "OPTIONS", "HEAD", "TRACE", "BREW"]))
        elif damage == "target":
            target = draw(st.sampled_from(TARGETS))
        elif damage == "length":
            length = draw(st.sampled_from([0, len(body) // 2, len(body) + 40, 10**12, -1]))
        elif draw(st.booleans()):
            headers.pop(name, None)
        else:
            headers[name] = draw(values)
    return Knock(method, target, tuple(headers.items()), body, length)


_DAMAGES: Mapping[str, tuple[str, st.SearchStrategy[str]]] = {
    "method": ("", VALUES),
    "target": ("", VALUES),
    "length": ("", VALUES),
    "host": ("Host", st.sampled_from(["attacker.example", "127.0.0.1.attacker.example", "", "[::1"])),
    "token": (
        "Authorization",
        st.one_of(VALUES, st.sampled_from([f"bearer  {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer"])),
    ),
    "origin": ("Origin", st.sampled_from(["http://attacker.example", "null", "file://", "http://127.0.0.1.x"])),
    "type": ("Content-Type", st.sampled_from(TYPES)),
    "accept": ("Accept", st.sampled_from(ACCEPTS)),
    "version": ("MCP-Protocol-Version", st.one_of(VALUES, st.sampled_from(["2024-11-05", "9999-99-99"]))),
    "session": ("Mcp-Session-Id", VALUES),
    "routed": ("Mcp-Method", VALUES),
    "named": ("Mcp-Name", st.one_of(VALUES, st.just("=?base64?////?="))),
    "encoding": ("Content-Encoding", st.sampled_from(["gzip", "br", "identity"])),
    "event": ("Last-Event-ID", VALUES),
}


def _routing(body: bytes) -> dict[str, str]:
    """The headers by which a sound request of 2026-07-28 is routed."""
    try:
        message: Json = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(message, dict):
        return {}
    params = message.get("params")
    named = params if isinstance(params, dict) else {}
    name = next((named[key] for key in ("name", "uri", "taskId") if key in named), "")
    return {"Mcp-Method": _plain(message.get("method", "")), "Mcp-Name": _plain(name)}


def _plain(value: Json) -> str:
    return "".join(each for each in str(value) if each.isascii() and each.isprintable())[:4_000]


def answered(address: tuple[str, int], knock: Knock) -> tuple[int, bytes] | None:
    """Status and body; None where the server hung up, or waits for what was promised and never came."""
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        connection.sendall(knock.wire)
        if knock.length is not None:
            connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection, method=knock.method)
        try:
            response.begin()
            streaming = "text/event-stream" in response.headers.get("content-type", "")
            # A stream lasts as long as its client, who goes.
            return response.status, b"" if streaming else response.read(200_000)
        except (http.client.HTTPException, ConnectionError):
            assert knock.length is not None, knock
            return None
        finally:
            response.close()


@pytest.mark.parametrize("cases", SIZES)
def test_nothing_that_knocks_gets_in_breaks_or_moves_anything(cases: int, fort: Fort, tmp_path: Path) -> None:
    report = tmp_path / "effects.txt"
    with served(fort.home, command=watched_command(fort.home.path, report)) as server:
        parts = urlsplit(server.url)
        host, port = str(parts.hostname), int(parts.port or 0)

        @attacks(cases)
        @given(knock=knocks(f"{host}:{port}"))
        def attacked(knock: Knock) -> None:
            told = answered((host, port), knock)
            if told is None:
                return
            status, body = told
            assert status in STATUSES, (status, body[:500])
            assert b'File \\"' not in body, body
            assert b"Traceback (most" not in body, body
            if not knock.entitled and status in (200, 202):
                assert knock.target in ("/health", "/mcp/../health"), knock

        attacked()
        _goes_on(server)
    assert report.read_text() == ""
    assert fort.untouched()


def _goes_on(server: Served) -> None:
    assert server.process.poll() is None
    assert httpx2.get(server.url.replace("/mcp", "/health"), timeout=PATIENCE_S).json() == {"status": "ok"}
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": ACCEPTS[0],
        "MCP-Protocol-Version": PROTOCOLS["auto"],
        "Mcp-Method": "tools/list",
    }
    sound = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    assert httpx2.post(server.url, json=sound, headers=headers, timeout=PATIENCE_S).json()["result"]["tools"]
    # Who hangs up in the middle of a request is written down, and nothing else.
    assert {name for line in server.said for name in _RAISED.findall(line)} <= {"starlette.requests.ClientDisconnect"}
