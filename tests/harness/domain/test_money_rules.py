"""Money and currencies: a sign that many currencies share settles nothing by itself."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("price", "$25.00", "$25", "equal"),
        ("price", "25 euros", "€25", "equal"),
        ("price", "EUR 25", "25 EUR", "equal"),
        ("price", "£1,000", "1000 GBP", "unsure"),
        ("price", "1,000 EUR", "€1000.00", "equal"),
        ("price", "€1.5k", "1500 euros", "equal"),
        ("price", "€25", "£25", "different"),
        ("price", "$25", "$26", "different"),
        ("price", "€1.000", "€1,000", "unsure"),
        ("price", "-€5", "€5", "different"),
    ],
)
def test_a_sum_is_an_amount_of_a_currency(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("price", "$25", "25 USD", "unsure"),
        ("price", "$25", "25 US dollars", "unsure"),
        ("price", "C$25", "25 CAD", "equal"),
        ("price", "C$25", "US$25", "different"),
    ],
)
def test_a_dollar_sign_needs_evidence(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P39")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("price", "$25", "25 USD", "equal"),
        ("price", "$25", "25 CAD", "unsure"),
    ],
)
def test_the_query_may_say_which_dollar_is_meant(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, query="Send her 25 US dollars.") == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("amount_usd", 25, "25 USD", "equal"),
        ("amount_usd", 25, "25 EUR", "different"),
        ("amount", 25, "$25", "unsure"),
        ("amount", "25", "$30", "different"),
    ],
)
def test_a_bare_amount_has_the_currency_that_its_argument_names(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("base_currency", "EUR", "€", "equal"),
        ("currency", "usd", "USD", "equal"),
        ("currency", "US Dollar", "USD", "equal"),
        ("currency", "British pounds", "GBP", "equal"),
        ("currency", "$", "USD", "unsure"),
        ("currency", "pound", "GBP", "unsure"),
        ("currency", "USD", "CAD", "different"),
        ("currency", "USD", "XQX", "different"),
        ("currency", "USD", "greenback", "unsure"),
        ("target", "EUR", "€", "equal"),
        ("word", "EUR", "USD", "none"),
    ],
)
def test_currencies_have_codes_names_and_signs(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
