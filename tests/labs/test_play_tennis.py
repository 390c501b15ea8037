"""PlayTennis: the textbook's numbers, and what smoothing changes."""


def test_the_numbers(lab):
    found = lab("play-tennis").agreement("PlayTennis by naive Bayes")
    assert [agrees for _, agrees in found.values()] == ["yes", "yes", "yes"]
    assert round(found["probability of no"][0], 4) == 0.7954
    assert round(found["score of yes"][0], 6) == 0.005291
    assert round(found["score of no"][0], 6) == 0.020571


def test_an_overcast_day_is_impossible_without_smoothing(lab):
    assert "probability 0.0000 of no" in lab("play-tennis").words("What has not been seen")
