"""Runs whose rows hang on meaning: cases, a model that answers them, and judges behind the same endpoint."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from doubles.cli import Called, case, cases_file, obedient, plugineval
from doubles.judging import verdict
from doubles.openai_server import Document, OpenAIServer, Reply, message

FILE_REPORT: Document = {
    "name": "file_report",
    "description": "File a damage report",
    "input_schema": {
        "type": "object",
        "properties": {"damage": {"type": "string", "description": "What is broken, in words"}},
        "required": ["damage"],
    },
}
GOLD = "the display is cracked"
SAID = "the screen has a crack in it"
Answer = Callable[[Document], Reply]


def report_case(case_id: str, *, said: str = SAID, gold: str = GOLD) -> Document:
    """A positive whose gold and answer mean the same in different words."""
    wanted: Document = {"name": "file_report", "arguments": {"damage": gold}}
    query = f'case {case_id}: CALL {{"file_report": {{"damage": "{said}"}}}}'
    return case(case_id, query, wanted, tools=[FILE_REPORT])


def says(word: str, subtype: str | None = None) -> Answer:
    """A judge with one opinion."""
    return lambda _: message(verdict(word, subtype))


def with_judges(judges: Mapping[str, Answer]) -> Answer:
    """Judges by the name of their model, as the mapping has them at the time; every other model is obedient."""
    return lambda request: judges.get(str(request["model"]), obedient)(request)


def asked(server: OpenAIServer, *models: str) -> int:
    """How many requests went to these models."""
    return sum(request["model"] in models for request in server.requests)


def evaluated(folder: Path, cases: list[Document], server: OpenAIServer, *more: object) -> Called:
    """`plugineval evaluate` of the model `m` on a file of these cases."""
    path = cases_file(folder, cases)
    options = ("--model", "openai:m", "--base-url", server.base_url, "--home", folder / "home", "--json")
    return plugineval("evaluate", path, *options, *more)


def in_home(folder: Path, *words: object) -> Called:
    """A command in the same home."""
    return plugineval(*words, "--home", folder / "home", "--json")


def graded_model(called: Called) -> dict[str, Any]:
    """The first model of what was printed."""
    return cast("dict[str, Any]", called.printed["models"][0])
