"""`plugineval ablate`: what each component of a construction is worth on these plugins, with its significance."""

import json
from pathlib import Path
from typing import Annotated

import typer

from plugineval.harness.rendering.ablation_tables import ablation_notes, ablation_sentences, ablation_tables
from plugineval.pccf.ablations.variants import NAMES, Sweep, levels_of, variants_of
from plugineval.pccf.durations import lasting
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.files import refuse_existing, write_new
from plugineval.server.cli.jobs_named import named_job
from plugineval.server.cli.option_groups import (
    LimitOptions,
    NoPreflight,
    OptionGroup,
    WantedOptions,
    with_limit_options,
    with_wanted_options,
)
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.queries_told import query_file_told
from plugineval.server.cli.session import engine_for, follow, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out, say
from plugineval.server.jobs.ablate_outcome import AblationOutcome
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.params import AblateParams
from plugineval.server.jobs.truth_file import read_truth
from plugineval.server.raising_limits import raised_by_sentence
from plugineval.server.settings.pricing import require_prices
from plugineval.server.settings.settings import Settings
from plugineval.server.store.states import JobState
from plugineval.server.wording import counted


class AblationOptions(Value):
    """What is varied, as it was written on the command line."""

    variant: tuple[str, ...] = ()
    sweep: tuple[str, ...] = ()
    plugins_from: int | None = None
    truth: Path | None = None
    job: str | None = None
    no_preflight: bool | None = None


def _ablating(variant: list[str] | None, sweep: list[str] | None, **said: object) -> AblationOptions:
    return AblationOptions.model_validate({"variant": tuple(variant or ()), "sweep": tuple(sweep or ()), **said})


_with_ablation_options = OptionGroup(
    name="ablating",
    make=_ablating,
    options={
        "variant": Annotated[
            list[str] | None,
            typer.Option(metavar="NAME", help=f"One of {', '.join(NAMES)}; may be repeated; else all."),
        ],
        "sweep": Annotated[
            list[str] | None,
            typer.Option(metavar="R=1,2,3", help="Also R (rounds), M (generators) or K (router runs) at these values."),
        ],
        "plugins_from": Annotated[
            int | None, typer.Option(min=1, help="Over the first N plugins, the first N+1, ... up to all of them.")
        ],
        "truth": Annotated[
            Path | None,
            typer.Option(
                metavar="FILE", help="People's verdicts: lines of --golds with `right` as true or false. They win."
            ),
        ],
        "job": Annotated[
            str | None, typer.Option(metavar="JOB", help="Show an ablation that was run; with --truth, judge it anew.")
        ],
        "no_preflight": NoPreflight,
    },
)


class FileOptions(Value):
    """Where results are written to."""

    figure: Path | None = None
    golds: Path | None = None


_with_file_options = OptionGroup(
    name="files",
    make=FileOptions,
    options={
        "figure": Annotated[
            Path | None,
            typer.Option(metavar="FILE.svg", help="Draw the measures with their intervals.", dir_okay=False),
        ],
        "golds": Annotated[
            Path | None,
            typer.Option(metavar="FILE.jsonl", help="Write all accepted gold for people to judge.", dir_okay=False),
        ],
    },
)


class _Wish(Value):
    plugins: tuple[str, ...]
    ablating: AblationOptions
    wanted: WantedOptions
    limits: LimitOptions
    files: FileOptions
    shared: SharedOptions

    def planned(self, settings: Settings) -> AblateParams:
        """The job; whatever makes it impossible is refused before anything is started or asked."""
        if not self.plugins:
            raise ConfigurationError("names no plugin", field="plugin", allowed=tuple(settings.plugins))
        for name in self.plugins:
            settings.plugin(name)
        said = self.ablating
        config = self.limits.over(self.wanted.over(settings.build))
        require_prices(settings, config)
        sweeps = tuple(Sweep.of(text) for text in said.sweep)
        levels_of(self.plugins, said.plugins_from)
        variants_of(config, said.variant, sweeps)
        seeds = self.wanted.seeds
        if seeds is not None:
            say(query_file_told(seeds))
        return AblateParams(
            plugins=self.plugins,
            config=config,
            catalog=self.wanted.catalog,
            seeds=seeds.queries if seeds else (),
            preflight=not said.no_preflight,
            variants=said.variant,
            sweeps=sweeps,
            plugins_from=said.plugins_from,
            verdicts=read_truth(said.truth) if said.truth else (),
        )


@with_shared_options
@_with_file_options
@with_limit_options
@with_wanted_options
@_with_ablation_options
def ablate_command(
    plugin: Annotated[list[str] | None, typer.Option("--plugin", help="A registered plugin; may be repeated.")] = None,
    *,
    ablating: AblationOptions,
    wanted: WantedOptions,
    limits: LimitOptions,
    files: FileOptions,
    shared: SharedOptions,
) -> None:
    """Construct with and without each component, on the same seeds and candidates, and test what it is worth.

    No benchmark is kept. --json prints one object whose `variants` holds one object per variant.
    """
    plugins = tuple(dict.fromkeys(plugin or ()))
    wish = _Wish(plugins=plugins, ablating=ablating, wanted=wanted, limits=limits, files=files, shared=shared)
    outcome = run(lambda: _ablate(wish), as_json=shared.as_json)
    if shared.as_json:
        echo_json(ablation_json(outcome))
    else:
        show_ablation(outcome, shared)


def ablation_json(outcome: AblationOutcome) -> Json:
    """The one object for scripts; the gold itself is what `--golds` writes."""
    printed: Json = outcome.model_dump(mode="json", exclude={"golds"})
    return printed


async def _ablate(wish: _Wish) -> AblationOutcome:
    settings, shared, job_id = read_settings(wish.shared), wish.shared, wish.ablating.job
    for path in (wish.files.figure, wish.files.golds):
        refuse_existing(path)
    async with engine_for(settings) as engine:
        if job_id is None:
            found = await run_job(engine, "ablate", wish.planned(settings), shared)
        else:
            found = await _stored(engine, job_id, wish)
    outcome = AblationOutcome.model_validate(found)
    _write(outcome, wish.files)
    return outcome


async def _stored(engine: JobEngine, job_id: str, wish: _Wish) -> Json:
    """The result of a job that is over; with verdicts, the same job with them: nothing is asked twice."""
    store = await engine.workspace.store()
    step = f"give the id that `{wish.shared.command('ablate')}` printed at its end"
    job = await named_job(store, job_id, next_step=step)
    if job.kind != "ablate":
        raise ConfigurationError(f"job {job.id} is no ablation but {job.kind}", field="job", next_step=step)
    job_id = job.id
    if wish.ablating.truth is not None:
        params = AblateParams.model_validate(job.params)
        changed = params.model_copy(update={"verdicts": read_truth(wish.ablating.truth), "preflight": False})
        await store.jobs.replan(job_id, changed.model_dump(mode="json"))
        await store.jobs.reopen(job_id)
        return await follow(engine, await engine.resume(job_id), wish.shared)
    if job.state is not JobState.COMPLETED:
        step = f"run `{wish.shared.command('resume', job_id)}`"
        raise ConfigurationError(f"job {job_id} is {job.state.value}", field="job", next_step=step)
    return job.result


def _write(outcome: AblationOutcome, files: FileOptions) -> None:
    if files.figure is not None:
        from plugineval.harness.rendering.ablation_figure import ablation_figure

        write_new(files.figure, ablation_figure(outcome))
    if files.golds is not None:
        write_new(files.golds, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in gold_lines(outcome)))


def gold_lines(outcome: AblationOutcome) -> list[dict[str, Json]]:
    """All accepted gold, for people to judge: what the evaluators hold of it is not said, and `right` is left open."""
    return [{**gold.model_dump(mode="json"), "right": None} for gold in outcome.golds]


def show_ablation(outcome: AblationOutcome, shared: SharedOptions) -> None:
    """The tables, what may be said, and how to go on."""
    console = out()
    runs = counted(len(outcome.variants), "construction")
    took = f"{outcome.calls:,} calls, {lasting(outcome.minutes * 60)}"
    head = f"Ablation on {', '.join(outcome.plugins)}: {runs}, {took}"
    show_sentence(head, console, style="bold")
    for warning in outcome.warnings:
        show_sentence(f"WARNING: {warning}", console)
    show_tables(ablation_tables(outcome), console)
    console.print()
    for sentence in (*ablation_sentences(outcome), *ablation_notes(outcome)):
        show_sentence(sentence, console)
    if outcome.limit:
        left = f"; not run: {', '.join(outcome.not_run)}" if outcome.not_run else ""
        again = shared.command("resume", outcome.job_id, raised_by_sentence(outcome.limit), "N")
        show_sentence(f"{outcome.limit}{left}. Go on with a higher limit: {again}", console, whole=True)
    again = shared.command("ablate", "--job", outcome.job_id)
    show_sentence(f"Kept with its job: {again}", console, whole=True)
