"""A query writer played by a chat model: scenarios from tools, and queries for the gaps (P21 to P23, P28).

The model sees the tool and what is short; it never sees examples' gold calls. Ids come from content, so that the same
scenario keeps its id however often it is derived.
"""

from collections.abc import Callable
from datetime import datetime

from plugineval.pccf.chat import ChatModel
from plugineval.pccf.coverage.answers import QueriesAnswer, ScenarioAnswer, ScenariosAnswer, answered
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.examples import Query
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.roles import Candidate, WritingTask, Written
from plugineval.pccf.routing import Failure
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json, content_hash

SCENARIOS = "write_scenarios.md"
QUERIES = "write_queries.md"


class PromptedQueryWriter:
    """A `QueryWriter` over any chat model; `clock` gives the time at which its queries are asked."""

    def __init__(self, model: ChatModel, clock: Callable[[], datetime]) -> None:
        self._model = model
        self._clock = clock

    @property
    def id(self) -> str:
        """The model's id."""
        return self._model.id

    async def scenarios(self, tool: ToolSpec, toolset: Toolset) -> tuple[Scenario, ...]:
        """Scenarios of `tool`; `IncompleteError` where the model cannot be reached or read."""
        turns = Prompt.load(__package__, SCENARIOS).turns(tool=_shown(tool), toolset=_listed(toolset))
        answer = await answered(self._model, turns, ScenariosAnswer)
        if isinstance(answer, Failure):
            raise IncompleteError(
                f"no scenarios for {tool.offered_name}, {answer.kind.value}: {answer.detail}",
                field="writer",
                next_step="resume the job when the model answers again",
            )
        return tuple(_scenario(tool, derived) for derived in answer.scenarios)

    async def write(self, task: WritingTask) -> Written:
        """Up to `task.count` queries; steps are kept for triggers only."""
        prompt, now = Prompt.load(__package__, QUERIES), self._clock()
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
        answer = await answered(self._model, turns, QueriesAnswer)
        if isinstance(answer, Failure):
            return Written(failure=answer, prompt_hash=prompt.hash)
        candidates = tuple(
            Candidate(
                query=Query.of_text(query.text, now=now, origin="synthetic"),
                scenario=task.scenario.id,
                difficulty=task.difficulty,
                inference_steps=query.inference_steps if task.scenario.kind is ScenarioKind.TRIGGER else (),
            )
            for query in answer.queries
        )
        return Written(candidates=candidates, prompt_hash=prompt.hash)


def _scenario(tool: ToolSpec, derived: ScenarioAnswer) -> Scenario:
    lookalike = derived.lookalike if derived.kind is ScenarioKind.TYPE_B else None
    digest = content_hash([derived.title, lookalike])[:8]
    return Scenario(
        id=f"{tool.offered_name}.{derived.kind.value}.{digest}",
        kind=derived.kind,
        target=tool.offered_name,
        title=derived.title,
        evidence=derived.evidence,
        lookalike=lookalike,
    )


def _shown(tool: ToolSpec) -> Json:
    return {"name": tool.offered_name, "description": tool.description, "input_schema": tool.input_schema}


def _listed(toolset: Toolset) -> Json:
    return {tool.offered_name: tool.description for tool in toolset.tools}
