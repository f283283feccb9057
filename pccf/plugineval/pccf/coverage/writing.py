"""A query writer played by a chat model: scenarios from tools, queries for the gaps, harder negatives (P21 to P23,
P28, P32).

The model sees the tool and what is short; it never sees examples' gold calls. Ids come from content, so that the same
scenario keeps its id however often it is derived.
"""

from collections.abc import Callable
from datetime import datetime
from textwrap import shorten

from plugineval.pccf.chat import ChatModel, ChatRequest
from plugineval.pccf.coverage.answers import (
    QueriesAnswer,
    QueryAnswer,
    ScenarioAnswer,
    ScenariosAnswer,
    StrengthenedAnswer,
)
from plugineval.pccf.coverage.distances import wanted
from plugineval.pccf.coverage.identity import scenario_id
from plugineval.pccf.examples import Query
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.roles import Candidate, DerivedScenarios, ScenarioTask, StrengtheningTask, WritingTask, Written
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

SCENARIOS = "write_scenarios.md"
QUERIES = "write_queries.md"
STRENGTHEN = "strengthen.md"
LISTED_KEPT = 300
"""Characters of the description of a tool that is only listed; each of dozens would else be repeated in every task."""
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
        turns = prompt.turns(
            tool=_shown(task.tool),
            toolset=_listed(task.toolset),
            lookalikes={each.tool: round(each.similarity, 2) for each in task.lookalikes},
            chains="wanted" if task.chains else "unwanted",
        )
        answer = await ask_json(self._model, ChatRequest(turns=turns), ScenariosAnswer, retries=RETRIES)
        if answer.value is None:
            return DerivedScenarios(failure=answer.failure, prompt_hash=prompt.hash, spent=answer.spent)
        derived = tuple(_scenario(task, each) for each in answer.value.scenarios)
        return DerivedScenarios(scenarios=derived, prompt_hash=prompt.hash, spent=answer.spent)

    async def write(self, task: WritingTask) -> Written:
        """Up to `task.count` queries; steps are kept for triggers only."""
        prompt, now = Prompt.load(__package__ or "", QUERIES), self._clock()
        turns = prompt.turns(
            count=task.count,
            difficulty=task.difficulty.value,
            target=wanted(task.scenario.kind, task.difficulty),
            scenario=_described(task.scenario),
            tool=_shown(task.tool),
            toolset=_listed(task.toolset),
            now=now.isoformat(),
            avoid=list(task.avoid),
            evidence=[*task.evidence, *task.missed],
            returned=list(task.returned),
        )
        answer = await ask_json(self._model, ChatRequest(turns=turns), QueriesAnswer, retries=RETRIES)
        if answer.value is None:
            return Written(failure=answer.failure, prompt_hash=prompt.hash, spent=answer.spent)
        candidates = tuple(_candidate(task, written, now) for written in answer.value.queries)
        return Written(candidates=candidates, prompt_hash=prompt.hash, spent=answer.spent)

    async def strengthen(self, task: StrengtheningTask) -> Written:
        """A harder wording of a negative, asked at the same time as the weaker one; none where there is none."""
        prompt = Prompt.load(__package__ or "", STRENGTHEN)
        turns = prompt.turns(
            attempt=task.attempt,
            difficulty=task.difficulty.value,
            observed=task.observed.value,
            target=wanted(task.scenario.kind, task.difficulty),
            query=task.query.text,
            scenario=_described(task.scenario),
            tool=_shown(task.tool),
            toolset=_listed(task.toolset),
            evidence=list(task.evidence),
            avoid=list(task.avoid),
        )
        answer = await ask_json(self._model, ChatRequest(turns=turns), StrengthenedAnswer, retries=RETRIES)
        if answer.value is None:
            return Written(failure=answer.failure, prompt_hash=prompt.hash, spent=answer.spent)
        text = answer.value.text or ""
        candidates = (_harder(task, text),) if text.strip() else ()
        return Written(candidates=candidates, prompt_hash=prompt.hash, spent=answer.spent)


def _candidate(task: WritingTask, written: QueryAnswer, now: datetime) -> Candidate:
    trigger = task.scenario.kind is ScenarioKind.TRIGGER
    return Candidate(
        query=Query.of_text(written.text, now=now, origin="synthetic"),
        scenario=task.scenario.id,
        difficulty=task.difficulty,
        inference_steps=tuple(written.inference_steps) if trigger else (),
    )


def _harder(task: StrengtheningTask, text: str) -> Candidate:
    return Candidate(
        query=Query.of_text(text, now=task.query.now, origin="synthetic"),
        scenario=task.scenario.id,
        difficulty=task.difficulty,
    )


def _scenario(task: ScenarioTask, derived: ScenarioAnswer) -> Scenario:
    kind = ScenarioKind(derived.kind)
    made = Scenario(
        id="",
        kind=kind,
        target=task.tool.offered_name,
        title=derived.title,
        evidence=derived.evidence,
        lookalike=derived.lookalike if kind is ScenarioKind.TYPE_B else None,
        then=tuple(derived.then) if task.chains and kind is ScenarioKind.TRIGGER else (),
        ordered=derived.ordered and bool(derived.then) and task.chains and kind is ScenarioKind.TRIGGER,
    )
    return made.model_copy(update={"id": scenario_id(made)})


def _described(scenario: Scenario) -> Json:
    said = scenario.model_dump(mode="json", exclude={"id"})
    return said if scenario.then else {name: said[name] for name in said if name not in {"then", "ordered"}}


def _shown(tool: ToolSpec) -> Json:
    schema: Json = {keyword: held for keyword, held in tool.input_schema.items() if keyword != "$schema"}
    return {"name": tool.offered_name, "description": tool.description, "input_schema": schema}


def _listed(toolset: Toolset) -> Json:
    """What each tool is for: of a long description the beginning."""
    return {tool.offered_name: shorten(tool.description, LISTED_KEPT, placeholder="…") for tool in toolset.tools}
