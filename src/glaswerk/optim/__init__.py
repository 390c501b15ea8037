"""Optimisers: descent steps, line search, Newton."""

from glaswerk.optim.descent import Path, descend

__all__ = ["Path", "descend"]
