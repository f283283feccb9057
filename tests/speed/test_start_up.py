"""How soon `plugineval serve` answers, against a server of the same SDK that does nothing, in the same run."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.speed

ROUNDS = 7
BARE = """
from mcp.server import MCPServer
app = MCPServer("bare")
@app.tool()
async def hello(name: str) -> str:
    '''Say hello.'''
    return name
app.run("stdio")
"""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def seconds_to_first_answer(command: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    elapsed = time.perf_counter() - started
    process.stdin.close()
    process.wait(timeout=30)
    process.stdout.close()
    assert "result" in answer
    return elapsed


def test_serve_answers_within_1_3_of_a_bare_server(tmp_path: Path) -> None:
    # Without .pyc files both would mostly compile, which no user's second start does.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PLUGINEVAL_HOME"] = str(tmp_path)
    commands = {
        "bare": [sys.executable, "-c", BARE],
        "ours": [sys.executable, "-c", "from plugineval.server.cli import main; main()", "serve"],
    }
    fastest = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for name, command in commands.items():
            fastest[name] = min(fastest[name], seconds_to_first_answer(command, environment))
    ratio = fastest["ours"] / fastest["bare"]
    assert ratio <= 1.3, f"{ratio:.2f}: {fastest}"


def test_starting_to_serve_imports_nothing_heavy() -> None:
    code = (
        "import sys; from plugineval.server.app.factory import create_app; import plugineval.server.cli.serve;"
        "heavy = {'openai', 'sqlmodel', 'sqlalchemy', 'alembic', 'scipy', 'dateparser', 'rapidfuzz', 'rich'};"
        "sys.exit(' '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    found = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
