"""The deterministic gates of P12: what a proposal must be before it is judged, and what execution must have shown.

| observation                                          | ineligible as    | why                                     |
|------------------------------------------------------|------------------|-----------------------------------------|
| returned, suspect                                    | -                | the result evaluator decides            |
| tool_error, rpc_error, output_schema, too_large,     | execution_error  | the plugin answered, and not validly    |
| garbage                                              |                  |                                         |
| timeout                                              | timeout          | no answer in time                       |
| empty                                                | empty_response   | nothing to judge (`ToolSpec.allow_empty`|
|                                                      |                  | makes the session say `returned`)       |
| refused                                              | not_executed     | the execution policy, not the plugin    |
| died                                                 | outage           | says nothing about the proposal         |
| unconfirmed                                          | outage           | a person was not heard yet              |
"""

import json
from functools import lru_cache

from plugineval.pccf.errors import InvalidSchemaError
from plugineval.pccf.invocations import Invocation, Proposal, Unreadable
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Ineligible, SchemaViolation
from plugineval.pccf.schemas import Checker, check_schema
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value

_KEPT = 2000
_INELIGIBLE: dict[ObservationKind, Ineligible | None] = {
    ObservationKind.RETURNED: None,
    ObservationKind.SUSPECT: None,
    ObservationKind.TOOL_ERROR: Ineligible.EXECUTION_ERROR,
    ObservationKind.RPC_ERROR: Ineligible.EXECUTION_ERROR,
    ObservationKind.OUTPUT_SCHEMA: Ineligible.EXECUTION_ERROR,
    ObservationKind.TOO_LARGE: Ineligible.EXECUTION_ERROR,
    ObservationKind.GARBAGE: Ineligible.EXECUTION_ERROR,
    ObservationKind.TIMEOUT: Ineligible.TIMEOUT,
    ObservationKind.EMPTY: Ineligible.EMPTY_RESPONSE,
    ObservationKind.REFUSED: Ineligible.NOT_EXECUTED,
    ObservationKind.DIED: Ineligible.OUTAGE,
    ObservationKind.UNCONFIRMED: Ineligible.OUTAGE,
}


class Admission(Value):
    """What the gates before S_arg say of a proposal."""

    ineligible: Ineligible | None = None
    schema_violations: tuple[SchemaViolation, ...] = ()
    unknown_arguments: tuple[str, ...] = ()


def admit(proposal: Proposal, tool: ToolSpec) -> Admission:
    """Readable, then for an invocation: the target tool, then S_t. An abstention passes (P15)."""
    if isinstance(proposal, Unreadable):
        return Admission(ineligible=Ineligible.UNREADABLE)
    if not isinstance(proposal, Invocation):
        return Admission()
    if proposal.tool != tool.offered_name:
        return Admission(ineligible=Ineligible.WRONG_TOOL)
    broken, unknown = checker_of(tool).check(proposal.arguments)
    return Admission(
        ineligible=Ineligible.SCHEMA_VIOLATION if broken else None,
        schema_violations=broken,
        unknown_arguments=unknown,
    )


def blocked_by(observation: Observation) -> Ineligible | None:
    """Why what execution showed keeps the proposal from S_out (the table above); None for a valid response."""
    return _INELIGIBLE[observation.kind]


def storable(proposal: Proposal) -> Proposal:
    """`proposal`, or an `Unreadable` in its place where it holds what is not JSON and so could not be kept."""
    problem = not_json(proposal)
    return Unreadable(raw=ascii(proposal)[:_KEPT], problem=problem) if problem else proposal


def readable(shown: Observation) -> Observation:
    """`shown`, or `GARBAGE` in its place where it holds what is not JSON and so could not be kept."""
    problem = not_json(shown)
    if not problem:
        return shown
    return Observation(
        kind=ObservationKind.GARBAGE,
        tool=shown.tool,
        arguments=shown.arguments,
        text=ascii(shown.text)[:_KEPT],
        detail=problem,
        elapsed_ms=shown.elapsed_ms,
        output_bytes=shown.output_bytes,
    )


def not_json(value: Value) -> str:
    """Why `value` cannot be written as JSON (NaN, half a surrogate pair, endless nesting); empty where it can."""
    try:
        plain_json(value)
    except ValueError as error:
        return str(error)
    return ""


def plain_json(value: Value) -> Json:
    """`value` as JSON; `ValueError` says why it cannot be written as that."""
    try:
        plain: Json = value.model_dump(mode="json")
        _written(plain).encode()
    except (ValueError, RecursionError) as error:
        raise ValueError(f"holds something that is not JSON: {error}"[:500]) from error
    return plain


_written = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def checker_of(tool: ToolSpec) -> Checker:
    """What checks arguments of `tool`, made once; `InvalidSchemaError` (tool, place, next step) for a bad schema."""
    try:
        return _checker(_Described(tool))
    except InvalidSchemaError:
        check_schema(tool.input_schema, tool=tool.key)
        raise


class _Described:
    """Equal where a model sees the same tool, whose schema is long to read and to compare."""

    def __init__(self, tool: ToolSpec) -> None:
        self.schema, self._hash = tool.input_schema, tool.content_hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Described) and self._hash == other._hash

    def __hash__(self) -> int:
        return hash(self._hash)


@lru_cache(maxsize=1024)
def _checker(described: _Described) -> Checker:
    return Checker(described.schema)
