"""Compile every kernel into the cache: `python -m glaswerk.kernels`."""

import sys
import time

from glaswerk import kernels

if __name__ == "__main__":
    start = time.perf_counter()
    names = kernels.warm()
    sys.stderr.write(f"{len(names)} compiled loops ready in {time.perf_counter() - start:.1f} s\n")
