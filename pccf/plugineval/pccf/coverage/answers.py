"""What a prompted writer's model must answer, in shapes that JSON has: read strictly, unknown keys refused."""

from typing import Literal

from pydantic import Field

from plugineval.pccf.values import Value


class ScenarioAnswer(Value):
    """One derived scenario; `kind` is a `ScenarioKind`."""

    kind: Literal["trigger", "type_a", "type_b", "type_c", "underspecified"]
    title: str = Field(min_length=1)
    evidence: str = ""
    lookalike: str | None = None
    then: list[str] = []
    ordered: bool = False


class ScenariosAnswer(Value):
    """The answer to `write_scenarios.md`."""

    scenarios: list[ScenarioAnswer]


class QueryAnswer(Value):
    """One written request."""

    text: str
    inference_steps: list[str] = []


class QueriesAnswer(Value):
    """The answer to `write_queries.md`."""

    queries: list[QueryAnswer]


class StrengthenedAnswer(Value):
    """The answer to `strengthen.md`; no text where the request cannot be made harder and stay what it is."""

    text: str | None
