"""Prompts for the conversations that people have with PluginEval: short, concrete, naming the tools in their order."""

import importlib.resources
from collections.abc import Awaitable, Callable
from string import Template
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from plugineval.server.jobs.engine import JobEngine

_MOST = 200
"""Characters of an argument; it is quoted to a model."""

Plugin = Annotated[str, Field(description="A registered plugin.")]
Name = Annotated[str, Field(description="What to call the benchmark.")]
Size = Annotated[str, Field(description="Examples wanted.")]
BenchmarkName = Annotated[str, Field(description="Id or name of a benchmark.")]
ModelName = Annotated[str, Field(description="A model that can be measured.")]
JobName = Annotated[str, Field(description="A job_id; without it, any job.")]


def add_prompts(app: MCPServer[JobEngine]) -> None:
    """Register them, in the order in which people need them."""
    prompts: tuple[tuple[Callable[..., Awaitable[str]], str], ...] = (
        (build_benchmark, "Build a benchmark"),
        (close_gaps, "Close coverage gaps"),
        (answer_work, "Answer work items"),
        (diagnose_model, "Diagnose a model"),
        (review_cases, "Review cases"),
    )
    for function, title in prompts:
        app.add_prompt(Prompt.from_function(function, title=title))


async def build_benchmark(plugin: Plugin, name: Name = "first", size: Size = "24") -> str:
    """Build a benchmark on a plugin, from what it costs to what it covers."""
    return _text("build_benchmark", plugin=_word(plugin), name=_word(name), size=_word(size))


async def close_gaps(benchmark: BenchmarkName) -> str:
    """Find what a benchmark lacks, and build what can be had of it."""
    return _text("close_gaps", benchmark=_word(benchmark))


async def answer_work(job: JobName = "") -> str:
    """Be the model of a job: take its items and answer them until none is left."""
    named = _word(job)
    of_job, argument = (f" in job {named}", f" job_id={named}") if named else ("", "")
    return _text("answer_work", of_job=of_job, job_argument=argument)


async def diagnose_model(model: ModelName, benchmark: BenchmarkName) -> str:
    """Measure a model, see where it fails, and find the one thing to fix first."""
    return _text("diagnose_model", model=_word(model), benchmark=_word(benchmark))


async def review_cases(benchmark: BenchmarkName) -> str:
    """Go through the cases of a benchmark with a person, and correct what they say is wrong."""
    return _text("review_cases", benchmark=_word(benchmark))


def _text(prompt: str, **said: str) -> str:
    """The file with what was said in its places, in one pass: nothing that was said is a place itself."""
    words = importlib.resources.files("plugineval.server.app.prompt_texts").joinpath(f"{prompt}.md")
    return Template(words.read_text(encoding="utf-8")).substitute(said)


def _word(said: str) -> str:
    """One line of it; it is quoted to a model."""
    return " ".join(said.split())[:_MOST]
