"""Tools of the suite that ask the client through resolvers, as the product's tools do: in either era."""

from typing import Annotated, Literal

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from foreign.suite.making import said, tool
from plugineval.pccf.values import Json


class Person(BaseModel):
    """Who answers."""

    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    """A default of every primitive type."""

    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def _titled(*values: str) -> list[Json]:
    return [{"const": value, "title": f"Title of {value}"} for value in values]


class Choices(BaseModel):
    """Every way to offer a choice."""

    model_config = ConfigDict(alias_generator=to_camel)

    untitled_single: Literal["option1", "option2", "option3"]
    titled_single: str = Field(json_schema_extra={"oneOf": _titled("value1", "value2", "value3")})
    legacy_enum: str = Field(json_schema_extra={"enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]})
    untitled_multi: list[Literal["option1", "option2", "option3"]]
    titled_multi: list[str] = Field(json_schema_extra={"items": {"anyOf": _titled("value1", "value2", "value3")}})


def _prompted(prompt: str) -> Sample:
    return _asked(prompt)


def _asked(text: str) -> Sample:
    messages = [SamplingMessage(role="user", content=TextContent(type="text", text=text))]
    return Sample(messages, max_tokens=100)


def _hello() -> Sample:
    return _asked("Hello?")


def _who(message: str) -> Elicit[Person]:
    return Elicit(message, Person)


def _defaults() -> Elicit[Defaults]:
    return Elicit("Look at what is filled in.", Defaults)


def _choices() -> Elicit[Choices]:
    return Elicit("Choose.", Choices)


async def sampling(prompt: str, answer: Annotated[CreateMessageResult, Resolve(_prompted)]) -> CallToolResult:
    """Ask the client's model what the caller says."""
    return said(f"LLM response: {answer.content.text if isinstance(answer.content, TextContent) else ''}")


async def missing_capability(answer: Annotated[CreateMessageResult, Resolve(_hello)]) -> CallToolResult:
    """Need a model that the client may not have."""
    return said("It has one.")


async def elicitation(message: str, answer: Annotated[ElicitationResult[Person], Resolve(_who)]) -> CallToolResult:
    """Ask the user what the caller says."""
    return _told(answer)


async def elicitation_sep1034_defaults(
    answer: Annotated[ElicitationResult[Defaults], Resolve(_defaults)],
) -> CallToolResult:
    """Ask with a form that is filled in."""
    return _told(answer)


async def elicitation_sep1330_enums(
    answer: Annotated[ElicitationResult[Choices], Resolve(_choices)],
) -> CallToolResult:
    """Ask with a form full of choices."""
    return _told(answer)


async def streaming_elicitation(
    answer: Annotated[ElicitationResult[Defaults], Resolve(_defaults)],
) -> CallToolResult:
    """Ask while the answer is streamed."""
    return _told(answer)


def question_tools() -> list[Tool]:
    """Those above."""
    asking = (elicitation, elicitation_sep1034_defaults, elicitation_sep1330_enums, streaming_elicitation)
    return [tool(function) for function in (sampling, missing_capability, *asking)]


def _told(answer: BaseModel) -> CallToolResult:
    return said(f"User response: {answer.model_dump_json()}")
