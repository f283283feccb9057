"""Model ids, as people type them, resolved to what answers. The id typed is the id in every record and report.

In order: the embedded baselines; a name registered in the settings (its own endpoint always wins); `openai:MODEL`;
and, where a base URL is given, any other id, taken for the name of a model there.
"""

from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

from pydantic import SecretStr

from plugineval.clients.addresses import place_of
from plugineval.clients.models.access import DEFAULT_KEY_ENV, access_of, refuse_typed_secrets
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.load import Load
from plugineval.clients.models.openai_model import OpenAIModel
from plugineval.clients.models.patience import Patience
from plugineval.clients.models.sharing import Sharing
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.routing import Router

LEXICAL = "baseline:lexical"
OPENAI = "openai:"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class ModelFactory:
    """Makes each model once and closes them all; models of one endpoint share its load."""

    def __init__(
        self,
        configs: Mapping[str, ModelConfig],
        *,
        base_url: str | None = None,
        environ: Mapping[str, str],
        patience: Patience | None = None,
        unregistered_concurrency: int | None = None,
        secrets: Iterable[SecretStr] = (),
    ) -> None:
        """`unregistered_concurrency` is the limit of calls in flight of an endpoint that no config tells it for."""
        refuse_typed_secrets(base_url)
        self._configs = configs
        self._base_url = base_url
        self._environ = environ
        self._patience = patience
        self._unregistered_concurrency = unregistered_concurrency
        self._secrets = tuple(secrets)
        self._models: dict[str, OpenAIModel] = {}
        self._loads: dict[str | None, Load] = {}
        self._sharing: Sharing | None = None

    def share(self, sharing: Sharing) -> None:
        """Keep every endpoint within its limits together with other processes: its rates, the pauses that it asks for,
        and its calls in flight where the settings of a model say how many.
        """
        self._sharing = sharing

    @property
    def known(self) -> tuple[str, ...]:
        """The ids that exist without naming an endpoint."""
        return (LEXICAL, *self._configs)

    def router(self, model_id: str) -> Router:
        """What answers as a model under test; `UnknownNameError` says what there is and how to add more."""
        if model_id == LEXICAL:
            from plugineval.clients.baseline import LexicalRouter

            return LexicalRouter()
        return self.chat(model_id)

    def chat(self, model_id: str) -> OpenAIModel:
        """What answers in a role as a `ChatModel`; the embedded baselines are none."""
        if model_id == LEXICAL:
            raise ConfigurationError(f"{model_id} is not a chat model", field="model", allowed=self._configs)
        if model_id not in self._models:
            config = self.config(model_id)
            model = OpenAIModel(
                config, self._environ, load=self._load(config), patience=self._patience, secrets=self._secrets
            )
            self._models[model_id] = model
        return self._models[model_id]

    async def aclose(self) -> None:
        """Close every connection, all of them even where one fails or the caller is cancelled."""
        async with AsyncExitStack() as stack:
            for model in self._models.values():
                stack.push_async_callback(model.aclose)
            self._models.clear()

    def config(self, model_id: str) -> ModelConfig:
        """The endpoint and model behind `model_id`."""
        if model_id in self._configs:
            found = self._configs[model_id]
            return found.model_copy(update={"id": model_id, "base_url": found.base_url or self._base_url})
        name = model_id.removeprefix(OPENAI)
        if name and not model_id.startswith("baseline:") and (name != model_id or self._base_url is not None):
            config = ModelConfig(id=model_id, base_url=self._base_url, model=name, api_key_env=self._key_env())
            limit = self._unregistered_concurrency
            return config if limit is None else config.model_copy(update={"concurrency": limit})
        raise UnknownNameError(
            "model",
            model_id,
            self.known,
            next_step=f"register it as [models.NAME] in plugineval.toml, write {OPENAI}MODEL, or give --base-url",
        )

    def _key_env(self) -> str | None:
        """The default key goes along to a typed base URL, but never unencrypted to another machine."""
        if self._base_url is None:
            return DEFAULT_KEY_ENV
        parts = urlsplit(self._base_url)
        private = parts.scheme == "https" or parts.hostname in _LOOPBACK
        return DEFAULT_KEY_ENV if private and self._environ.get(DEFAULT_KEY_ENV) else None

    def _load(self, config: ModelConfig) -> Load:
        found = self._loads.get(config.base_url)
        said = self._configs.get(config.id)
        places_said = said is not None and "concurrency" in said.model_fields_set
        if found is not None:
            found.places_shared |= places_said
            found.share(config)
            return found
        patience = self._patience or Patience()
        found = self._loads[config.base_url] = Load(config, sleep=patience.sleep, clock=patience.clock)
        found.places_shared = places_said
        if self._sharing is not None:
            self._sharing.join(
                found, f"{place_of(access_of(config, self._environ).base_url)} {config.api_key_env or ''}"
            )
        return found
