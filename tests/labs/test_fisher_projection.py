"""Fisher's direction: greater J than the means' direction, and the same as by least squares."""


def test_the_criterion_and_the_direction(lab):
    found = lab("fisher-projection")
    criteria = [row[1] for row in found.table("Criterion J(w)").rows]
    assert criteria[0] > 3 * criteria[2]
    for _, fisher, by_line in found.table("Fisher's direction, and a line's").rows:
        assert abs(fisher - by_line) < 1e-9
    assert set(found.curve("Two long clouds")) == {"class 0", "class 1", "Fisher's direction", "direction of the means"}
