"""The bench: every figure the project states, as a claim that anybody can run again."""
