"""Optimisers: descent steps, line search, Newton."""
