"""An agent that knows nothing but the items of work it is handed: it reads their evidence and answers by rote.

It speaks of the lengths and areas of the counting plugin. `Clerk` answers one item; `work_off` takes and answers items
through a client until nothing waits for it.
"""

import json
import re
from collections.abc import Callable
from typing import cast

from doubles.mcp_client import Agent
from plugineval.pccf.values import Json

_DATA = re.compile(r'<data name="(?P<name>\w+)" id="(?P<id>\w+)">\n(?P<body>.*?)\n</data id="(?P=id)">', re.DOTALL)
_COUNT = re.compile(r"Requests to write: (\d+), of difficulty (\w+)")
_UNITS = ("metre", "foot", "mile")
_OPENINGS = (
    "Please tell me what {n} {a} come to in {b}.",
    "I measured {n} {a} in the garden; how much is that in {b}?",
    "My brother runs {n} {a} each evening. Express it in {b} for his diary.",
    "The plan says {n} {a}, the shop sells by the {b}. What do I order?",
    "Change {n} {a} into {b}, the label needs it.",
    "For the school report: {n} {a}, given in {b}?",
    "A rope of {n} {a} - its length in {b}, if you can.",
    "How far is {n} {a} when you count in {b}?",
)
_NUMBERS = {"easy": "{}", "medium": "{} dozen", "hard": "{} dozen dozen"}
_STEPS = {"easy": 0, "medium": 1, "hard": 2}
_JOKES = (
    "Tell me a joke about rulers.",
    "Write a short poem on long roads.",
    "Which word rhymes with yard?",
    "Who wrote novels about the sea?",
    "Explain why people like to measure themselves against others.",
    "Say something nice to my tailor.",
)


class Clerk:
    """Answers items by rote; `shown` keeps every item it was handed."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Json]] = []
        self._written = 0
        self._kinds: dict[str, Callable[[dict[str, Json], dict[str, Json]], Json]] = {
            "write_scenarios": self._scenarios,
            "write_query": self._queries,
            "vote_level": self._vote,
            "propose_invocation": self._propose,
            "judge_arguments": lambda item, data: {"score": 1.0, "reason": "each value stands in the request"},
            "judge_result": lambda item, data: {"score": 1.0, "reason": "the result is the length asked for"},
            "judge_depth": self._depth,
            "answer_as_model": self._answer,
            "judge_gold": lambda item, data: {"verdict": "equal", "subtype": None, "justification": "the same thing"},
        }

    def answer(self, group: dict[str, Json], item: dict[str, Json]) -> Json:
        """The answer to one item of a group."""
        self.shown.append({**item, "kind": group["kind"], "instructions": group["instructions"]})
        told = f"{group['instructions']}\n{item['evidence']}"
        data = {match["name"]: _parsed(match["body"]) for match in _DATA.finditer(told)}
        return self._kinds[str(group["kind"])]({**item, "told": told}, data)

    def _scenarios(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        tool = cast("dict[str, str]", data["tool"])["name"]
        kinds = {"trigger": f"a supported request for {tool}", "type_a": f"small talk near {tool}"}
        return {"scenarios": [{"kind": kind, "title": title, "evidence": tool} for kind, title in kinds.items()]}

    def _queries(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        asked = _COUNT.search(str(item["told"]))
        assert asked is not None
        count, difficulty = int(asked[1]), asked[2]
        kind = cast("dict[str, str]", data["scenario"])["kind"]
        return {"queries": [self._query(kind, difficulty) for _ in range(count)]}

    def _query(self, kind: str, difficulty: str) -> Json:
        self._written += 1
        if kind != "trigger":
            return {"text": _JOKES[self._written % len(_JOKES)], "inference_steps": []}
        first, second = _UNITS[self._written % 3], _UNITS[(self._written + 1) % 3]
        number = _NUMBERS[difficulty].format(self._written + 1)
        text = _OPENINGS[self._written % len(_OPENINGS)].format(n=number, a=first, b=second)
        steps: list[Json] = ["a dozen is twelve"] * _STEPS[difficulty]
        return {"text": text, "inference_steps": steps}

    def _vote(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        tool = str(data.get("name", "convert_length"))
        return {"positive": _wanted(data["query"]) is not None and "convert" in tool, "reason": "the words say so"}

    def _propose(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        arguments = _wanted(data["query"])
        return {"call": {"arguments": arguments}} if arguments else {"abstain": {"reason": "no length is named"}}

    def _depth(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        steps: list[Json] = ["a dozen is twelve"] * _text(data["query"]).count("dozen")
        return {"steps": steps, "reason": "counted"}

    def _answer(self, item: dict[str, Json], data: dict[str, Json]) -> Json:
        arguments, tools = _wanted(data["conversation"]), cast("list[dict[str, str]]", data["tools"])
        name = next((tool["name"] for tool in tools if "convert" in tool["name"]), "convert_length")
        return {"calls": [{"name": name, "arguments": arguments}] if arguments else [], "text": ""}


async def work_off(agent: Agent, clerk: Clerk, *, model: str = "rote-1", **wish: object) -> int:
    """Take and answer items until none is handed out; how many were answered."""
    done = 0
    while True:
        batch = await agent.call("work_next", model=model, limit=8, **wish)
        answers = answers_to(batch, clerk)
        if not answers:
            return done
        receipt = await agent.call("work_submit", lease_id=batch["lease_id"], answers=answers)
        assert receipt["refused"] == 0, receipt
        done += len(answers)


def answers_to(batch: dict[str, Json], clerk: Clerk) -> list[dict[str, Json]]:
    """An answer for every item of a batch."""
    groups = cast("list[dict[str, Json]]", batch["groups"])
    pairs = [(group, item) for group in groups for item in cast("list[dict[str, Json]]", group["items"])]
    return [{"item_id": item["item_id"], "answer": clerk.answer(group, item)} for group, item in pairs]


def _parsed(text: str) -> Json:
    try:
        return cast("Json", json.loads(text))
    except ValueError:
        return text


def _text(query: Json) -> str:
    messages = cast("list[dict[str, str]]", cast("dict[str, Json]", query)["messages"])
    return messages[-1]["content"]


def _wanted(query: Json) -> dict[str, Json] | None:
    found = re.search(r"(\d+)((?: dozen)*) (metre|foot|mile)", _text(query))
    if found is None:
        return None
    units = re.findall(r"metre|foot|mile", _text(query))
    return {"value": int(found[1]) * 12 ** found[2].count("dozen"), "from_unit": units[0], "to_unit": units[1]}
