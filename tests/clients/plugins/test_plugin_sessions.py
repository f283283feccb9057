"""Starting, staying warm, dying and coming back."""

from pathlib import Path
from statistics import median
from time import perf_counter

import anyio
import psutil
import pytest
from mcp import Client, StdioServerParameters

from doubles.plugins.registering import Bench, bench, tidy, unruly
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.restarts import RestartSchedule
from plugineval.pccf.errors import ConfigurationError, PluginUnavailableError
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments

pytestmark = pytest.mark.anyio


async def test_nothing_starts_before_it_is_used(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path):
        pass
    assert not (tmp_path / "plugins").exists()


async def test_a_process_is_started_once_and_kept(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        pids = {(await plugin.call("get_pid")).text for _ in range(3)}
    assert len(pids) == 1


async def test_first_callers_at_once_share_one_start(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        texts = await _texts(plugin, 8)
    assert len(texts) == 1


async def test_a_second_process_starts_when_the_first_is_busy(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path, processes=2) as plugin:
        alone = [(await plugin.call("get_pid")).text for _ in range(3)]
        together = await _texts(plugin, 8)
    assert len(set(alone)) == 1
    assert len(together) == 2
    assert set(alone) < together


async def _texts(plugin: Bench, count: int) -> set[str]:
    texts: list[str] = []

    async def ask() -> None:
        texts.append((await plugin.call("get_pid")).text)

    async with anyio.create_task_group() as callers:
        for _ in range(count):
            callers.start_soon(ask)
    return set(texts)


async def test_fifty_calls_at_once_each_get_their_own_answer(tmp_path: Path) -> None:
    answers: dict[str, str] = {}

    async def ask(plugin: Bench, number: int) -> None:
        # The later a call is made, the earlier it is answered.
        arguments: Arguments = {"word": f"word {number}", "seconds": (50 - number) / 500}
        answers[f"word {number}"] = (await plugin.call("get_late_echo", arguments)).text

    async with bench(tidy(), tmp_path) as plugin, anyio.create_task_group() as callers:
        for number in range(50):
            callers.start_soon(ask, plugin, number)
    assert len(answers) == 50
    assert all(word == answer for word, answer in answers.items())


async def test_a_call_that_kills_the_server_is_an_outage_and_the_next_one_works(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        before = await plugin.call("get_pid")
        died = await plugin.call("get_dead_once")
        after = await plugin.call("get_dead_once")
        pid = await plugin.call("get_pid")
    assert died.kind is ObservationKind.DIED
    assert after.text == "back again"
    assert pid.text != before.text


async def test_all_calls_in_flight_learn_that_the_server_died(tmp_path: Path) -> None:
    kinds: list[ObservationKind] = []

    async def ask(plugin: Bench, tool: str) -> None:
        kinds.append((await plugin.call(tool)).kind)

    async with bench(unruly(), tmp_path) as plugin:
        await plugin.call("get_pid")
        async with anyio.create_task_group() as callers:
            for tool in ("get_dead", "get_echo", "get_echo"):
                callers.start_soon(ask, plugin, tool)
    assert kinds == [ObservationKind.DIED] * 3


async def test_a_server_that_keeps_dying_rests_after_a_bounded_number_of_starts(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = [await plugin.call("get_dead") for _ in range(4)]
        with pytest.raises(PluginUnavailableError, match="failed too often in a row and rests"):
            await plugin.pool.snapshot("unruly")
    assert all(each.kind is ObservationKind.DIED for each in seen)
    assert [("rests" in each.detail) for each in seen] == [False, False, False, True]


async def test_an_answer_between_two_deaths_forgives_the_first(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        for _ in range(4):
            assert (await plugin.call("get_dead")).kind is ObservationKind.DIED
            assert (await plugin.call("get_pid")).kind is ObservationKind.RETURNED


async def test_a_plugin_that_hangs_on_start_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    async with bench(unruly("--hang", start_timeout_s=0.5), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError) as refusal:
            await plugin.pool.snapshot("unruly")
        began = anyio.current_time()
        seen = await plugin.call("get_echo")
        waited = anyio.current_time() - began
    message = str(refusal.value)
    assert message.startswith("plugins.unruly: did not answer within 0.5 s of its start.")
    assert "waiting for the licence server" in message
    assert "Next: raise plugins.unruly.start_timeout_s" in message
    assert seen.kind is ObservationKind.DIED
    assert waited < 0.4, "a plugin that hung is not waited for again at once"


async def test_a_plugin_that_exits_on_start_says_why(tmp_path: Path) -> None:
    async with bench(unruly("--exit"), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError) as refusal:
            await plugin.pool.snapshot("unruly")
    message = str(refusal.value)
    assert "did not start: it exited with status 1" in message
    assert "No module named 'unruly_core'" in message
    assert "Next: see that" in message


async def test_callers_who_wait_for_one_start_share_its_failure(tmp_path: Path) -> None:
    kinds: list[ObservationKind] = []

    async def ask(plugin: Bench) -> None:
        kinds.append((await plugin.call("get_echo")).kind)

    with anyio.fail_after(5):
        async with bench(unruly("--hang", start_timeout_s=0.5), tmp_path) as plugin, anyio.create_task_group() as all_:
            for _ in range(20):
                all_.start_soon(ask, plugin)
    assert kinds == [ObservationKind.DIED] * 20


async def test_an_error_inside_the_pool_reaches_its_caller_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(PluginUnavailableError):
        async with bench(unruly("--exit"), tmp_path) as plugin:
            await plugin.pool.snapshot("unruly")


async def test_a_start_survives_the_caller_who_began_it(tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    async with bench(tidy(), tmp_path) as plugin:
        with anyio.move_on_after(0.1) as scope:
            await plugin.call("get_sum", {"a": 1, "b": 2})
        seen = await plugin.call("get_sum", {"a": 1, "b": 2})
        servers = {
            child for child in psutil.Process().children() if child not in before and "tidy.py" in child.cmdline()[-1]
        }
    assert scope.cancelled_caught
    assert seen.kind is ObservationKind.RETURNED
    assert len(servers) == 1


async def test_the_last_words_of_a_server_that_died_are_kept(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.call("get_dead")
    assert seen.detail == "it exited with status 3; its last words on stderr: the disk is on fire"


@pytest.mark.speed
async def test_a_warm_call_costs_little_more_than_the_sdks_own(tmp_path: Path) -> None:
    registration = tidy()
    own = StdioServerParameters(command=str(registration.command), args=list(registration.args))
    async with Client(own) as client, bench(registration, tmp_path) as plugin:
        await client.list_tools()
        tool = (await plugin.pool.snapshot("tidy")).tool("get_sum")
        # The best of three batches: another process may take the processor away in the midst of one.
        ratios = [await _batch(client, plugin, tool) for _ in range(3)]
    assert min(ratios) <= 1.2, ratios


async def _batch(client: Client, plugin: Bench, tool: ToolSpec) -> float:
    theirs: list[float] = []
    ours: list[float] = []
    for _ in range(100):
        began = perf_counter()
        await client.call_tool("get_sum", {"a": 1, "b": 2})
        theirs.append(perf_counter() - began)
        began = perf_counter()
        await plugin.pool.call(tool, {"a": 1, "b": 2})
        ours.append(perf_counter() - began)
    return median(ours) / median(theirs)


def test_two_plugins_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="two plugins are called 'unruly'"):
        PluginPool([unruly(), unruly()], home=tmp_path)


def test_delays_grow_to_a_bound_and_end_in_a_rest() -> None:
    schedule = RestartSchedule(first_s=0.1, factor=3, longest_s=0.5, give_up_after=5, rest_s=30)
    assert [round(schedule.delay_s(failures), 3) for failures in range(7)] == [0, 0.1, 0.3, 0.5, 0.5, 30, 30]
