"""`plugineval scenarios`, `build --scenarios`: derived, edited by a person, built from; nothing deleted comes back."""

import json
import re
from pathlib import Path

import pytest

from doubles.cli import endpoint, plugineval
from doubles.mcp_client import plugin_table
from doubles.openai_server import Document, OpenAIServer, Reply, message, refusal

pytestmark = pytest.mark.requirement("P21")

COUNTING = Path(__file__).parents[2] / "journeys" / "counting.py"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    plugin = plugin_table("counting", COUNTING) + f'env = {{CALLS = "{home / "calls.txt"}"}}\n'
    (home / "plugineval.toml").write_text(plugin)
    return home


def derive(home: Path, *options: object) -> Path:
    file = home / "mine.toml"
    called = plugineval("scenarios", "--plugin", "counting", "--out", file, "--home", home, *options)
    assert called.code == 0, called.err
    return file


def build(home: Path, file: Path, *options: object) -> tuple[str, ...]:
    return (
        "build",
        "--plugin",
        "counting",
        "--name",
        "n",
        "--size",
        "6",
        "--scenarios",
        str(file),
        "--home",
        str(home),
        *map(str, options),
    )


@pytest.mark.requirement("P36")
def test_what_a_person_deleted_stays_deleted_and_what_was_added_is_written_for(home: Path) -> None:
    file = derive(home)
    head, *tables = re.split(r"(?m)^(?=\[\[tool\.)", file.read_text())
    kept = [table for table in tables if table.startswith("[[tool.get_rectangle_area]]") and "trigger" in table]
    own = '[[tool.get_rectangle_area]]\nkind = "trigger"\ntitle = "how big a field is"\n'
    file.write_text("".join([head, *kept, own]))
    called = plugineval(*build(home, file, "--json"))
    assert called.code == 0, called.err
    built = called.printed
    units = {unit.partition("|")[0] for unit in built["coverage"]}
    assert len(units) == len(kept) + 1
    assert all("get_rectangle_area" in unit and "trigger" in unit for unit in units)
    assert {row["tool"] for row in built["grid"]} == {"get_rectangle_area"}
    assert built["positives"] == built["examples"] > 0
    assert (built["warnings"], "scenarios" in built["calls_by_stage"]) == ([], False)


def test_a_mistake_in_the_file_ends_the_build_before_a_plugin_is_started(home: Path) -> None:
    file = derive(home)
    file.write_text(file.read_text() + '\n[[tool.get_rectangle_area]]\nkind = "triger"\ntitle = "t"\n')
    (home / "database.sqlite").unlink(missing_ok=True)
    called = plugineval(*build(home, file))
    assert called.code == 2
    assert re.search(r"mine\.toml, line \d+: tool\.get_rectangle_area\[\d+\]\.kind: 'triger'", called.err)
    assert "Building: job" not in called.err


def test_a_tool_that_is_not_there_is_told_with_its_line(home: Path) -> None:
    file = derive(home)
    file.write_text(file.read_text() + '\n[[tool.get_triangle_area]]\nkind = "trigger"\ntitle = "t"\n')
    called = plugineval(*build(home, file))
    assert called.code == 2
    assert (
        "tool.get_triangle_area[0]: there is no tool 'get_triangle_area'; did you mean 'get_rectangle_area'?"
        in called.err
    )


def test_a_catalog_of_other_tools_is_used_with_a_warning(home: Path) -> None:
    file = derive(home)
    gone = '\n[[tool.get_triangle_area]]\nkind = "trigger"\ntitle = "t"\n'
    file.write_text(re.sub(r'(?m)^toolset = ".*"$', 'toolset = "older"', file.read_text()) + gone)
    called = plugineval(*build(home, file))
    assert called.code == 0, called.err
    assert "WARNING: " in called.out
    assert "was made for other tools (older)" in called.out
    assert re.search(r"left out: .*mine\.toml, line \d+: tool\.get_triangle_area\[0\]: there is no tool", called.out)


def test_a_file_is_never_written_over(home: Path) -> None:
    file = derive(home)
    before = file.read_text()
    called = plugineval("scenarios", "--plugin", "counting", "--out", file, "--home", home)
    assert (called.code, file.read_text()) == (2, before)
    assert "there is such a file" in called.err


@pytest.mark.requirement("D12")
def test_without_a_file_the_catalog_is_printed_for_people_or_for_scripts(home: Path) -> None:
    printed = plugineval("scenarios", "--plugin", "counting", "--home", home)
    assert "[[tool.get_rectangle_area]]\n" in printed.out
    said = plugineval("scenarios", "--plugin", "counting", "--home", home, "--json").printed
    assert said["measure"].startswith("stem-and-trigram-cosine/")
    assert {scenario["target"] for scenario in said["scenarios"]} == {"convert_length", "get_rectangle_area"}
    assert (said["writer"], said["plugins"], said["file"]) == ("baseline:lexical", ["counting"], None)


@pytest.mark.requirement("P25", "P28", "P35")
def test_a_build_shows_coverage_at_a_glance_and_what_each_round_left_missing(home: Path) -> None:
    called = plugineval("build", "--plugin", "counting", "--name", "n", "--size", 12, "--home", home)
    assert called.code == 0, called.err
    rounds, grid = called.out.split("Missing after each round")[1].split("Coverage\n")
    assert re.search(r"round\s+trigger\s+.*all", rounds)
    assert re.search(r"(?m)^1\s", rounds)
    assert re.search(r"tool\s+kind\s+easy\s+medium\s+hard\s+missing", grid)
    assert re.search(r"convert_length\s+trigger\s+\d/\d", grid)
    assert "stopped: " in called.out


def playing(home: Path, server: OpenAIServer) -> None:
    """The writer is a model behind that endpoint."""
    settings = home / "plugineval.toml"
    plugin = settings.read_text().partition("[models.fast]")[0]
    model = f'[models.fast]\nmodel = "x"\nbase_url = "{server.base_url}"\nmax_retries = 0\n[roles]\nwriter = "fast"\n'
    settings.write_text(plugin + model)


def deriving(request: Document) -> Reply:
    """Two scenarios that say the same, and one whose look-alike is not there."""
    derived = [
        {"kind": "trigger", "title": "work out the size of a plain field"},
        {"kind": "trigger", "title": "work out the sizes of a plain field"},
        {"kind": "type_b", "title": "another matter", "lookalike": "nowhere"},
    ]
    return message(json.dumps({"scenarios": derived}))


@pytest.mark.requirement("X3", "X11")
def test_a_model_that_is_down_ends_the_job_and_resume_prints_what_the_command_would_have(home: Path) -> None:
    with endpoint(lambda _: refusal(500, "out of order")) as server:
        playing(home, server)
        called = plugineval("scenarios", "--plugin", "counting", "--home", home, "--json")
    assert (called.code, called.error["kind"]) == (3, "IncompleteError")
    assert "the writer derived no scenarios from convert_length" in called.error["problem"]
    with endpoint(deriving) as server:
        playing(home, server)
        resumed = plugineval("resume", called.error["job_id"], "--home", home)
        again = plugineval("resume", called.error["job_id"], "--home", home, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.out.count("work out the size of a plain field") == 4
    assert "# refused, unknown_lookalike (nowhere): convert_length, type_b: another matter" in resumed.out
    reasons = [refused["reason"] for refused in again.printed["refused"]]
    assert reasons == ["near_duplicate", "unknown_lookalike"] * 2
    assert all(refused["similarity"] >= 0.9 for refused in again.printed["refused"][::2])


def test_a_file_of_another_plugin_is_told_with_both_plugins(home: Path) -> None:
    file = derive(home)
    text = file.read_text().replace('plugins = ["counting"]', 'plugins = ["maps"]')
    file.write_text(re.sub(r'toolset = "\w+"', 'toolset = "abc"', text).replace("[[tool.", "[[tool.other_"))
    refused = plugineval(*build(home, file, "--json"))
    assert refused.code == 2
    assert "derived from plugin maps" in refused.error["problem"]
    assert "the tools of plugin counting" in refused.error["problem"]
    assert "plugineval scenarios" in refused.error["next_step"]
