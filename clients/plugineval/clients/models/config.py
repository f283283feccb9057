"""What a person wrote down about a model: where it answers, how it is asked, and which environment variable holds its
key. Settings that contradict each other are refused together.
"""

from typing import Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from plugineval.clients.models.paths import Api
from plugineval.clients.models.prices import Prices
from plugineval.clients.models.quirks import DIALECTS
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.nearest import meant
from plugineval.pccf.values import Json, Value


class ModelConfig(Value):
    """One OpenAI-compatible endpoint and model. `id` is what command lines, records and reports say."""

    model_config = ConfigDict(hide_input_in_errors=True)

    id: str
    base_url: str | None = Field(default=None, repr=False)
    model: str
    api_key_env: str | None = None
    """Name of the environment variable; the key itself is never stored."""
    headers: dict[str, str] = Field(default={}, repr=False)
    dialect: str | None = None
    """The provider's ways (`quirks.DIALECTS`); None: recognised from the host of `base_url`."""
    api: Api = "chat"
    stream: bool = False
    """Whether answers are asked for as events; for endpoints that answer in no other way."""
    call_mode: Literal["native", "json_schema"] = "native"
    """`json_schema`: the tools stand in the system prompt, and the answer is held to a schema of their calls."""
    tool_choice: Literal["auto", "required", "none"] = "auto"
    parallel_tool_calls: bool | None = None
    """Whether several calls may come at once; None: not sent, which is yes for most providers in native mode, and no
    in mode `json_schema`."""
    strict_tools: bool = False
    """Whether arguments are held to the schema of every tool that fits the strict subset."""
    temperature: float | None = 0.0
    """None (in a file: "none"): not sent."""
    seed: int = 0
    """Added to the number of the repeat."""
    send_seed: bool = True
    """False for providers that refuse the `seed` of a request."""
    max_tokens: int | None = Field(default=None, ge=1)
    timeout_s: float = Field(default=60.0, gt=0)
    """Of one try."""
    deadline_s: float = Field(default=300.0, gt=0)
    """Of one answer: no further try begins later than this."""
    max_retries: int = Field(default=4, ge=0)
    concurrency: int = Field(default=32, ge=1)
    """Calls in flight at one endpoint, at most."""
    adaptive: bool = True
    """Whether fewer calls are made at a time while the endpoint refuses many for their rate."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    """What the endpoint allows; None: calls are not spread. Models of one endpoint share the strictest."""
    tokens_per_minute: float | None = Field(default=None, gt=0)
    """Of input and output together, as the provider counts them; estimated before, corrected after an answer."""
    extra_body: dict[str, Json] = Field(default={}, repr=False)
    """Further fields of every request body; they win over ours."""
    salvage_text_calls: bool = False
    """Whether a call that the model wrote into its text is read as a call; if not, it is a parse failure (E6)."""
    prices: Prices | None = None
    """None: unknown, and so is every cost that the model has a part in."""

    @field_validator("temperature", mode="before")
    @classmethod
    def _read_none(cls, value: object) -> object:
        return None if value == "none" else value

    @field_validator("dialect")
    @classmethod
    def _know_dialect(cls, value: str | None) -> str | None:
        if value is not None and value not in DIALECTS:
            raise ConfigurationError(
                f"there is no dialect {value!r}{meant(value, DIALECTS)}", field="dialect", allowed=DIALECTS
            )
        return value

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> Self:
        if self.call_mode == "json_schema" and self.tool_choice == "none":
            raise ConfigurationError(
                "forbids every call, and call_mode json_schema asks for nothing else",
                field="tool_choice",
                allowed=("auto", "required"),
            )
        if self.call_mode == "json_schema" and self.strict_tools:
            raise ConfigurationError(
                "is about native tools, and call_mode json_schema sends none",
                field="strict_tools",
                next_step='leave it out, or set call_mode = "native"',
            )
        return self
