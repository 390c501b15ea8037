"""The JSON twin: equal to the facts, the same bytes each time, harmless wherever it is put."""

import dataclasses
import hashlib
import json

import pytest

from glaswerk import __version__
from glaswerk.facts import as_plain
from glaswerk.report.twin import canonical, embeddable, result_hash, results, twin


def test_the_twin_holds_every_fact_under_its_section(analysis):
    found = json.loads(canonical(twin(analysis)))
    assert found["glaswerk"] == __version__
    assert found["schema"] == 1
    assert list(found) == ["glaswerk", "schema", "input", "results", "reproduction", "times", "cut", "spending"]
    assert list(found["results"]) == [section.name for section in analysis.sections]
    for section in analysis.sections:
        assert found["results"][section.name] == json.loads(json.dumps([as_plain(fact) for fact in section.facts]))


def test_the_hash_is_that_of_the_results_block(analysis):
    block = canonical(json.loads(canonical(twin(analysis)))["results"])
    assert hashlib.sha256(block.encode()).hexdigest() == analysis.reproduction.result_hash


def test_times_change_nothing_but_themselves(analysis):
    other = dataclasses.replace(analysis, times=(("validation", 99.0),))
    assert canonical(results(other.sections)) == canonical(results(analysis.sections))
    assert result_hash(other.sections) == result_hash(analysis.sections)


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "a\u202eb", "\x7f", "\x85", "\u2028", "\ud800", "Größe", "漢字", "\U000e0001"]
)
def test_json_neither_hides_nor_loses(text):
    written = canonical({"cell": text})
    assert written.isprintable()
    assert json.loads(written) == {"cell": text}
    assert written.encode()


def test_letters_stay_letters():
    assert canonical(["Größe"]) == '["Größe"]'


def test_numbers_that_json_lacks_are_refused_or_none():
    with pytest.raises(ValueError, match="JSON"):
        canonical([float("nan")])


def test_nothing_in_an_embedded_json_can_end_its_element(hostile):
    text = embeddable(canonical(twin(hostile)))
    assert not set("<>&") & set(text)
    assert json.loads(text) == twin(hostile) or json.loads(text) == json.loads(canonical(twin(hostile)))
