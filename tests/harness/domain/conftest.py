"""A question to the domain rules as the comparator asks it, in both directions."""

from collections.abc import Callable

import pytest

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.domain import decide
from plugineval.harness.equivalence.verdicts import CallContext, Place, Ruling
from plugineval.pccf.values import Json


def _place(argument: str, schema: dict[str, Json], query: str, tool: str) -> Place:
    node = Node.of_root({"type": "object", "properties": {argument: dict(schema)}}).property(argument)
    return Place(node, argument, CallContext(query=query, tool_description=tool))


@pytest.fixture(scope="session")
def rule_on() -> Callable[..., Ruling | None]:
    """(argument, gold, predicted, description=, query=, tool=, **schema keywords) -> the ruling."""

    def ask(
        argument: str, gold: Json, predicted: Json, *, query: str = "", tool: str = "", **schema: Json
    ) -> Ruling | None:
        place = _place(argument, schema, query, tool)
        there, back = decide(gold, predicted, place), decide(predicted, gold, place)
        assert there == back, "swapping gold and predicted changed the ruling"
        return there

    return ask


@pytest.fixture(scope="session")
def verdict_on(rule_on: Callable[..., Ruling | None]) -> Callable[..., str]:
    """As `rule_on`, the verdict alone; "none" where no domain rule knows the kind."""

    def ask(argument: str, gold: Json, predicted: Json, **more: Json) -> str:
        ruling = rule_on(argument, gold, predicted, **more)
        return ruling.agreement.value if ruling else "none"

    return ask
