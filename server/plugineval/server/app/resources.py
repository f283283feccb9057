"""Resources: everything that is stored, by its own address. Reading one touches no model and no plugin."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TypeAlias

from mcp.server import MCPServer

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.app.answers import URI, JobPage
from plugineval.server.app.faults import resource_errors
from plugineval.server.app.handles import own
from plugineval.server.app.job_cards import card_of
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.workspace import Workspace

MARKDOWN, JSON, HTML, TOML = "text/markdown", "application/json", "text/html", "application/toml"
PAGE = 50

Reader: TypeAlias = Callable[..., Awaitable[str]]


def add_resources(app: MCPServer[JobEngine], workspace: Workspace) -> None:
    """Register the templates of everything that can be read."""
    reading = _Reading(workspace)
    templates: tuple[tuple[str, str, str, Reader], ...] = (
        ("plugins/{name}", "Plugin", MARKDOWN, resource_errors(reading.plugin)),
        ("benchmarks/{benchmark_id}", "Benchmark", MARKDOWN, resource_errors(reading.benchmark)),
        ("benchmarks/{benchmark_id}/coverage", "Coverage of a benchmark", MARKDOWN, resource_errors(reading.coverage)),
        ("benchmarks/{benchmark_id}/cases{?cursor}", "Cases of a benchmark", MARKDOWN, resource_errors(reading.cases)),
        ("benchmarks/{benchmark_id}/card", "Card of a benchmark", MARKDOWN, resource_errors(reading.card)),
        ("benchmarks/{benchmark_id}/versions", "Versions of a benchmark", MARKDOWN, resource_errors(reading.versions)),
        ("cases/{case_id}", "Case", MARKDOWN, resource_errors(reading.case)),
        ("cases/{case_id}/verification", "Verification record of a case", JSON, resource_errors(reading.verification)),
        ("runs/{run_id}", "Run", JSON, resource_errors(reading.run)),
        ("runs/{run_id}/counts", "Counts of a run so far", JSON, resource_errors(reading.counts)),
        ("reports/{run_id}", "Report", MARKDOWN, resource_errors(reading.report)),
        ("reports/{run_id}/json", "Report as data", JSON, resource_errors(reading.report_json)),
        ("reports/{run_id}/html", "Report as a page", HTML, resource_errors(reading.report_html)),
        ("reports/{run_id}/note", "Routing note of a run", MARKDOWN, resource_errors(reading.note)),
        ("reports/{run_id}/errors{?cursor}", "Failed rows of a run", MARKDOWN, resource_errors(reading.errors)),
        ("jobs/{job_id}", "Job", JSON, resource_errors(reading.job)),
        ("jobs/{job_id}/scenarios", "Scenarios of a job", TOML, resource_errors(reading.scenarios)),
    )
    for path, title, mime_type, reader in templates:
        app.resource(URI + path, name=_name(path), title=title, mime_type=mime_type)(reader)


def _name(path: str) -> str:
    """`benchmarks/{benchmark_id}/cases{?cursor}` is `benchmarks/cases`: no two templates share a name."""
    return re.sub(r"/?\{[^}]*\}", "", path)


class _Reading:
    """One method per template; parameters are named as in its URI."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def plugin(self, name: str) -> str:
        """Tools of a plugin's newest snapshot, with descriptions and arguments."""
        from plugineval.server.app import views

        return views.plugin_text(await (await self._workspace.store()).plugins.get(name))

    async def benchmark(self, benchmark_id: str) -> str:
        """What a benchmark holds, what it rests on, and who made it."""
        from plugineval.server.app import views

        return views.benchmark_text(await (await self._workspace.store()).benchmarks.get(benchmark_id))

    async def coverage(self, benchmark_id: str) -> str:
        """Budget, verified and deficit per scenario and difficulty, and the rounds of the loop."""
        from plugineval.server.app import views

        store = await self._workspace.store()
        return await views.coverage_text(store, await store.benchmarks.get(benchmark_id))

    async def cases(self, benchmark_id: str, cursor: str | None = None) -> str:
        """A page of cases: query, target, gold."""
        from plugineval.server.app import views

        store = await self._workspace.store()
        benchmark = await store.benchmarks.get(benchmark_id)
        page = await store.examples.page(benchmark.id, cursor=cursor, limit=PAGE)
        shown = {item.id for item in page.items}
        text = views.cases_text(example for example in benchmark.examples if example.id in shown)
        return _paged(text, f"benchmarks/{benchmark.id}/cases", page.next_cursor)

    async def card(self, benchmark_id: str) -> str:
        """What a benchmark covers, how it was made, by whom, and what it cannot tell."""
        from plugineval.server.benchmarks.card import card_text
        from plugineval.server.benchmarks.card_facts import card_facts

        return card_text(await card_facts(await self._workspace.store(), benchmark_id))

    async def versions(self, benchmark_id: str) -> str:
        """The history of a benchmark, with what changed in each version and why."""
        from plugineval.server.app import views

        return await views.versions_text(await self._workspace.store(), benchmark_id)

    async def case(self, case_id: str) -> str:
        """One case with its label and the gap it filled."""
        from plugineval.server.app import views

        return views.case_text(await (await self._workspace.store()).examples.get(case_id))

    async def verification(self, case_id: str) -> str:
        """Every proposal, score, error, request and response that led to the verdict."""
        store = await self._workspace.store()
        example = await store.examples.get(case_id)
        benchmark_id = await store.examples.benchmark_of(example.id)
        return _json(await store.records.get(example.record_id, benchmark_id=benchmark_id))

    async def run(self, run_id: str) -> str:
        """Models, configuration, scope and dates of a run."""
        return _json(await (await self._workspace.store()).runs.get(run_id))

    async def counts(self, run_id: str) -> str:
        """Rows by all of their verdicts, and cases by how many of their repeats are right, also while it goes on."""
        from plugineval.server.store.summaries import RunCounts

        attempts = (await self._workspace.store()).attempts
        return _json(RunCounts(outcomes=await attempts.outcomes(run_id), cases=await attempts.cases(run_id)))

    async def report(self, run_id: str) -> str:
        """The report: scope, date and expiry first, then every rate with its denominator."""
        from plugineval.harness.rendering.markdown import render_markdown
        from plugineval.server.jobs.reading import expiry_now, read_report

        store, now = await self._workspace.store(), datetime.now(UTC)
        report = await read_report(store, run_id)
        return render_markdown(report, now=now, expiry=await expiry_now(store, report, now))

    async def report_json(self, run_id: str) -> str:
        """The report as data, as it was written."""
        from plugineval.server.jobs.reading import read_report

        store = await self._workspace.store()
        try:
            return await store.reports.text(run_id)
        except UnknownNameError:
            return await store.reports.text((await read_report(store, run_id)).run.id)

    async def report_html(self, run_id: str) -> str:
        """The report as one self-contained page."""
        from plugineval.harness.rendering.page import render_page
        from plugineval.server.jobs.reading import expiry_now, read_report

        store, now = await self._workspace.store(), datetime.now(UTC)
        report = await read_report(store, run_id)
        return render_page(report, now=now, expiry=await expiry_now(store, report, now))

    async def note(self, run_id: str) -> str:
        """Which model to use for which tool, for a team's repository."""
        from plugineval.harness.rendering.notes import render_routing_note
        from plugineval.harness.rendering.sections import first_line
        from plugineval.harness.routing_note import routing_note
        from plugineval.server.jobs.reading import expiry_now, read_report

        store, now = await self._workspace.store(), datetime.now(UTC)
        report = await read_report(store, run_id)
        expiry = await expiry_now(store, report, now)
        return render_routing_note(routing_note(report), first_line(report, now, expiry) if expiry.expired else "")

    async def errors(self, run_id: str, cursor: str | None = None) -> str:
        """The rows that are not correct, with what was wrong."""
        from plugineval.server.app import views

        text, following = await views.errors_text(await self._workspace.store(), run_id, cursor, limit=PAGE)
        return _paged(text, f"reports/{run_id}/errors", following)

    async def scenarios(self, job_id: str) -> str:
        """What a job of benchmark_scenarios derived, as a file that a build at the command line takes."""
        from plugineval.server.app.building import derived_catalog
        from plugineval.server.catalogs.writing import catalog_toml

        return catalog_toml(await derived_catalog(self._workspace, job_id))

    async def job(self, job_id: str) -> str:
        """State, progress and result of a job, and what kept workers from parts of it."""
        store = await self._workspace.store()
        job = await store.jobs.get(own(self._workspace, job_id))
        return _json(JobPage(**dict(card_of(job, whole=True)), troubles=await store.troubles.of(job.id)))


def _json(value: Value) -> str:
    return value.model_dump_json(indent=2)


def _paged(text: str, path: str, cursor: str | None) -> str:
    return text if cursor is None else f"{text}\n\nNext page: {URI}{path}?cursor={cursor}"
