"""Laws of the domain rules: another spelling is equal, another value never is, and no side is special."""

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.domain import decide
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place, Ruling
from plugineval.pccf.values import Json

ARGUMENTS = tuple(
    re.findall(
        r"\w+",
        "url path email phone price amount_usd currency unit distance_km country state language city zip booking_id"
        " color content_type range coordinates latitude formula code regex statement company ip sha256 payload_base64"
        " text to",
    )
)
FRAGMENTS = tuple(
    re.findall(
        r"[^|]+",
        "5 km|5000 m|5|$5|5 USD|EUR|€|DE|Germany|CA|California|en|English|en-US|+14155550132|4155550132|a@b.test"
        "|A@b.test|http://a.test|https://a.test/|a/b|./a//b|~/a|x+1|1+x|x^2|select a from t|SELECT a FROM t;|#fff"
        "|white|02134|2134|1-5|1 to 5|40.7,-74.0|40.7 N, 74 W|New York|York|NYC|São Paulo|Sao Paulo|aGk=|::1|10.0.0.1"
        "|text/html|A1|a1|20 °C|68 °F|1.000|1,000| |NaN|''|\\d+|+|-|.|/|0|1e999|−5|٣ km|²|1,5 kg|(|[1,5]|>=5",
    )
)
values = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.text(max_size=30),
    st.lists(st.sampled_from(FRAGMENTS), min_size=2, max_size=3).map(" ".join),
    st.integers(-10_000, 10_000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.floats(-180, 180), min_size=2, max_size=2).map(list[Json]),
)
units = st.sampled_from([("km", "kilometers", 1000), ("m", "metres", 1), ("mi", "miles", Fraction(1609344, 1000))])
numbers = st.integers(1, 9999)


def _asked(argument: str, gold: Json, predicted: Json, query: str = "") -> Ruling | None:
    return decide(gold, predicted, Place(Node({}, {}), argument, CallContext(query=query)))


def _verdict(argument: str, gold: Json, predicted: Json) -> Agreement | None:
    ruling = _asked(argument, gold, predicted)
    return ruling.agreement if ruling else None


@pytest.mark.requirement("X6")
@settings(max_examples=600)
@given(st.sampled_from(ARGUMENTS), values, values)
def test_swapping_gold_and_predicted_never_moves_a_ruling(argument: str, gold: Json, predicted: Json) -> None:
    assert _asked(argument, gold, predicted) == _asked(argument, predicted, gold)


@pytest.mark.requirement("P42")
@given(numbers, units, units)
def test_the_same_length_in_another_unit_is_equal_and_another_length_never_is(
    number: int, unit: tuple[str, str, Fraction], other: tuple[str, str, Fraction]
) -> None:
    assert _verdict("length", f"{number} {unit[0]}", f"{number}{unit[1]}") in {Agreement.EQUAL, None}
    assert _verdict("length", f"{number} {unit[0]}", f"{number + 1} {unit[1]}") is Agreement.DIFFERENT
    if unit != other:
        assert _verdict("length", f"{number} {unit[0]}", f"{number} {other[1]}") is Agreement.DIFFERENT


@pytest.mark.requirement("P42")
@given(st.from_regex(r"\+1[2-9]\d{2}[2-9]\d{6}", fullmatch=True), st.data())
def test_separators_never_change_a_phone_number_and_digits_always_do(number: str, data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from(["", " ", "-", ".", "  "]), min_size=10, max_size=10))
    spelled = number[:2] + "".join(sign + digit for sign, digit in zip(signs, number[2:], strict=True))
    position = data.draw(st.integers(5, len(number) - 1))
    wrong = number[:position] + str((int(number[position]) + 1) % 10) + number[position + 1 :]
    assert spelled == number or _verdict("phone", number, spelled) is Agreement.EQUAL
    assert _verdict("phone", number, wrong) is Agreement.DIFFERENT


segments = st.text("abcXYZ019._-", min_size=1, max_size=6).filter(lambda text: set(text) != {"."})


@pytest.mark.requirement("P42")
@given(st.lists(segments, min_size=2, max_size=5), st.data())
def test_empty_and_dotted_segments_never_change_a_path_and_other_segments_do(
    parts: list[str], data: st.DataObject
) -> None:
    joints = data.draw(st.lists(st.sampled_from(["/", "//", "/./"]), min_size=len(parts), max_size=len(parts)))
    path, spelled = "/".join(parts), "." + "".join(joint + part for joint, part in zip(joints, parts, strict=True))
    assert _verdict("path", path, spelled) is Agreement.EQUAL
    assert _verdict("path", path, f"{path}x") is Agreement.DIFFERENT


@pytest.mark.requirement("P42")
@given(
    st.lists(st.sampled_from(["a = 1", "b > 2", "c < 'x'", "d <> 4", "e >= 5"]), min_size=2, max_size=5, unique=True)
)
def test_the_order_of_conditions_never_changes_a_statement_and_a_lost_one_is_never_equal(conditions: list[str]) -> None:
    gold = f"SELECT a FROM t WHERE {' AND '.join(conditions)}"
    turned = f"select  a from t where {' and '.join(reversed(conditions))};"
    lost = f"select a from t where {' and '.join(conditions[1:])}"
    assert _verdict("statement", gold, turned) is Agreement.EQUAL
    assert _verdict("statement", gold, lost) is not Agreement.EQUAL


expressions = st.recursive(
    st.sampled_from(["x", "y", "2", "3.5"]),
    lambda inner: st.tuples(inner, st.sampled_from("+*-/"), inner).map(lambda made: f"({made[0]}{made[1]}{made[2]})"),
    max_leaves=6,
)


@pytest.mark.requirement("P42")
@given(expressions, expressions)
def test_commuted_expressions_are_equal_and_shifted_ones_never_are(first: str, second: str) -> None:
    for sign in "+*":
        turned = _verdict("formula", f"{first}{sign}{second}", f"{second} {sign} {first}")
        assert first == second or turned is Agreement.EQUAL
    assert _verdict("formula", f"{first}+{second}", f"{first}+{second}+1") is not Agreement.EQUAL


@pytest.mark.requirement("P42")
@given(st.uuids(), st.uuids())
def test_a_uuid_is_equal_to_its_spellings_and_to_no_other(first: object, second: object) -> None:
    assert _verdict("id", str(first), f"{{{str(first).upper()}}}") is Agreement.EQUAL
    assert first == second or _verdict("id", str(first), str(second).upper()) is Agreement.DIFFERENT
