"""Each table has another winner."""


def test_no_learner_is_best_on_every_table(lab):
    table = lab("no-free-lunch").table("Several learners on several tables")
    winners = {min(table.rows, key=lambda row: row[k])[0] for k in range(1, 5)}
    assert len(winners) >= 3
    assert "No candidate is best" in lab("no-free-lunch").words("No free lunch")
