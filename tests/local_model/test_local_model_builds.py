"""A real model as generator in a small build: what it proposes is mostly wrong, and none of that becomes gold."""

import json
from collections import Counter
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from doubles.cli import Called, plugineval
from doubles.local_models import OFFERED, LocalServer, registration
from plugineval.pccf.tools import Plugin

pytestmark = pytest.mark.local_model

MODEL = ("temperature = 0.8", "max_tokens = 200", 'call_mode = "json_schema"')
ROLES = """
[roles]
generators = ["smollm2", "baseline:lexical"]
router = "needle"
[build]
calibration_runs = 1
strengthening = 0
concurrency = 2
[build.verification]
generators = 2
max_rounds = 2
"""


def settings(home: Path, plugins: dict[str, Plugin], tables: str) -> None:
    home.mkdir(parents=True)
    text = tables
    for name, plugin in plugins.items():
        # What the time is now is another evidence in every build, and so another question to the model that sees it.
        kept = set(OFFERED[name]) - {"get_current_time"}
        left_out = [tool.name for tool in plugin.tools if tool.name not in kept]
        found = registration(name)
        text += f"[plugins.{name}]\ncommand = {json.dumps(found.command)}\nargs = {json.dumps(found.args)}\n"
        text += f'policy = "sandboxed"\nexclude = {json.dumps(left_out)}\n'
    (home / "plugineval.toml").write_text(text + ROLES)


def traces_of(home: Path) -> list[dict[str, Any]]:
    with connect(home / "plugineval.db") as store:
        records = [json.loads(body) for (body,) in store.execute("select body from records")]
    return [trace for record in records for kept in record["rounds"] for trace in kept["traces"]]


@pytest.fixture(scope="module")
def built(
    needle: LocalServer, smollm2: LocalServer, plugins: dict[str, Plugin], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Called]:
    home = tmp_path_factory.mktemp("built") / "home"
    settings(home, plugins, needle.named("needle") + smollm2.named("smollm2", *MODEL))
    return home, build(home, plugins)


def build(home: Path, plugins: dict[str, Plugin]) -> Called:
    words = [word for name in plugins for word in ("--plugin", name)]
    return plugineval("build", *words, "--name", "small", "--size", 6, "--home", home, "--json")


def hash_of(home: Path) -> str:
    (benchmark,) = plugineval("benchmarks", "--home", home, "--json").printed["benchmarks"]
    return str(benchmark["content_hash"])


@pytest.mark.requirement("P9", "P13", "P14")
def test_real_mistakes_are_rejected_by_the_gate_that_they_break_at(built: tuple[Path, Called]) -> None:
    home, called = built
    assert called.code == 0, called.err
    own = [trace for trace in traces_of(home) if trace["generator"] == "smollm2"]
    assert own
    assert all(trace["elapsed_ms"] > 0 for trace in own)
    ineligible = Counter(trace["ineligible"] for trace in own if trace["ineligible"])
    assert ineligible, "a model of this size proposes something wrong"
    assert "unreadable" in ineligible or "schema_violation" in ineligible, ineligible
    raws = [trace["proposal"]["raw"] for trace in own if trace["ineligible"] == "unreadable"]
    assert all(raws), "what cannot be read is kept as it came"


@pytest.mark.requirement("P10", "P36")
def test_what_is_accepted_was_executed_whoever_proposed_it(built: tuple[Path, Called]) -> None:
    home, called = built
    assert called.printed["positives"] > 0
    scored = [trace for trace in traces_of(home) if trace["score"] is not None]
    assert {trace["generator"] for trace in scored} >= {"baseline:lexical"}
    assert {trace["observation"]["kind"] for trace in scored} <= {"returned", "suspect"}


@pytest.mark.requirement("X2", "X3")
def test_a_build_in_which_real_models_played_is_replayed_to_the_same_benchmark(
    built: tuple[Path, Called], plugins: dict[str, Plugin], tmp_path: Path
) -> None:
    home, called = built
    file = tmp_path / "small.jsonl"
    told = plugineval("record", called.printed["job_id"], "--out", file, "--home", home, "--json")
    assert told.code == 0, told.err
    assert set(told.printed["answers"]) <= {"smollm2", "needle"}
    assert told.printed["answers"]["smollm2"] > 0
    replay = tmp_path / "replay" / "home"
    tables = (f'[models.{name}]\nrecorded = "{file}"\nmodel = "{name}"\n' for name in told.printed["answers"])
    settings(replay, plugins, "".join(tables))
    again = build(replay, plugins)
    assert again.code == 0, again.err
    assert hash_of(replay) == hash_of(home)
    assert again.printed["calls_replayed"] == sum(told.printed["answers"].values())
