"""Concepts: hypotheses as ranges of attribute values, the order between them, version spaces, their posterior."""
