"""A host with a model that has never seen our code: it chooses tools by their descriptions, fills in arguments from
what the user said and what earlier answers named, and goes where the answers send it.

`Host` is that machinery. What it says when it has to be creative (a request, a call) comes from `answer_items`.
"""

import re
from collections.abc import Callable, Iterator
from typing import cast

from mcp import Client
from mcp.types import CallToolResult, TextResourceContents, Tool

from doubles.mcp_client import text_of
from plugineval.pccf.values import Json

Document = dict[str, Json]
_WORD = re.compile(r"[a-z]{3,}")
_TURNS = 12
"""How often one wish follows what an answer says comes next."""


class Host:
    """`met` counts the calls; `refusals` keeps the text of every call that did not work."""

    def __init__(self, client: Client, tools: list[Tool], answer_items: Callable[[Document], list[Json]]) -> None:
        self._client = client
        self._tools = {tool.name: tool for tool in tools}
        self._answer_items = answer_items
        self.known: Document = {}
        self.met: list[str] = []
        self.refusals: list[str] = []

    @classmethod
    async def of(cls, client: Client, answer_items: Callable[[Document], list[Json]]) -> "Host":
        """A host that has read the list of tools."""
        return cls(client, (await client.list_tools()).tools, answer_items)

    def tool_for(self, wish: str) -> str:
        """The tool whose name, title and description say most of what is wished; rare words weigh more."""
        words = {name: _words(f"{tool.name} {tool.title} {tool.description}") for name, tool in self._tools.items()}
        spread = [word for each in words.values() for word in each]

        def fit(name: str) -> float:
            return sum(1 / spread.count(word) for word in _words(wish) & words[name])

        return max(words, key=fit)

    async def wish(self, wish: str, **said: Json) -> Document:
        """Do what the user wishes, and whatever the answers say has to be done first; the last answer."""
        return await self.call(self.tool_for(wish), **said)

    async def finished(self, answer: Document) -> Document:
        """Follow the next steps of long work until it has ended."""
        for _ in range(_TURNS):
            if answer.get("state") not in ("queued", "running"):
                return answer
            named = self._named_in(str(answer["next_step"]))
            job = answer["job_id"]
            for tool in named:
                answer = (
                    await self.call(tool) if "job_id" not in self._properties(tool) else await self._again(tool, job)
                )
                if self._takes_items(answer):
                    await self._hand_in(answer)
        raise AssertionError(f"it never ends: {answer}")

    async def call(self, tool: str, **said: Json) -> Document:
        """Call a tool with what was said, and with what it needs and earlier answers named."""
        schema = self._tools[tool].input_schema
        needed = [name for name in schema.get("required", []) if name not in said]
        result = await self._client.call_tool(tool, {**{name: self.known[name] for name in needed}, **said})
        self.met.append(tool)
        if result.is_error:
            self.refusals.append(text_of(result))
            return {}
        return self._heard(result)

    async def read(self, uri: str) -> str:
        """A resource that an answer linked to."""
        contents = (await self._client.read_resource(uri)).contents
        assert isinstance(contents[0], TextResourceContents)
        return contents[0].text

    def _heard(self, result: CallToolResult) -> Document:
        answer = cast("Document", result.structured_content or {})
        for name, value in _members(answer):
            if isinstance(value, str | int | float):
                self.known[name] = value
        self.known["links"] = [block.uri for block in result.content if block.type == "resource_link"]
        self.known["text"] = text_of(result)
        return answer

    def _named_in(self, step: str) -> list[str]:
        """The tools that a next step names, in its order."""
        return [word for word in re.findall(r"[a-z_]+", step) if word in self._tools]

    def _properties(self, tool: str) -> Document:
        return cast("Document", self._tools[tool].input_schema.get("properties", {}))

    async def _again(self, tool: str, job: Json) -> Document:
        wait: Document = {"wait_s": 45} if "wait_s" in self._properties(tool) else {}
        most = cast("Document", self._properties(tool).get("limit", {})).get("maximum")
        limit: Document = {"limit": most} if most else {}
        return await self.call(tool, job_id=job, **wait, **limit)

    def _takes_items(self, answer: Document) -> bool:
        return bool(answer.get("groups"))

    async def _hand_in(self, batch: Document) -> None:
        """Answer a batch, and go on as long as there is more."""
        while self._takes_items(batch):
            submit = next(tool for tool in self._named_in(str(batch["next_step"])))
            receipt = await self.call(submit, answers=self._answer_items(batch))
            assert not receipt["refused"], receipt
            following = self._named_in(str(receipt["next_step"]))
            if not receipt["waiting"] or not following:
                return
            batch = await self._again(following[0], _first_job(batch))


def _first_job(batch: Document) -> Json:
    group = cast("list[Document]", batch["groups"])[0]
    return cast("list[Document]", group["items"])[0]["job_id"]


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    """Every named member, the outer ones last."""
    if isinstance(value, list):
        for each in value:
            yield from _members(each)
    if isinstance(value, dict):
        for each in value.values():
            yield from _members(each)
        yield from value.items()


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())}
