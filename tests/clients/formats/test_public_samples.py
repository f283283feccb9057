"""Readers against raw lines of the public data sets, where they are: every record a case or a counted refusal."""

from collections import Counter
from pathlib import Path

import pytest

from plugineval.clients.formats.public.reading import CaseFormat, CaseSource, read_source
from plugineval.clients.formats.records import Remark
from plugineval.harness.audits.imported.auditing import ImportAuditor
from plugineval.harness.grading import GradingPolicy, grade_reply
from plugineval.harness.outcomes import Outcome
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.server.jobs.cases import case_of_record

pytestmark = pytest.mark.requirement("X5")


def sources(data: Path, kind: CaseFormat) -> list[CaseSource]:
    match kind:
        case CaseFormat.BFCL | CaseFormat.ACEBENCH:
            return [CaseSource(path=path, format=kind) for path in sorted((data / kind.value).glob("*.json"))]
        case CaseFormat.WHEN2CALL:
            return [CaseSource(path=data / "when2call_sample.jsonl", format=kind)]
        case CaseFormat.MCPEVAL:
            return [CaseSource(path=data / "mcpeval_playwright_results.jsonl", format=kind)]
        case CaseFormat.NEXUSRAVEN:
            folder = data / "nexusraven"
            tools = folder / "tools_from_v2_notebooks.json"
            return [CaseSource(path=folder / "shape_rows_ours.jsonl", format=kind, tools=tools)]
        case _:
            pairs = (("torchhub", "torchhub"), ("huggingface", "huggingface"), ("tensorflow", "tensorflowhub"))
            folder = data / "apibench"
            return [
                CaseSource(path=folder / f"{rows}_eval.json", format=kind, tools=folder / f"{apis}_api.jsonl")
                for rows, apis in pairs
            ]


@pytest.mark.parametrize(
    ("kind", "cases", "refused"),
    [
        (CaseFormat.BFCL, {"positive": 195, "global_negative": 99}, 22),
        (CaseFormat.WHEN2CALL, {"positive": 16, "targeted_negative": 15, "global_negative": 14}, 0),
        (CaseFormat.ACEBENCH, {"positive": 62, "targeted_negative": 25, "global_negative": 15}, 0),
        (CaseFormat.MCPEVAL, {}, 118),
        (CaseFormat.NEXUSRAVEN, {"positive": 22}, 8),
        (CaseFormat.APIBENCH, {"positive": 102}, 0),
    ],
)
def test_every_record_of_the_samples_is_a_case_or_a_counted_refusal(
    shared_data: Path, kind: CaseFormat, cases: dict[str, int], refused: int
) -> None:
    found = [each for source in sources(shared_data / "data", kind) for each in read_source(source)]
    kinds = Counter(each.sample_type.value for each in found if not isinstance(each, Remark))
    assert (dict(kinds), sum(isinstance(each, Remark) for each in found)) == (cases, refused)


@pytest.mark.parametrize("kind", [CaseFormat.BFCL, CaseFormat.ACEBENCH, CaseFormat.WHEN2CALL, CaseFormat.NEXUSRAVEN])
def test_gold_that_answers_itself_is_right(shared_data: Path, kind: CaseFormat) -> None:
    for source in sources(shared_data / "data", kind):
        for record in read_source(source):
            if isinstance(record, Remark) or not record.gold:
                continue
            calls = tuple(EmittedCall(name=call.tool, arguments=call.arguments) for call in record.gold)
            row = grade_reply(case_of_record(record), RouterReply(calls=calls), policy=GradingPolicy())
            assert row.outcome is Outcome.CORRECT, (record.id, row.reason)


def test_known_oddities_of_the_samples_are_found_and_nothing_else_is_called_wrong(shared_data: Path) -> None:
    auditor = ImportAuditor()
    for kind in (CaseFormat.BFCL, CaseFormat.ACEBENCH, CaseFormat.WHEN2CALL, CaseFormat.NEXUSRAVEN):
        for source in sources(shared_data / "data", kind):
            for record in read_source(source):
                if not isinstance(record, Remark):
                    auditor.add(case_of_record(record))
    found = auditor.result()
    named = {kind: {each.case for each in found.findings if each.kind == kind} for kind in ("unpassable", "enum")}
    assert named["unpassable"] == {"normal_single_turn_single_function_85"}
    assert all(case.startswith("live_simple_1") for case in named["enum"])
    assert len(named["enum"]) == 7
    assert found.wrong <= 15
