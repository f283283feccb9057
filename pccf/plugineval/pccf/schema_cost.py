"""How much work a schema can be made to do: references that double at every step never get to the validator.

Validators have no memory: a subschema reached in two ways is applied twice, and so is everything below it. Both
measures count that work with a memory of their own, in time proportional to schema x instance.
"""

from collections.abc import Callable, Iterable, Iterator

from plugineval.pccf.schema_graph import Place, SchemaGraph
from plugineval.pccf.values import Json


def unfolds_beyond(graph: SchemaGraph, limit: int) -> bool:
    """Whether `limit` or more subschemas are applied to one place of an instance."""
    counter = _Counter(graph.in_place, limit)
    return any(counter.of(place) >= limit for place in graph.everywhere())


def recursive(graph: SchemaGraph) -> bool:
    """Whether a definition contains itself, so that the instance decides how deep validation goes."""
    open_, closed = 1, 2
    state: dict[int, int] = {}

    def loops(place: Place) -> bool:
        if id(place.schema) in state:
            return state[id(place.schema)] == open_
        state[id(place.schema)] = open_
        found = any(loops(target) for target in graph.targets(place))
        state[id(place.schema)] = closed
        return found

    try:
        return loops(graph.root)
    except RecursionError:
        return True


def steps(graph: SchemaGraph, instance: Json, *, limit: int) -> int:
    """Subschemas applied when `instance` is validated, capped at `limit`."""
    counters: dict[int, _Counter] = {}

    def at(instance: Json) -> _Counter:
        if id(instance) not in counters:
            counters[id(instance)] = _Counter(graph.in_place, limit, lambda place: below(place, instance))
        return counters[id(instance)]

    def below(place: Place, instance: Json) -> Iterator[int]:
        if isinstance(instance, dict):
            for key, value in instance.items():
                yield from (at(value).of(sub) for sub in graph.of_member([place], key) or ())
        elif isinstance(instance, list):
            for index, item in enumerate(instance):
                yield from (at(item).of(sub) for sub in graph.of_item([place], index))

    return at(instance).of(graph.root)


class _Counter:
    """Work at one part of an instance: each subschema counts itself, those in place, and what lies below."""

    def __init__(
        self,
        in_place: Callable[[Place], Iterable[Place]],
        limit: int,
        below: Callable[[Place], Iterable[int]] = lambda place: (),
    ) -> None:
        self._in_place, self._below, self._limit = in_place, below, limit
        self._known: dict[int, int] = {}

    def of(self, place: Place) -> int:
        key = id(place.schema)
        if key not in self._known:
            self._known[key] = 0
            try:
                total = 1 + sum(self.of(child) for child in self._in_place(place)) + sum(self._below(place))
            except RecursionError:
                total = self._limit
            self._known[key] = min(total, self._limit)
        return self._known[key]
