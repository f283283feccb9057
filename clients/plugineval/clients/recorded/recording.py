"""One recording in memory: the answers by what was asked, and why there is none to something else."""

from collections.abc import Iterable
from typing import TypeVar

from plugineval.clients.recorded.lines import AnswerLine, RecordedModel, RecordingHeader, RoleLine, RouteLine
from plugineval.pccf.errors import ConfigurationError

T = TypeVar("T", bound=AnswerLine)
_SHOWN = 5


class Recording:
    """The answers of one file."""

    def __init__(self, name: str, header: RecordingHeader, lines: Iterable[AnswerLine]) -> None:
        """`name` is that of the file, without its place."""
        self.name = name
        self.header = header
        self._routes: dict[tuple[str, str, str, int], list[RouteLine]] = {}
        self._roles: dict[str, list[RoleLine]] = {}
        self._seeds: dict[tuple[str, str, str], set[int]] = {}
        self._asked: set[tuple[str, str]] = set()
        for line in lines:
            if isinstance(line, RoleLine):
                self._roles.setdefault(line.question, []).append(line)
            else:
                self._add(line)

    def _add(self, line: RouteLine) -> None:
        self._routes.setdefault((line.model, line.asked, line.toolset, line.seed), []).append(line)
        self._seeds.setdefault((line.model, line.asked, line.toolset), set()).add(line.seed)
        self._asked.add((line.model, line.asked))

    def chosen(self, model: str | None, *, field: str) -> str:
        """`model`, or the only one there is; `ConfigurationError` names those there are."""
        models = self.header.models
        if model is None and len(models) == 1:
            return next(iter(models))
        if model in models:
            return str(model)
        problem = f"{self.name} holds answers of several models" if model is None else f"{self.name} has no {model!r}"
        raise ConfigurationError(problem, field=field, allowed=models, next_step="write recorded:FILE#MODEL")

    def model(self, name: str) -> RecordedModel:
        """What is known of one of its models."""
        return self.header.models[name]

    def routes(self, model: str, asked: str, toolset: str, seed: int) -> tuple[RouteLine, ...]:
        """Answers of `model` to a query with tools: one for each case that asked it, in the order of the file."""
        return tuple(self._routes.get((model, asked, toolset, seed), ()))

    def roles(self, question: str) -> tuple[RoleLine, ...]:
        """Answers to a question of a role: one for each case that asked it, in the order of the file."""
        return tuple(self._roles.get(question, ()))

    def missing(self, model: str, asked: str, toolset: str, seed: int) -> str:
        """Why there is no such answer, in words."""
        seeds = sorted(self._seeds.get((model, asked, toolset), ()))
        if seeds:
            listed = ", ".join(str(each) for each in seeds[:_SHOWN])
            return f"repeat {seed} of this request is not in {self.name}, which has {listed}"
        if (model, asked) in self._asked:
            return f"{self.name} holds an answer of {model} to this request, but with other tools than these"
        return f"{self.name} holds no answer of {model} to this request"
