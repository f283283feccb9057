"""What the model of a scripted host says when it is asked for work: requests about clocks and sums, and the calls that
answer its own requests. It knows two public servers as anybody does, and an item by its words alone.
"""

import json
import re
from collections.abc import Callable
from typing import cast

from plugineval.pccf.values import Json

_DATA = re.compile(r'<data name="(?P<name>\w+)" id="(?P<id>\w+)">\n(?P<body>.*?)\n</data id="(?P=id)">', re.DOTALL)
_COUNT = re.compile(r"Requests to write: (\d+)")
_ZONES = (("Europe/London", "Asia/Tokyo"), ("America/New_York", "Europe/Paris"), ("Asia/Kolkata", "Europe/Berlin"))
_CLOCK = (
    "When it is {time} in {first}, what time is it in {second}?",
    "Our call starts at {time} {first} time. Tell me when that is for colleagues in {second}.",
    "Translate {time} from the timezone {first} to {second} for the invitation.",
)
_OTHERS: dict[str, tuple[str, ...]] = {
    "type_a": ("Tell me a joke about being late.", "Write two lines about the seasons.", "Who invented the sundial?"),
    "type_b": (
        "What time is it at this moment in Asia/Tokyo?",
        "Tell me the current time in Europe/Paris.",
        "The time now in Asia/Dubai?",
    ),
    "type_c": (
        "Email my sister what the time 14:30 is in Tokyo.",
        "Email Ben the converted time.",
        "Email me each hour.",
    ),
    "underspecified": (
        "Convert my flight's departure from Europe/London to Asia/Tokyo time.",
        "My meeting in America/New_York: when is it in Europe/Paris?",
        "What will it be in Asia/Tokyo when the match in Europe/Berlin starts?",
    ),
}
_STATISTICS = (
    "What is the mean of 4, 8, 15, 16, 23 and 42?",
    "Give me the median of 3, 9 and 12.",
    "Mean of 7, 9, 20?",
)


class Conversant:
    """Answers items; it remembers which call it had in mind for a request that it wrote."""

    def __init__(self) -> None:
        self.answered: list[str] = []
        self._meant: dict[str, Json] = {}
        self._kinds: dict[str, Callable[[str, dict[str, Json]], Json]] = {
            "write_query": self._write,
            "propose_invocation": self._propose,
            "strengthen_query": lambda told, data: {"text": None},
        }

    def answers(self, batch: dict[str, Json]) -> list[Json]:
        """One answer for each item of a batch."""
        found: list[Json] = []
        for group in cast("list[dict[str, Json]]", batch["groups"]):
            for item in cast("list[dict[str, Json]]", group["items"]):
                told = f"{group['instructions']}\n{item['evidence']}"
                data = {each["name"]: _parsed(each["body"]) for each in _DATA.finditer(told)}
                self.answered.append(str(group["kind"]))
                found.append({"item_id": item["item_id"], "answer": self._kinds[str(group["kind"])](told, data)})
        return found

    def _write(self, told: str, data: dict[str, Json]) -> Json:
        asked = _COUNT.search(told)
        assert asked is not None
        scenario = cast("dict[str, str]", data["scenario"])
        return {"queries": [self._request(scenario) for _ in range(int(asked[1]))]}

    def _request(self, scenario: dict[str, str]) -> Json:
        number = len(self._meant)
        if scenario["kind"] != "trigger":
            texts = _STATISTICS if scenario.get("lookalike") == "calculate_statistics" else _OTHERS[scenario["kind"]]
            text = texts[number % len(texts)]
            self._meant[text] = None
            return {"text": text, "inference_steps": []}
        first, second = _ZONES[number % len(_ZONES)]
        time = f"{8 + number % 12:02}:{15 * (number % 4):02}"
        text = _CLOCK[number % len(_CLOCK)].format(time=time, first=first, second=second)
        self._meant[text] = {"source_timezone": first, "time": time, "target_timezone": second}
        return {"text": text, "inference_steps": []}

    def _propose(self, told: str, data: dict[str, Json]) -> Json:
        messages = cast("list[dict[str, str]]", cast("dict[str, Json]", data["query"])["messages"])
        meant = self._meant.get(messages[-1]["content"])
        return {"call": {"arguments": meant}} if meant else {"abstain": {"reason": "the time is not said"}}


def _parsed(text: str) -> Json:
    try:
        return cast("Json", json.loads(text))
    except ValueError:
        return text
