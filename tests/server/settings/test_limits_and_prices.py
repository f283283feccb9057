"""Limits and prices are read from the settings, and money is limited only where every answer has a price."""

from pathlib import Path

import pytest

from plugineval.clients.models.prices import Prices
from plugineval.pccf.config import BuildLimits
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.pricing import require_prices
from plugineval.server.settings.settings import Settings

pytestmark = pytest.mark.requirement("P35")

PRICED = "prices = { input_per_million = 0.15, output_per_million = 0.6 }"
MODELS = f"[models.fast]\nmodel = 'x'\n{PRICED}\n[models.dear]\nmodel = 'y'\n"


def read(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "plugineval.toml"
    path.write_text(text)
    return load_settings(config=path, home=tmp_path / "home", environ={}, cwd=tmp_path)


def test_limits_and_filters_of_a_build_are_tables_of_their_own(tmp_path: Path) -> None:
    text = "[build.limits]\ncalls = 500\ncost = 2\nminutes = 1.5\n[build.filters]\nlanguages = ['en']"
    build = read(tmp_path, text).build
    assert build.limits == BuildLimits(calls=500, cost=2.0, minutes=1.5)
    assert build.filters.languages == ("en",)


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("[build.limits]\ncalls = 0", "line 2: build.limits.calls", "above 0"),
        ("[build.limits]\ncost = -1.0", "line 2: build.limits.cost", "above 0"),
        ("[build.limits]\ncost = inf", "line 2: build.limits.cost", "finite"),
        ("[run]\nrepeats = 1000000000", "line 2: run.repeats", "10000"),
        ("[build.limits]\ncall = 5", "line 2: build.limits.call", "did you mean 'calls'"),
        ("[build]\nlimits = { minutes = '5' }", "line 2: build.limits.minutes", "must be a number"),
        ("[build.filters]\nminimum_characters = 0", "line 2: build.filters.minimum_characters", "at least 1"),
        ("[models.m]\nmodel = 'x'\nprices = { input_per_million = 1.0 }", "models.m.prices", "is missing"),
        ("[models.m]\nmodel = 'x'\nprices = 3", "line 3: models.m.prices", "a table"),
        (
            "[models.m]\nmodel = 'x'\nprices = { input_per_million = -1.0, output_per_million = 1.0 }",
            "line 3: models.m.prices.input_per_million",
            "greater than or equal to 0",
        ),
    ],
)
def test_a_wrong_limit_or_price_is_named_with_its_line(tmp_path: Path, text: str, where: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read(tmp_path, text)
    assert where in str(refused.value)
    assert says in str(refused.value)


def test_a_model_has_the_prices_that_were_written_down(tmp_path: Path) -> None:
    models = read(tmp_path, MODELS).models
    assert models["fast"].prices == Prices(input_per_million=0.15, output_per_million=0.6)
    assert models["dear"].prices is None


@pytest.mark.parametrize(
    ("roles", "named"),
    [
        ("router = 'dear'", ("dear plays router", "models.dear.prices", "[models.dear]")),
        ("generators = ['fast', 'openai:gpt-x']", ("openai:gpt-x plays generators", "[models.NAME] table")),
    ],
)
def test_a_limit_of_money_with_a_model_without_price_names_model_and_key(
    tmp_path: Path, roles: str, named: tuple[str, ...]
) -> None:
    settings = read(tmp_path, f"{MODELS}[roles]\n{roles}\n[build.limits]\ncost = 1.0")
    with pytest.raises(ConfigurationError) as refused:
        require_prices(settings, settings.build)
    for words in named:
        assert words in str(refused.value)


@pytest.mark.parametrize(
    "roles", ["writer = 'fast'", "judge = 'dear'", "router = 'baseline:lexical'\ngenerators = ['fast']"]
)
def test_embedded_and_priced_models_may_be_limited_by_money(tmp_path: Path, roles: str) -> None:
    settings = read(tmp_path, f"{MODELS}[roles]\n{roles}\n[build.limits]\ncost = 1.0")
    require_prices(settings, settings.build)


def test_without_a_limit_of_money_no_price_is_needed(tmp_path: Path) -> None:
    settings = read(tmp_path, f"{MODELS}[roles]\nrouter = 'dear'\n[build.limits]\ncalls = 9")
    require_prices(settings, settings.build)
