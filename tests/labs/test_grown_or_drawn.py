"""LBG needs no luck where random starts do."""


def test_random_starts_end_far_above_what_lbg_finds(lab):  # [BG-LBG]
    rows = lab("grown-or-drawn").rows("Sixteen clumps")
    least = min(row[1] for row in rows.values())
    assert rows["k-means, random rows"][2] > 1.3 * least
    assert rows["LBG, random directions"][2] < 1.1 * least
    assert rows["k-means++"][4] > 0.5


def test_the_codebook_doubles(lab):
    grew = lab("grown-or-drawn").curve("How LBG grows")["LBG"]
    assert grew.x == (1.0, 2.0, 4.0, 8.0, 16.0)
    assert list(grew.y) == sorted(grew.y, reverse=True)
