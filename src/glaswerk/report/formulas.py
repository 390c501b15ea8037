"""Which formulas stand behind a fact: names of files in `templates/formulas`, the first for its figures."""

from glaswerk.facts import (
    Coefficients,
    Comparison,
    Confusion,
    Contributions,
    Curve,
    DataCard,
    Dependence,
    Fact,
    Goodness,
    Importance,
    Influence,
    OutOfFold,
    Segments,
)

CARD = "method-card"  # the formula of the learner itself, on its card
OF_TITLE = {
    "Learning curve": ("learning-curve", "corrected-interval"),
    "Calibration of": ("calibration",),
    "ROC of": ("roc",),
    "Precision and recall of": ("roc",),
    "Cost of": ("threshold-cost",),
}
OF_KIND: dict[type, tuple[str, ...]] = {
    Coefficients: ("coefficient-interval",),
    Goodness: ("r2", "least-squares"),
    OutOfFold: ("residual", "prediction-interval"),
    Confusion: ("recognised",),
    Contributions: ("contributions", "shapley"),
    Importance: ("permutation-importance", "corrected-interval"),
    Dependence: ("partial-dependence",),
    Segments: ("segment-interval",),
    Influence: ("cook", "leverage"),
    DataCard: ("histogram",),
}


def formulas_of(fact: Fact) -> tuple[str, ...]:
    """The anchors of the formulas behind a fact's numbers."""
    if isinstance(fact, Comparison):
        return (fact.metric.lower().replace(" ", "-").replace("²", "2"), "corrected-interval")
    if isinstance(fact, Curve):
        return of_curve(fact)
    return OF_KIND.get(type(fact), ())


def of_curve(fact: Curve) -> tuple[str, ...]:
    """Errors over rows, the answer along a column, or something that only the learner's own formula explains."""
    for start, anchors in OF_TITLE.items():
        if fact.title.startswith(start):
            return anchors
    return ("fitted-line",) if fact.title.endswith(f"along {fact.x_title}") else (CARD,)
