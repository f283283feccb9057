"""Tokens are read from every provider's usage, and cost what a person wrote down; unknown is never 0."""

import pytest

from plugineval.clients.models.prices import Prices, spent_on
from plugineval.clients.models.usage import Tokens, tokens_of
from plugineval.pccf.values import Json

PRICES = Prices(input_per_million=2.0, output_per_million=10.0)
SHAPES: list[tuple[dict[str, Json], Tokens]] = [
    ({"prompt_tokens": 120, "completion_tokens": 8, "total_tokens": 128}, Tokens(120, 8)),
    ({"input_tokens": 120, "output_tokens": 8, "input_tokens_details": {"cached_tokens": 100}}, Tokens(120, 8)),
    (
        {"input_tokens": 20, "cache_creation_input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 8},
        Tokens(120, 8),
    ),
    ({"promptTokenCount": 120, "candidatesTokenCount": 5, "thoughtsTokenCount": 3}, Tokens(120, 8)),
    ({"prompt_token_count": 120, "candidates_token_count": 8}, Tokens(120, 8)),
    ({"prompt_eval_count": 120, "eval_count": 8}, Tokens(120, 8)),
    ({"prompt_tokens": 120}, Tokens(120, 0)),
]


@pytest.mark.parametrize(("usage", "tokens"), SHAPES)
def test_usage_of_every_known_provider_is_read(usage: dict[str, Json], tokens: Tokens) -> None:
    assert tokens_of(usage) == tokens


@pytest.mark.parametrize("usage", [None, {}, {"total_tokens": 12}, {"prompt_tokens": None}, {"prompt_tokens": "many"}])
def test_usage_that_tells_no_input_leaves_tokens_unknown(usage: dict[str, Json] | None) -> None:
    assert tokens_of(usage) is None
    assert PRICES.cost(usage) is None


def test_a_cost_is_dollars_per_million_of_either_kind() -> None:
    assert PRICES.cost({"prompt_tokens": 1_000_000, "completion_tokens": 500_000}) == pytest.approx(7.0)


def test_an_answer_without_price_or_usage_is_a_call_of_unknown_cost() -> None:
    usage: dict[str, Json] = {"prompt_tokens": 100, "completion_tokens": 10}
    assert spent_on(usage, PRICES).cost == pytest.approx(0.0003)
    assert spent_on(usage, None).cost is None
    assert spent_on(usage, None).tokens == 110
    assert (spent_on(None, PRICES).calls, spent_on(None, PRICES).cost) == (1, None)
