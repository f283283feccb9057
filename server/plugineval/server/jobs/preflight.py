"""Before anything costs: every model behind an endpoint is asked one small question.

What only a person can mend (a refused key, a model that is not there, a request that its endpoint does not take) and an
endpoint where nobody is stop the work. What may pass (a refusal for its load, an error of the server, text where a call
was asked for) is a warning.

A model that answered is not asked again by the same job, unless its settings changed or an hour has passed.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import anyio

from plugineval.harness.rehearsal import Rehearsed, rehearse
from plugineval.harness.run import RunConfig
from plugineval.pccf.errors import ConfigurationError, IncompleteError, PluginEvalError
from plugineval.pccf.ledger import CallKey, Ledger, Unjournaled, recorded
from plugineval.pccf.routing import FailureKind, Router
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.evaluation_outcome import OUTAGES
from plugineval.server.jobs.params import BuildParams, EvaluateParams
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import open_endpoints
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.pccf.metering import Meter

STAGE = "preflight"
FRESH = timedelta(hours=1)
"""For so long an answer to the question stands."""
ANYWAY = "go on without this question with --no-preflight"


async def preflight(
    workspace: Workspace,
    callers: Iterable[str],
    *,
    talkers: Iterable[str] = (),
    base_url: str | None = None,
    ledger: Ledger | None = None,
) -> list[Rehearsed]:
    """Ask each model that is behind an endpoint once, all at a time; embedded models are not asked.

    `callers` should call tools, `talkers` need only answer. What a `ledger` holds is not asked again while it is fresh.

    `ConfigurationError` or `IncompleteError` (nobody was there) for the first that stops the work.
    """
    called = frozenset(callers)
    wanted = [*called, *talkers]
    settings, environ = workspace.settings, workspace.environ
    async with open_endpoints(settings, wanted, base_url=base_url, environ=environ) as models:
        first = _FirstQuestion(settings, base_url, ledger or Unjournaled())
        found = await _all(models, called, first)
    for rehearsed in found:
        if (error := _stopping(rehearsed, settings, base_url)) is not None:
            raise error
    return found


def notes_of(found: Sequence[Rehearsed]) -> tuple[str, ...]:
    """The warnings, as notes of a run."""
    return tuple(f"Preflight: {rehearsed.warning}" for rehearsed in found if rehearsed.warning)


async def preflight_run(context: JobContext, params: EvaluateParams, config: RunConfig, cells: int) -> list[Rehearsed]:
    """Ask the judge, and every model with some of its `cells` still to answer: a resumed run asks nobody in vain."""
    if not params.preflight:
        return []
    context.progress(0, None, "asking every model one question")
    answered: Counter[str] = Counter()
    for count in await context.store.attempts.outcomes(params.run_id):
        if count.exclusion not in OUTAGES:
            answered[count.model] += count.rows
    unfinished = [model for model in config.models if answered[model] < cells]
    talkers = [params.grading.judge] if unfinished else []
    ledger = question_ledger(context)
    return await preflight(context.workspace, unfinished, talkers=talkers, base_url=params.base_url, ledger=ledger)


async def preflight_build(context: JobContext, params: BuildParams, meter: "Meter") -> list[Rehearsed]:
    """Ask every model that plays a role of a construction; only the reference router has to call tools. What it takes
    counts in `meter`.
    """
    if not params.preflight:
        return []
    context.progress(0, None, "asking every model one question")
    players = {role: names for role, names in context.workspace.settings.roles.assigned.items() if role != "judge"}
    talkers = [name for names in players.values() for name in names]
    ledger = meter.ledger(question_ledger(context))
    return await preflight(context.workspace, players["router"], talkers=talkers, ledger=ledger)


async def preflight_judge(context: JobContext, judge: str, *, base_url: str | None = None) -> list[Rehearsed]:
    """Ask the judge of a grading that goes on."""
    context.progress(0, None, "asking the judge one question")
    return await preflight(context.workspace, (), talkers=[judge], base_url=base_url, ledger=question_ledger(context))


def question_ledger(context: JobContext) -> Ledger:
    """Where a job keeps what was answered to its first questions: they are no calls of its work."""
    from plugineval.server.store.journal import Journal

    return Journal(context.store, f"{STAGE} {context.job_id}")


class _FirstQuestion:
    """The first question of one job to each of its models."""

    def __init__(self, settings: Settings, base_url: str | None, ledger: Ledger) -> None:
        self._settings = settings
        self._base_url = base_url
        self._ledger = ledger

    async def ask(self, model: Router, *, may_talk: bool) -> Rehearsed:
        """Its answer, which is made now where none is fresh."""
        said = self._settings.models.get(model.id)
        asked_with: Json = [self._base_url, None if said is None else said.model_dump(mode="json")]
        made: list[Rehearsed] = []

        async def now() -> Rehearsed:
            made.append(await rehearse(model, may_talk=may_talk))
            return made[0]

        number = 0
        while True:
            key = CallKey(stage=STAGE, model=model.id, case=model.id, repeat=number, request=asked_with)
            found = await recorded(self._ledger, key, Rehearsed, now)
            if made or found.at is None or datetime.now(UTC) - found.at < FRESH:
                return found.model_copy(update={"may_talk": may_talk})
            number += 1


async def _all(models: Sequence[Router], callers: Collection[str], first: _FirstQuestion) -> list[Rehearsed]:
    answers: dict[str, Rehearsed] = {}

    async def ask(model: Router) -> None:
        answers[model.id] = await first.ask(model, may_talk=model.id not in callers)

    async with anyio.create_task_group() as group:
        for model in models:
            group.start_soon(ask, model)
    return [answers[model.id] for model in models]


def _stopping(rehearsed: Rehearsed, settings: Settings, base_url: str | None) -> PluginEvalError | None:
    failure, model = rehearsed.failure, rehearsed.model
    if failure is None:
        return None
    registered = model in settings.models

    def field(name: str, otherwise: str) -> str:
        return f"models.{model}.{name}" if registered else otherwise

    problem = f"preflight of {model}: {failure.detail}"
    match failure.kind:
        case FailureKind.ACCESS_DENIED:
            place = field("api_key_env", "OPENAI_API_KEY")
            return ConfigurationError(
                problem, field=place, next_step=f"export a key that this endpoint takes, or {ANYWAY}"
            )
        case FailureKind.UNKNOWN_MODEL:
            place = field("model", "model")
            step = f"write a model, and a base URL, that the endpoint has, or {ANYWAY}"
            return ConfigurationError(problem, field=place, next_step=step)
        case FailureKind.REQUEST_REFUSED:
            step = f"mend what the endpoint names in the model's settings, or {ANYWAY}"
            return ConfigurationError(problem, field=field("model", "model"), next_step=step)
        case FailureKind.UNREACHABLE:
            place = field("base_url", "--base-url" if base_url else "OPENAI_BASE_URL")
            step = f"start the endpoint or mend its address, then go on; or {ANYWAY}"
            return IncompleteError(problem, field=place, next_step=step)
        case _:
            return None
