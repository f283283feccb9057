"""How steady one arm is: what it does on the same case again (B7). A rate that rests on flips says so."""

from plugineval.harness.statistics.case_results import CaseResults
from plugineval.harness.statistics.clusters import accuracy_clusters, flips, pass_at, pass_hat, repeated
from plugineval.pccf.values import Value


class Steadiness(Value):
    """Repeats of one model, on all its own rows."""

    cases: int
    repeated: int
    """Cases with a verdict in at least two repeats: only those can flip."""
    flaky: int
    """Cases that were right in some repeats and wrong in others."""
    flaky_cases: tuple[str, ...] = ()
    """The first of them by id."""
    pass_hat: dict[int, float] = {}
    """k -> chance that k repeats of a case are all right (pass^k), over the cases with at least k verdicts."""
    pass_at: dict[int, float] = {}
    """k -> chance that at least one of k repeats is right (pass@k)."""


def steadiness_of(results: CaseResults, index: int, flaky_cases: tuple[str, ...] = ()) -> Steadiness:
    """The steadiness of one arm; k goes as far as its most repeated case."""
    clusters = accuracy_clusters(results, index)
    ks = range(1, max((attempts for _, attempts in clusters), default=0) + 1)
    hats = {k: pass_hat(clusters, k) for k in ks}
    ats = {k: pass_at(clusters, k) for k in ks}
    return Steadiness(
        cases=sum(clusters.values()),
        repeated=repeated(clusters),
        flaky=flips(clusters),
        flaky_cases=flaky_cases,
        pass_hat={k: value for k, value in hats.items() if value is not None},
        pass_at={k: value for k, value in ats.items() if value is not None},
    )
