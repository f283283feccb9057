"""What a build is asked for in a conversation, as the plan of its job: nothing of it is a file."""

import json
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from plugineval.pccf.coverage.identity import scenario_id
from plugineval.pccf.errors import ConfigurationError, InvalidRecordError, UnknownNameError
from plugineval.pccf.examples import Query
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.server.app.flat import Flat
from plugineval.server.app.handles import own
from plugineval.server.app.limits import Limits
from plugineval.server.app.parameters import Plugins
from plugineval.server.catalogs.given import GivenCatalog, GivenScenario
from plugineval.server.catalogs.writing import DerivedCatalog
from plugineval.server.jobs.benchmark_name import LONGEST, require_name
from plugineval.server.jobs.params import BuildParams
from plugineval.server.settings.pricing import require_prices
from plugineval.server.store.states import JobState
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.summaries import Job


class NewScenario(BaseModel):
    """A scenario that somebody adds."""

    model_config = ConfigDict(extra="forbid")

    target: str
    kind: ScenarioKind
    title: str
    lookalike: str = ""
    then: list[str] = []

    def made(self, place: str) -> GivenScenario:
        """The scenario; `InvalidRecordError` where its parts do not go together."""
        if (self.kind is ScenarioKind.TYPE_B) != bool(self.lookalike):
            step = "a type_b scenario, and no other, names as lookalike the tool that should be called instead"
            raise InvalidRecordError("it does not fit the kind", field=f"{place}.lookalike", next_step=step)
        if self.then and not self.kind.positive:
            raise InvalidRecordError("only a trigger needs further tools", field=f"{place}.then", next_step="leave it")
        scenario = Scenario(
            id="",
            kind=self.kind,
            target=self.target,
            title=self.title,
            lookalike=self.lookalike or None,
            then=tuple(self.then),
        )
        return GivenScenario(scenario=scenario.model_copy(update={"id": scenario_id(scenario)}), place=place)


class BuildWish(Flat):
    """What is to be built."""

    plugins: Plugins
    name: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    size: Annotated[int, Field(ge=1, le=10_000)] = 24
    queries: Annotated[list[str], Field(max_length=200, description="Real requests to begin with.")] = []
    scenarios_job: Annotated[str, Field(description="job_id of benchmark_scenarios; else derived.")] = ""
    drop: Annotated[list[str], Field(description="Its scenarios to leave out.")] = []
    keep: Annotated[list[str], Field(description="Or only these.")] = []
    add: Annotated[list[NewScenario], Field(description="More scenarios; type_b names a lookalike.")] = []


async def planned(workspace: Workspace, wish: BuildWish, limits: Limits) -> BuildParams:
    """The plan; whatever makes it impossible is refused before anything is started or asked."""
    settings = workspace.settings
    for plugin in wish.plugins:
        settings.plugin(plugin)
    config = limits.wishes.over(settings.build.model_copy(update={"size": wish.size}))
    require_prices(settings, config)
    return BuildParams(
        plugins=tuple(dict.fromkeys(wish.plugins)),
        name=require_name(wish.name),
        config=config,
        catalog=await _catalog(workspace, wish),
        seeds=real_queries(wish.queries),
    )


def real_queries(texts: list[str]) -> tuple[Query, ...]:
    """Requests of real users, masked, each text once."""
    from plugineval.clients.traffic.query_file import queries_of

    lines = [json.dumps(text).encode() for text in texts if text.strip()]
    return queries_of(lines, "queries").queries if lines else ()


async def derived_catalog(workspace: Workspace, job_id: str) -> DerivedCatalog:
    """What a job of `benchmark_scenarios` came to; `ConfigurationError` where it is another job, or not at its end."""
    job: Job = await (await workspace.store()).jobs.get(own(workspace, job_id))
    if job.kind != "scenarios":
        step = "give the job_id that benchmark_scenarios answered with"
        raise ConfigurationError(f"job {job_id} is a {job.kind}", field="scenarios_job", next_step=step)
    if job.state is not JobState.COMPLETED:
        step = f"call job_get with job_id {job_id} until it is completed"
        raise ConfigurationError(f"job {job_id} is {job.state.value}", field="scenarios_job", next_step=step)
    return DerivedCatalog.model_validate(job.result)


async def _catalog(workspace: Workspace, wish: BuildWish) -> GivenCatalog | None:
    added = tuple(each.made(f"add[{place}]") for place, each in enumerate(wish.add))
    chosen = "drop" if wish.drop else "keep"
    if wish.drop and wish.keep:
        step = "name those that stay as keep, or those that go as drop"
        raise ConfigurationError("say the same thing twice", field="drop, keep", next_step=step)
    if not wish.scenarios_job:
        if wish.drop or wish.keep:
            step = "name the job of benchmark_scenarios that they are from as scenarios_job"
            raise ConfigurationError("there is nothing to choose them from", field=chosen, next_step=step)
        return GivenCatalog(path="add", given=added) if added else None
    derived = await derived_catalog(workspace, wish.scenarios_job)
    known = {scenario.id: scenario for scenario in derived.catalog.scenarios}
    for name in (*wish.drop, *wish.keep):
        if name not in known:
            step = "call benchmark_scenarios with this job_id for the ids there are"
            raise UnknownNameError("scenario", name, list(known)[:20], alike=known, next_step=step)
    stays = set(wish.keep) or known.keys() - set(wish.drop)
    kept = tuple(
        GivenScenario(scenario=scenario, place=scenario.id) for name, scenario in known.items() if name in stays
    )
    return GivenCatalog(
        path="scenarios_job",
        toolset_hash=derived.toolset.content_hash,
        writer=derived.writer,
        given=(*kept, *added),
    )
