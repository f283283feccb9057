"""A harder wording of a negative (P32): of the plan's hardest wordings the one nearest to what the tool says of itself.

Only wordings that the measure finds harder than the query as it stands are taken, so that the answer is never a step
back; the plan is the scenario's own, so that the label stays what it is.
"""

from collections.abc import Iterable, Iterator

from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.plans import Plan
from plugineval.clients.baseline.writing.queries import Written, query_of, wished_away
from plugineval.pccf.coverage.distances import synthesized
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.roles import StrengtheningTask
from plugineval.pccf.scenarios import ScenarioKind

_DRAWS = 24


def harder(plan: Plan, task: StrengtheningTask) -> Iterator[Written]:
    """Wordings that are nearer to the target's own words than `task.query`, the nearest first.

    A request for a look-alike stays as it is the first time, and the target is mentioned beside it.
    """
    mentioning = _mentioning(task) if task.scenario.kind is ScenarioKind.TYPE_B and task.attempt == 1 else ()
    yield from _nearer(task, mentioning)
    yield from _nearer(task, _wordings(plan, task))


def _nearer(task: StrengtheningTask, wordings: Iterable[Written]) -> list[Written]:
    now = _nearness(task, task.query.text)
    found = {written.text: written for written in wordings}
    measured = sorted(((_nearness(task, text), text) for text in found), key=lambda each: (-each[0], each[1]))
    return [found[text] for nearness, text in measured if nearness > now]


def _mentioning(task: StrengtheningTask) -> Iterator[Written]:
    for draw in _draws(task):
        text = wished_away(task.tool, task.query.text, draw)
        yield Written(text, needs_clock=task.query.now is not None)


def _wordings(plan: Plan, task: StrengtheningTask) -> Iterator[Written]:
    for draw in _draws(task):
        written = query_of(plan, task.tool, task.toolset, Difficulty.HARD, draw)
        if written is not None:
            yield written


def _draws(task: StrengtheningTask) -> Iterator[Draw]:
    for number in range(_DRAWS):
        yield Draw(task.tool.content_hash, task.query.text, task.attempt, "strengthen", number)


def _nearness(task: StrengtheningTask, text: str) -> float:
    found = synthesized(Query.of_text(text), task.scenario, task.tool, task.toolset)
    return 1 - found.score if task.scenario.kind is ScenarioKind.TYPE_A else found.score
