"""A slow fit, for whoever wants to interrupt one: python -m tests.passes.slow_fit FILE ENGINE CHECKPOINT."""

import sys
import time
from pathlib import Path

from glaswerk import LinearRegression
from glaswerk.passes import checkpoint


class SlowRegression(LinearRegression):
    """Least squares with a pause in every block."""

    pause = 0.05

    def observe(self, block, ask):
        time.sleep(self.pause)
        return super().observe(block, ask)


def fitted(path, engine, kept=None):
    """The bits of a slow fit, with a checkpoint after every few blocks."""
    checkpoint.LEAST_SECONDS, checkpoint.LONGEST_PART = 0.1, 2
    found = SlowRegression().fit_source(path, "y", engine=engine, checkpoint=kept)
    return found.coef_.tobytes() + found.statistic_.gram.tobytes()


if __name__ == "__main__":
    file, engine, kept = sys.argv[1:]
    Path(kept).with_suffix(".bits").write_bytes(fitted(file, engine, kept))
