"""What a person wrote down about a model: where it answers and which environment variable holds its key."""

from pydantic import Field

from plugineval.clients.models.prices import Prices
from plugineval.pccf.values import Json, Value


class ModelConfig(Value):
    """One OpenAI-compatible endpoint and model. `id` is what command lines, records and reports say."""

    id: str
    base_url: str | None = None
    model: str
    api_key_env: str | None = None
    """Name of the environment variable; the key itself is never stored."""
    headers: dict[str, str] = {}
    temperature: float | None = 0.0
    """None: not sent."""
    send_seed: bool = True
    """False for providers that refuse the `seed` of a request."""
    max_tokens: int | None = None
    timeout_s: float = Field(default=60.0, gt=0)
    """Of one try."""
    deadline_s: float = Field(default=300.0, gt=0)
    """Of one answer: no further try begins later than this."""
    max_retries: int = Field(default=4, ge=0)
    concurrency: int = Field(default=32, ge=1)
    """Calls in flight at one endpoint; a call that waits to be repeated keeps its place."""
    extra_body: dict[str, Json] = {}
    """Further fields of every request body; they win over ours."""
    salvage_text_calls: bool = False
    """Whether a call that the model wrote into its text is read as a call; if not, it is a parse failure (E6)."""
    prices: Prices | None = None
    """None: unknown, and so is every cost that the model has a part in."""
