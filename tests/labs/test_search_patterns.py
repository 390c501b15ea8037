"""Grid, random and zooming search: where they look, and that none is far from the best of a fine map."""

import numpy as np

from glaswerk.facts import Surface
from glaswerk.labs import run_lab


def test_a_grid_is_even_random_draws_are_not_and_zooming_comes_closer(lab):
    rows = lab("search-patterns").rows("What each search chose")
    assert rows["grid"][0] == rows["random"][0] == 25
    best = min(row[3] for row in rows.values())
    assert all(row[3] < 1.05 * best for row in rows.values())
    maps = {surface.title.split()[1]: surface for surface in run_lab("search-patterns").of_kind(Surface)}
    tried = {name: surface.paths[0] for name, surface in maps.items()}
    assert len(set(np.round(tried["grid"].x, 9))) == 5
    assert len(set(np.round(tried["random"].x, 9))) == 25
    last, first = tried["zooming"].x[-4:], tried["zooming"].x[:9]
    assert max(last) - min(last) < 0.5 * (max(first) - min(first))
    surface = maps["grid"]
    assert np.isfinite(surface.z).all() and min(map(min, surface.z)) <= best * 1.01
    place = [
        int(np.abs(np.array(ends) - at).argmin())
        for ends, at in ((surface.y, surface.paths[1].y[0]), (surface.x, surface.paths[1].x[0]))
    ]
    assert surface.z[place[0]][place[1]] < 1.1 * best  # the map is light where the search chose
