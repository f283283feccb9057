"""One nasty text in every field that a plugin or a model controls: no command steers a terminal or a browser."""

from collections.abc import Generator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from doubles.cli import Called, endpoint, plugineval
from doubles.mcp_client import plugin_table
from doubles.plugins import registering
from doubles.poison import NASTY, NASTY_NAME, markup, nasty_model, steering
from plugineval.pccf.tools import ToolSpec
from plugineval.server.trust.requests import Requests

SCRIPT = registering.HERE / "poisoned.py"


class Swept:
    """A home in which everything that can be nasty is; `call` runs a command there."""

    def __init__(self, home: Path, base_url: str) -> None:
        self.home = home
        self.base_url = base_url
        self.benchmark = self.run = ""
        self.register(NASTY)

    def register(self, words: str) -> None:
        """Let the plugin say `words`."""
        (self.home / "words.txt").write_text(words, newline="")
        files = str(self.home / "calls.txt"), str(self.home / "words.txt")
        model = f'[models.rude]\nbase_url = "{self.base_url}"\nmodel = "rude"\n'
        table = plugin_table("counting", SCRIPT, *files)
        self.home.joinpath("plugineval.toml").write_text(table + model)

    def call(self, *words: object) -> Called:
        """What a command says."""
        return plugineval(*words, "--home", self.home)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Generator[Swept]:
    home = tmp_path_factory.mktemp("swept")
    with pytest.MonkeyPatch.context() as patch, endpoint(nasty_model) as server:
        patch.chdir(home)
        patch.delenv("PLUGINEVAL_CONFIG", raising=False)
        made = Swept(home, server.base_url)
        built = made.call("build", "--plugin", "counting", "--name", f"b {NASTY_NAME}", "--size", "8", "--json")
        assert built.code == 0, built.err
        made.benchmark = built.printed["benchmark_id"]
        models = ("--model", "rude", "--model", "baseline:lexical")
        measured = made.call("evaluate", made.benchmark, *models, "--repeats", "1", "--no-preflight", "--json")
        assert measured.code in (0, 3), measured.err
        made.run = measured.printed["run_id"]
        yield made


def harmless(called: Called) -> None:
    assert steering(called.out) == []
    assert steering(called.err) == []
    assert called.out + called.err


@pytest.mark.parametrize(
    "words",
    [
        ("plugins",),
        ("plugins", "counting"),
        ("plugins", "counting", "--json"),
        ("doctor", "--plugins"),
        ("benchmarks",),
        ("runs",),
        ("report",),
        ("report", "--markdown"),
        ("report", "--json"),
        ("card", "BENCHMARK"),
        ("versions", "BENCHMARK"),
        ("verify", "BENCHMARK"),
        ("decide", "RUN"),
        ("decide", "RUN", "--json"),
        ("drift", "RUN", "RUN"),
        ("regrade", "RUN", "--judge", "none"),
        ("regrade", "RUN", "--judge", "rude", "--no-preflight"),
        ("scenarios", "--plugin", "counting"),
        ("build", "--plugin", "counting", "--name", NASTY, "--size", "4"),
        ("build", "--plugin", "counting", "--name", f"c {NASTY_NAME}", "--size", "4"),
        ("build", "--plugin", "counting", "--name", "x", "--estimate"),
        ("build", "--plugin", NASTY, "--name", "x"),
        ("evaluate", NASTY, "--model", NASTY),
        ("evaluate", "BENCHMARK", "--model", "rude", "--repeats", "1"),
        ("resume", NASTY),
        ("approve", NASTY),
        ("approve", "--request", NASTY),
    ],
    ids=lambda words: " ".join(words)[:40].encode("ascii", "replace").decode().replace("\x1b", "?"),
)
def test_no_command_lets_a_plugin_or_a_model_steer_a_terminal(swept: Swept, words: tuple[str, ...]) -> None:
    named = {"BENCHMARK": swept.benchmark, "RUN": swept.run}
    harmless(swept.call(*(named.get(word, word) for word in words)))


@pytest.mark.parametrize("words", [("report", "--markdown"), ("card",), ("decide", "--note")])
def test_markdown_holds_no_tag_no_image_and_no_link_of_a_plugin_or_a_model(
    swept: Swept, words: tuple[str, ...]
) -> None:
    match words[0]:
        case "report":
            text = swept.call(*words).out
        case "card":
            text = swept.call("card", swept.benchmark).out
        case _:
            swept.call("decide", swept.run, "--note", swept.home / "note.md")
            text = (swept.home / "note.md").read_text()
    assert steering(text) == []
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert markup(html) == []
    assert "javascript:alert" not in [part.split('"')[0] for part in html.split('href="')[1:]]
    assert not [part for part in html.split('<img src="')[1:] if part.startswith("http://evil")]


def test_a_difference_that_is_to_be_approved_cannot_steer_the_terminal(swept: Swept) -> None:
    swept.call("plugins", "counting")
    try:
        swept.register(NASTY[::-1])
        harmless(swept.call("plugins", "counting"))
        harmless(swept.call("build", "--plugin", "counting", "--name", "x"))
        harmless(swept.call("approve"))
        harmless(swept.call("doctor"))
        shown = swept.call("approve", "counting")
        harmless(shown)
        assert "~ convert_length: description" in shown.err
    finally:
        swept.register(NASTY)


def test_a_question_to_a_person_cannot_steer_the_terminal(swept: Swept) -> None:
    tool = ToolSpec(plugin="counting", name="drop", description=NASTY, input_schema={})
    asked = Requests(swept.home).open("job-1", tool, {NASTY: NASTY})
    harmless(swept.call("approve"))
    shown = swept.call("approve", "--request", asked.id)
    harmless(shown)
    assert len(shown.err.splitlines()) == 4


def test_a_plugin_that_dies_with_nasty_last_words_cannot_steer_the_terminal(swept: Swept) -> None:
    script = swept.home / "dying.py"
    script.write_text(f"import sys\nsys.stderr.write({NASTY!r})\nsys.exit(3)\n")
    table = plugin_table("dying", script)
    config = swept.home / "dying.toml"
    config.write_text(table)
    called = plugineval("plugins", "dying", "--config", config, "--home", swept.home)
    assert called.code == 2
    harmless(called)


def test_logs_of_a_plugin_hold_nothing_that_steers_who_looks_into_them(swept: Swept) -> None:
    logs = list(swept.home.rglob("stderr.log"))
    assert logs
    assert [steering(log.read_text()) for log in logs] == [[]] * len(logs)
