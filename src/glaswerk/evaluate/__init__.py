"""Honest evaluation: how well a learner does on rows it has not seen, and how sure that is."""
