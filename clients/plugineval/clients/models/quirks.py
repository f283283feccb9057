"""The table of what providers take differently: fields of a request, keywords of a schema. No branch elsewhere names
one of them.

A dialect is written in the settings (`dialect = "gemini"`) or recognised from the host of `base_url`; `plain` changes
nothing that JSON Schema and the chat completions of OpenAI allow. Every entry says where its facts come from.
"""

from typing import NamedTuple
from urllib.parse import urlsplit

from plugineval.clients.models.paths import Api

_COMPOSED_ROOT = frozenset({"oneOf", "anyOf", "allOf", "enum", "const", "not"})


class SchemaRules(NamedTuple):
    """What a provider's function schemas may hold; what does not fit is rewritten, and every rewrite is reported."""

    refused_at_root: frozenset[str] = frozenset()
    """Combining keywords at the top: their branches are merged into one object."""
    known: frozenset[str] | None = None
    """The only keywords there are; the others are dropped. None: all."""
    dropped: frozenset[str] = frozenset()
    formats: frozenset[str] | None = None
    """The values of `format` there are; others are dropped. None: all."""
    simple: bool = False
    """One `type` to a schema, enums of texts, no references: what OpenAPI 3.0 could say."""
    plain_patterns: bool = False
    """Patterns with class shorthands (`\\d`) are dropped."""

    @property
    def none(self) -> bool:
        """Whether every schema may go as it is."""
        return self == SchemaRules()


class Dialect(NamedTuple):
    """One provider's ways."""

    name: str
    hosts: tuple[str, ...] = ()
    """Ends of host names (with a port, where that is the mark) by which it is recognised."""
    max_tokens: str = "max_tokens"
    """The field of a chat completion that limits the answer."""
    seed: str | None = "seed"
    """The field of a chat completion that holds the seed; None where there is none."""
    refused: frozenset[str] = frozenset()
    """Settings of a model that it refuses or ignores: asking for them is a mistake in the settings."""
    formats: frozenset[Api] = frozenset({"chat", "responses"})
    """The APIs that hold answers to a schema; elsewhere one is said in words."""
    stream_usage: bool = True
    """Whether a stream has to be asked for its usage, with `stream_options`."""
    longest_description: int | None = None
    """Characters of a tool's description in a chat completion."""
    schemas: SchemaRules = SchemaRules()

    @property
    def ways(self) -> str:
        """What differs from `plain`, in words."""
        usual = Dialect(self.name)
        said = [
            f"{field} as {getattr(self, field)}" if getattr(self, field) else f"no {field}"
            for field in ("max_tokens", "seed")
            if getattr(self, field) != getattr(usual, field)
        ]
        said += [f"no {name}" for name in sorted(self.refused)]
        said += [f"no json_schema by {api}" for api in sorted(usual.formats - self.formats)]
        said += [] if self.schemas.none else ["schemas rewritten where they must be"]
        return "; ".join(said) or "nothing special"


_GEMINI_SCHEMA = frozenset(
    {"anyOf", "default", "description", "enum", "example", "format", "items", "maxItems", "maxLength", "maxProperties"}
    | {"maximum", "minItems", "minLength", "minProperties", "minimum", "nullable", "pattern", "properties"}
    | {"propertyOrdering", "required", "title", "type"}
)

PLAIN = Dialect("plain")
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        PLAIN,
        # max_completion_tokens: openai-python, types/chat/completion_create_params.py (max_tokens is deprecated and
        # refused by reasoning models). Root: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/
        # 'enum'/'const'/'not' at the top level" (langchain-ai/langchainjs#9804). Description: "maximum length 1024"
        # (getsentry/sentry-mcp#106, aaif-goose/goose#739).
        Dialect(
            "openai",
            ("api.openai.com", ".openai.azure.com"),
            max_tokens="max_completion_tokens",
            longest_description=1024,
            schemas=SchemaRules(refused_at_root=_COMPOSED_ROOT),
        ),
        # Seed: 400 "Unknown name \"seed\"" (Vali-98/ChatterUI#227, mcpchecker/mcpchecker#188). Keywords: those of
        # `types.Schema` in googleapis/python-genai; "Unknown name \"additionalProperties\"" (BerriAI/litellm#14330).
        # Formats: google/adk-python, utils/_gemini_schema_util ("only 'enum' and 'date-time' are supported").
        Dialect(
            "gemini",
            ("generativelanguage.googleapis.com", "aiplatform.googleapis.com"),
            seed=None,
            schemas=SchemaRules(
                refused_at_root=_COMPOSED_ROOT,
                known=_GEMINI_SCHEMA,
                formats=frozenset({"date-time", "enum", "int32", "int64", "float", "double"}),
                simple=True,
            ),
        ),
        # docs.anthropic.com/en/api/openai-sdk: seed, strict and response_format are ignored. Root: "input_schema does
        # not support oneOf, allOf, or anyOf at the top level" (anthropics/claude-code#27337).
        Dialect(
            "anthropic",
            ("api.anthropic.com",),
            seed=None,
            refused=frozenset({"strict_tools"}),
            formats=frozenset(),
            schemas=SchemaRules(refused_at_root=frozenset({"oneOf", "anyOf", "allOf"})),
        ),
        # Mistral refuses every field it does not know (Gitlawb/openclaude#739 for max_completion_tokens and store);
        # `random_seed` and no `stream_options`: its OpenAPI, ChatCompletionRequest.
        Dialect("mistral", ("api.mistral.ai",), seed="random_seed", stream_usage=False),
        # docs.ollama.com/api/openai-compatibility: the listed request fields have no parallel_tool_calls.
        Dialect("ollama", (":11434", "ollama.com"), refused=frozenset({"parallel_tool_calls"})),
        # Takes what OpenAI takes: docs.vllm.ai, OpenAI-compatible server. Its schemas go to a grammar as they are.
        Dialect("vllm"),
        # Patterns: ggml-org/llama.cpp#27580 (400 for \d, \w, \s). `not`: #14227 (unrecognized schema). Responses:
        # measured with xllamacpp 2026.10.11549, which answers `text.format` with free text.
        Dialect(
            "llamacpp",
            formats=frozenset({"chat"}),
            schemas=SchemaRules(dropped=frozenset({"not"}), plain_patterns=True),
        ),
        # developers.openai.com/api/docs/guides/amazon-bedrock: both APIs; root as the models it serves refuse it.
        Dialect(
            "bedrock",
            (".amazonaws.com",),
            schemas=SchemaRules(refused_at_root=_COMPOSED_ROOT),
        ),
    )
}


def dialect_of(name: str | None, base_url: str) -> Dialect:
    """The dialect `name`, or without one that of the host of `base_url`; `plain` where nothing is known of it."""
    if name is not None:
        return DIALECTS[name]
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    place = f"{host}:{parts.port}" if parts.port else host
    return next(
        (dialect for dialect in DIALECTS.values() if any(_ends(host, place, mark) for mark in dialect.hosts)), PLAIN
    )


def _ends(host: str, place: str, mark: str) -> bool:
    if mark.startswith(":"):
        return place.endswith(mark)
    # `aiplatform.googleapis.com` is also `europe-west1-aiplatform.googleapis.com`.
    return host == mark or host.endswith((mark if mark.startswith(".") else f".{mark}", f"-{mark}"))
