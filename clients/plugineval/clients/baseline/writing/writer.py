"""The baseline as query writer: scenarios from descriptions and schemas, queries from templates, always new ones."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.writing.chains import chain_scenario, chained
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.finding import plan_for
from plugineval.clients.baseline.writing.plans import Plan, plans_of
from plugineval.clients.baseline.writing.queries import Written as WrittenQuery
from plugineval.clients.baseline.writing.queries import query_of
from plugineval.clients.baseline.writing.specimens import CLOCK
from plugineval.clients.baseline.writing.strengthening import harder
from plugineval.pccf.coverage.distances import synthesized
from plugineval.pccf.examples import Query
from plugineval.pccf.roles import Candidate, DerivedScenarios, ScenarioTask, StrengtheningTask, WritingTask, Written
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset

_TRIES = 12
"""Draws per wanted query before the writer gives up: a tool without arguments has only so many phrasings."""


class LexicalWriter:
    """Implements `plugineval.pccf.roles.QueryWriter`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        """Trigger and exclusion scenarios of a tool, each with its evidence; never fails."""
        chain = chain_scenario(task.tool, task.toolset) if task.chains else None
        single = tuple(plan.scenario for plan in plans_of(task.tool, task.toolset))
        found = (*single, chain) if chain else single
        return DerivedScenarios(scenarios=found, prompt_hash=PROMPT_HASH, spent=Spent())

    async def write(self, task: WritingTask) -> Written:
        """Up to `task.count` queries that `task.avoid` does not hold; none where the tool admits none of that depth."""
        # A scenario of several tools says itself what its queries need.
        plan = Plan(task.scenario) if task.scenario.then else plan_for(task.scenario, task.tool, task.toolset)
        candidates = () if plan is None else tuple(self._candidates(task, plan))
        return Written(candidates=candidates, prompt_hash=PROMPT_HASH, spent=Spent())

    async def strengthen(self, task: StrengtheningTask) -> Written:
        """The hardest wording that is harder than the query as it stands; none where there is none (P32)."""
        plan = plan_for(task.scenario, task.tool, task.toolset)
        if plan is None or task.scenario.kind.positive:
            return Written(prompt_hash=PROMPT_HASH, spent=Spent())
        seen = {_folded(text) for text in (*task.avoid, task.query.text)}
        secret = _secret(task.toolset)
        new = (w for w in harder(plan, task) if _folded(w.text) not in seen and not _names_a_tool(w.text, secret))
        candidates = tuple(_candidate(task, written) for written in islice(new, 1))
        return Written(candidates=candidates, prompt_hash=PROMPT_HASH, spent=Spent())

    def _candidates(self, task: WritingTask, plan: Plan) -> Iterator[Candidate]:
        seen = {_folded(text) for text in task.avoid}
        wanted = task.count
        for written in self._drafts(task, plan):
            text = _folded(written.text)
            if wanted and text not in seen and not _names_a_tool(written.text, _secret(task.toolset)):
                seen.add(text)
                wanted -= 1
                yield _candidate(task, written)

    def _drafts(self, task: WritingTask, plan: Plan) -> Iterable[WrittenQuery]:
        drafts: list[WrittenQuery] = []
        for number in range(task.count * _TRIES):
            draw = Draw(
                task.tool.content_hash, task.scenario.id, task.difficulty, task.attempt, len(task.evidence), number
            )
            if plan.scenario.then:
                written = chained(plan.scenario, task.toolset, task.difficulty, draw)
            else:
                written = query_of(plan, task.tool, task.toolset, task.difficulty, draw)
            if written is not None:
                drafts.append(written)
        return drafts if task.scenario.kind.positive else sorted(drafts, key=lambda draft: _off_target(task, draft))


def _off_target(task: WritingTask, draft: WrittenQuery) -> int:
    """How many levels the measured d_syn of a draft is away from the one that is asked for (P27)."""
    measured = synthesized(Query.of_text(draft.text), task.scenario, task.tool, task.toolset)
    return abs(measured.level.ordinal - task.difficulty.ordinal)


def _candidate(task: WritingTask | StrengtheningTask, written: WrittenQuery) -> Candidate:
    now = CLOCK if written.needs_clock else None
    return Candidate(
        query=Query.of_text(written.text, now=now, origin="synthetic"),
        scenario=task.scenario.id,
        difficulty=task.difficulty,
        inference_steps=written.steps,
    )


def _folded(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _secret(toolset: Toolset) -> Iterable[str]:
    return {name for tool in toolset.tools for name in (tool.offered_name, tool.name)}


def _names_a_tool(text: str, names: Iterable[str]) -> bool:
    """An identifier (`list_items`, `listItems`) must not stand in the text; a plain English word may."""
    return any(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        for name in names
        if not re.fullmatch(r"[A-Za-z]?[a-z]+", name)
    )
