"""Recognition evidence (P32): what the router answered to a negative, run by run, and which answers saw through it."""

import json
from collections.abc import Iterable, Iterator

from plugineval.pccf.calibration.runs import CalibrationRun
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json

_SHOWN = 200


def recognition(kind: ScenarioKind, target: str, runs: Iterable[Json]) -> tuple[str, ...]:
    """A sentence per different answer to a negative of `kind` for `target`; `runs` as the record holds them."""
    seeds: dict[str, list[int]] = {}
    for run in map(CalibrationRun.model_validate, runs):
        if sentence := _sentence(kind, target, run):
            seeds.setdefault(sentence, []).append(run.seed)
    return tuple(f"{_runs(found)}: the router {sentence}" for sentence, found in seeds.items())


def _runs(seeds: list[int]) -> str:
    return f"run{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def _sentence(kind: ScenarioKind, target: str, run: CalibrationRun) -> str:
    if run.agrees is None:
        return ""
    called = ", ".join(_calls(run)) or "no tool"
    if not run.agrees:
        return f"was taken in: it called {called}"
    right = "no tool is needed" if kind is ScenarioKind.TYPE_A else f"{target} must not be called"
    return f"saw that {right}: it called {called}"


def _calls(run: CalibrationRun) -> Iterator[str]:
    for name, arguments in run.calls:
        yield f"{name}({json.dumps(arguments, ensure_ascii=False, sort_keys=True)[:_SHOWN]})"
