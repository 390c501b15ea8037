"""EnjoySport: four days, and every conjunction that agrees with them, from counting the language to the optimal vote.

V = {h : s ≤ h ≤ g for some g of G};   P(yes | x) = share of V, or Σ P(h | D) h(x)          [BG-VS] [BG-VOTE] [BG-BOC]
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glaswerk.facts import Curve, Fact, Statement, Table
from glaswerk.labs.lab import Lab, Printed, beside, heard, line
from glaswerk.learners import BayesOptimalClassifier, CandidateElimination, FindS
from glaswerk.table import load_enjoy_sport

Rows = NDArray[Any]
NOISES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.49)
FRESH = (
    ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
    ("Rainy", "Cold", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same"),
    ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
)


def days() -> tuple[Rows, Rows, dict[str, tuple[str, ...]]]:
    """The four days as words, whether sport was enjoyed, and all values of the six columns."""
    table = load_enjoy_sport()
    domains = {name: tuple(table[name].levels) for name in table.names if name != "enjoy_sport"}
    cells = np.array([table[name].series.to_list() for name in domains], dtype=object).T
    return cells, np.where(table["enjoy_sport"].series.to_list(), "Yes", "No"), domains


def run(_seed: int) -> list[Fact]:
    """Count, generalise, eliminate, vote, weigh; then a wrong label, and teaching by the best questions."""
    X, y, domains = days()
    declared = list(domains.values())
    model = CandidateElimination(domains=declared).fit(X, y)
    seen = CandidateElimination().fit(X, y)
    find_s = FindS(domains=declared).fit(X, y)
    space, steps, *_ = model.facts()
    return [
        numbers(model, find_s),
        counted(model, seen),
        space,
        steps,
        votes(model, declared),
        weighed(X, y, declared),
        taught(X, y, declared),
        mistaken(X, y, declared),
    ]


def numbers(model: CandidateElimination, find_s: FindS) -> Table:
    """The textbook's numbers."""
    language = model.language_
    asked = sum(word != "?" for word in find_s.hypothesis)
    rows = (
        Printed("rows that can be told apart", "96", float(language.instances), "3 · 2⁵"),
        Printed("hypotheses as written", "5120", float(language.written), "5 · 4⁵: ∅ and ? for every column"),
        Printed("hypotheses that differ", "973", float(language.meant), "1 + 4 · 3⁵: all that hold an ∅ are one"),
        Printed("conditions of S", "3", float(asked), f"⟨{', '.join(find_s.hypothesis)}⟩, the same from Find-S"),
        Printed("members of G", "2", float(len(model.general)), said(model.general)),
        Printed("hypotheses that agree", "6", float(model.size or 0), "the version space"),
    )
    notes = ("The script gives the algorithms and no numbers; these are the textbook's (Mitchell 1997).",)
    return beside("EnjoySport, printed and obtained", rows, notes)


def said(hypotheses: tuple[tuple[str, ...], ...]) -> str:
    return "; ".join(f"⟨{', '.join(h)}⟩" for h in hypotheses)


def counted(model: CandidateElimination, seen: CandidateElimination) -> Table:
    """How much the language says with all values declared, and with those of the four rows."""

    def row(words: str, name: str) -> tuple[str, str, str]:
        return words, _shown(getattr(model.language_, name)), _shown(getattr(seen.language_, name))

    rows = (
        row("rows that can be told apart", "instances"),
        row("concepts", "concepts"),
        row("hypotheses as written", "written"),
        row("hypotheses that differ", "meant"),
        row("of these, that differ on the rows above", "told_apart"),
        ("hypotheses that agree with the four days", _shown(model.size), _shown(seen.size)),
    )
    return Table("How much the language can say", ("what", "values declared", "values seen"), rows)


def _shown(count: int | str | None) -> str:
    return f"{count:,}" if isinstance(count, int) else str(count)


def votes(model: CandidateElimination, declared: list[tuple[str, ...]]) -> Table:
    """The vote of the version space on days not seen, beside the Bayes-optimal one."""
    X, y, _ = days()
    exact = BayesOptimalClassifier(noise=0.0, domains=declared).fit(X, y)
    noisy = BayesOptimalClassifier(noise=0.1, domains=declared).fit(X, y)
    fresh = np.array(FRESH, dtype=object)
    shares = zip(model.vote(fresh), exact.predict_proba(fresh)[:, 1], noisy.predict_proba(fresh)[:, 1], strict=True)
    rows = tuple((", ".join(day), float(a), float(b), float(c)) for day, (a, b, c) in zip(FRESH, shares, strict=True))
    heads = ("day", "share of the version space", "P(yes), no noise", "P(yes), one label in ten wrong")
    notes = ("Without noise and with equal priors the optimal vote is the vote of the version space.",)
    return Table("Votes on days not seen", heads, rows, notes)


def weighed(X: Rows, y: Rows, declared: list[tuple[str, ...]]) -> Curve:
    """How the chance of each new day depends on the noise that is assumed."""
    models = [BayesOptimalClassifier(noise=noise, domains=declared).fit(X, y) for noise in NOISES]
    chances = np.array([m.predict_proba(np.array(FRESH, dtype=object))[:, 1] for m in models])
    lines = tuple(line(", ".join(day), NOISES, chances[:, k]) for k, day in enumerate(FRESH))
    says = "The more labels may be wrong, the less four days say; what all hypotheses agree on is no longer certain."
    return Curve("The optimal vote against the noise assumed", "share of wrong labels", "P(enjoy sport)", lines, says)


def taught(X: Rows, y: Rows, declared: list[tuple[str, ...]]) -> Table:
    """From the four days on, ask for the label of the row that halves the version space, until one is left."""
    concept = ("Sunny", "?", "?", "Strong", "?", "?")
    rows, labels = [list(row) for row in X], list(y)
    told: list[tuple[str | int | float, ...]] = []
    while True:
        model = CandidateElimination(domains=declared).fit(np.array(rows, dtype=object), labels)
        found = model.next_example()
        size = model.size or 0
        if found is None:
            told.append((len(rows), size, "decided: " + said(model.specific), "", ""))
            break
        day, share = found
        label = "Yes" if all(c in ("?", v) for c, v in zip(concept, day, strict=True)) else "No"
        told.append((len(rows), size, ", ".join(day), share, label))
        rows, labels = [*rows, list(day)], [*labels, label]
    heads = ("rows so far", "hypotheses that agree", "day asked for", "share that says yes", "answer")
    notes = (f"Answers by the concept ⟨{', '.join(concept)}⟩. To tell 6 apart takes 3 answers at worst, or more.",)
    return Table("Teaching: the row that halves the version space", heads, tuple(told), notes)


def mistaken(X: Rows, y: Rows, declared: list[tuple[str, ...]]) -> Statement:
    """One wrong label: elimination strikes the truth, weighing does not."""
    wrong = np.append(y, "No")
    rows = np.vstack([X, [["Sunny", "Warm", "Normal", "Strong", "Cool", "Same"]]])
    with heard() as told:
        CandidateElimination(domains=declared).fit(rows, wrong)
    noisy = BayesOptimalClassifier(noise=0.1, domains=declared).fit(rows, wrong)
    return Statement(
        "A fifth day with a wrong label",
        (
            *told,
            "The script: a wrong label strikes the right hypothesis. Here it strikes all of them, and is found out.",
            f"With one label in ten taken as wrong the most probable hypotheses are {said(noisy.map_hypothesis[:3])}.",
        ),
    )


LAB = Lab(
    rows=("R81", "R82", "R83", "R84", "R85", "R86", "R87", "R88", "R89", "R90", "R91"),
    script="C, 2.7 and 2.8: concept learning, Bayes",
    says="four days of EnjoySport: counting, Find-S, candidate elimination row by row, votes, noise, teaching",
    run=run,
)
