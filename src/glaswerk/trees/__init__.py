"""Trees: columns as ranks, growth, the grown tree, its pruning and what it says."""
