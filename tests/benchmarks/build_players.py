"""What a measured build is made of: tools with a page of description each, and one player of every role.

It sleeps as long as it is told to, counts, and answers as is meant, so that every candidate is worth its verification.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import anyio

from doubles.construction import STEPS, ScriptedWriter, kind_of, scenario, vote_as_meant, written
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, DepthVote
from plugineval.pccf.roles import (
    Assessed,
    DepthVoted,
    DerivedScenarios,
    ProposalTask,
    Proposed,
    ScenarioTask,
    StrengtheningTask,
    Voted,
    WritingTask,
    Written,
)
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json

TOOLS = 60
PLUGIN_S = 0.002
"""Seconds of an execution where models take any."""


def tool(number: int) -> ToolSpec:
    """A tool as real servers have them: a page of description, nested arguments."""
    words = " ".join(f"part{number} says what field {index} means and when to leave it out" for index in range(30))
    nested: dict[str, Json] = {f"option_{index}": {"type": "string", "description": words[:80]} for index in range(12)}
    properties: dict[str, Json] = {
        "place": {"type": "string", "description": f"Where thing{number} happens."},
        "options": {"type": "object", "properties": nested},
    }
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": ["place"]}
    return ToolSpec(
        plugin="sky", name=f"tool_{number}", description=f"Does thing{number}. {words}", input_schema=schema
    )


def of_thing(kind: ScenarioKind, number: int) -> Scenario:
    found = scenario(kind, f"tool_{number}", lookalike=f"tool_{(number + 1) % TOOLS}")
    return found.model_copy(update={"title": f"thing {number}"})


class Players:
    """Every role in one: sleeps, counts, and answers as meant."""

    id = "players"
    prompt_hash = "p"

    def __init__(self, by_tool: dict[str, tuple[Scenario, ...]], *, model_s: float) -> None:
        """`model_s`: seconds of an answer; at nought plugins take no time either."""
        self.made: Counter[str] = Counter()
        self._model_s, self._plugin_s = model_s, min(model_s, PLUGIN_S)
        self._writer = ScriptedWriter(by_tool=by_tool)

    async def _answer(self, stage: str) -> None:
        self.made[stage] += 1
        await anyio.sleep(self._plugin_s if stage == "execute" else self._model_s)

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        await self._answer("scenarios")
        return await self._writer.scenarios(task)

    async def write(self, task: WritingTask) -> Written:
        await self._answer("write")
        return Written(candidates=tuple(written(task, index) for index in range(task.count)))

    async def strengthen(self, task: StrengtheningTask) -> Written:
        await self._answer("strengthen")
        return Written()

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        await self._answer("vote")
        return vote_as_meant(level, query)

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        await self._answer("propose")
        if kind_of(task.query) is ScenarioKind.UNDERSPECIFIED:
            return Proposed(proposal=Abstention(missing=("place",), reason=f"reason {index}"))
        arguments: Arguments = {"place": "Oslo", "options": {"option_0": f"as {index}"}}
        return Proposed(proposal=Invocation(tool=task.tool.offered_name, arguments=arguments))

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        return await self._assessed()

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        return await self._assessed()

    async def _assessed(self) -> Assessed:
        await self._answer("assess")
        return Assessed(assessment=Assessment(score=1.0, reason="right", evaluator="other"))

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        await self._answer("execute")
        return Observation(kind=ObservationKind.RETURNED, tool=tool.name, arguments=arguments, text="sunny " * 200)

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        await self._answer("depth")
        level = next(level for level in Difficulty if f", {level.value} " in query.text)
        return DepthVoted(vote=DepthVote(steps=STEPS[level], annotator=self.id))

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        await self._answer("calibrate")
        hard, medium = ", hard " in query.text, ", medium " in query.text
        taken_in = hard or (medium and seed == 0)
        target = f"tool_{query.text.split('thing ')[1].split(',')[0]}"
        return RouterReply(calls=(EmittedCall(name=target, arguments={}),) if taken_in else ())
