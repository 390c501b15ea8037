"""Walking rows: fixed logical blocks, summed along one aligned tree whoever does the work."""

from glaswerk.passes.blocks import BLOCK_ROWS, ArraySource, Block, Source, fingerprint_of, is_here, within
from glaswerk.passes.checkpoint import CheckpointError, Kept
from glaswerk.passes.coded import CodedSource
from glaswerk.passes.driver import open_engine, sum_blocks
from glaswerk.passes.engine import ClusterError, Engine, silent
from glaswerk.passes.progress import Progress
from glaswerk.passes.threads import available_threads, one_blas_thread
from glaswerk.passes.tree import AlignedTree

__all__ = [
    "BLOCK_ROWS",
    "AlignedTree",
    "ArraySource",
    "Block",
    "CheckpointError",
    "ClusterError",
    "CodedSource",
    "Engine",
    "Kept",
    "Progress",
    "Source",
    "available_threads",
    "fingerprint_of",
    "is_here",
    "one_blas_thread",
    "open_engine",
    "silent",
    "sum_blocks",
    "within",
]
