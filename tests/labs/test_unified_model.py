"""The unified model is each of its special cases."""


def test_every_case_is_the_model_it_is_a_case_of(lab):  # [BG-UNIFIED] [BG-LWR]
    rows = lab("unified-model").rows("Special cases")
    assert len(rows) == 4
    assert all(row[-1] < 1e-10 for row in rows.values())


def test_bells_must_be_divided_by_their_sum(lab):
    rows = lab("unified-model").rows("Squared distance")
    joint, each, printed = (row[0] for row in rows.values())
    assert joint < each < printed
