"""Every trace of Stage I, kept: who proposed what, which gate stopped it, what the plugin answered, who judged it.

A `VerificationRecord` proves an example or explains a rejection. A generator or evaluator that could not be reached
leaves a `Failure` in its trace; a query all of whose proposals failed that way is `undecided`, never rejected.
"""

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Proposal
from plugineval.pccf.labels import Label
from plugineval.pccf.observations import Observation
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Json, Value


class SchemaViolation(Value):
    """One broken rule of S_t: where (JSON pointer), which keyword, and a sentence a person understands."""

    path: str
    keyword: str
    message: str


class Assessment(Value):
    """A score in [0, 1] by one evaluator, with its reason (P13)."""

    score: float = Field(ge=0, le=1)
    reason: str
    evaluator: str
    prompt_hash: str = ""
    evidence: tuple[str, ...] = ()
    raw: Json = None


class Ineligible(StrEnum):
    """Why a proposal cannot be selected (P14)."""

    UNREADABLE = "unreadable"
    WRONG_TOOL = "wrong_tool"
    SCHEMA_VIOLATION = "schema_violation"
    EXECUTION_ERROR = "execution_error"
    TIMEOUT = "timeout"
    EMPTY_RESPONSE = "empty_response"
    UNJUSTIFIED_ABSTENTION = "unjustified_abstention"
    NOT_EXECUTED = "not_executed"
    OUTAGE = "outage"


class ProposalTrace(Value):
    """z_m^(k) and everything that happened to it."""

    round: int
    generator: str
    index: int
    """m: position of the generator, from 0."""
    proposal: Proposal | None = None
    """None where the generator could not be reached."""
    schema_violations: tuple[SchemaViolation, ...] = ()
    unknown_arguments: tuple[str, ...] = ()
    """Keys outside S_t, reported even where the schema allows them (E2)."""
    argument_assessment: Assessment | None = None
    observation: Observation | None = None
    result_assessment: Assessment | None = None
    score: float | None = Field(default=None, ge=0, le=1)
    ineligible: Ineligible | None = None
    failure: Failure | None = None
    prompt_hash: str = ""
    elapsed_ms: float = 0.0

    @property
    def eligible(self) -> bool:
        """A proposal that may be selected: scored, and stopped by no gate."""
        return self.ineligible is None and self.score is not None


class Round(Value):
    """Round k: all proposals, and the one that was selected (P18), if any."""

    number: int
    traces: tuple[ProposalTrace, ...]
    best: int | None = None
    """Index into `traces` of the highest-scoring eligible proposal."""
    accepted: bool = False


class LevelVote(Value):
    """An independent answer to level 1 (need) or level 2 (support)."""

    level: Literal[1, 2]
    positive: bool
    reason: str
    annotator: str
    prompt_hash: str = ""


class DepthVote(Value):
    """A second role's own steps from the words of the query to the arguments (P26); their number is the depth."""

    steps: tuple[str, ...] = ()
    reason: str = ""
    annotator: str
    prompt_hash: str = ""


class Repetition(Value):
    """The gold call executed once more: whether its result can be compared with a later one at all."""

    observation: Observation
    moving: tuple[str, ...] = ()
    """Where the two results differ: JSON pointers into the structured result, or `text`. Empty: they are equal."""
    declared: bool = False
    """A person declared the tool's result as moving; nothing was executed twice."""


class VerificationRecord(Value):
    """The whole history of one candidate query for one target tool."""

    id: str
    query: Query
    target: str
    scenario: str
    gap: str
    votes: tuple[LevelVote, ...] = ()
    rounds: tuple[Round, ...] = ()
    verdict: Literal["accepted", "rejected", "undecided"]
    reason: str
    label: Label | None = None
    router_replies: tuple[Json, ...] = ()
    """Calibration runs of a negative: one summary per seed."""
    p_k: float | None = None
    lambda_arg: float
    lambda_out: float
    tau: float
    bias_warnings: tuple[str, ...] = ()
    depth_votes: tuple[DepthVote, ...] = ()
    """Positives: what a second role says of the inference depth, beside the writer's steps."""
    stated_steps: tuple[str, ...] = ()
    """Positives: the writer's steps."""
    repetition: Repetition | None = None
    """Positives: the gold call executed a second time."""
    further: tuple["VerificationRecord", ...] = ()
    """Requests of several calls: the verification of each call after the first."""
    strengthens: str | None = None
    """Negatives: id of the record of the weaker query that this one was made from (P32)."""
    started_at: AwareDatetime
    finished_at: AwareDatetime
