"""Ridge regression as facts: shrunken coefficients, their errors, the penalty in every convention."""

from dataclasses import dataclass

import numpy as np

from glaswerk.facts import Coefficient, Coefficients, Goodness, Numerics, Table
from glaswerk.stats.inference import student_quantile
from glaswerk.stats.penalty import Shrunk
from glaswerk.stats.spectrum import Shrinkage

FACTORS = {"sse": 1.0, "half_sse": 2.0}  # λ / alpha
CONVENTIONS = Table(
    "Penalties of the same strength",
    ("written as", "penalty parameter", "λ in (A + λI) w = B"),
    (
        ("Σ (y - ŷ)² + λ ‖w‖²   (script B, scikit-learn; penalty='sse')", "alpha", "alpha"),
        ("½ Σ (y - ŷ)² + λ/2 ‖w‖²   (script C)", "alpha", "alpha"),
        ("½ Σ (y - ŷ)² + α ‖w‖²   (script A; penalty='half_sse')", "alpha", "2 alpha"),
    ),
)


@dataclass(frozen=True, eq=False)
class RidgeFacts:
    """One ridge solution with the names of its columns and what the penalty leaves of each target's directions."""

    solution: Shrunk
    shrinkages: list[Shrinkage]
    names: tuple[str, ...]
    targets: tuple[str, ...]
    centred: bool
    level: float
    convention: str

    def all(self) -> list[Coefficients | Goodness | Numerics | Table]:
        """Coefficients and fit of every target, the penalty, the numerics."""
        each = range(len(self.targets))
        found = [self.coefficients(k) for k in each]
        return [*found, *(self.goodness(k) for k in each), self.penalty(), CONVENTIONS, self.numerics()]

    def left(self, k: int) -> float:
        return self.solution.weight - self.shrinkages[k].effective - self.centred

    def sigma(self, k: int) -> float:
        left = self.left(k)
        return float(np.sqrt(self.solution.residual[k] / left)) if left >= 1 else float("nan")

    def coefficients(self, k: int) -> Coefficients:
        """Estimate, standard error and interval of every coefficient; no test against zero."""
        s, root = self.solution, self.shrinkages[k].root
        errors = self.sigma(k) * np.sqrt((root**2).sum(axis=1))
        estimates, names = s.coefficients[k], self.names
        if self.centred:
            at_origin = self.sigma(k) * np.sqrt(1.0 / s.weight + ((s.mean @ root) ** 2).sum())
            estimates, errors = np.append(s.intercept[k], estimates), np.append(at_origin, errors)
            names = ("intercept", *names)
        half = student_quantile(self.level, self.left(k)) * errors
        rows = tuple(
            Coefficient(name, float(w), _or_none(e), None, None, _or_none(w - h), _or_none(w + h))
            for name, w, e, h in zip(names, estimates, errors, half, strict=True)
        )
        note = (
            "errors and intervals are those of the shrunken weights over repeated noise; the bias that the penalty "
            "brings is not in them, and a test against zero would mean nothing"
        )
        return Coefficients(self.targets[k], self.level, rows, (note,))

    def goodness(self, k: int) -> Goodness:
        s = self.solution
        rss, tss = float(s.residual[k]), float(s.total[k])
        notes = () if self.centred else ("without an exempt intercept, squares are counted from zero",)
        r2 = 1.0 - rss / tss if tss > 0 else None
        return Goodness(
            self.targets[k], s.count, s.weight, self.left(k), rss, tss, r2, _or_none(self.sigma(k)), None, None, notes
        )

    def penalty(self) -> Table:
        """λ, alpha as the user writes it, and the effective number of parameters of every target."""
        rows = tuple(
            (name, float(lam / FACTORS[self.convention]), float(lam), found.effective, len(self.names))
            for name, lam, found in zip(self.targets, self.solution.penalties, self.shrinkages, strict=True)
        )
        heads = ("target", "alpha", "λ", "effective parameters M_eff", "columns")
        whole = "the intercept is exempt and not counted" if self.centred else "no exempt intercept"
        return Table("The penalty", heads, rows, (f"alpha as in penalty={self.convention!r}; {whole}",))

    def numerics(self) -> Numerics:
        s = self.solution
        return Numerics(s.rung, s.passes, s.rank, len(self.names), s.condition, s.digits, s.digits_of_data)


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
