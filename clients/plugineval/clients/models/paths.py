"""The two ways in that an OpenAI-compatible endpoint has, below its base URL."""

from typing import Literal, TypeAlias

Api: TypeAlias = Literal["chat", "responses"]

CHAT = "/chat/completions"
RESPONSES = "/responses"
