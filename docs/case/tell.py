"""The case of docs/case.md: makes the messy file, asks Glaswerk and scikit-learn, writes the numbers and figures.

python docs/case/tell.py        rewrites docs/case/said.md and the figures beside it
"""

import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_score

from glaswerk.figures import figures_of
from glaswerk.report import analyse
from glaswerk.table import read_table

HERE = Path(__file__).parent
N = 480
FINISHES = np.array(["roh", "lackiert", "verzinkt"])


def orders() -> str:
    """Orders of a metal shop as its office exports them: semicolons, decimal commas, gaps, slips, copies."""
    rng = np.random.default_rng(20)
    pieces = rng.integers(1, 200, N)
    weight = np.exp(rng.normal(1.0, 0.35, N)).round(2)
    finish = rng.choice(FINISHES, N, p=[0.5, 0.3, 0.2])
    queue = rng.integers(0, 30, N)
    days = 2.0 + 0.02 * pieces + 0.6 * weight + 3.0 * (finish == "lackiert") + 6.0 * (finish == "verzinkt")
    days = np.maximum(1.0, days + 0.25 * queue + rng.normal(0, 2.0, N)).round(1)
    hours = (days * 7.5 + rng.normal(0, 1.5, N)).round(1)  # booked when the order is closed
    weight[rng.choice(N, 9, replace=False)] = 0.0
    lines = ["Auftrag;Stueck;Gewicht_kg;Oberflaeche;Warteschlange;Kunde;Stunden_gebucht;Liefertage"]
    for k in range(N):
        queue_text = "?" if rng.random() < 0.06 else str(queue[k])
        cells = [
            f"A-{10_000 + k}",
            pieces[k],
            weight[k],
            finish[k],
            queue_text,
            f"K{rng.integers(1, 40):02d}",
            hours[k],
            days[k],
        ]
        lines.append(";".join(str(cell).replace(".", ",") for cell in cells))
    lines += lines[1:26]  # one page of the export was pasted twice
    return "\n".join(lines) + "\n"


def with_scikit_learn(text: str, leave: tuple[str, ...]) -> str:
    """What the usual few lines say: dummies, means for gaps, ten shuffled folds."""
    frame = pd.read_csv(io.StringIO(text), sep=";", decimal=",", na_values="?").drop(columns=list(leave))
    y = frame.pop("Liefertage")
    X = pd.get_dummies(frame)
    X = X.fillna(X.mean())
    scores = cross_val_score(
        LinearRegression(), X, y, cv=KFold(10, shuffle=True, random_state=0), scoring="neg_root_mean_squared_error"
    )
    return f"RMSE {-scores.mean():.3f} ± {scores.std():.3f} ({X.shape[1]} columns)"


def told(title: str, found) -> list[str]:
    """A report in a few lines: verdict, candidates, findings."""
    verdict = found.section("verdict").facts
    comparison = found.section("comparison").facts[0]
    lines = [f"## {title}", "", *(f"> {sentence}\n>" for sentence in verdict[0].sentences), ""]
    lines += ["| candidate | RMSE | interval | verdict |", "|--|--|--|--|"]
    for row in comparison.rows:
        limits = "" if row.lower is None else f"{row.lower:.3f} to {row.upper:.3f}"
        lines.append(f"| {row.name} | {row.score:.3f} | {limits} | {row.verdict} |")
    lines += ["", "| finding | evidence |", "|--|--|"]
    lines += [f"| `{one.code}` {one.title} ({one.severity}) | {one.evidence} |" for one in verdict[1:]]
    return [*lines, ""]


def draw(found, section: str, kind: str, name: str, only: str = "") -> str:
    """One figure of a report beside the page."""
    for fact in found.section(section).facts:
        for figure in figures_of(fact):
            if type(fact).__name__ == kind and figure.name.startswith(only):
                figure.save(HERE / f"{name}.svg")
                return f"![{figure.alt}](case/{name}.svg)"
    raise KeyError(kind)


def tell(figures: bool = True) -> str:
    """The page's numbers."""
    text = orders()
    path = HERE / "_orders.csv"
    path.write_text(text, encoding="utf-8")
    try:
        table = read_table(path)
        first = analyse(table, "Liefertage", budget=None)
        kept = [name for name in table.names if name != "Stunden_gebucht"]
        clean = read_table({name: table[name].series.to_list()[:N] for name in kept}, kinds=kinds(table, kept))
        second = analyse(clean, "Liefertage", budget=None)
    finally:
        path.unlink()
    lines = [*told("First look: everything the file holds", first)]
    lines += told("Second look: without the hours and the copies", second)
    if figures:
        lines += [draw(second, "comparison", "Comparison", "comparison"), ""]
        lines += [draw(second, "inside", "Importance", "importance"), ""]
        lines += [draw(second, "inside", "Dependence", "dependence"), ""]
        lines += [draw(second, "residuals", "OutOfFold", "coverage", "coverage"), ""]
    lines += [
        "## The usual lines with scikit-learn, on the same file",
        "",
        "| columns left out by hand | answer |",
        "|--|--|",
    ]
    lines += [f"| none but the order number | {with_scikit_learn(text, ('Auftrag',))} |"]
    lines += [f"| order number and hours | {with_scikit_learn(text, ('Auftrag', 'Stunden_gebucht'))} |", ""]
    return "\n".join(lines)


def kinds(table, names: list[str]) -> dict[str, str]:
    return {name: str(table[name].kind) for name in names}


if __name__ == "__main__":
    (HERE / "said.md").write_text(tell(), encoding="utf-8")
    sys.stdout.write((HERE / "said.md").read_text(encoding="utf-8"))
