"""A source of labels as a source of codes: names, blocks and cuts stay."""

import numpy as np

from glaswerk.passes import BLOCK_ROWS, ArraySource, CodedSource


def test_labels_become_codes_in_every_block_and_nothing_else_changes():
    n = BLOCK_ROWS + 7
    labels = np.where(np.arange(n) % 3, 5.0, 2.0)
    weight = np.arange(n) % 2.0
    source = ArraySource(np.arange(n, dtype=float)[:, None], labels[:, None], weight, names=("x",))
    seen = []

    def code(found, *, weight):
        seen.append(weight.sum())
        return (found == 5.0).astype(float)

    coded = CodedSource(source, code)
    assert (coded.names, coded.n_rows, coded.n_targets, coded.cuts(2)) == (("x",), n, 1, source.cuts(2))
    blocks = list(coded.blocks(0, 2))
    np.testing.assert_array_equal(np.concatenate([b.Y[:, 0] for b in blocks]), (labels == 5.0).astype(float))
    np.testing.assert_array_equal(np.concatenate([b.X for b in blocks])[:, 0], np.arange(n))
    assert sum(seen) == weight.sum()
    assert coded.head().Y.shape == (BLOCK_ROWS, 1)
