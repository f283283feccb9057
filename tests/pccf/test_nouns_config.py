"""The numbers of Stage I and of a construction run: defaults of the paper, and what is refused."""

import pytest
from pydantic import ValidationError

from plugineval.pccf.config import VerificationConfig, as_json, build_config
from plugineval.pccf.errors import ConfigurationError


@pytest.mark.requirement("D1")
def test_the_defaults_are_even_weights_tau_three_rounds_and_three_generators() -> None:
    config = VerificationConfig()
    assert (config.lambda_arg, config.lambda_out, config.tau) == (0.5, 0.5, 0.8)
    assert (config.max_rounds, config.generators) == (3, 3)


@pytest.mark.requirement("P13")
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"lambda_arg": 0.5, "lambda_out": 0.6}, "lambda_arg"),
        ({"lambda_arg": -0.5, "lambda_out": 1.5}, "lambda_arg"),
        ({"lambda_arg": float("nan"), "lambda_out": 0.5}, "lambda_arg"),
        ({"tau": 1.1}, "tau"),
        ({"tau": float("nan")}, "tau"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"generators": 0}, "generators"),
    ],
)
def test_weights_and_bounds_that_make_no_score_are_a_configuration_error(values: dict[str, float], field: str) -> None:
    with pytest.raises(ConfigurationError, match=field):
        VerificationConfig.model_validate(values)


def test_uneven_weights_that_sum_to_one_are_taken() -> None:
    assert VerificationConfig(lambda_arg=0.1, lambda_out=0.9).lambda_out == 0.9


def test_a_frozen_configuration_cannot_be_changed() -> None:
    config = VerificationConfig()
    with pytest.raises(ValidationError, match="frozen"):
        config.__setattr__("tau", 0.1)


def test_loose_values_name_the_wrong_field_and_the_allowed_ones() -> None:
    with pytest.raises(ConfigurationError, match="siez") as caught:
        build_config(siez=3)
    assert "size" in caught.value.allowed


def test_a_configuration_prints_every_number() -> None:
    printed = as_json(build_config(size=5))
    assert isinstance(printed, dict)
    assert printed["size"] == 5
    assert isinstance(printed["verification"], dict)
    assert printed["verification"]["tau"] == 0.8
