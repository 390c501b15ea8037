"""PlayTennis: fourteen days counted, and a day nobody has seen: sunny, cool, high humidity, strong wind."""

import numpy as np

from glaswerk.facts import Fact, Statement
from glaswerk.labs.lab import Lab, Printed, beside
from glaswerk.learners import NaiveBayes
from glaswerk.table import load_play_tennis

DAY = ("Sunny", "Cool", "High", "Strong")


def days() -> tuple[np.ndarray, np.ndarray]:
    """The fourteen days as words (14, 4), and whether tennis was played."""
    table = load_play_tennis()
    words = {name: np.array([table[name].distinct_levels()[c] for c in table[name].codes()]) for name in table.names}
    target = next(name for name in words if name.lower().replace("_", "") in ("play", "playtennis"))
    inputs = [name for name in ("outlook", "temperature", "humidity", "wind") if name in words]
    return np.column_stack([words[name] for name in inputs]).astype(object), words[target]


def run(_seed: int) -> list[Fact]:
    """Counts, scores and what every attribute says; then what smoothing and a missing cell change."""
    X, y = days()
    model = NaiveBayes(smoothing=0).fit(X, y)
    told = model.explain([list(DAY)])
    scores = {name.lower(): score for name, score in zip(told.classes, told.scores, strict=True)}
    chance = dict(zip((name.lower() for name in told.classes), told.posterior, strict=True))
    printed = beside(
        "PlayTennis by naive Bayes, printed and obtained",
        (
            Printed("score of yes", "0.0053", scores["yes"], "9/14 · 2/9 · 3/9 · 3/9 · 3/9"),
            Printed("score of no", "0.0206", scores["no"], "5/14 · 3/5 · 1/5 · 4/5 · 3/5"),
            Printed("probability of no", "0.795", chance["no"], "0.7954: the scores, divided by their sum"),
        ),
        ("The script gives the rule and no numbers; these are the textbook's (Mitchell 1997).",),
    )
    rows = [["Overcast", *DAY[1:]], [None, *DAY[1:]]]
    no = [name.lower() for name in told.classes].index("no")
    bare, smooth = (NaiveBayes(smoothing=s).fit(X, y).predict_proba(rows)[:, no] for s in (0, 1))
    words = (
        f"No overcast day was without tennis: counted as the script does, an overcast one has probability "
        f"{bare[0]:.4f} of no, whatever else is said. One row of every level more makes it {smooth[0]:.4f}.",
        f"Without its outlook the day has probability {bare[1]:.4f} of no: a missing cell is left out of the product.",
    )
    return [printed, told, *model.facts()[:-1], Statement("What has not been seen, and what is missing", words)]


LAB = Lab(
    rows=("R119", "R68"),
    script="C, 2.7, naive Bayes",
    says="fourteen days of tennis counted, and what every attribute of a new day speaks for",
    run=run,
)
