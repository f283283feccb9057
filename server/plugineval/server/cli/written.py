"""What a file of cases is written in, and the files that belong to it: options of every command that reads one."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.clients.formats.public.reading import CaseFormat, CaseSource
from plugineval.pccf.values import Value
from plugineval.server.cli.option_groups import OptionGroup


class WrittenOptions(Value):
    """`--format`, `--answers` and `--tools` as they were written."""

    format: CaseFormat | None = None
    answers: Path | None = None
    tools: Path | None = None

    @property
    def said(self) -> bool:
        """Whether any was: then a file is meant."""
        return any(value is not None for _, value in self)

    def source(self, path: Path) -> CaseSource:
        """The file at `path`, written in that."""
        chosen = self.format or CaseFormat.JSONL
        return CaseSource(path=path, format=chosen, answers=self.answers, tools=self.tools)


FormatOption = Annotated[
    CaseFormat | None, typer.Option("--format", help="What the file of cases is written in; else jsonl, our own.")
]
ToolsOption = Annotated[
    Path | None, typer.Option(help="nexusraven: the functions; apibench: the data base of APIs.", dir_okay=False)
]
with_written_options = OptionGroup(
    name="written",
    make=WrittenOptions,
    options={
        "format": FormatOption,
        "answers": Annotated[
            Path | None,
            typer.Option(help="bfcl, acebench: the gold; else that of possible_answer/ beside it.", dir_okay=False),
        ],
        "tools": ToolsOption,
    },
)
