"""The process in which a person's checks run: one JSON line in, one JSON line out, whatever the check does.

Run as `python -m plugineval.clients.checks.worker file PATH` or `… entry NAME=MODULE[:OBJECT]`. What a check prints
goes to stderr, and its stdin is empty: the two pipes belong to the protocol.
"""

import importlib.util
import json
import os
import sys
import traceback
from datetime import datetime
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import IO, cast

from plugineval.clients.checks.registering import (
    CheckedCase,
    CheckFunction,
    Registered,
    UnusableCheckError,
    registered_in,
    with_examples,
)

Line = dict[str, object]
_LONGEST = 500


def main() -> None:
    """Load the checks, say what there is, and answer until stdin ends."""
    asked, answers = _own_pipes()
    kind, name = sys.argv[1:3]
    try:
        checks = {check.tool: check for check in (_of_file(name) if kind == "file" else _of_entry(name))}
    except BaseException as error:  # noqa: BLE001 - the one boundary: loading runs the person's own code
        _say(answers, {"problem": str(error) if isinstance(error, UnusableCheckError) else last_line(error)})
        return
    _say(answers, {"checks": {tool: len(check.examples) for tool, check in checks.items()}})
    for line in asked:
        _say(answers, answer(checks, json.loads(line)))


def answer(checks: dict[str, Registered], asked: Line) -> Line:
    """The answer to one question: `answer` (and `expected`, of an example), or `crash`."""
    check = checks[str(asked["tool"])]
    expected: Line = {}
    if "example" in asked:
        gold, predicted, wanted, *query = check.examples[cast("int", asked["example"])]
        case = CheckedCase(id="example", query=query[0] if query else "", tool=check.tool)
        expected = {"expected": wanted}
    else:
        case = _case(cast("Line", asked["case"]), check.tool)
        gold, predicted = cast("Line", asked["gold"]), cast("Line", asked["predicted"])
    return _run(check.function, case, gold, predicted) | expected


def last_line(error: BaseException) -> str:
    """The last line of the traceback, and the line of the person's code it came from."""
    said = traceback.format_exception_only(error)[-1].strip()[:_LONGEST]
    if isinstance(error, SyntaxError) and error.filename:
        return f"{said} (line {error.lineno} of {Path(error.filename).name})"
    frames = traceback.extract_tb(error.__traceback__)
    place = frames[-1] if frames else None
    return f"{said} (line {place.lineno} of {Path(place.filename).name})" if place else said


def _run(function: CheckFunction, case: CheckedCase, gold: Line, predicted: Line) -> Line:
    try:
        found = cast("object", function(case, gold, predicted))
    except BaseException as error:  # noqa: BLE001 - the one boundary: whatever a check raises, exit included, is data
        return {"crash": last_line(error)}
    if isinstance(found, bool):
        return {"answer": found}
    return {"crash": f"returned {found!r:.80} ({type(found).__name__}), not True or False"}


def _case(shown: Line, tool: str) -> CheckedCase:
    now = shown.get("now")
    moment = datetime.fromisoformat(now) if isinstance(now, str) else None
    return CheckedCase(id=str(shown["id"]), query=str(shown["query"]), tool=tool, now=moment)


def _of_file(name: str) -> list[Registered]:
    path = Path(name).resolve()
    # A file may import its neighbours, as it does when a person runs it.
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UnusableCheckError("is not a Python file (its name must end in .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return registered_in(module)


def _of_entry(written: str) -> list[Registered]:
    name, _, value = written.partition("=")
    loaded: object = EntryPoint(name=name, value=value, group="plugineval.checks").load()
    if isinstance(loaded, ModuleType):
        return registered_in(loaded)
    check = Registered(tool=name, function=cast("CheckFunction", loaded))
    return with_examples([check], getattr(loaded, "EXAMPLES", ()))


def _own_pipes() -> tuple[IO[str], IO[str]]:
    asked = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return asked, answers


def _say(answers: IO[str], line: Line) -> None:
    answers.write(json.dumps(line) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
