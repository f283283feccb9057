"""Who gets in over HTTP: the bearer of the token, under a name of this machine, and nobody else."""

import json
import signal
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path

import anyio
import httpx2
import psutil
import pytest

from doubles.mcp_client import COMMAND, TOKEN, Agent, Home, Served, over_http, served

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "door", "version": "1"}},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(Home.at(tmp_path_factory.mktemp("door"))) as running:
        yield running


def _knock(url: str, **headers: str) -> httpx2.Response:
    return httpx2.post(url, json=HELLO, headers=HEADERS | headers, timeout=30)


@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}])
def test_without_the_token_nobody_gets_in(given: dict[str, str], server: Served) -> None:
    answer = _knock(server.url, **given)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert TOKEN not in answer.text + str(answer.headers)


def test_a_token_in_the_url_does_not_count(server: Served) -> None:
    assert _knock(f"{server.url}?token={TOKEN}&access_token={TOKEN}").status_code == 401


def test_with_the_token_the_server_answers(server: Served) -> None:
    answer = _knock(server.url, Authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200
    assert '"name":"PluginEval"' in answer.text.replace(" ", "")


def test_blanks_around_a_header_are_no_part_of_it(server: Served) -> None:
    # A client library would take them away.
    connection = HTTPConnection(server.url.split("/")[2], timeout=30)
    headers = HEADERS | {"Authorization": f" \t Bearer {TOKEN} \t "}
    connection.request("POST", "/mcp", json.dumps(HELLO), headers)
    assert connection.getresponse().status == 200
    connection.close()


def test_health_is_open_and_says_nothing(server: Served) -> None:
    answer = httpx2.get(server.url.replace("/mcp", "/health"), timeout=30)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "attacker.example", 421),
        ("Host", "localhost.attacker.example:80", 421),
        ("Origin", "http://attacker.example", 403),
        ("Origin", "null", 403),
        ("Host", "localhost", 200),
        ("Origin", "http://localhost:6274", 200),
    ],
)
def test_a_page_from_elsewhere_does_not_get_in(header: str, value: str, status: int, server: Served) -> None:
    assert _knock(server.url, Authorization=f"Bearer {TOKEN}", **{header: value}).status_code == status


@pytest.mark.parametrize("path", ["/mcp/", "/mcp//", "/", "/mcp/x", "/metrics"])
def test_whatever_the_path_another_host_is_refused_first_and_never_repeated(path: str, server: Served) -> None:
    answer = _knock(server.url.replace("/mcp", path), Authorization=f"Bearer {TOKEN}", Host="attacker.example")
    assert (answer.status_code, "location" in answer.headers) == (421, False)
    assert "attacker" not in answer.text + str(answer.headers)
    tricky = _knock(server.url.replace("/mcp", path), Host="localhost:80@attacker.example")
    assert "attacker" not in tricky.text + str(tricky.headers)


def test_a_slash_at_the_end_is_no_other_door(server: Served) -> None:
    assert _knock(f"{server.url}/").status_code == 401
    assert (
        _knock(f"{server.url}/", Authorization=f"Bearer {TOKEN}", Origin="http://attacker.example").status_code == 403
    )
    assert _knock(f"{server.url}/", Authorization=f"Bearer {TOKEN}").status_code == 200
    assert _knock(server.url.replace("/mcp", "/nowhere")).status_code == 404


def test_the_server_listens_on_loopback_alone(server: Served) -> None:
    listening = [each for each in psutil.Process(server.process.pid).net_connections() if each.status == "LISTEN"]
    assert {each.laddr.ip for each in listening} == {"127.0.0.1"}
    assert not any("unencrypted" in line for line in server.said)


def test_a_token_is_made_once_and_kept_for_its_owner(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    path = tmp_path / "http-token"
    with served(home, token=None) as server:
        token = path.read_text(encoding="ascii")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len(token) >= 40
        assert any(str(path) in line.replace("\n", "") for line in server.said)
        assert not any(token in line for line in server.said)
        assert _knock(server.url, Authorization=f"Bearer {token}").status_code == 200
        assert _knock(server.url).status_code == 401
    with served(home, token=None):
        assert path.read_text(encoding="ascii") == token


def test_a_server_for_other_machines_checks_names_and_warns(tmp_path: Path) -> None:
    home = Home.at(tmp_path, PLUGINEVAL_ALLOWED_HOSTS="evals.example, 10.1.2.3")
    with served(home, "--host", "0.0.0.0") as server:
        url = server.url.replace("0.0.0.0", "127.0.0.1")
        statuses = {
            host: _knock(url, Authorization=f"Bearer {TOKEN}", Host=host).status_code
            for host in (socket.gethostname(), "evals.example", "10.1.2.3:443", "127.0.0.1", "attacker.example")
        }
        assert _knock(url, Host="evals.example").status_code == 401
        httpx2.get(url.replace("/mcp", "/health"), timeout=30)
        assert any("unencrypted" in line for line in server.said)
    assert statuses.pop("attacker.example") == 421
    assert set(statuses.values()) == {200}


def test_a_port_that_is_taken_is_one_sentence(server: Served, tmp_path: Path) -> None:
    port = server.url.split(":")[2].split("/")[0]
    home = Home.at(tmp_path, PLUGINEVAL_TOKEN=TOKEN)
    found = subprocess.run(
        [*COMMAND, "serve", "--http", "--port", port],
        check=False,
        env=home.surroundings,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in found.stderr
    assert "--port" in found.stderr
    assert "Traceback" not in found.stderr


def test_sigterm_ends_the_server_and_its_plugins_and_leaves_the_job_resumable(new_home: Callable[..., Home]) -> None:
    async def begin(url: str) -> str:
        async with over_http(url, "auto") as client:
            arguments = {"plugins": ["counting"], "name": "long", "size": 40, "wait_s": 1}
            job = await Agent(client).call("benchmark_build", **arguments)
            assert job["state"] == "running"
            return str(job["job_id"])

    async def look(url: str, job_id: str) -> object:
        async with over_http(url, "legacy") as client:
            return (await Agent(client).call("job_get", job_id=job_id, wait_s=0))["state"]

    home = new_home(DELAY="0.1")
    with served(home) as server:
        job_id = anyio.run(begin, server.url)
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) in (0, -signal.SIGTERM)
        assert not any("Traceback" in line for line in server.said), server.said
    assert family
    assert not psutil.wait_procs(family, timeout=5)[1]
    with served(home) as server:
        assert anyio.run(look, server.url, job_id) == "interrupted"
