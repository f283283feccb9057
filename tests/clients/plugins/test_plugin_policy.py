"""Which tools may be executed: our word lists decide, hints only tighten, and what is unknown is not read-only."""

import pytest

from plugineval.clients.plugins.policy import decide
from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.clients.plugins.verbs import tokens
from plugineval.pccf.tools import ToolHints, ToolSpec


def allowed(name: str, *, policy: ExecutionPolicy = ExecutionPolicy.READ_ONLY, **fields: object) -> bool:
    """Whether a tool of that name may be executed."""
    tool = ToolSpec.model_validate({"name": name, "input_schema": {}} | fields)
    return decide(tool, PluginRegistration(name="p", command="x", policy=policy)).allowed


@pytest.mark.parametrize(
    "name",
    ["get_weather", "listOrders", "calculate-sum", "batch_calculate", "git.status", "get_post", "searchOpenIssues"],
)
def test_a_looking_verb_in_the_name_is_enough(name: str) -> None:
    assert allowed(name)


@pytest.mark.parametrize(
    "name",
    [
        "delete_user",
        "createEvent",
        "git_commit",
        "post_message",
        "get_or_create_user",
        "setUnits",
        "HTTPDelete",
        "weather",
    ],
)
def test_a_changing_or_an_unknown_name_is_not_executed(name: str) -> None:
    assert not allowed(name)


def test_a_hint_makes_an_unknown_name_executable_and_no_changing_one() -> None:
    hints = ToolHints(read_only=True)
    assert allowed("weather", hints=hints)
    assert not allowed("delete_user", hints=hints)


@pytest.mark.parametrize("hints", [ToolHints(destructive=True, read_only=True), ToolHints(read_only=False)])
def test_a_hint_may_tighten(hints: ToolHints) -> None:
    assert not allowed("get_weather", hints=hints)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("title", "Delete a user"),
        ("description", "Deletes the user and returns it."),
        ("description", "Pushes a commit."),
    ],
)
def test_title_and_first_words_of_the_description_may_object(field: str, words: str) -> None:
    assert not decide(
        ToolSpec.model_validate({"name": "get_user", "input_schema": {}, field: words}),
        PluginRegistration(name="p", command="x"),
    ).allowed
    assert allowed("get_user", description="Get the user; use delete_user to remove it.")


def test_a_person_decides_for_a_plugin_and_for_a_tool() -> None:
    assert allowed("delete_user", policy=ExecutionPolicy.SANDBOXED)
    assert not allowed("get_user", policy=ExecutionPolicy.NEVER)
    tool = ToolSpec(name="get_user", input_schema={})
    override = PluginRegistration(name="p", command="x", tools={"get_user": ExecutionPolicy.NEVER})
    assert not decide(tool, override).allowed


def test_every_decision_says_why() -> None:
    tool = ToolSpec(name="drop_table", input_schema={})
    reason = decide(tool, PluginRegistration(name="p", command="x")).reason
    assert reason == "not known to be read-only: its name says 'drop'"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getHTTPStatus", ("get", "http", "status")),
        ("list_items2", ("list", "items", "2")),
        ("math.solve-all", ("math", "solve", "all")),
    ],
)
def test_names_are_split_at_signs_and_humps(name: str, words: tuple[str, ...]) -> None:
    assert tokens(name) == words
