"""What Stage I is asked to verify: one candidate query for one target tool, real or synthetic alike (P8)."""

from plugineval.pccf.examples import Query
from plugineval.pccf.records import LevelVote
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification.parts import MadeCall


class VerificationRequest(Value):
    """One candidate. `scenario` and `gap` are kept in the record, so that it links to the gap it fills (P36)."""

    record_id: str
    query: Query
    tool: ToolSpec
    scenario: str
    gap: str
    votes: tuple[LevelVote, ...] = ()
    """Answers at levels 1 and 2; without any, the caller has settled both levels as positive."""
    after: tuple[MadeCall, ...] = ()
    """Calls of the same request whose effects and results this one builds on."""
    result_query: Query | None = None
    """What the result evaluator sees in place of `query`: the last of several calls is judged beside all others."""
