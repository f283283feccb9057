"""SQL, arithmetic, code and regular expressions: compared as syntax, never executed."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "select name\nfrom staff where age>30 and city='Oslo';",
            "equal",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "select s.name from staff as s where s.city='Oslo' and 30 < s.age",
            "equal",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "select name from staff where (age > 30) and ('Oslo' = city)",
            "equal",
        ),
        ("statement", "SELECT a FROM t INNER JOIN u ON t.id = u.id", "select a from t join u on u.id = t.id", "equal"),
        ("statement", "SELECT a FROM t WHERE x IN (1, 2)", "select a from t where x in (2, 1)", "equal"),
        ("statement", "SELECT a FROM t ORDER BY a", "select a from t order by a asc", "equal"),
        (
            "statement",
            "SELECT a FROM t WHERE x = 1 AND (y = 2 OR z = 3)",
            "select a from t where (z = 3 or y = 2) and x = 1",
            "equal",
        ),
    ],
)
def test_sql_does_not_care_for_notation_and_the_order_of_conditions(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT name FROM staff WHERE age > 31 AND city = 'Oslo'",
            "different",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT name FROM guests WHERE age > 30 AND city = 'Oslo'",
            "different",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT id FROM staff WHERE age > 30 AND city = 'Oslo'",
            "different",
        ),
        ("statement", "SELECT a, b FROM t", "SELECT b, a FROM t", "different"),
    ],
)
def test_sql_with_another_name_or_value_is_different(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT name FROM staff WHERE age >= 30 AND city = 'Oslo'",
            "unsure",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT name FROM staff WHERE age > 30 OR city = 'Oslo'",
            "unsure",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT name FROM staff WHERE age > 30 AND city = 'oslo'",
            "unsure",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            'SELECT name FROM staff WHERE age > 30 AND city = "Oslo"',
            "unsure",
        ),
        (
            "statement",
            "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "SELECT DISTINCT name FROM staff WHERE age > 30 AND city = 'Oslo'",
            "unsure",
        ),
        ("statement", "SELECT name FROM staff WHERE age > 30 AND city = 'Oslo'", "SELECT * FROM staff", "unsure"),
        ("statement", "select the best photo", "select the worst photo", "none"),
    ],
)
def test_rewritten_sql_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("formula", "x**2", "x ** 2", "equal"),
        ("formula", "(x+1)*2", "2*(1+x)", "equal"),
        ("formula", "a-b", "-b+a", "equal"),
        ("formula", "x^2+1", "1 + x^2", "equal"),
        ("formula", "2.0*x", "2*x", "equal"),
        ("formula", "((x))+y", "x+y", "equal"),
    ],
)
def test_arithmetic_is_equal_up_to_the_order_of_sums_and_products(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("formula", "(x+1)*2", "x+1*2", "different"),
        ("formula", "a-b", "b-a", "different"),
        ("formula", "2+3", "2+4", "different"),
        ("formula", "sqrt(x)", "sqrt(x+1)", "different"),
        ("formula", "a/b", "b/a", "different"),
    ],
)
def test_another_value_at_one_point_proves_another_expression(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("formula", "x+x", "2*x", "unsure"),
        ("formula", "2*3", "6", "unsure"),
        ("formula", "x^2", "x**2", "unsure"),
        ("formula", "2x", "2*x", "unsure"),
        ("formula", "x**2", "t**2", "unsure"),
        ("formula", "sin(x)", "cos(x)", "unsure"),
        ("formula", "9**9**9**9", "9**9**9**8", "unsure"),
        ("formula", "y = x**2", "x**2", "unsure"),
    ],
)
def test_agreeing_values_and_other_notations_prove_nothing(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("formula", "x^2", "x**2", "equal"),
    ],
)
def test_a_caret_is_a_power_where_the_schema_says_so(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, description="Formula in x; write powers as ^.") == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("code", 'print( "a" )', "print('a')", "equal"),
        ("function", "lambda x: x+1", "lambda x:x + 1", "equal"),
        ("code", "f(x)", "F(x)", "unsure"),
        ("code", "SAVE10", "save10", "unsure"),
        ("code", "blue", "Blue", "none"),
    ],
)
def test_code_is_its_syntax_tree(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("regex", "a{1,}", "a+", "equal"),
        ("regex", "[{1,}]", "[+]", "unsure"),
        ("regex", "^[0-9]+$", "[0-9]+", "unsure"),
        ("regex", "\\d", "\\D", "unsure"),
        ("pattern", "striped", "dotted", "none"),
    ],
)
def test_regular_expressions_are_unsure_unless_trivially_the_same(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
