"""What a model answered to (query, tools): the calls it emitted, verbatim, or the boundary that broke.

The same port serves the model under test and the frozen reference router (P37). A provider failure is a `Failure`,
never a missing call (E3); output that cannot be read is kept raw, never an abstention (E6).
"""

from enum import StrEnum
from typing import Protocol

from plugineval.pccf.examples import Query
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, Value


class FailureKind(StrEnum):
    """Which boundary broke."""

    PROVIDER_ERROR = "provider_error"
    """An error status of the server, or an answer that the provider broke off."""
    UNREACHABLE = "unreachable"
    """Nobody was there: no connection came up."""
    DROPPED = "dropped"
    """The connection ended before anything was answered."""
    ACCESS_DENIED = "access_denied"
    """HTTP 401 or 403: the key was refused."""
    UNKNOWN_MODEL = "unknown_model"
    """HTTP 404: no such model, or no such address."""
    REQUEST_REFUSED = "request_refused"
    """Any other status that says the request is at fault: it would be refused again."""
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    ERROR_IN_ANSWER = "error_in_answer"
    """A 200 whose body holds an error."""
    CUT_SHORT = "cut_short"
    """The body or the stream ended before its end."""
    MALFORMED = "malformed"
    """A whole body that is not JSON."""
    NO_CHOICES = "no_choices"
    """An answer without any choice."""
    BAD_RESPONSE = "bad_response"
    """JSON of another shape than an answer has."""
    TRUNCATED = "truncated"
    """The model stopped at its token limit."""
    CONTENT_FILTER = "content_filter"
    PARSE_FAILURE = "parse_failure"
    LIMIT_REACHED = "limit_reached"
    """Not asked at all: a hard limit of the job is spent (calls, tokens, money or minutes)."""
    NOT_RECORDED = "not_recorded"
    """Nobody to ask: the model is played from a file that holds no answer to this."""


class Failure(Value):
    """An attempt that has no verdict: excluded, counted and shown with its cause."""

    kind: FailureKind
    detail: str


class EmittedCall(Value):
    """One call as a model emitted it (candidate space, P4): nothing about it has been checked."""

    name: str
    arguments: dict[str, Json] | None
    """None where `raw_arguments` is not a JSON object; `problem` says why."""
    raw_arguments: str = ""
    problem: str | None = None
    repair: str | None = None
    """What was mended so that `raw_arguments` could be read as `arguments` (X11); None where nothing was."""


class RouterReply(Value):
    """One answer of a model to a query with tools."""

    calls: tuple[EmittedCall, ...] = ()
    text: str = ""
    finish_reason: str | None = None
    failure: Failure | None = None
    usage: dict[str, Json] | None = None
    spent: Spent | None = None
    latency_ms: float = 0.0
    """Of the try that answered; waiting and failed tries are not in it."""
    attempts: int = 1
    """How often the provider was asked, retries included."""
    raw: Json = None
    """The provider's message, for the trace."""


class Router(Protocol):
    """Anything that answers (query, tools)."""

    @property
    def id(self) -> str:
        """Stable model id, shown in every record."""
        ...

    @property
    def prompt_hash(self) -> str:
        """Content hash of the prompt (or program version) that turns the query into a request."""
        ...

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Answer once; `seed` tells repeats apart. Failures are data, not exceptions."""
        ...
