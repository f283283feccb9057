"""One graded row and its two views: six outcomes (B1) and the paper's confusion and error categories (P45 to P51).

Exactly one of the two holds: the row has a verdict (`confusion` set), or it is excluded with a reason. A verdict has an
`outcome` too, unless a judge failed: then the paper counts the row, and no outcome is the model's.
"""

from enum import StrEnum

from plugineval.harness.parameter_subtypes import ParameterSubtype
from plugineval.harness.questions import JudgedValue, JudgeQuestion
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value

__all__ = [
    "Confusion",
    "ErrorCategory",
    "Exclusion",
    "GradedRow",
    "Mismatch",
    "Outcome",
    "ParameterSubtype",
]


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


class Exclusion(StrEnum):
    """Why a row has no verdict: counted and listed, never silently dropped (X11)."""

    BOTH_EMPTY = "both_empty"
    PROVIDER_ERROR = "provider_error"
    UNREACHABLE = "unreachable"
    DROPPED = "dropped"
    ACCESS_DENIED = "access_denied"
    UNKNOWN_MODEL = "unknown_model"
    REQUEST_REFUSED = "request_refused"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    ERROR_IN_ANSWER = "error_in_answer"
    CUT_SHORT = "cut_short"
    MALFORMED = "malformed"
    NO_CHOICES = "no_choices"
    BAD_RESPONSE = "bad_response"
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content_filter"
    PARSE_FAILURE = "parse_failure"
    LIMIT_REACHED = "limit_reached"
    NOT_RECORDED = "not_recorded"
    UNSURE = "unsure"
    """No rule proves the row right or wrong, and no judge settled it."""
    SELF_JUDGED = "self_judged"
    """Judged by whoever answered it, or on gold judged by whoever proposed it (P17)."""
    CHECK_FAILED = "check_failed"
    """A semantic check of the user crashed."""

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
    reason: str = ""


class GradedRow(Value):
    """One attempt, graded."""

    case_id: str
    model: str
    repeat: int
    variant: str = ""
    """The variant of the tool descriptions that the model saw; empty for the published ones (X7)."""
    sample_type: SampleType
    scenario_kind: ScenarioKind | None = None
    difficulty: Difficulty | None = None
    outcome: Outcome | None = None
    """A lossless coercion is allowed (D14)."""
    outcome_strict: Outcome | None = None
    """Every violation of the schema is one."""
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
    duplicate_calls: tuple[str, ...] = ()
    """Extra calls that only repeat a call that answers gold."""
    renamed_calls: tuple[str, ...] = ()
    """`name as emitted -> tool`, where a host's prefix or an API-safe spelling was undone (X11)."""
    coerced: tuple[str, ...] = ()
    """Arguments that equal gold only after a lossless coercion: flagged in the strict view (D14)."""
    unknown_arguments: tuple[str, ...] = ()
    """`tool/argument` outside the schema, reported even where the schema allows it (E2)."""
    rules: tuple[str, ...] = ()
    """Every rule that decided or left open a value that is not the same to the letter."""
    questions: tuple[JudgeQuestion, ...] = ()
    """What a judge must settle before an `unsure` row has a verdict."""
    judged: tuple[JudgedValue, ...] = ()
    """What a judge was asked about this row, with its settlements."""
    reason: str = ""
