"""Rows in the shape of the public data sets: what becomes a case, and what is refused with its reason."""

import json
from pathlib import Path

import pytest

from plugineval.clients.formats.public.reading import CaseFormat, CaseSource, read_case_file, read_source
from plugineval.clients.formats.records import CaseRecord, Remark
from plugineval.pccf.errors import ConfigurationError, InvalidRecordError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.gold import Accepted
from plugineval.pccf.values import Json

pytestmark = pytest.mark.requirement("X5", "X11")

BOIL: dict[str, Json] = {
    "name": "kitchen.boil",
    "description": "Boil something",
    "parameters": {
        "type": "dict",
        "properties": {
            "what": {"type": "string"},
            "minutes": {"type": "float", "default": 3, "optional": True},
            "pot": {"type": "dict", "properties": {"litres": {"type": "integer"}, "lid": {"type": "boolean"}}},
            "spices": {"type": "tuple", "items": {"type": "any"}},
        },
        "required": ["what"],
    },
}


def written(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(source: CaseSource) -> tuple[list[CaseRecord], list[Remark]]:
    found = list(read_source(source))
    cases = [each for each in found if isinstance(each, CaseRecord)]
    return cases, [each for each in found if isinstance(each, Remark)]


def bfcl(tmp_path: Path, answer: Json = None, **row: Json) -> tuple[list[CaseRecord], list[Remark]]:
    asked: dict[str, Json] = {"id": "simple_0", "question": [[{"role": "user", "content": "Boil eggs."}]]}
    question = written(tmp_path / "q.json", asked | {"function": [BOIL]} | row)
    written(tmp_path / "possible_answer" / "q.json", {"id": "simple_0", "ground_truth": answer})
    return read(CaseSource(path=question, format=CaseFormat.BFCL))


def test_bfcl_keeps_every_right_value_of_an_argument_and_multiplies_nothing(tmp_path: Path) -> None:
    pot: Json = {"litres": [2, 3], "lid": ["", True]}
    answer: Json = [{"kitchen.boil": {"what": ["eggs", "the eggs"], "minutes": ["", 7], "pot": [pot], "spices": [""]}}]
    (case,), _ = bfcl(tmp_path, answer)
    (gold,) = case.gold
    assert gold.arguments == {"what": "eggs", "minutes": 7, "pot": {"litres": 2, "lid": True}}
    assert gold.accepted["minutes"] == Accepted(values=(7,), omittable=True)
    assert gold.accepted["spices"] == Accepted(omittable=True)
    assert gold.accepted["pot"].members[0]["litres"].values == (2, 3)
    assert case.sample_type is SampleType.POSITIVE


def test_types_of_python_become_those_of_json_schema(tmp_path: Path) -> None:
    (case,), _ = bfcl(tmp_path, [{"kitchen.boil": {"what": ["eggs"]}}])
    schema = case.toolset.tool("kitchen.boil").properties
    assert schema["minutes"] == {"type": "number", "default": 3}
    assert schema["spices"] == {"type": "array", "items": {}}
    assert case.gold[0].accepted == {}


def test_lists_of_objects_keep_the_alternatives_of_their_parts(tmp_path: Path) -> None:
    (case,), _ = bfcl(tmp_path, [{"kitchen.boil": {"what": ["eggs"], "spices": [[{"name": ["salt", "sea salt"]}]]}}])
    assert case.gold[0].arguments["spices"] == [{"name": "salt"}]
    assert case.gold[0].accepted["spices"].items[0][0].members[0]["name"].values == ("salt", "sea salt")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"question": ["one", "two"]}, "2 turns"),
        ({"id": "live_relevance_1"}, "no gold"),
        ({"id": "simple_java_1"}, "syntax of another language"),
        ({"id": "elsewhere"}, "no answer"),
        ({"function": None}, "no part of its records"),
        ({"function": [{**BOIL, "parameters": {"type": "HashMap"}}]}, "'HashMap' is no type"),
        ({"function": [{**BOIL, "name": "other"}]}, "not among the tools"),
    ],
)
def test_what_bfcl_holds_beside_single_turns_of_python_is_refused(
    tmp_path: Path, row: dict[str, Json], problem: str
) -> None:
    cases, (remark,) = bfcl(tmp_path, [{"kitchen.boil": {"what": ["eggs"]}}], **row)
    assert not cases
    assert problem in remark.problem
    assert (remark.severity, remark.line) == ("refused", 1)


def test_irrelevance_is_a_global_negative_and_needs_no_answer(tmp_path: Path) -> None:
    (case,), _ = bfcl(tmp_path, id="irrelevance_4")
    assert (case.sample_type, case.gold) == (SampleType.GLOBAL_NEGATIVE, ())


@pytest.mark.parametrize(
    ("said", "kind", "target"),
    [
        ("tool_call", SampleType.POSITIVE, None),
        ("request_for_info", SampleType.TARGETED_NEGATIVE, "kitchen.boil"),
        ("cannot_answer", SampleType.GLOBAL_NEGATIVE, None),
    ],
)
def test_when2call_says_what_is_right_in_one_word(
    tmp_path: Path, said: str, kind: SampleType, target: str | None
) -> None:
    call = json.dumps({"name": "kitchen.boil", "arguments": {"what": "eggs"}})
    row: dict[str, Json] = {"uuid": "u", "question": "Boil eggs.", "correct_answer": said, "tools": [json.dumps(BOIL)]}
    row |= {"answers": {"tool_call": call}, "target_tool": json.dumps(BOIL)}
    (case,), _ = read(CaseSource(path=written(tmp_path / "w.jsonl", row), format=CaseFormat.WHEN2CALL))
    assert (case.sample_type, case.target_tool, len(case.gold)) == (kind, target, int(said == "tool_call"))


def test_when2call_without_a_word_is_refused(tmp_path: Path) -> None:
    row: dict[str, Json] = {"uuid": "u", "question": "Boil.", "correct_answer": "direct", "tools": []}
    cases, (remark,) = read(CaseSource(path=written(tmp_path / "w.jsonl", row), format=CaseFormat.WHEN2CALL))
    assert (cases, remark.field) == ([], "correct_answer")


def test_acebench_tells_speakers_apart_and_numbers_repeated_calls(tmp_path: Path) -> None:
    row: dict[str, Json] = {"id": "normal_1", "question": "user: Boil.\nsystem: What?\nuser: Eggs and rice.\n"}
    path = written(tmp_path / "a.json", row | {"function": [BOIL], "profile": "likes it hot"})
    answer: Json = {"kitchen.boil_1": {"what": "eggs"}, "kitchen.boil_2": {"what": "rice"}}
    written(tmp_path / "possible_answer" / "a.json", {"id": "normal_1", "ground_truth": answer})
    (case,), _ = read(CaseSource(path=path, format=CaseFormat.ACEBENCH))
    assert [call.arguments["what"] for call in case.gold] == ["eggs", "rice"]
    assert [(each.role, each.content) for each in case.query.messages] == [
        ("system", "likes it hot"),
        ("user", "Boil."),
        ("assistant", "What?"),
        ("user", "Eggs and rice."),
    ]


@pytest.mark.parametrize(
    ("record_id", "answer", "kind", "target"),
    [
        ("special_irrelevant_1", "I cannot.", SampleType.GLOBAL_NEGATIVE, None),
        ("special_incomplete_1", {"kitchen.boil": ["what"]}, SampleType.TARGETED_NEGATIVE, "kitchen.boil"),
        ("special_error_param_1", {"minutes": ["-3"]}, SampleType.TARGETED_NEGATIVE, "kitchen.boil"),
    ],
)
def test_special_cases_of_acebench_are_negatives(
    tmp_path: Path, record_id: str, answer: Json, kind: SampleType, target: str | None
) -> None:
    path = written(tmp_path / "a.json", {"id": record_id, "question": "user: Boil.", "function": [BOIL]})
    written(tmp_path / "possible_answer" / "a.json", {"id": record_id, "ground_truth": answer})
    (case,), _ = read(CaseSource(path=path, format=CaseFormat.ACEBENCH))
    assert (case.sample_type, case.target_tool) == (kind, target)


def test_mcpeval_tasks_are_ordered_positives_and_results_are_no_cases(tmp_path: Path) -> None:
    tool: Json = {"name": "go", "description": "", "inputSchema": {"type": "object"}}
    call: Json = {"tool_name": "go", "tool_parameters": {"url": "a"}}
    task: dict[str, Json] = {"id": "t", "description": "Go.", "tools": [tool], "tool_calls": [call, call]}
    result: dict[str, Json] = {"task_id": "t", "model": "m", "ground_truth_calls": [], "prediction_calls": []}
    path = written(tmp_path / "m.jsonl", task, result)
    (case,), (remark,) = read(CaseSource(path=path, format=CaseFormat.MCPEVAL))
    assert (case.ordered, len(case.gold), case.query.text) == (True, 2, "Go.")
    assert remark.field == "prediction_calls"


def nexus(tmp_path: Path, output: str) -> tuple[list[CaseRecord], list[Remark]]:
    functions = tmp_path / "functions.json"
    function = {"dataset": "d", "name": "far", "signature": "def far(a: str, b, miles=False, unit: str = None)"}
    functions.write_text(json.dumps([function]), encoding="utf-8")
    path = written(tmp_path / "n.jsonl", {"dataset": "d", "Input": "How far?", "Output": output})
    return read(CaseSource(path=path, format=CaseFormat.NEXUSRAVEN, tools=functions))


def test_nexusraven_binds_python_arguments_to_the_signature(tmp_path: Path) -> None:
    (case,), _ = nexus(tmp_path, "r = lib.far('Rome', ['Oslo'], miles=True)")
    assert case.gold[0].arguments == {"a": "Rome", "b": ["Oslo"], "miles": True}
    schema = case.toolset.tool("far").input_schema
    assert schema["required"] == ["a", "b"]
    assert case.toolset.tool("far").properties == {
        "a": {"type": "string"},
        "b": {},
        "miles": {"default": False},
        "unit": {"type": "string"},
    }


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("far(here(), 'Oslo')", "calls within a call"),
        ("far('a', 'b', 'c', 'd', 'e')", "5 arguments by position"),
        ("far('a', a='b')", "gives a twice"),
        ("far(x, 'b')", "is no literal"),
        ("far(**x)", "spreads a mapping"),
        ("__import__('os').system('true')", "is not among the functions"),
        ("far(", "is not Python"),
        ("2 + 2", "is no single call"),
    ],
)
def test_calls_that_are_no_flat_call_of_literals_are_refused_and_never_run(
    tmp_path: Path, output: str, problem: str
) -> None:
    cases, (remark,) = nexus(tmp_path, output)
    assert not cases
    assert problem in remark.problem


def test_apibench_offers_the_api_beside_some_of_other_domains(tmp_path: Path) -> None:
    apis = [{"domain": f"d{n // 2}", "api_name": f"api {n}", "description": "does"} for n in range(30)]
    base = written(tmp_path / "apis.jsonl", *apis)
    row = {"code": "###Instruction: Sort it.\n###Output: x", "provider": "hub", "api_data": apis[0]}
    path = written(tmp_path / "eval.json", row, {**row, "code": "Sort it."})
    (case,), (remark,) = read(CaseSource(path=path, format=CaseFormat.APIBENCH, tools=base))
    assert (case.query.text, case.gold[0].tool) == ("Sort it.", "api_0")
    assert len(case.toolset.tools) == 8
    assert "api_1" not in case.toolset.by_name
    assert "lacks the mark" in remark.problem


def test_a_format_that_needs_another_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--tools"):
        read_source(CaseSource(path=tmp_path / "x", format=CaseFormat.NEXUSRAVEN))


def test_a_file_of_another_format_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", {"id": "a", "query": "b"})
    with pytest.raises(InvalidRecordError, match="nothing in it is a case: line 1"):
        read_case_file(CaseSource(path=path, format=CaseFormat.WHEN2CALL))


def test_an_id_that_occurs_twice_is_refused_the_second_time(tmp_path: Path) -> None:
    row: dict[str, Json] = {"uuid": "u", "question": "Boil.", "correct_answer": "cannot_answer", "tools": []}
    path = written(tmp_path / "w.jsonl", row, row)
    cases, (remark,) = read(CaseSource(path=path, format=CaseFormat.WHEN2CALL))
    assert (len(cases), remark.line, remark.field) == (1, 2, "id")
