"""Stage I without its evaluators (P62): what passes schema and execution is accepted, and every record says so."""

import pytest

from doubles.stage_one import Bench, call, observed, request
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.invocations import Abstention
from plugineval.pccf.labels import Underspecified, ValidInvocation
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.records import Ineligible

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P62")]
OFF = VerificationConfig(generators=1, max_rounds=1, content_validation=False)


async def test_a_wrong_call_that_executes_is_accepted_without_any_evaluator() -> None:
    bench = Bench(lambda task, index: call(city="Rome"), s_arg=lambda proposal: 0.0, s_out=lambda observation: 0.0)
    record = await bench.stage(OFF).verify(request())
    assert isinstance(record.label, ValidInvocation)
    assert [verb for verb, _ in bench.calls] == ["propose", "execute"]
    trace = record.rounds[0].traces[0]
    assert (trace.score, trace.argument_assessment, trace.result_assessment) == (1.0, None, None)
    assert "content_validation off" in record.reason


async def test_schema_and_execution_still_stand_in_the_way() -> None:
    schema = await Bench(lambda task, index: call(city=3)).stage(OFF).verify(request())
    failing = await Bench(plugin=observed(ObservationKind.TOOL_ERROR)).stage(OFF).verify(request())
    assert (schema.verdict, failing.verdict) == ("rejected", "rejected")
    assert schema.rounds[0].traces[0].ineligible is Ineligible.SCHEMA_VIOLATION
    assert failing.rounds[0].traces[0].ineligible is Ineligible.EXECUTION_ERROR
    assert "content_validation off" in failing.reason


async def test_an_abstention_is_taken_at_its_word() -> None:
    record = await Bench(lambda task, index: Abstention(missing=("city",))).stage(OFF).verify(request())
    assert isinstance(record.label, Underspecified)


async def test_the_reason_says_nothing_of_it_where_content_is_validated() -> None:
    assert "content_validation" not in (await Bench().stage().verify(request())).reason
