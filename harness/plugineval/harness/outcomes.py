"""One graded row and its two views: six outcomes (B1) and the paper's confusion and error categories (P45 to P51).

Exactly one of the two holds: the row has a verdict (`outcome` and `confusion` set), or it is excluded with a reason.
"""

from enum import StrEnum

from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value


class Outcome(StrEnum):
    """The six outcomes, kept apart."""

    NO_CALL = "no_call"
    SPURIOUS_CALL = "spurious_call"
    WRONG_TOOL = "wrong_tool"
    INVALID_ARGS = "invalid_args"
    VALID_BUT_WRONG = "valid_but_wrong"
    CORRECT = "correct"


class Confusion(StrEnum):
    """The paper's query-level confusion matrix."""

    TP = "TP"
    FN = "FN"
    TN = "TN"
    FP = "FP"


class ErrorCategory(StrEnum):
    """Mutually exclusive category of a failed query (P50), in order of precedence (D4)."""

    MISS_RECALL = "miss_recall"
    PARAMETER_ERROR = "parameter_error"
    OVER_RECALL = "over_recall"
    JUDGE_FAILURE = "judge_failure"


class ParameterSubtype(StrEnum):
    """Subtype of a parameter error (P51), in order of precedence (D4)."""

    MISSING_ARGUMENT = "missing_argument"
    TEMPORAL = "temporal"
    INCORRECT_VALUE = "incorrect_value"


class Exclusion(StrEnum):
    """Why a row has no verdict: counted and listed, never silently dropped (X11)."""

    BOTH_EMPTY = "both_empty"
    PROVIDER_ERROR = "provider_error"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    BAD_RESPONSE = "bad_response"
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content_filter"
    PARSE_FAILURE = "parse_failure"

    @classmethod
    def of(cls, kind: FailureKind) -> "Exclusion":
        """The exclusion of a failed attempt."""
        return cls(kind.value)


class Mismatch(Value):
    """One argument that differs from gold, with the rule that decided."""

    tool: str
    argument: str
    gold: Json = None
    predicted: Json = None
    subtype: ParameterSubtype
    rule: str


class GradedRow(Value):
    """One attempt, graded."""

    case_id: str
    model: str
    repeat: int
    sample_type: SampleType
    scenario_kind: ScenarioKind | None = None
    difficulty: Difficulty | None = None
    outcome: Outcome | None = None
    confusion: Confusion | None = None
    category: ErrorCategory | None = None
    subtype: ParameterSubtype | None = None
    exclusion: Exclusion | None = None
    exclusion_detail: str = ""
    called: bool = False
    """Metric 1 of B9: any call at all."""
    right_tools: bool = False
    """Metric 2: every required tool was called."""
    schema_valid: bool = False
    """Metric 3: every emitted call satisfies the original schema of its tool."""
    mismatches: tuple[Mismatch, ...] = ()
    violations: tuple[SchemaViolation, ...] = ()
    missing_tools: tuple[str, ...] = ()
    extra_calls: tuple[str, ...] = ()
    unsafe_extra_calls: tuple[str, ...] = ()
    """Extra calls of tools that are not known to be read-only: always shown (D6)."""
    coerced: tuple[str, ...] = ()
    """Arguments that equal gold only after a lossless coercion: flagged in the strict view (D14)."""
    unknown_arguments: tuple[str, ...] = ()
    """`tool/argument` outside the schema, reported even where the schema allows it (E2)."""
    reason: str = ""
