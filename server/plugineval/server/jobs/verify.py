"""The verification job: every gold call of a stored benchmark is executed again on the registered plugins."""

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import anyio

from plugineval.clients.plugins.approvals import ToolsChangedError
from plugineval.pccf.calling import in_order
from plugineval.pccf.errors import ConfigurationError, InvalidSchemaError, PluginUnavailableError, UnknownNameError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification.reexecution import CaseCheck, Reexecution, ToolToday, changes_of
from plugineval.pccf.verification.slow_clocks import APART_S
from plugineval.server.jobs.confirmations import refuse_unconfirmed
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.params import VerifyParams
from plugineval.server.jobs.verify_outcome import VerifyOutcome, counts_of, details_of
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import plugin_pool
from plugineval.server.wording import counted
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


async def plan_verification(workspace: Workspace, named: str, *, apart_s: float = APART_S) -> VerifyParams:
    """A verification, ready to be started; a benchmark without a gold call is refused."""
    benchmark = await (await workspace.store()).benchmarks.get(named)
    if not any(example.gold for example in benchmark.examples):
        raise ConfigurationError(
            f"benchmark {benchmark.id} holds no gold call", field="benchmark", next_step="build it, or resume its job"
        )
    return VerifyParams(benchmark_id=benchmark.id, concurrency=workspace.settings.build.concurrency, apart_s=apart_s)


async def run_verification(context: JobContext) -> Json:
    """Execute and compare; the result is what `plugineval verify --json` prints."""
    params, started = VerifyParams.model_validate(context.params), time.monotonic()
    benchmark = await context.store.benchmarks.get(params.benchmark_id)
    cases = [example for example in benchmark.examples if example.gold]
    tools = _tools(benchmark, cases)
    registered = _registered(context.workspace.settings, {tool.plugin for tool in tools.values()})
    context.progress(0, len(cases), "starting plugins")
    async with plugin_pool(context.workspace.settings, registered, job_id=context.job_id) as pool:
        plugins = await in_order([partial(_today, context, pool, name) for name in registered])
        today = {
            name: _tool_today(tool, dict(zip(registered, plugins, strict=True)), pool) for name, tool in tools.items()
        }
        reexecution = Reexecution(today, pool, context.journal, apart_s=params.apart_s)
        checking = _Checking(context, benchmark, reexecution, params.concurrency)
        checks = await checking.all(cases)
    refuse_unconfirmed(context)
    outcome = VerifyOutcome(
        benchmark_id=benchmark.id,
        name=benchmark.name,
        **counts_of(checks),
        without_call=len(benchmark.examples) - len(cases),
        details=details_of(checks),
        calls=context.journal.made.total(),
        calls_replayed=context.journal.replayed.total(),
        seconds=round(time.monotonic() - started, 3),
    )
    return outcome.model_dump(mode="json")


class _Checking:
    def __init__(self, context: JobContext, benchmark: Benchmark, reexecution: Reexecution, concurrency: int) -> None:
        self._context = context
        self._benchmark = benchmark
        self._reexecution = reexecution
        self._limiter = anyio.CapacityLimiter(concurrency)
        self._done = 0

    async def all(self, cases: list[Example]) -> list[CaseCheck]:
        checks = await in_order([partial(self._check, example, len(cases)) for example in cases])
        if doubts := self._reexecution.doubts:
            later = f"{counted(doubts, 'result')} may show a slow clock: looked at once more in a while"
            self._context.progress(self._done, len(cases), later)
        return await in_order([partial(self._settle, check) for check in checks])

    async def _settle(self, check: CaseCheck) -> CaseCheck:
        async with self._limiter:
            return await self._reexecution.settle(check)

    async def _check(self, example: Example, total: int) -> CaseCheck:
        async with self._limiter:
            check = await self._reexecution.check(example, await self._record(example))
        self._done += 1
        self._context.progress(self._done, total, "gold calls")
        return check

    async def _record(self, example: Example) -> VerificationRecord | None:
        """None for a case that came without evidence, such as one of an imported benchmark."""
        try:
            return await self._context.store.records.get(example.record_id, benchmark_id=self._benchmark.id)
        except UnknownNameError:
            return None


def _tools(benchmark: Benchmark, cases: list[Example]) -> dict[str, ToolSpec]:
    """Offered name -> tool, of those that a gold call names."""
    return {call.tool: benchmark.toolset.tool(call.tool) for example in cases for call in example.gold}


def _registered(settings: Settings, names: set[str]) -> list[str]:
    """The plugins that can be started; `ConfigurationError` for one that waits for a variable."""
    waiting = {entry.name: entry for entry in settings.unready if entry.kind == "plugin"}
    for name in sorted(names & waiting.keys()):
        raise waiting[name].error()
    return sorted(names & settings.plugins.keys())


class _Seen(NamedTuple):
    """A plugin as it is now, and why nothing may be executed on it; empty where something may."""

    plugin: Plugin
    unapproved: str = ""


async def _today(context: JobContext, pool: "PluginPool", name: str) -> _Seen | ToolToday:
    """The plugin as it is now, or what to say of each of its tools."""
    try:
        plugin = await pool.snapshot(name)
    except ToolsChangedError as error:
        return _Seen(error.listed, str(error))
    except PluginUnavailableError as error:
        return ToolToday(missing=str(error), unreachable=True)
    except (ConfigurationError, InvalidSchemaError) as error:
        return ToolToday(missing=str(error))
    await context.store.plugins.save(plugin)
    await context.workspace.announce(f"plugineval://plugins/{name}")
    return _Seen(plugin)


def _tool_today(old: ToolSpec, plugins: dict[str, _Seen | ToolToday], pool: "PluginPool") -> ToolToday:
    seen = plugins.get(old.plugin)
    if seen is None:
        return ToolToday(missing=f"its plugin {old.plugin!r} is not registered any more")
    if isinstance(seen, ToolToday):
        return seen
    new = next((tool for tool in seen.plugin.tools if tool.name == old.name), None)
    if new is None:
        return ToolToday(missing=f"its plugin {old.plugin!r} offers no tool {old.name!r} any more")
    decision = pool.may_execute(new)
    forbidden = seen.unapproved or ("" if decision.allowed else decision.reason)
    return ToolToday(tool=new, changes=changes_of(old, new), forbidden=forbidden)
