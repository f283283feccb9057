"""Every command in a home full of secrets, with a plugin and an endpoint that say them all back: whatever is printed,
written, stored or logged holds none.
"""

import json
from pathlib import Path

import pytest

from doubles.canaries import MODEL_KEY, MODEL_PASSWORD, PLANTED, cells_of, leaks_below, leaks_in
from doubles.cli import Called, addition, cases_file, plugineval
from doubles.openai_server import Document
from plugineval.pccf.values import Json
from secrecy.conftest import Planted

CHECK = """
import os, sys
from plugineval.clients.checks import semantic_check

found = " ".join(value for value in os.environ.values() if "canary" in value)
sys.stderr.write(f"check knows {found!r}")


@semantic_check("get_text", "add")
def same(case, gold, predicted):
    raise ValueError(f"cannot compare with {os.environ.get('FAST_API_KEY')} {found} {predicted}")
"""

TOOL: Document = {"name": "get_text", "description": "Say it.", "input_schema": {"type": "object"}}


class Commands:
    """Runs commands in the home and keeps all that they print."""

    def __init__(self, planted: Planted) -> None:
        self.home, self.server = planted
        self.run_id = ""
        self.printed: dict[str, Called] = {}

    def __call__(self, *words: object, code: int | None = 0) -> Called:
        called = plugineval(*words, "--home", self.home)
        self.printed[" ".join(map(str, words))] = called
        assert code is None or called.code == code, (words, called)
        return called

    @property
    def leaks(self) -> list[str]:
        """Command -> what it gave away."""
        return [
            f"{command}: {leak}"
            for command, called in self.printed.items()
            for leak in leaks_in(f"{called.out}{called.err}".encode())
        ]


@pytest.fixture(scope="module")
def worked(planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """All commands once, in the order in which a person would."""
    folder = planted.home / "files"
    folder.mkdir()
    run = Commands(planted)
    _looked(run)
    _built(run, folder)
    _measured(run, folder)
    _judged(run, folder)
    return run


def _looked(run: Commands) -> None:
    run("doctor", "--plugins", code=1)
    run("doctor", "--plugins", "--json", code=1)
    run("plugins")
    run("plugins", "leaky")
    run("plugins", "leaky", "--json")
    run("plugins", "gone", code=2)
    run("plugins", "far", "--json", code=2)


def _built(run: Commands, folder: Path) -> None:
    run("scenarios", "--plugin", "leaky", "--out", folder / "catalog.toml", code=None)
    run("build", "--plugin", "leaky", "--name", "mine", "--size", 4, "--estimate")
    run("build", "--plugin", "leaky", "--name", "mine", "--size", 4, "--no-preflight", "--json", code=None)
    run("resume", "--last", "--json", code=None)
    quiet = run.home / "quiet.toml"
    quiet.write_text((run.home / "plugineval.toml").read_text().partition("[roles]")[0])
    run("build", "--plugin", "leaky", "--name", "good", "--size", 4, "--json", "--config", quiet)
    run("build", "--plugin", "gone", "--name", "none", "--size", 2, "--no-preflight", code=2)
    run("verify", "good", "--json")
    for words in (("versions", "good"), ("card", "good"), ("benchmarks",), ("export", "good", folder / "exported")):
        run(*words)


def _measured(run: Commands, folder: Path) -> None:
    (folder / "check.py").write_text(CHECK)
    models = ("--model", "fast", "--model", "baseline:lexical", "--repeats", 2, "--concurrency", 1, "--no-preflight")
    measured = run(
        "evaluate", "good", *models, "--check", folder / "check.py", "--judge", "judging", "--json", code=None
    )
    first = run.run_id = measured.printed["run_id"]
    run("evaluate", cases_file(folder, [addition(f"c{n}", n) for n in range(8)]), *models, "--json", code=None)
    run("regrade", first, "--judge", "judging", "--json", code=None)
    run("drift", first, first, code=None)
    for form in ((), ("--markdown",), ("--json",)):
        run("report", first, *form)
    run("decide", first, "--note", folder / "note.md", code=None)
    run("record", first, "--out", folder / "recorded.jsonl", code=None)


def _judged(run: Commands, folder: Path) -> None:
    row: Document = {"query": "Say hello.", "tools": [TOOL], "gold": [_call("hello")], "predicted": [_call("hallo")]}
    (folder / "rows.jsonl").write_text(json.dumps({"id": "r", "sample_type": "positive", **row}) + "\n")
    judging = ("--judge", "judging", "--no-preflight", "--out", folder / "verdicts.jsonl")
    for _ in range(8):
        # The endpoint says everything back in another place each time.
        run("judge", "--file", folder / "rows.jsonl", *judging, code=None)
    run("judge", "--file", folder / "rows.jsonl", "--judge", "judging", "--json", code=None)
    run("resume", "--last", "--json", code=None)
    run("work", "next", "--json", code=None)
    run("record", "mine", "--out", folder / "roles.jsonl", code=None)


def _call(text: str) -> Json:
    return {"name": "get_text", "arguments": {"text": text}}


def test_a_base_url_with_a_password_is_refused_where_a_job_would_keep_it(worked: Commands) -> None:
    before = cells_of(worked.home / "plugineval.db")
    address = worked.server.base_url.replace("http://", f"http://user:{MODEL_PASSWORD}@")
    for words in (
        ("evaluate", "good", "--model", "openai:m"),
        ("regrade", worked.run_id, "--judge", "none"),
        ("regrade", worked.run_id, "--judge", "openai:m"),
        ("judge", "--file", worked.home / "files" / "rows.jsonl", "--judge", "openai:m"),
    ):
        called = plugineval(*words, "--base-url", address, "--home", worked.home)
        assert (called.code, leaks_in(f"{called.out}{called.err}".encode())) == (2, [])
        assert "base-url: holds a key or a password" in called.err
    assert cells_of(worked.home / "plugineval.db") == before


@pytest.mark.parametrize("address", ["ftp://u:{}@h/v1", "http://u:{}@127.0.0.1:9/v1?api_key={}"])
def test_the_default_address_is_told_without_its_secrets(
    worked: Commands, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address.format(MODEL_PASSWORD, PLANTED["MODEL_QUERY_KEY"]))
    called = plugineval("evaluate", "good", "--model", "openai:m", "--json", "--home", worked.home)
    assert called.code != 0
    assert leaks_in(f"{called.out}{called.err}".encode()) == []
    assert leaks_in(cells_of(worked.home / "plugineval.db")) == []


@pytest.mark.parametrize(
    "table",
    [
        '[models.x]\nbase_url = "ftp://u:${GATE_PASSWORD}@h/v1"\nmodel = "m"',
        '[models.x]\nbase_url = "http://u:${GATE_PASSWORD}@h:99999/v1"\nmodel = "m"',
        '[models.x]\nbase_url = "http://h/v1"\nmodel = "m"\nheaders = { X-Gate = "é${GATE_TOKEN}" }',
        '[models.x]\nbase_url = "http://h/v1"\nmodel = "m"\nheaders = ["${GATE_TOKEN}"]',
        '[plugins.x]\nurl = "http://u:${REMOTE_PASSWORD}@[h/mcp"',
        '[plugins.x]\nurl = "http://h/mcp"\nheaders = { X = ["${REMOTE_TOKEN}"] }',
        '[plugins.x]\ncommand = "no-such-server"\nargs = [["${NOTES_KEY}"]]',
        '[plugins.x]\ncommand = "x"\nenv = { A = ["${NOTES_TOKEN}"] }',
        '[store]\nurl = "mysql://u:${GATE_PASSWORD}@h/db"',
        '[store]\nurl = "postgresql+psycopg://u:${GATE_PASSWORD}@127.0.0.1:9/db?password=${GATE_KEY}"',
        '[store]\nurl = "postgresql+nodriver://u:${GATE_PASSWORD}@127.0.0.1:9/db?sslpassword=${GATE_KEY}"',
        f'[models.x]\napi_key = "{MODEL_KEY}"',
        f'[models.x]\napi_key_env = "{MODEL_KEY}"',
        f'[plugins.x]\ncommand = "{MODEL_KEY}',
    ],
)
def test_broken_settings_are_told_without_their_secrets(planted: Planted, tmp_path: Path, table: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "plugineval.toml").write_text(table + "\n")
    for words in (
        ("doctor",),
        ("doctor", "--json"),
        ("plugins",),
        ("runs", "--json"),
        ("evaluate", "x", "--model", "x"),
    ):
        called = plugineval(*words, "--home", home)
        assert leaks_in(f"{called.out}{called.err}".encode()) == [], words
    assert called.code == 2


def test_an_import_leaves_the_secrets_where_they_were(tmp_path: Path) -> None:
    server = {
        "command": "npx",
        "args": ["server", "--api-key", PLANTED["PLUGIN_ARGUMENT"], f"--token={PLANTED['ERRAND_TOKEN']}"],
        "env": {"NOTES_TOKEN": PLANTED["PLUGIN_VARIABLE"], "PASSPHRASE": PLANTED["ODD_VARIABLE"]},
    }
    remote = {
        "url": f"https://user:{PLANTED['PLUGIN_PASSWORD']}@h.example/mcp?key={PLANTED['PLUGIN_QUERY_KEY']}",
        "headers": {"Authorization": f"Bearer {PLANTED['PLUGIN_HEADER']}"},
    }
    source = tmp_path / "mcp.json"
    source.write_text(json.dumps({"mcpServers": {"local": server, "remote": remote}}))
    for form in ((), ("--json",)):
        called = plugineval("init", "--from", source, "--out", tmp_path / f"settings{len(form)}.toml", *form)
        assert (called.code, leaks_in(f"{called.out}{called.err}".encode())) == (0, [])
    assert leaks_below(tmp_path, apart_from=[source]) == []


def test_real_queries_are_masked_before_anything_is_written(worked: Commands, tmp_path: Path) -> None:
    lines = [f"my api_key: {PLANTED['MODEL_KEY']} please add it", f"Authorization: Bearer {PLANTED['MODEL_HEADER']}"]
    (tmp_path / "log.txt").write_text("\n".join(lines))
    for form in ((), ("--json",), ("--out", tmp_path / "masked.jsonl")):
        called = plugineval("queries", tmp_path / "log.txt", *form, "--home", worked.home)
        assert (called.code, leaks_in(f"{called.out}{called.err}".encode())) == (0, [])
    assert leaks_below(tmp_path, apart_from=[tmp_path / "log.txt"]) == []


def test_no_command_prints_a_secret(worked: Commands) -> None:
    assert worked.leaks == []


def test_no_file_and_no_row_holds_a_secret(worked: Commands) -> None:
    assert leaks_below(worked.home) == []
