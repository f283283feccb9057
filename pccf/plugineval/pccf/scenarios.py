"""Scenarios: kinds of request that should invoke a tool (P22), or should not, and why not (P23)."""

from enum import StrEnum

from plugineval.pccf.values import Value


class ScenarioKind(StrEnum):
    """Trigger, or one of the exclusions; `UNDERSPECIFIED` withholds a required argument (D5)."""

    TRIGGER = "trigger"
    TYPE_A = "type_a"
    TYPE_B = "type_b"
    TYPE_C = "type_c"
    UNDERSPECIFIED = "underspecified"

    @property
    def positive(self) -> bool:
        """Whether its examples are expected to hold a gold call."""
        return self is ScenarioKind.TRIGGER


class Scenario(Value):
    """One kind of request for one target tool, with the evidence it was derived from."""

    id: str
    kind: ScenarioKind
    target: str
    """Offered name of the target tool."""
    title: str
    evidence: str = ""
    """The words of the description, schema or other tool that this scenario rests on."""
    lookalike: str | None = None
    """Type B: offered name of the tool that should be called instead."""
    then: tuple[str, ...] = ()
    """Trigger: offered names of the further tools that the request needs, beside `target` or after it."""
    ordered: bool = False
    """Whether each of `then` uses what the call before it returned, so that their order matters."""

    @property
    def tools(self) -> tuple[str, ...]:
        """All required tools in order."""
        return (self.target, *self.then)
