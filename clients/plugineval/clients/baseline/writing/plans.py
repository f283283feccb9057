"""What each scenario of a tool stands for, so that a writer asked for a scenario id knows what to write.

Plans are derived from the tool and the set again each time: equal tools give equal plans under equal ids.
"""

from collections.abc import Iterable
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.lexicon import SIBLINGS
from plugineval.clients.baseline.listed import shown
from plugineval.clients.baseline.words import stem, tokens
from plugineval.clients.baseline.writing.requests import request_of
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

_MOST_VALUES = 4
_MOST_LOOKALIKES = 2
_ACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "email",
        (
            "Email {person} that we need to talk about {subject} on {day}",
            "Send {person} an email with a question about {subject}",
            "Reply by email to {person} that {subject} has to wait until {day}",
        ),
    ),
    (
        "schedule",
        (
            "Set up a recurring schedule that will {act} every {day} morning",
            "Schedule it so that from now on every {day} at dawn you {act} without being asked",
            "Schedule a reminder for {day} so that I do not forget to {act}",
        ),
    ),
    (
        "print",
        (
            "Print a poster about {subject} on the office printer for {day}",
            "Print our {language} leaflet on {subject}",
            "Print labels that say {subject}, enough for {day}",
        ),
    ),
    (
        "translate",
        (
            "Translate everything we have on {subject} into {language}",
            "Translate our {language} handbook on {subject} for the people who come on {day}",
            "Translate into {language} what {person} sent us about {subject}",
        ),
    ),
    (
        "book",
        (
            "Book a meeting room on {day} so that we can talk about {subject}",
            "Book {person} a seat on the {day} train to the conference on {subject}",
            "Book a {language} interpreter for our {day} session on {subject}",
        ),
    ),
)
"""Acts on the world, by the verb that a tool which can do them would name."""


class Plan(NamedTuple):
    """One scenario and what its queries are made from."""

    scenario: Scenario
    speaks_of: tuple[Argument, ...] = ()
    """Arguments whose values the query gives."""
    choice: Argument | None = None
    values: tuple[Json, ...] = ()
    """Values that `choice` takes in this scenario."""
    withheld: Argument | None = None
    beyond: tuple[str, ...] = ()
    """Type C: sentences that ask for an act the tool lacks."""


def plans_of(tool: ToolSpec, toolset: Toolset) -> tuple[Plan, ...]:
    """All plans of `tool`: triggers, Type A, Type B, Type C, underspecified."""
    arguments = arguments_of(tool)
    return (
        *_triggers(tool, arguments),
        _everyday(tool),
        *_lookalikes(tool, toolset),
        *_beyond(tool, toolset, arguments),
        *_underspecified(tool, arguments),
    )


def scenario(tool: ToolSpec, kind: ScenarioKind, suffix: str, title: str, evidence: str) -> Scenario:
    """A scenario of `tool`; its id is the offered name, the kind and a suffix."""
    tail = f":{suffix}" if suffix else ""
    return Scenario(
        id=f"{tool.offered_name}/{kind.value}{tail}",
        kind=kind,
        target=tool.offered_name,
        title=title,
        evidence=evidence[:400],
    )


def needed(arguments: Iterable[Argument]) -> tuple[Argument, ...]:
    """Arguments that every positive query gives a value for."""
    return tuple(each for each in arguments if each.required)


def _triggers(tool: ToolSpec, arguments: tuple[Argument, ...]) -> Iterable[Plan]:
    speaks_of = needed(arguments)
    act = request_of(tool).act
    choice = next((each for each in speaks_of if each.kind is Kind.CHOICE and len(each.choices) >= 2), None)
    content = next((each for each in arguments if not each.has_default and each.kind not in _AWKWARD), None)
    if choice is None and not speaks_of and content is not None:
        pass
    elif choice is None or any(each.kind is Kind.UNIT for each in speaks_of):
        yield Plan(scenario(tool, ScenarioKind.TRIGGER, "", act, tool.description), speaks_of)
    else:
        for value in choice.choices[:_MOST_VALUES]:
            evidence = f"{choice.name}: {choice.description or value}"
            title = f"{act}, {choice.label} {value}"
            made = scenario(tool, ScenarioKind.TRIGGER, f"{choice.name}={value}", title, evidence)
            yield Plan(made, speaks_of, choice, (value,))
    optional = next((each for each in arguments if not each.required and each.kind not in _AWKWARD), None)
    if optional is not None:
        title = f"{act}, with {optional.label} given"
        made = scenario(
            tool, ScenarioKind.TRIGGER, f"with {optional.name}", title, f"{optional.name}: {optional.description}"
        )
        yield Plan(made, (*speaks_of, optional))


_AWKWARD = frozenset({Kind.OBJECT, Kind.TEXT, Kind.IDENTIFIER, Kind.ARRAY, Kind.PATH})
"""Optional arguments of these kinds stand for things that must exist already."""


def _everyday(tool: ToolSpec) -> Plan:
    return Plan(
        scenario(tool, ScenarioKind.TYPE_A, "", "everyday request that needs no tool", f"tool: {tool.description}")
    )


def _lookalikes(tool: ToolSpec, toolset: Toolset) -> Iterable[Plan]:
    for alike in lookalikes_of(tool, toolset)[:_MOST_LOOKALIKES]:
        other = toolset.tool(alike.tool)
        evidence = f"{alike.measure}: {alike.similarity:.2f} between {tool.description!r} and {other.description!r}"
        made = scenario(tool, ScenarioKind.TYPE_B, alike.tool, f"request that {alike.tool} answers", evidence)
        yield lookalike_plan(made.model_copy(update={"lookalike": alike.tool}), toolset)


def lookalike_plan(made: Scenario, toolset: Toolset) -> Plan:
    """The plan of a Type B scenario whose look-alike is a tool of the set."""
    return Plan(made, needed(arguments_of(toolset.tool(made.lookalike or ""))))


def _beyond(tool: ToolSpec, toolset: Toolset, arguments: tuple[Argument, ...]) -> Iterable[Plan]:
    known = {stem(word) for each in toolset.tools for word in tokens(f"{each.name} {each.description}")}
    lacking = [(verb, sentences) for verb, sentences in _ACTS if stem(verb) not in known]
    for verb, sentences in lacking[sum(map(ord, tool.name)) % max(1, len(lacking)) :][:1]:
        evidence = f"no tool of the set says that it can {verb}"
        made = scenario(tool, ScenarioKind.TYPE_C, verb, f"asks to {verb}, which the tool cannot", evidence)
        yield Plan(made, needed(arguments), beyond=sentences)
    for argument in arguments:
        outside = outside_of(argument)
        if outside:
            limit = f"{argument.name} is limited to " + _limits(argument)
            made = scenario(
                tool, ScenarioKind.TYPE_C, f"{argument.name} out of range", f"{argument.label} beyond its limits", limit
            )
            speaks_of = needed(arguments) if argument.required else (*needed(arguments), argument)
            yield Plan(made, speaks_of, argument, outside)
            return


def outside_of(argument: Argument) -> tuple[Json, ...]:
    """Values that a person may ask for and the schema forbids."""
    if argument.kind.numeric and argument.maximum is not None:
        top = int(argument.maximum)
        return tuple(top * factor for factor in (2, 3, 5, 10, 20)) if top > 0 else ()
    if not argument.closed or not all(isinstance(choice, str) for choice in argument.choices):
        return ()
    own = {str(choice).lower() for choice in argument.choices}
    family = max(SIBLINGS, key=lambda each: len(each & own))
    return tuple(sorted(family - own)) if len(family & own) >= 2 else ()


def _limits(argument: Argument) -> str:
    if argument.closed:
        return shown(argument.choices)
    return f"at most {argument.maximum:g}"


def _underspecified(tool: ToolSpec, arguments: tuple[Argument, ...]) -> Iterable[Plan]:
    """A required argument that nothing else can stand for is left out."""
    required = needed(arguments)
    implied = any(each.kind is Kind.UNIT for each in required)
    for each in required:
        if each.optional_for_user or (implied and each.kind is Kind.CHOICE):
            continue
        title = f"{request_of(tool).act}, without saying the {each.label}"
        evidence = f"{each.name} is required and has no default: {each.description}"
        made = scenario(tool, ScenarioKind.UNDERSPECIFIED, each.name, title, evidence)
        yield Plan(made, tuple(other for other in required if other.name != each.name), withheld=each)
        return
