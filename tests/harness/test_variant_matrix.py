"""Variants of the descriptions as an arm of the matrix (X7)."""

import pytest

from doubles.harness import MemoryJournal, ScriptedModel, call
from doubles.reports import case_of, little_run
from plugineval.harness.attempts import Attempt
from plugineval.harness.matrix import RunPorts, run_matrix
from plugineval.harness.outcomes import GradedRow, Outcome
from plugineval.harness.run import RunConfig
from plugineval.harness.variants import DescriptionVariant
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.anyio

CLEAR = DescriptionVariant(name="clear", descriptions={"find": "Finds by number."})
SAME = DescriptionVariant(name="same", descriptions={"find": "Finds by number."})
CASES = [case_of(7), case_of(7).model_copy(update={"id": "c008"})]


async def obedient(query: Query, toolset: Toolset, seed: int) -> RouterReply:
    """Calls only what it understands."""
    understood = toolset.tool("find").description
    return RouterReply(calls=(call("find", n=7),) if understood else ())


class KeptRows:
    """A log that keeps everything."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.rows: list[GradedRow] = []

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        self.attempts.append(attempt)
        self.rows.append(row)


def config(*variants: DescriptionVariant) -> RunConfig:
    return little_run(CASES, {"m": ["1", "1"]}, variants).config


def unseen(done: int, total: int) -> None:
    """Nobody watches."""


async def run(model: ScriptedModel, *variants: DescriptionVariant, journal: MemoryJournal | None = None) -> KeptRows:
    log = KeptRows()
    ports = RunPorts(journal or MemoryJournal(), log, unseen)
    await run_matrix(CASES, [model], config(*variants), ports)
    return log


@pytest.mark.requirement("B6", "X7")
async def test_every_cell_is_asked_once_more_under_a_variant_and_says_so() -> None:
    log = await run(ScriptedModel("m", obedient), CLEAR)
    cells = sorted((row.case_id, row.variant, row.outcome) for row in log.rows)
    assert cells == [
        ("c007", "", Outcome.NO_CALL),
        ("c007", "clear", Outcome.CORRECT),
        ("c008", "", Outcome.NO_CALL),
        ("c008", "clear", Outcome.CORRECT),
    ]
    assert [attempt.variant for attempt in log.attempts] == [row.variant for row in log.rows]
    assert len({attempt.toolset_hash for attempt in log.attempts}) == 2


@pytest.mark.requirement("X7")
async def test_variants_that_show_a_model_the_same_bytes_share_the_answer_and_keep_their_names() -> None:
    model, journal = ScriptedModel("m", obedient), MemoryJournal()
    log = await run(model, CLEAR, journal=journal)
    again = await run(model, CLEAR, SAME, journal=journal)
    assert (model.asked, len(log.rows), len(again.rows)) == (4, 4, 6)
    assert sorted(attempt.variant for attempt in again.attempts) == ["", "", "clear", "clear", "same", "same"]


@pytest.mark.requirement("X7")
async def test_a_variant_that_cannot_be_measured_is_refused_before_the_first_call() -> None:
    model = ScriptedModel("m", obedient)
    with pytest.raises(ConfigurationError, match="no case offers"):
        await run(model, DescriptionVariant(name="lost", descriptions={"other": "x"}))
    assert model.asked == 0
