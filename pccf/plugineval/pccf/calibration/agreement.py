"""Whether a router's reply is what the label of a negative says: the vote that p_K counts (P30)."""

from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import ScenarioKind


def agrees(kind: ScenarioKind, target: str, reply: RouterReply) -> bool | None:
    """Type A: no call at all. Types B, C and underspecified: the target is not called (D5, D15).

    Other tools may be called on the latter. None where the reply is a failure, which is no vote; a call whose
    arguments cannot be read is still a call. `ValueError` for a trigger scenario, which is not a negative.
    """
    if kind.positive:
        raise ValueError("the router's agreement is defined for negatives only")
    if reply.failure is not None:
        return None
    if kind is ScenarioKind.TYPE_A:
        return not reply.calls
    return all(call.name != target for call in reply.calls)
