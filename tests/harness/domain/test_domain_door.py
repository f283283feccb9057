"""The door to the domain rules: what they are asked, what they cost, and the handed rows of their kinds."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.domain import decide, looks_like_identifier, settle_pairs
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place, Ruling
from plugineval.pccf.values import Arguments, Json

Verdict = Callable[..., str]
KINDS = {"units", "codes", "url_path", "code_expr", "geo_range", "identifier", "alias"}


@pytest.mark.requirement("D14")
def test_members_of_an_enum_are_never_judged_by_their_meaning(verdict_on: Verdict) -> None:
    assert verdict_on("unit", "km", "kilometers", enum=["km", "mi"]) == "none"


@pytest.mark.parametrize(("gold", "predicted"), [("", "5 km"), (None, "DE"), (True, "1 km"), ("same", "same"), (3, 4)])
def test_values_of_no_known_kind_are_nobodys_question(verdict_on: Verdict, gold: Json, predicted: Json) -> None:
    assert verdict_on("country", gold, predicted) == "none"


@pytest.mark.requirement("P41")
def test_a_ruling_names_its_rule_and_its_reason_and_tells_meaning_from_notation(
    rule_on: Callable[..., Ruling | None],
) -> None:
    notation, meaning = rule_on("country", "de", "DE"), rule_on("country", "DE", "Germany")
    assert notation is not None
    assert meaning is not None
    assert (notation.rule, notation.semantic) == ("countries.spelling", False)
    assert (meaning.rule, meaning.semantic) == ("countries.code", True)
    assert meaning.reason


@pytest.mark.requirement("D14")
def test_a_quantity_given_for_a_number_is_a_coercion(rule_on: Callable[..., Ruling | None]) -> None:
    ruling = rule_on("distance_km", 5, "5 km", type="number")
    assert ruling is not None
    assert ruling.coerced


@pytest.mark.requirement("P42")
def test_a_number_and_its_unit_are_settled_together() -> None:
    node = Node.of_root({"properties": {"length": {}, "unit": {"enum": ["m", "km", "mi"], "default": "km"}, "n": {}}})
    context = CallContext()
    gold: Arguments = {"length": 5, "unit": "km"}
    found = {
        (number, unit): [
            pair.ruling.agreement for pair in settle_pairs(gold, {"length": number, "unit": unit}, node, context)
        ]
        for number, unit in ((5000, "m"), (5, "mi"), (5000, "km"), (6, "m"))
    }
    assert found == {
        (5000, "m"): [Agreement.EQUAL],
        (5, "mi"): [],
        (5000, "km"): [],
        (6, "m"): [Agreement.DIFFERENT],
    }
    assert [pair.number for pair in settle_pairs({"length": 5000, "unit": "m"}, {"length": 5}, node, context)] == [
        "length"
    ]


def test_a_unit_beside_several_numbers_belongs_to_the_one_that_shares_its_name() -> None:
    node = Node.of_root({})
    gold: Arguments = {"length": 5, "weight": 2, "weight_unit": "kg"}
    predicted: Arguments = {"length": 5, "weight": 2000, "weight_unit": "g"}
    (pair,) = settle_pairs(gold, predicted, node, CallContext())
    assert (pair.number, pair.unit, pair.ruling.agreement) == ("weight", "weight_unit", Agreement.EQUAL)
    assert not settle_pairs({**gold, "unit": "kg"}, {**gold, "unit": "g"}, node, CallContext())


@pytest.mark.parametrize("text", ["A1", "ORD-123", "v1.2", "02134", "#W99", "usr_8f3k"])
def test_a_token_with_a_digit_that_is_no_number_reads_as_an_identifier(text: str) -> None:
    assert looks_like_identifier(text)


@pytest.mark.parametrize(
    "text", ["25", "-5.00", "2024-03-05", "20240305", "17:00", "1h30m", "5km", "12 eggs", "hello", "C++"]
)
def test_numbers_times_quantities_and_words_do_not_read_as_identifiers(text: str) -> None:
    assert not looks_like_identifier(text)


def test_importing_the_rules_loads_none_of_their_libraries() -> None:
    code = (
        "import sys, plugineval.harness.equivalence.rules.domain\n"
        "heavy = {'pint', 'pycountry', 'phonenumbers', 'sqlglot', 'webcolors', 'rapidfuzz'}\n"
        "sys.exit(', '.join(sorted(heavy & sys.modules.keys())) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def _pairs(path: Path) -> Iterator[tuple[dict[str, str], Ruling]]:
    """Every handed row of these kinds with each ruling on one of its values."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] not in KINDS:
            continue
        (tool,), (gold,), (predicted,) = row["tools"], row["gold"], row["predicted"]
        root = Node.of_root(tool["input_schema"])
        context = CallContext(query=row["query"], tool=tool["name"], tool_description=tool["description"])
        for name in gold["arguments"]:
            place = Place(root.property(name), name, context)
            ruling = decide(gold["arguments"][name], predicted["arguments"][name], place)
            if ruling:
                yield row, ruling
        for pair in settle_pairs(gold["arguments"], predicted["arguments"], root, context):
            yield row, pair.ruling


@pytest.mark.requirement("P42")
def test_no_ruling_on_the_handed_rows_contradicts_their_verdict(shared_data: Path) -> None:
    found = list(_pairs(shared_data / "cases" / "equivalence.jsonl"))
    wanted = {"correct": Agreement.EQUAL, "incorrect": Agreement.DIFFERENT}
    wrong = [
        (row["id"], ruling)
        for row, ruling in found
        if ruling.agreement not in {wanted[row["verdict"]], Agreement.UNSURE}
    ]
    unsure = {row["id"] for row, ruling in found if ruling.agreement is Agreement.UNSURE}
    assert not wrong
    assert len({row["id"] for row, _ in found}) >= 17
    assert unsure <= {row["id"] for row, _ in found if row["semantic"]}


@pytest.mark.parametrize("argument", ["regex", "coordinates", "query", "formula", "path", "url", "price", "phone"])
@pytest.mark.parametrize("chunk", ["[", "1N", "((x", "1 ", "a.", "/.", "select a from t where a=1 and "])
def test_no_text_of_a_model_brings_the_rules_down(verdict_on: Verdict, argument: str, chunk: str) -> None:
    assert verdict_on(argument, chunk * 500, chunk * 500 + "z") != "equal"
