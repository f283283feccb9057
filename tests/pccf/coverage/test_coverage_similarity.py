"""What the measure tells apart: the same request in other words, another act on the same thing, another subject."""

import subprocess
import sys
import tracemalloc

import pytest

from plugineval.pccf.coverage.similarity import SIMILARITY, stems

pytestmark = pytest.mark.requirement("D12")

REQUEST = "Could you list the open invoices of our customer in Lyon?"


def test_other_words_are_nearer_than_another_act_and_that_is_nearer_than_another_subject() -> None:
    reworded = SIMILARITY.score(REQUEST, "Please list all open invoices of our customer in Lyon.")
    other_act = SIMILARITY.score(REQUEST, "Could you delete the last invoice of our customer in Lyon?")
    other_subject = SIMILARITY.score(REQUEST, "What rhymes with orange?")
    assert reworded > 0.85
    assert 0.5 < other_act < 0.85
    assert other_subject < 0.15


def test_a_text_that_holds_another_is_not_equal_to_it() -> None:
    assert SIMILARITY.score("list the open invoices", REQUEST) < 0.8


def test_identifiers_are_read_as_words() -> None:
    assert stems("listOpenInvoices") == stems("list_open_invoices") == stems("listing open invoice")


def test_only_small_words_are_words_all_the_same() -> None:
    assert stems("to be or not to be") != ()
    assert SIMILARITY.score("to be or not to be", "is it so") < 0.5


def test_of_thousands_of_texts_at_hand_each_takes_few_kilobytes() -> None:
    requests = [f"{REQUEST} It is about number {number}, and it is {number**2} days late." for number in range(300)]
    SIMILARITY.score(REQUEST, requests[0])
    tracemalloc.start()
    SIMILARITY.nearest(REQUEST, requests, at_least=1)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 6_000 * len(requests), taken / len(requests)


def test_the_measure_names_itself_with_what_it_rests_on() -> None:
    assert SIMILARITY.measure.startswith("stem-and-trigram-cosine/1 (snowballstemmer 3")


def test_importing_it_loads_neither_stemmer_nor_language_model() -> None:
    heavy = "{'snowballstemmer', 'py3langid', 'numpy'} & set(sys.modules)"
    found = f"import sys, plugineval.pccf.coverage.filtering; print({heavy})"
    said = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "set()"
