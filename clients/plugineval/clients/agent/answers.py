"""Who answered an item of work, and what: the provenance that stands beside every answer of an agent."""

from typing import Protocol

from pydantic import AwareDatetime

from plugineval.clients.agent.questions import WorkQuestion
from plugineval.pccf.values import Json, Value


class Worker(Value):
    """A connected agent as far as it is known: what its client says of itself, and the model it declares."""

    client: str
    version: str = ""
    model: str = ""
    """Empty: not declared."""
    owner: str = ""
    """Owner of the token, over HTTP."""
    via: str = ""
    """`sampling (deprecated)` where the client's model was asked through MCP sampling."""

    @property
    def identity(self) -> str:
        """What generator and evaluator are compared by (P17)."""
        client = f"{self.client} {self.version}".strip()
        owner = f" of {self.owner}" if self.owner else ""
        return f"{client} ({self.model or 'model not declared'}){owner}"

    @property
    def label(self) -> str:
        """The identity with the way it was asked."""
        return f"{self.identity}, {self.via}" if self.via else self.identity


class WorkAnswer(Value):
    """An accepted answer, which satisfies the schema of its item."""

    answer: Json
    by: Worker
    at: AwareDatetime


class WorkQueue(Protocol):
    """Where questions wait for an agent."""

    async def answer(self, question: WorkQuestion) -> WorkAnswer:
        """Offer `question` and wait, however long, for its answer; one that was answered earlier is not asked again.

        `ConfigurationError` where nobody can ever answer here.
        """
        ...
