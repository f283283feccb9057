"""The score s of a proposal and the choice of the best one in a round (P13, P16, P18, D8)."""

from collections.abc import Sequence

from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.records import ProposalTrace, Round

_DIGITS = 12
_EVEN_ODDS = 0.5


def weighed(config: VerificationConfig, s_arg: float, s_out: float) -> float:
    """The score lambda_arg * S_arg + lambda_out * S_out in [0, 1]; binary dust is rounded off: 0.8 reaches 0.8."""
    return min(1.0, max(0.0, round(config.lambda_arg * s_arg + config.lambda_out * s_out, _DIGITS)))


def justified(config: VerificationConfig, s_arg: float) -> bool:
    """Whether an abstention is eligible (P15): S_arg holds it at least as likely right as wrong.

    Its score is S_arg itself, in the same range and before the same tau as s (P16); where tau lies below one half,
    tau alone decides.
    """
    return s_arg >= min(_EVEN_ODDS, config.tau)


def selected(number: int, traces: Sequence[ProposalTrace], config: VerificationConfig) -> Round:
    """Round `number` with its best eligible proposal: higher s, then higher S_arg, then the lower generator index."""
    best = max((i for i, trace in enumerate(traces) if trace.eligible), key=lambda i: _rank(traces[i]), default=None)
    accepted = best is not None and (traces[best].score or 0.0) >= config.tau
    return Round(number=number, traces=tuple(traces), best=best, accepted=accepted)


def _rank(trace: ProposalTrace) -> tuple[float, float, int]:
    s_arg = trace.argument_assessment.score if trace.argument_assessment else 0.0
    return (trace.score or 0.0, s_arg, -trace.index)
