"""Which keys of an instance a schema does not describe: places are unfolded once and kept, because calls of one tool
come again and again.

A key is described where any branch names it, a pattern matches it, or further members have a schema. Below the top, an
object whose schema names no member at all is a free-form map: its keys are its content.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from plugineval.pccf.json_pointers import escaped
from plugineval.pccf.schema_graph import Place, SchemaGraph, names_members
from plugineval.pccf.values import Json

_MOST_KEPT = 1000
"""Places kept of one schema: a schema that refers to itself has endlessly many, one for each way to get there."""


class Described:
    """Everything that one schema says about one place of an instance."""

    def __init__(self, graph: SchemaGraph, places: Iterable[Place], room: list[int]) -> None:
        self._graph = graph
        self._places = places
        self._room = room
        self._members: dict[str, Described | None] = {}
        self._items: dict[int, Described] = {}

    @classmethod
    def of_root(cls, graph: SchemaGraph) -> "Described":
        """The top of the schema."""
        return cls(graph, [graph.root], [_MOST_KEPT])

    def undescribed(self, instance: Json, pointer: str) -> Iterator[str]:
        """JSON pointers of the keys in `instance`, which stands at `pointer`, that nothing describes."""
        if isinstance(instance, list):
            for index, item in enumerate(instance):
                if isinstance(item, dict | list):
                    yield from self._item(index).undescribed(item, f"{pointer}/{index}")
        elif isinstance(instance, dict):
            yield from self._of_members(instance, pointer)

    def _of_members(self, instance: dict[str, Json], pointer: str) -> Iterator[str]:
        free_form = bool(pointer) and not self._named
        for key, value in instance.items():
            member = self._member(key)
            if member is None and not free_form:
                yield f"{pointer}/{escaped(key)}"
            elif member is not None and isinstance(value, dict | list):
                yield from member.undescribed(value, f"{pointer}/{escaped(key)}")

    @cached_property
    def _said(self) -> list[Place]:
        """Looked up when a container stands here: most values hold no keys."""
        return self._graph.unfolded(self._places)

    @cached_property
    def _named(self) -> bool:
        return names_members(self._said)

    def _member(self, key: str) -> "Described | None":
        if key in self._members:
            return self._members[key]
        places = self._graph.of_member(self._said, key)
        member = None if places is None else Described(self._graph, places, self._room)
        if self._has_room():
            self._members[key] = member
        return member

    def _item(self, index: int) -> "Described":
        found = self._items.get(index)
        if found is None:
            found = Described(self._graph, self._graph.of_item(self._said, index), self._room)
            if self._has_room():
                self._items[index] = found
        return found

    def _has_room(self) -> bool:
        if self._room[0] == 0:
            return False
        self._room[0] -= 1
        return True
