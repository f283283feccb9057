"""Arguments that several tools take, described once. What a name says by itself is not described: it is paid for."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

WaitS = Annotated[int, Field(ge=0, le=45)]
"""Seconds that a call waits for its job. No host waits a minute for an answer."""
Limit = Annotated[int, Field(ge=1, le=40)]
BenchmarkId: TypeAlias = str
"""Its id, an unambiguous beginning of it, or its name."""
Plugins = Annotated[list[str], Field(min_length=1, description="Names of plugin_list.")]
Cursor: TypeAlias = str
"""next_cursor of the page before; empty: the first one."""
Detail: TypeAlias = Literal["concise", "detailed"]
Most = Annotated[int, Field(ge=0)]
"""A hard limit; 0 leaves it as it is."""
MostOf = Annotated[float, Field(ge=0)]
"""The same for what is not counted in ones."""
