"""What repeats show: flaky cases, pass^k, noise."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from doubles.results import ledger_of, results_of
from plugineval.harness.statistics.case_results import Arm
from plugineval.harness.statistics.clusters import pass_at, pass_hat
from plugineval.harness.statistics.noise import noise_of, repeat_shares
from plugineval.harness.statistics.steadiness import steadiness_of


@pytest.mark.requirement("B7")
def test_a_public_run_of_four_trials_is_as_noisy_as_published(shared_data: Path) -> None:
    trials: dict[int, dict[int, bool]] = defaultdict(dict)
    for line in (shared_data / "data" / "tau_airline_gpt4o_trials.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        trials[found["task_id"]][found["trial"]] = found["official_reward"] == 1.0
    cases = ["".join("1" if task[trial] else "0" for trial in range(4)) for _, task in sorted(trials.items())]
    results = results_of({"m": cases})
    steady = steadiness_of(results, 0)
    assert list(repeat_shares(results, 0, lambda mark: mark.right)) == pytest.approx([0.42, 0.44, 0.40, 0.42])
    assert (steady.cases, steady.repeated, steady.flaky) == (50, 50, 26)
    assert steady.pass_hat[1] == pytest.approx(0.42)
    assert steady.pass_hat[4] == sum(case == "1111" for case in cases) / 50
    assert steady.pass_at[4] == sum("1" in case for case in cases) / 50
    assert noise_of(results, 0, lambda mark: mark.right) == pytest.approx(0.04)


@pytest.mark.requirement("B7")
def test_pass_hat_k_and_pass_at_k_by_hand() -> None:
    clusters = {(2, 3): 1, (3, 3): 1, (1, 1): 5}
    assert pass_hat(clusters, 2) == pytest.approx((1 / 3 + 1) / 2)
    assert pass_at(clusters, 2) == pytest.approx((1 + 1) / 2)
    assert pass_hat(clusters, 4) is None


@pytest.mark.requirement("B7")
def test_flaky_cases_are_named_and_wrong_in_two_ways_is_not_flaky() -> None:
    ledger = ledger_of({"m": ["11", "10", "0v", ".1", "01"]})
    assert ledger.flaky(Arm("m")) == ("c0001", "c0004")
    steady = steadiness_of(ledger.results(), 0, ledger.flaky(Arm("m")))
    assert (steady.flaky, steady.repeated, steady.cases) == (2, 4, 5)


@pytest.mark.requirement("B7")
def test_one_repeat_has_no_noise_to_speak_of() -> None:
    assert noise_of(results_of({"m": ["1", "0"]}), 0, lambda mark: mark.right) is None
