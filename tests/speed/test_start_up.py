"""How soon `plugineval serve` answers, and what it has not loaded by then.

What the SDK imports itself (uvicorn through sse_starlette, rich for its log) comes with every server built on it.
"""

import json
import os
import sys
from pathlib import Path

import pytest

from benchmarks.start_up import SERVE, commands, measure, started

pytestmark = pytest.mark.speed

NEVER_AT_START = frozenset(
    {
        "aiohttp",
        "alembic",
        "altair",
        "dateparser",
        "jsonschema",
        "lingua",
        "numpy",
        "openai",
        "rapidfuzz",
        "scipy",
        "sqlalchemy",
        "sqlmodel",
        "statsmodels",
        "text_to_num",
        "tomlkit",
        "typer.rich_utils",
        "uvloop",
    }
)
"""Each is loaded by the first work that needs it."""
ROOMS_OF_WORK = (
    "jsonschema_rs",
    "plugineval.pccf.construction",
    "plugineval.pccf.schemas",
    "plugineval.pccf.verification",
    "plugineval.server.app.sampling",
    "plugineval.server.jobs.params",
)
TOLD_AT_THE_END = """
import atexit, gc, json, os, sys
told = lambda: json.dumps([*sys.modules, *["collects"] * gc.isenabled()])
atexit.register(lambda: open(os.environ["LOADED"], "w").write(told()))
"""


def loaded_by_then(place: Path, monkeypatch: pytest.MonkeyPatch, era: str, *, listing: bool) -> set[str]:
    monkeypatch.setenv("LOADED", os.fspath(place))
    with commands() as (ours, _):
        home = ours[-1]
        started([sys.executable, "-c", TOLD_AT_THE_END + SERVE, "serve", "--home", home], era, listing=listing)
    return set(json.loads(place.read_text(encoding="utf-8")))


def test_serve_answers_first_within_1_2_of_a_bare_server_in_both_eras() -> None:
    figures = [figure for figure in measure() if figure.bar is not None]
    assert len(figures) == 4
    assert [figure for figure in figures if figure.value > 1.2] == []


@pytest.mark.parametrize("era", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("listing", [False, True], ids=["first answer", "tools listed"])
def test_nothing_heavy_is_loaded_before_it_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, era: str, listing: bool
) -> None:
    loaded = loaded_by_then(tmp_path / "loaded.json", monkeypatch, era, listing=listing)
    assert "mcp.server" in loaded
    # Garbage is looked for from the first answer on.
    assert "collects" in loaded
    assert sorted(NEVER_AT_START & loaded) == []


def test_the_first_answer_needs_nothing_of_building_and_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = loaded_by_then(tmp_path / "loaded.json", monkeypatch, "2025-11-25", listing=False)
    assert [name for name in sorted(loaded) if name.startswith(ROOMS_OF_WORK)] == []
    listed = loaded_by_then(tmp_path / "listed.json", monkeypatch, "2025-11-25", listing=True)
    assert [name for name in sorted(listed) if name.startswith(ROOMS_OF_WORK)] != []
