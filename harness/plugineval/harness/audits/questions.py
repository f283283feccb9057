"""What a reviewer is shown: a case with its gold and what executing it gave, or a graded row with its verdict.

Nothing says who proposed the gold, who judged it, or what another reviewer says.
"""

from collections.abc import Iterator
from functools import cached_property

from plugineval.harness.audits.opinions import NegativeOpinion, PositiveOpinion, RowClass, RowOpinion
from plugineval.harness.outcomes import Confusion, ErrorCategory, GradedRow
from plugineval.pccf.examples import Benchmark, Example, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import ProposalTrace, VerificationRecord
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json, Value, canonical_json, content_hash
from plugineval.pccf.verification.evidence import shown_observation, shown_query, shown_tool

_WHY_NONE = {
    "tool_unnecessary": "The request needs no tool: none is to be called.",
    "target_irrelevant": "The request needs something else: the target tool is not to be called.",
    "underspecified": "The request leaves out what the target tool requires: it is not to be called yet.",
}


class CaseQuestion(Value):
    """One case of a benchmark; `gold` is empty where no call is right."""

    case: str
    query: Json
    tools: tuple[Json, ...]
    """The tools of the gold calls; of a negative the target alone."""
    expected: str
    gold: tuple[Json, ...] = ()
    observed: tuple[Json, ...] = ()
    """What executing the gold calls gave, in their order; null where no evidence is kept."""

    @property
    def positive(self) -> bool:
        """Whether calls are right."""
        return bool(self.gold)

    @property
    def shape(self) -> type[PositiveOpinion] | type[NegativeOpinion]:
        """What is asked of it."""
        return PositiveOpinion if self.positive else NegativeOpinion

    @cached_property
    def key(self) -> str:
        """Hash of all that is shown."""
        return content_hash(self)


class RowQuestion(Value):
    """One graded row: what was asked, what is gold, what the model called, and what the grader says of it."""

    row: str
    case: str
    query: Json
    tools: tuple[Json, ...]
    """Those that gold or the model calls."""
    gold: tuple[Json, ...]
    forbidden: str = ""
    """A targeted negative: the tool that must not be called."""
    predicted: tuple[Json, ...]
    verdict: RowClass
    because: Json

    @property
    def shape(self) -> type[RowOpinion]:
        """What is asked of it."""
        return RowOpinion

    @cached_property
    def key(self) -> str:
        """Hash of all that is shown."""
        return content_hash(self)


def case_question(example: Example, benchmark: Benchmark, record: VerificationRecord | None) -> CaseQuestion:
    """What reviewers of the case are shown; without a record there is nothing observed."""
    names = dict.fromkeys(call.tool for call in example.gold) or dict.fromkeys([example.target])
    observed = _observed(record)
    return CaseQuestion(
        case=example.id,
        query=shown_query(example.query),
        tools=tuple(shown_tool(benchmark.toolset.tool(name)) for name in names),
        expected=_expected(example),
        gold=tuple(map(_gold, example.gold)),
        observed=tuple(_shown(observed.get(_call_key(call))) for call in example.gold),
    )


def row_question(row_id: str, row: GradedRow, asked: "AskedRow") -> RowQuestion:
    """What reviewers of a graded row are shown; `KeyError` (our bug) for a row without a class."""
    names = dict.fromkeys([*(call.tool for call in asked.gold), *(call.name for call in asked.calls), asked.forbidden])
    tools = [asked.toolset.by_name[name] for name in names if name in asked.toolset.by_name]
    return RowQuestion(
        row=row_id,
        case=row.case_id,
        query=shown_query(asked.query),
        tools=tuple(map(shown_tool, tools)),
        gold=tuple(map(_gold, asked.gold)),
        forbidden=asked.forbidden,
        predicted=tuple(map(_predicted, asked.calls)),
        verdict=_CLASSES[class_key(row)],
        because=_because(row),
    )


class AskedRow(Value):
    """The case and the answer behind a graded row."""

    query: Query
    toolset: Toolset
    gold: tuple[Invocation, ...] = ()
    forbidden: str = ""
    calls: tuple[EmittedCall, ...] = ()


def class_of(row: GradedRow) -> RowClass | None:
    """The class of a graded row; None where it has no verdict, or only that of a judge that failed."""
    return _CLASSES.get(class_key(row))


def class_key(row: GradedRow) -> str:
    """The category of a failed row; `right` for a true positive or a true negative."""
    if row.category is not None:
        return row.category.value
    return "right" if row.confusion in {Confusion.TP, Confusion.TN} else ""


_CLASSES = {
    "right": RowClass.CORRECT,
    ErrorCategory.MISS_RECALL.value: RowClass.MISSED,
    ErrorCategory.OVER_RECALL.value: RowClass.SPURIOUS,
    ErrorCategory.PARAMETER_ERROR.value: RowClass.PARAMETER_ERROR,
}


def _gold(call: Invocation) -> Json:
    return {"name": call.tool, "arguments": call.arguments}


def _predicted(call: EmittedCall) -> Json:
    return {"name": call.name, "arguments": call.raw_arguments if call.arguments is None else call.arguments}


def _because(row: GradedRow) -> Json:
    found: dict[str, Json] = {
        "reason": row.reason,
        "subtype": row.subtype.value if row.subtype else None,
        "rules": list(row.rules),
        "differences": [each.model_dump(mode="json") for each in row.mismatches],
        "broken_schema_rules": [each.message for each in row.violations],
        "judge": [
            {
                "argument": each.question.argument,
                "verdict": each.settlement.verdict,
                "justification": each.settlement.justification,
            }
            for each in row.judged
        ],
    }
    return {name: value for name, value in found.items() if value}


def _expected(example: Example) -> str:
    if not example.gold:
        return _WHY_NONE[example.label.shape]
    return "The calls of gold are to be made" + (", in this order." if example.ordered else ".")


def _observed(record: VerificationRecord | None) -> dict[str, Observation]:
    """Call -> what the accepted rounds saw of it."""
    if record is None:
        return {}
    found: dict[str, Observation] = {}
    for each in (record, *record.further):
        for trace in (trace for round_ in each.rounds for trace in round_.traces):
            found |= _of_trace(trace)
    return found


def _of_trace(trace: ProposalTrace) -> dict[str, Observation]:
    if trace.observation is None or not isinstance(trace.proposal, Invocation):
        return {}
    return {_call_key(trace.proposal): trace.observation}


def _call_key(call: Invocation) -> str:
    return canonical_json([call.tool, call.arguments])


def _shown(observation: Observation | None) -> Json:
    return None if observation is None else shown_observation(observation)


def involved_in(record: VerificationRecord | None) -> dict[str, str]:
    """Who proposed or judged the gold of a case -> as what (P17), over all its calls."""
    found: dict[str, dict[str, None]] = {}
    for each in () if record is None else (record, *record.further):
        for trace in (trace for round_ in each.rounds for trace in round_.traces):
            for who, role in _players(trace):
                found.setdefault(who, {})[role] = None
    return {who: " and ".join(roles) for who, roles in found.items()}


def _players(trace: ProposalTrace) -> Iterator[tuple[str, str]]:
    if trace.proposal is not None:
        yield trace.generator, "generator"
    if trace.argument_assessment is not None:
        yield trace.argument_assessment.evaluator, "argument evaluator"
    if trace.result_assessment is not None:
        yield trace.result_assessment.evaluator, "result evaluator"
