"""A plugin built on the SDK, which speaks both protocol eras: `tidy.py` on stdio, `tidy.py PORT` on HTTP."""

import sys
from typing import Annotated

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Elicit, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel

server = MCPServer("tidy", version="1.2.3", instructions="Ask for sums.")


class Sum(BaseModel):
    """What `get_sum` returns."""

    total: int


class Confirmation(BaseModel):
    """What `get_confirmed` asks a person."""

    sure: bool


def question() -> Elicit[Confirmation]:
    """A question that no plugin under test is answered."""
    return Elicit("Are you sure?", Confirmation)


@server.tool(title="A sum", annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True))
def get_sum(a: int, b: int) -> Sum:
    """The sum of two numbers."""
    return Sum(total=a + b)


@server.tool(structured_output=False)
async def get_late_echo(word: str, seconds: float) -> str:
    """Say it again after a while."""
    await anyio.sleep(seconds)
    return word


@server.tool()
def get_items() -> list[str]:
    """Find nothing."""
    return []


@server.tool(structured_output=False)
def get_large(characters: int) -> str:
    """Say very much."""
    return "x" * characters


@server.tool()
def get_refusal() -> str:
    """Never works."""
    raise ToolError("not today")


@server.tool()
def get_confirmed(answer: Annotated[Confirmation, Resolve(question)]) -> str:
    """Ask a person first."""
    return str(answer.sure)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]), json_response="--json" in sys.argv)
    else:
        server.run("stdio")
