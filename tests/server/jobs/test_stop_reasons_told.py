"""Every stop reason is told in words, with the number that decided (P35)."""

import pytest

from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.construction.results import StopReason
from plugineval.server.jobs.stop_reasons import stopped_because

pytestmark = pytest.mark.requirement("P35")

CONFIG = BuildConfig(limits=BuildLimits(calls=7, tokens=8_000, cost=1.25, minutes=90))


@pytest.mark.parametrize("reason", list(StopReason))
def test_a_reason_is_told_in_words(reason: StopReason) -> None:
    assert stopped_because(reason.value, CONFIG).startswith(f"{reason.value}: ")
    assert stopped_because(reason.value, None)


@pytest.mark.parametrize(
    ("reason", "number"),
    [("call_limit", "7 calls"), ("token_limit", "8000 tokens"), ("cost_limit", "1.25 dollars"), ("time_limit", "90")],
)
def test_a_limit_is_told_with_its_number(reason: str, number: str) -> None:
    assert number in stopped_because(reason, CONFIG)
