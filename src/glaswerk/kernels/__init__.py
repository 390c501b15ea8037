"""Compiled loops: arrays in, arrays out. Numba is loaded when the first kernel is asked for, not before."""

import importlib
from typing import Any

HOME = {
    "narrow_gram": "gram",
    "narrow_gram_of_columns": "gram",
    "exact_gram": "exact",
    "exact_gradient": "exact",
    "best_subsets": "subset",
    "logistic_sums": "logistic",
    "logistic_walk": "logistic_rounds",
    "class_epoch": "class_steps",
    "numeric_sums": "naive_bayes",
    "level_counts": "naive_bayes",
    "numeric_scores": "naive_bayes",
    "level_scores": "naive_bayes",
    "sound_counts": "naive_bayes",
    "first_best": "naive_bayes",
    "box_of": "neighbours",
    "grow_tree": "neighbours",
    "tree_neighbours": "neighbours",
    "all_neighbours": "neighbours",
    "pair_cholesky": "factor",
    "pair_solve": "factor",
    "roll_down": "descent",
    "largest_eigenvalue": "descent",
    "batch_epoch": "descent",
    "mistake_epoch": "descent",
    "shuffle_order": "descent",
    "posterior_path": "posterior",
    "lay_out": "tiles",
    "assign_rows": "rounds",
    "move_centres": "rounds",
    "run_rounds": "rounds",
    "try_seeds": "tiles",
    "take_seed": "tiles",
    "errors_by_centre": "tiles",
    "quantise_epoch": "online",
    "smo_steps": "smo",
    "network_epoch": "network",
    "network_epoch_single": "network",
    "code_rows": "tree_codes",
    "grow_top": "tree_top",
    "grow_subtrees": "tree_grow",
    "preorder": "tree_layout",
    "node_sums": "tree_layout",
    "node_levels": "tree_layout",
    "walk": "tree_walk",
    "lay_steps": "tree_walk",
    "walk_steps": "tree_walk",
    "shape": "tree_walk",
    "path_errors": "tree_walk",
    "weakest_links": "tree_prune",
    "bell_sums": "bells",
    "natural_step": "mixtures",
    "whitened_step": "mixtures",
    "whitened_shares": "mixtures",
    "labelled_sums": "mixtures",
    "grow_values": "id3",
    "bin_cells": "tree_bins",
    "bin_sums": "tree_bins",
}


def __getattr__(name: str) -> Any:
    """Load the module that holds a kernel at its first use (PEP 562)."""
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{HOME[name]}")
    globals()[name] = found = getattr(module, name)
    return found


def warm() -> list[str]:
    """Compile every kernel into the cache, so that no first fit waits for it; returns their names."""
    for name in HOME:
        __getattr__(name)
    return list(HOME)
