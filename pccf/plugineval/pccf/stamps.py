"""What a model was asked with, beside the query and the tools: two runs with different stamps are not the same."""

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, Value


class SchemaRewrite(Value):
    """One change made to an offered tool for a provider (B8); it is reported, and grading does not see it."""

    tool: str
    """Offered name."""
    path: str
    """JSON pointer into the function definition that was sent."""
    change: str


class ModelStamp(Value):
    """The settings of one model under test that can move its answers, and the changes made to its tools."""

    settings: dict[str, Json]
    """Name of the setting -> its value; nothing secret."""
    rewrites: tuple[SchemaRewrite, ...] = ()


@runtime_checkable
class Stamped(Protocol):
    """A router that has settings: the embedded floors have none."""

    def stamp(self, toolsets: Iterable[Toolset]) -> ModelStamp:
        """Settings, and the rewrites of all tools of `toolsets`; `ConfigurationError` where one cannot be offered."""
        ...
