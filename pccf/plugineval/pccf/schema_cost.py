"""How much work a schema can be made to do: references that double at every step never get to the validator.

Validators have no memory: a subschema reached in two ways is applied twice, and so is everything below it. Both
measures count that work with a memory of their own, in time proportional to schema x instance, or to their limit.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count

from plugineval.pccf.schema_graph import IN_PLACE, Place, SchemaGraph
from plugineval.pccf.values import Json

_DEMANDS_A_STEP = 8


def unfolding(graph: SchemaGraph, *, limit: int) -> int:
    """The most subschemas that are applied to one place of an instance, capped at `limit`."""
    places = [*graph.everywhere()]
    if all(IN_PLACE.isdisjoint(place.schema) for place in places):
        return min(limit, max(map(_alone, places)))
    counter = _Counter(graph.in_place, limit)
    return max(counter.of(place) for place in places)


def extent(graph: SchemaGraph, *, limit: int) -> int:
    """Subschemas in all, with every reference unfolded, capped at `limit`: no value is looked at by more of them."""
    known: dict[int, int] = {}

    def of(place: Place) -> int:
        key = id(place.schema)
        if key not in known:
            # A definition inside itself has no end.
            known[key] = limit
            known[key] = min(limit, _inside(place) + sum(map(of, graph.targets(place))))
        return known[key]

    try:
        return of(graph.root)
    except RecursionError:
        return limit


def _inside(place: Place) -> int:
    waiting: list[Json] = [place.schema]
    total = 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            total += _alone(Place(value, place.resolver))
        waiting.extend(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
    return total


def steps(graph: SchemaGraph, instance: Json, *, limit: int) -> int:
    """Subschemas applied when `instance` is validated, capped at `limit`, which bounds the counting itself too."""
    visits = count()
    counters: dict[int, _Counter] = {}

    def at(instance: Json) -> _Counter:
        if id(instance) not in counters:
            counters[id(instance)] = _Counter(graph.in_place, limit, lambda place: below(place, instance))
        return counters[id(instance)]

    def below(place: Place, instance: Json) -> Iterator[int]:
        # Whatever is visited here is a step there, so the limit is reached once as many were visited.
        if next(visits) >= limit:
            yield limit
        else:
            yield from (at(part).of(sub) for part, sub in _parts(graph, place, instance))

    return at(instance).of(graph.root)


def _parts(graph: SchemaGraph, place: Place, instance: Json) -> Iterator[tuple[Json, Place]]:
    """The names, members and items of an instance, each with a subschema that is applied to it."""
    if isinstance(instance, dict):
        names = place.schema.get("propertyNames")
        for key, value in instance.items():
            yield from ((key, Place(sub, place.resolver)) for sub in (names,) if isinstance(sub, dict))
            yield from ((value, sub) for sub in graph.of_member([place], key) or ())
    elif isinstance(instance, list):
        for index, item in enumerate(instance):
            yield from ((item, sub) for sub in graph.of_item([place], index))


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
                total = _alone(place)
                for part in chain(map(self.of, self._in_place(place)), self._below(place)):
                    total += part
                    if total >= self._limit:
                        break
            except RecursionError:
                total = self._limit
            self._known[key] = min(total, self._limit)
        return self._known[key]


def _alone(place: Place) -> int:
    """What a subschema costs by itself."""
    return 1 + _demands(place) // _DEMANDS_A_STEP


def _demands(place: Place) -> int:
    """Members that are required, each of which may be missing and make an error."""
    lists: list[Json] = [place.schema.get("required")]
    for keyword in ("dependentRequired", "dependencies"):
        dependent = place.schema.get(keyword)
        lists.extend(dependent.values() if isinstance(dependent, dict) else ())
    return sum(len(names) for names in lists if isinstance(names, list))
