"""Prompts are files beside the code that uses them, known in every record by the hash of their text.

`{{name}}` becomes a fenced block of data, `{{=name}}` a bare number or identifier. All placeholders are substituted
in one pass, so data cannot bring in placeholders; the fence carries a token that the data does not contain, so data
cannot close it. What in data looks like a fence or like a turn of a chat is written with an escape, for readers that
look less closely, and for servers that would take it for the end of the turn. A line of three dashes in the file parts
the system turn (our instructions) from the user turn.
"""

import hashlib
import json
import re
from functools import cache
from importlib.resources import files

from plugineval.pccf.chat import ChatTurn
from plugineval.pccf.values import Json, Value, content_hash

_PLACEHOLDER = re.compile(r"\{\{(=?)([a-z_]+)\}\}")
_BARE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LIKE_A_FENCE = re.compile(
    r"<(?=\s*/?\s*data\b|\||/?s>|/?<SYS>|(?:start|end)_of_turn>)|\[(?=/?INST\]|TOOL_CALLS\])", re.IGNORECASE
)
"""The first character of a marker of ours, or of one that chat templates part turns with."""
_PARTING = "\n---\n"


class Prompt(Value):
    """The text of one prompt file."""

    name: str
    text: str

    @classmethod
    def load(cls, package: str, name: str) -> "Prompt":
        """The file `name` beside the modules of `package` (usually `__package__`), read once per process."""
        return _load(package, name)

    @property
    def hash(self) -> str:
        """sha256 of the file's text: the `prompt_hash` of every answer it led to."""
        return content_hash(self.text)

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of the data that `render` needs."""
        return frozenset(match[2] for match in _PLACEHOLDER.finditer(self.text))

    def render(self, **data: Json) -> str:
        """The whole text with its data in place; `ValueError` where `data` is not exactly what the file asks for."""
        self._check(data)
        return _substitute(self.text, data)

    def turns(self, **data: Json) -> tuple[ChatTurn, ...]:
        """The system turn and the user turn (one user turn where the file has no parting line)."""
        self._check(data)
        *system, user = (_substitute(part, data) for part in self.text.split(_PARTING, 1))
        head = tuple(ChatTurn(role="system", content=part.strip()) for part in system)
        return (*head, ChatTurn(role="user", content=user.strip()))

    def _check(self, data: dict[str, Json]) -> None:
        if wrong := self.placeholders.symmetric_difference(data):
            raise ValueError(f"prompt {self.name}: missing or unknown data {sorted(wrong)}")


def fenced(name: str, data: Json) -> str:
    """`data` between two markers that it cannot contain; what is not text is written as JSON."""
    text = _inert(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=1))
    token = _digest(text)
    while token in text:
        token = _digest(token + text)
    return f'<data name="{name}" id="{token}">\n{text}\n</data id="{token}">'


def _inert(text: str) -> str:
    """`text` in which nothing looks like a fence or a turn; the escape is that of JSON, where it changes nothing."""
    return _LIKE_A_FENCE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _substitute(template: str, data: dict[str, Json]) -> str:
    def block(match: re.Match[str]) -> str:
        bare, name = match[1], match[2]
        return _bare(name, data[name]) if bare else fenced(name, data[name])

    return _PLACEHOLDER.sub(block, template)


def _bare(name: str, value: Json) -> str:
    text = str(value)
    if not _BARE.fullmatch(text):
        raise ValueError(f"{name}: only a number or an identifier may stand bare in a prompt, not {text[:80]!r}")
    return text


@cache
def _load(package: str, name: str) -> Prompt:
    return Prompt(name=name, text=files(package).joinpath(name).read_text(encoding="utf-8"))
