"""Log-odds: what a fitted logistic model knows of its coefficients and its fit, as facts.

    ŵ ~ N(w, (H + Λ)⁻¹),   z = ŵ / s,   e^w = the factor of the odds for one unit more                    [BG-CE]

Exact in the limit of many rows without a penalty (maximum likelihood). With a penalty the same matrix is the spread of
the normal approximation to the posterior, the penalty being a normal prior: no test in the strict sense, and said so.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from glaswerk.archive import storable
from glaswerk.facts import Coefficient, Coefficients, Curve, Line, Numerics, Statement, Table
from glaswerk.stats.curvature import Curvature
from glaswerk.stats.factor import EPS
from glaswerk.stats.pairs import Array
from glaswerk.stats.quadratic import Quadratic

MOST_SENTENCES = 8


@storable("LogisticSolution", version=1)
@dataclass(frozen=True, eq=False)
class LogisticSolution:
    """Weights (scores, d + 1) seen from `shift`, the intercept last, and how they were found."""

    weights: Array
    shift: Array
    intercept: bool
    penalty: float
    objective: float
    gradient: float
    decrement: float
    settled: bool
    why: str
    verdict: str
    finite: bool
    rounds: int
    passes: int
    rank: int
    condition: float
    telling: tuple[str, ...]
    repeated: tuple[str, ...]
    trace: Array

    @property
    def coefficients(self) -> Array:
        return self.weights[:, :-1]

    @property
    def intercepts(self) -> Array:
        """At the origin of the columns, not at the shift."""
        found: Array = self.weights[:, -1] - self.coefficients @ self.shift
        return found if self.intercept else np.zeros_like(found)

    @property
    def digits(self) -> float:
        """Correct digits to expect of the worst coefficient: from the last step and from the condition."""
        lost = max(self.decrement / max(abs(self.objective), EPS), EPS * self.condition, EPS / 2)
        return float(np.clip(-np.log10(lost), 0.0, 15.9))

    def check(self) -> None:
        if self.weights.ndim != 2 or self.weights.shape[1] != self.shift.size + 1:
            raise ValueError("a logistic solution needs one weight per column and an intercept in every row")
        if self.trace.ndim != 2 or self.trace.shape[1] != 4 or self.weights.dtype != np.float64:
            raise ValueError("a logistic solution holds float64 weights and a trace of four numbers a round")


@dataclass(frozen=True, eq=False)
class LogOdds:
    """A solution with the sums of its last round, and the names of its columns and classes."""

    solution: LogisticSolution
    statistic: Curvature
    target: str
    names: tuple[str, ...]
    classes: tuple[str, ...]

    @cached_property
    def covariance(self) -> Array | None:
        """Of all weights, the intercepts at the origin: (scores, d + 1, scores, d + 1); None where it is unknown."""
        s, hessian = self.solution, self.statistic.hessian
        q, size = s.weights.shape
        if len(hessian) != q * size or not s.finite or not s.settled:
            return None
        curve = Quadratic.of(hessian, q, s.penalty, s.intercept)
        return curve.covariance(s.shift) if curve.factor.full else None

    def coefficients(self, level: float) -> list[Coefficients]:
        """For two classes the log-odds of the second; for more, of every class against the first."""
        s = self.solution
        rows = np.column_stack([s.intercepts, s.coefficients])
        if len(rows) == 1:
            return [self._against(1, 0, rows[0], self._errors(None, 0), level)]
        return [self._against(k, 0, rows[k] - rows[0], self._errors(0, k), level) for k in range(1, len(rows))]

    def _errors(self, reference: int | None, k: int) -> Array | None:
        """Standard errors of θ_k, or of θ_k - θ_reference, intercept first."""
        spread = self.covariance
        if spread is None:
            return None
        variance = np.diagonal(spread[k, :, k])
        if reference is not None:
            across = np.diagonal(spread[k, :, reference]) + np.diagonal(spread[reference, :, k])
            variance = variance + np.diagonal(spread[reference, :, reference]) - across
        return np.roll(np.sqrt(variance), 1)

    def _against(self, k: int, other: int, estimates: Array, errors: Array | None, level: float) -> Coefficients:
        if errors is None:
            rows = [Coefficient(name, float(e)) for name, e in zip(("intercept", *self.names), estimates, strict=True)]
        else:
            half = special.ndtri(0.5 + level / 2) * errors
            with np.errstate(divide="ignore", invalid="ignore"):
                z = estimates / errors
            p = 2 * special.ndtr(-np.abs(z))
            columns = np.column_stack([estimates, errors, z, p, estimates - half, estimates + half]).tolist()
            rows = [Coefficient(name, *row) for name, row in zip(("intercept", *self.names), columns, strict=True)]
        title = f"{self.target}: log-odds of {self.classes[k]!r} against {self.classes[other]!r}"
        kept = tuple(rows if self.solution.intercept else rows[1:])
        return Coefficients(title, level, kept, self._notes(errors is not None))

    def _notes(self, known: bool) -> tuple[str, ...]:
        s = self.solution
        notes = ["differences to the first class; coef_ holds rows that add up to zero"] if len(s.weights) > 1 else []
        if known and s.penalty > 0:
            notes.append("penalised: spread of the normal approximation to the posterior; t is z, p is no strict test")
        elif known:
            notes.append("maximum likelihood: t is z, compared with the normal distribution; good for many rows")
        elif not s.finite:
            notes.append("the likelihood has no maximum: these numbers are a direction, they have no error")
        elif s.repeated:
            notes.append("columns repeat each other: single coefficients have no error")
        else:
            notes.append("errors were not computed: ask for them with standard_errors=True")
        return tuple(notes)

    def odds(self, level: float) -> Statement:
        """What the strongest coefficients mean, in words."""
        sentences = []
        for fact in self.coefficients(level):
            known = [row for row in fact.rows if row.name != "intercept" and row.t is not None and np.isfinite(row.t)]
            strongest = sorted(known, key=lambda r: -abs(r.t or 0.0))[:MOST_SENTENCES]
            between = fact.target.split(": log-odds ")[1]
            sentences += [_odds_sentence(row, between, level) for row in strongest]
        return Statement("What one unit more does, other columns held fixed", tuple(sentences))

    def goodness(self) -> Table:
        """Deviance against that of the class shares alone, McFadden's R², Akaike's criterion."""
        s, found = self.solution, self.statistic
        loss = s.objective - 0.5 * s.penalty * float((s.coefficients**2).sum())
        total = found.weight
        shares = found.classes[found.classes > 0] / total
        null = -total * float((shares * np.log(shares)).sum()) if s.intercept else total * np.log(len(self.classes))
        free = self.effective_parameters
        rows = (
            ("rows", found.count),
            ("weight of the rows", total),
            *((f"weight of class {name!r}", float(w)) for name, w in zip(self.classes, found.classes, strict=True)),
            ("deviance -2 ln L", 2 * loss),
            ("deviance of the class shares alone", 2 * null),
            ("McFadden's R²", 1 - loss / null if null > 0 else None),
            ("log-likelihood", -loss),
            ("effective number of parameters", free),
            ("AIC", None if free is None else 2 * free + 2 * loss),
            ("penalty λ = 1/C on ½ Σ w²", s.penalty),
        )
        return Table(f"Fit of {self.target}", ("quantity", "value"), rows)

    @property
    def effective_parameters(self) -> float | None:
        """tr H (H + Λ)⁻¹: all weights without a penalty, fewer with one."""
        s = self.solution
        if not s.finite:
            return None
        groups = max(len(self.classes) - 1, 1)
        if s.penalty == 0:
            return float(groups * (s.rank + s.intercept))
        spread = self.covariance
        if spread is None:
            return None
        between = np.einsum("kaka->", spread[:, :-1, :, :-1])
        if len(s.weights) > 1:  # what all scores share is no parameter
            between -= np.einsum("kala->", spread[:, :-1, :, :-1]) / len(s.weights)
        return float(groups * (len(self.names) + s.intercept) - s.penalty * between)

    def separation(self) -> Statement:
        s = self.solution
        if s.finite:
            return Statement("Is there a separating plane?", (s.verdict,))
        advice = "give a penalty (C=1.0), or drop or join what separates; predicted classes are usable, sizes are not"
        return Statement("Is there a separating plane?", (s.verdict, *s.telling, advice))

    def numerics(self) -> Numerics:
        s = self.solution
        from_data = float(np.clip(-np.log10(EPS / 2 * s.condition), 0.0, 15.9))
        how = f"{s.rounds} rounds; ended because: {s.why}; gradient {s.gradient:.2g}"
        return Numerics(how, s.passes, s.rank, len(self.names), s.condition, s.digits, from_data, s.repeated)

    def trace(self) -> Curve:
        """The objective after every round."""
        trace = self.solution.trace
        rounds, values = tuple(map(float, trace[:, 0])), tuple(map(float, trace[:, 1]))
        says = f"from {values[0]:.6g} to {values[-1]:.6g} in {int(rounds[-1])} rounds"
        line = Line("objective", rounds, values, form="steps" if len(set(rounds)) < len(rounds) else "line")
        return Curve("The objective, round by round", "round", "penalised cross-entropy", (line,), says)


def _odds_sentence(row: Coefficient, between: str, level: float) -> str:
    factor, low, high = (float(np.exp(np.clip(v or 0.0, -700, 700))) for v in (row.estimate, row.lower, row.upper))
    band = f"{100 * level:g} %: {low:.4g} to {high:.4g}"
    return f"one unit more of {row.name!r} multiplies the odds {between} by {factor:.4g} ({band})"
