"""Many values of one kind in a tenth of their memory: each is kept as JSON text, and made anew when it is looked at.

What many of them share (the tools of a case) is kept beside the text, once, and is the same object in all of them.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

from pydantic import ValidationError

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.value_text import text_of, value_of
from plugineval.pccf.values import Value

V = TypeVar("V", bound=Value)
W = TypeVar("W", bound=Value)


class Packed(Sequence[V]):
    """Values of `kind`, in their order; `shared` names the field that lies beside the text."""

    def __init__(self, kind: type[V], *, shared: str) -> None:
        self._kind, self._shared = kind, shared
        self._texts: list[str] = []
        self._beside: list[Value] = []

    def add(self, value: V) -> None:
        """Put one value behind the others."""
        beside: Value = getattr(value, self._shared)
        empty = type(beside)()
        self.add_text(text_of(value.model_copy(update={self._shared: empty})), beside)

    def add_text(self, text: str, beside: Value) -> None:
        """The same for the text of a value whose shared field holds its default there, and what it is to hold."""
        self._texts.append(text)
        self._beside.append(beside)

    def read_as(self, kind: type[W]) -> "Packed[W]":
        """The same texts, read as values of another kind that has these fields, and defaults for all others."""
        other = Packed(kind, shared=self._shared)
        other._texts, other._beside = self._texts, self._beside
        return other

    @property
    def texts(self) -> Sequence[str]:
        """Every value without what it shares."""
        return self._texts

    @property
    def beside(self) -> Sequence[Value]:
        """What each value has in its shared field; no value is made for it."""
        return self._beside

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[V]:
        return map(self._made, range(len(self._texts)))

    @overload
    def __getitem__(self, index: int) -> V: ...

    @overload
    def __getitem__(self, index: slice) -> list[V]: ...

    def __getitem__(self, index: int | slice) -> V | list[V]:
        if isinstance(index, slice):
            return [self._made(place) for place in range(*index.indices(len(self._texts)))]
        return self._made(index)

    def _made(self, index: int) -> V:
        try:
            value = value_of(self._kind, self._texts[index])
        except ValidationError as error:
            raise InvalidRecordError(
                f"the {self._kind.__name__} cannot be read: {error.errors()[0]['msg']}",
                field=f"number {index}",
                next_step="open it with the version of PluginEval that wrote it",
            ) from error
        # A value is frozen for those who hold it; nobody does yet.
        vars(value)[self._shared] = self._beside[index]
        return value
