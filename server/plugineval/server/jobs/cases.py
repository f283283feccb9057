"""From a benchmark's examples, or a file's records, to the harness's cases."""

from plugineval.clients.formats.records import CaseRecord
from plugineval.harness.cases import Case
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.gold import GoldCall

_FIELDS = tuple(CaseRecord.model_fields)


def cases_of_benchmark(benchmark: Benchmark) -> list[Case]:
    """One case per example; all share the benchmark's toolset."""
    kinds = {scenario.id: scenario.kind for scenario in benchmark.scenarios}

    def case(example: Example) -> Case:
        return Case(
            id=example.id,
            query=example.query,
            toolset=benchmark.toolset,
            gold=tuple(GoldCall.of(call) for call in example.gold),
            ordered=example.ordered,
            sample_type=example.sample_type,
            target_tool=example.target,
            difficulty=example.difficulty,
            scenario=example.scenario,
            scenario_kind=kinds.get(example.scenario),
        )

    return [case(example) for example in benchmark.examples]


def case_of_record(record: CaseRecord) -> Case:
    """The case a line of a file describes."""
    # A record has the fields of a case but the variant, checked already; what was derived of it stays behind.
    held = vars(record)
    return Case.trusted({**{name: held[name] for name in _FIELDS}, "variant": ""})
