"""The baseline as generator: three strategies of extraction, corrected by the evidence of the rounds before.

Generator m starts with strategy m. After a rejected round it takes the next strategy, leaves out values that were
refuted, and prefers values that an error text listed as allowed; it repeats itself only when nothing else is left.
"""

from plugineval.clients.baseline.extraction import Extraction, extract
from plugineval.clients.baseline.history import Lessons, lessons
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.segments import own_part
from plugineval.clients.baseline.strategies import STRATEGIES, Strategy
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.roles import ProposalTask, Proposed
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import canonical_json


class LexicalGenerator:
    """Implements `plugineval.pccf.roles.Generator`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """A whole call, or an abstention that names what is missing; never fails."""
        learned = lessons(task.history, task.tool)
        proposal = self._proposal(task, learned, index + len(task.history))
        return Proposed(proposal=proposal, prompt_hash=PROMPT_HASH, spent=Spent())

    def _proposal(self, task: ProposalTask, learned: Lessons, turn: int) -> Invocation | Abstention:
        missing: tuple[str, ...] = ()
        for offset in range(len(STRATEGIES)):
            extraction = self._extract(task, learned, STRATEGIES[(turn + offset) % len(STRATEGIES)])
            if extraction.missing:
                missing = missing or extraction.missing
                if not task.history:
                    break
            elif canonical_json(extraction.arguments) not in learned.tried:
                return Invocation(tool=task.tool.offered_name, arguments=extraction.arguments)
        if missing or learned.best is None:
            return Abstention(reason=f"the query does not determine {', '.join(missing)}", missing=missing)
        return Invocation(tool=task.tool.offered_name, arguments=learned.best)

    def _extract(self, task: ProposalTask, learned: Lessons, strategy: Strategy) -> Extraction:
        return extract(own_part(task.query), task.tool, strategy, refuted=learned.refuted)
