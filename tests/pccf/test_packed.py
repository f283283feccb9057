"""Many values in little memory: packed, they are the same values."""

import tracemalloc

import pytest

from doubles.reports import case_of
from plugineval.clients.formats.records import CaseRecord, packed_records
from plugineval.harness.cases import Case, packed_cases, toolsets_of
from plugineval.pccf.errors import InvalidRecordError


def test_what_is_packed_comes_out_as_it_was_and_shares_its_tools() -> None:
    cases = [case_of(number) for number in range(5)]
    packed = packed_cases(cases)
    assert list(packed) == cases
    assert (packed[-1], packed[1:3], len(packed)) == (cases[-1], cases[1:3], 5)
    assert all(one.toolset is other.toolset for one, other in zip(packed, cases, strict=True))
    assert [*toolsets_of(packed)] == [*toolsets_of(cases)]
    assert packed_cases(packed) is packed


def test_a_record_of_a_file_is_read_as_a_case_without_being_made() -> None:
    case = case_of(1)
    record = CaseRecord.model_validate({name: getattr(case, name) for name in CaseRecord.model_fields})
    packed = packed_records()
    packed.add(record)
    assert list(packed.read_as(Case)) == [case]


def test_a_text_that_is_no_longer_of_its_kind_is_named() -> None:
    packed = packed_cases([case_of(0)])
    packed.add_text('{"id": 7}', case_of(0).toolset)
    with pytest.raises(InvalidRecordError, match="number 1"):
        list(packed)


def test_packed_cases_take_a_quarter_of_their_memory_at_most() -> None:
    made = packed_cases(map(case_of, range(300)))

    def held(packed: bool) -> int:
        tracemalloc.start()
        kept = packed_cases(made[:]) if packed else list(made)
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(kept) == 300
        return size

    assert held(packed=True) * 4 <= held(packed=False)
