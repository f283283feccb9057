"""A query writer played by a chat model: scenarios from tools, and queries for the gaps (P21 to P23, P28).

The model sees the tool and what is short; it never sees examples' gold calls. Ids come from content, so that the same
scenario keeps its id however often it is derived.
"""

from collections.abc import Callable
from datetime import datetime

from plugineval.pccf.chat import ChatModel
from plugineval.pccf.coverage.answers import QueriesAnswer, QueryAnswer, ScenarioAnswer, ScenariosAnswer
from plugineval.pccf.examples import Query
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.roles import Candidate, DerivedScenarios, ScenarioTask, WritingTask, Written
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, content_hash

SCENARIOS = "write_scenarios.md"
QUERIES = "write_queries.md"
RETRIES = 2
"""An unreadable answer is asked for again this often: one missing catalog entry would stop a whole build."""


class PromptedQueryWriter:
    """A `QueryWriter` over any chat model; `clock` gives the time at which its queries are asked."""

    def __init__(self, model: ChatModel, clock: Callable[[], datetime]) -> None:
        self._model = model
        self._clock = clock

    @property
    def id(self) -> str:
        """The model's id."""
        return self._model.id

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        """Scenarios of one tool, or why the model gave none."""
        prompt = Prompt.load(__package__ or "", SCENARIOS)
        turns = prompt.turns(tool=_shown(task.tool), toolset=_listed(task.toolset))
        answer = await ask_json(self._model, turns, ScenariosAnswer, retries=RETRIES)
        if answer.value is None:
            return DerivedScenarios(failure=answer.failure, prompt_hash=prompt.hash)
        derived = tuple(_scenario(task.tool, each) for each in answer.value.scenarios)
        return DerivedScenarios(scenarios=derived, prompt_hash=prompt.hash)

    async def write(self, task: WritingTask) -> Written:
        """Up to `task.count` queries; steps are kept for triggers only."""
        prompt, now = Prompt.load(__package__ or "", QUERIES), self._clock()
        turns = prompt.turns(
            count=task.count,
            difficulty=task.difficulty.value,
            scenario=task.scenario.model_dump(mode="json", exclude={"id"}),
            tool=_shown(task.tool),
            toolset=_listed(task.toolset),
            now=now.isoformat(),
            avoid=list(task.avoid),
            evidence=list(task.evidence),
        )
        answer = await ask_json(self._model, turns, QueriesAnswer, retries=RETRIES)
        if answer.value is None:
            return Written(failure=answer.failure, prompt_hash=prompt.hash)
        candidates = tuple(_candidate(task, written, now) for written in answer.value.queries)
        return Written(candidates=candidates, prompt_hash=prompt.hash)


def _candidate(task: WritingTask, written: QueryAnswer, now: datetime) -> Candidate:
    trigger = task.scenario.kind is ScenarioKind.TRIGGER
    return Candidate(
        query=Query.of_text(written.text, now=now, origin="synthetic"),
        scenario=task.scenario.id,
        difficulty=task.difficulty,
        inference_steps=tuple(written.inference_steps) if trigger else (),
    )


def _scenario(tool: ToolSpec, derived: ScenarioAnswer) -> Scenario:
    kind = ScenarioKind(derived.kind)
    lookalike = derived.lookalike if kind is ScenarioKind.TYPE_B else None
    return Scenario(
        id=f"{tool.offered_name}.{kind.value}.{content_hash([derived.title, lookalike])[:8]}",
        kind=kind,
        target=tool.offered_name,
        title=derived.title,
        evidence=derived.evidence,
        lookalike=lookalike,
    )


def _shown(tool: ToolSpec) -> Json:
    return {"name": tool.offered_name, "description": tool.description, "input_schema": tool.input_schema}


def _listed(toolset: Toolset) -> Json:
    return {tool.offered_name: tool.description for tool in toolset.tools}
