"""Checks found, loaded and proven on their own examples before a run begins.

An installed package offers checks in the entry point group `plugineval.checks` (the entry's name is the tool's; a whole
module may register several); a file given by the person wins over it. A check that fails its own example is refused.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from pydantic import SecretStr

from plugineval.clients.checks.process import CheckBrokenError, CheckProcess
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.routing import EmittedCall

_Start: TypeAlias = Callable[[tuple[str, str]], CheckProcess]
GROUP = "plugineval.checks"
TIMEOUT_S = 5.0


class HasQuery(Protocol):
    """What a check needs of a case."""

    @property
    def id(self) -> str:
        """The case's id."""
        ...

    @property
    def query(self) -> Query:
        """What was asked, and when."""
        ...


class LoadedCheck:
    """One tool's check, as a callable; it raises `CheckBrokenError` where the person's code gives no answer."""

    def __init__(self, tool: str, source: str, process: CheckProcess) -> None:
        self.tool = tool
        self.source = source
        """The file or the entry point it came from."""
        self._process = process

    def __call__(self, case: HasQuery, gold: Invocation, predicted: EmittedCall) -> bool:
        """Whether `predicted` means what `gold` means."""
        now = case.query.now
        shown = {"id": case.id, "query": case.query.text, "now": now.isoformat() if now else None}
        arguments = {"gold": gold.arguments, "predicted": predicted.arguments}
        answer = self._process.ask({"tool": self.tool, "case": shown, **arguments})
        if "crash" in answer:
            raise CheckBrokenError(str(answer["crash"]))
        return answer["answer"] is True

    def prove(self, examples: int) -> None:
        """Run the check's own examples; `ConfigurationError` names the first that does not come out as it says."""
        for number in range(examples):
            field = f"{self.source}, check of {self.tool}, example {number + 1}"
            try:
                answer = self._process.ask({"tool": self.tool, "example": number})
            except CheckBrokenError as error:
                raise ConfigurationError(str(error), field=field, next_step="correct the check") from error
            if "crash" in answer:
                raise ConfigurationError(f"crashed: {answer['crash']}", field=field, next_step="correct the check")
            if answer["answer"] is not answer["expected"]:
                problem = f"the check says {answer['answer']}, the example says {answer['expected']}"
                raise ConfigurationError(problem, field=field, next_step="correct the check or its example")


@contextmanager
def open_checks(
    files: Sequence[Path] = (), *, timeout_s: float = TIMEOUT_S, secrets: Iterable[SecretStr] = ()
) -> Generator[Mapping[str, LoadedCheck]]:
    """Tool -> check, of the installed packages and of `files`; their processes end with the context and do not find
    `secrets` in their environment.

    `ConfigurationError` names the file or entry point that cannot be loaded, registers nothing, or fails an example.
    """
    with ExitStack() as stack:
        start = partial(CheckProcess, timeout_s=timeout_s, secrets=tuple(secrets))
        checks: dict[str, LoadedCheck] = {}
        for entry in entry_points(group=GROUP):
            found = _load(f"entry point {entry.name}", ("entry", f"{entry.name}={entry.value}"), start, stack)
            _add(checks, found)
        given: dict[str, LoadedCheck] = {}
        for path in files:
            if not path.is_file():
                raise ConfigurationError("there is no such file of checks", field=str(path))
            _add(given, _load(str(path), ("file", str(path)), start, stack))
        yield {**checks, **given}


def _add(checks: dict[str, LoadedCheck], found: list[LoadedCheck]) -> None:
    for check in found:
        if check.tool in checks:
            problem = f"a second check of {check.tool}; the first is in {checks[check.tool].source}"
            raise ConfigurationError(problem, field=check.source, next_step="keep one of them")
        checks[check.tool] = check


def _load(source: str, arguments: tuple[str, str], start: _Start, stack: ExitStack) -> list[LoadedCheck]:
    process = start(arguments)
    stack.callback(process.close)
    try:
        greeting = process.greeting()
    except CheckBrokenError as error:
        raise ConfigurationError(f"cannot be loaded: {error}", field=source) from error
    if "problem" in greeting:
        raise ConfigurationError(f"cannot be loaded: {greeting['problem']}", field=source)
    counts = cast("dict[str, int]", greeting["checks"])
    if not counts:
        step = "decorate a function with @semantic_check('TOOL') from plugineval.clients.checks"
        raise ConfigurationError("registers no check", field=source, next_step=step)
    checks = [LoadedCheck(tool, source, process) for tool in counts]
    for check in checks:
        check.prove(counts[check.tool])
    return checks
