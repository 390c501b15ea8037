"""EnjoySport: the textbook's numbers, the counts kept apart, votes, teaching, a wrong label."""

import pytest

from glaswerk.facts import VersionSpace


def test_the_textbooks_numbers_agree(lab):
    agreement = lab("enjoy-sport").agreement("EnjoySport")
    assert {verdict for _, verdict in agreement.values()} == {"yes"}
    assert agreement["hypotheses that differ"][0] == 973
    assert agreement["hypotheses that agree"][0] == 6


def test_declared_and_seen_values_are_counted_apart(lab):
    rows = lab("enjoy-sport").rows("How much the language")
    assert rows["hypotheses as written"] == ("5,120", "3,072")
    assert rows["hypotheses that differ"] == ("973", "487")
    assert rows["of these, that differ on the rows above"] == ("973", "244")
    assert rows["concepts"][1] == "2^32 = 4294967296"
    assert rows["hypotheses that agree with the four days"] == ("6", "6")


def test_without_noise_the_optimal_vote_is_that_of_the_version_space(lab):
    rows = lab("enjoy-sport").rows("Votes on days")
    assert [row[0] for row in rows.values()] == pytest.approx([1, 0, 3 / 6, 2 / 6])
    for share, exact, noisy in rows.values():
        assert exact == pytest.approx(share)
        assert 0 < noisy < 1


def test_three_questions_decide_six_hypotheses(lab):
    told = lab("enjoy-sport").table("Teaching").rows
    assert [row[1] for row in told] == [6, 3, *[row[1] for row in told[2:-1]], 1]
    assert len(told) - 1 <= 3
    assert told[-1][2] == "decided: ⟨Sunny, ?, ?, Strong, ?, ?⟩"


def test_a_wrong_label_is_found_out_and_weighed(lab):
    found = lab("enjoy-sport")
    words = found.words("A fifth day")
    assert "with row 4" in words
    assert "Each of the rows 0, 3, 4" in words
    (space,) = [fact for fact in found.facts if isinstance(fact, VersionSpace)]
    assert len(space.members) == 6
