"""Walking rows: fixed logical blocks, summed along one aligned tree whoever does the work."""

from glaswerk.passes.blocks import BLOCK_ROWS, ArraySource, Block, Source
from glaswerk.passes.coded import CodedSource
from glaswerk.passes.driver import ENGINES, silent, sum_blocks
from glaswerk.passes.progress import Progress
from glaswerk.passes.threads import available_threads, one_blas_thread
from glaswerk.passes.tree import AlignedTree

__all__ = [
    "BLOCK_ROWS",
    "ENGINES",
    "AlignedTree",
    "ArraySource",
    "Block",
    "CodedSource",
    "Progress",
    "Source",
    "available_threads",
    "one_blas_thread",
    "silent",
    "sum_blocks",
]
