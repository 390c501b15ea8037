"""The posterior as facts: weights and their credible intervals, prior and noise, the evidence over the prior."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from glaswerk.facts import Coefficient, Coefficients, Curve, Goodness, Line, Numerics, Statement, Table
from glaswerk.stats.evidence import Evidence
from glaswerk.stats.inference import normal_quantile
from glaswerk.stats.posterior import Posterior
from glaswerk.stats.ridge_facts import RidgeFacts

SHOWN = 12.0  # of ln λ to either side of the highest evidence: what a curve shows


@dataclass(frozen=True, eq=False)
class PosteriorFacts:
    """One posterior with the names of its columns and the scans of the evidence, if it was searched."""

    posterior: Posterior
    names: tuple[str, ...]
    targets: tuple[str, ...]
    level: float
    scans: Sequence[Evidence]

    def all(self, fit: RidgeFacts) -> list[Coefficients | Goodness | Numerics | Table | Curve | Statement]:
        """Weights, precisions, evidence, fit and numerics; what was guarded comes first."""
        each = range(len(self.targets))
        said = [f"{name}: {text}." for name, text in zip(self.targets, self.posterior.belief.said, strict=True) if text]
        guarded = [Statement("What the evidence could not settle", tuple(said))] if said else []
        weights = [self.coefficients(k) for k in each]
        curves = [self.evidence(k) for k in each if self.scans and len(self.scans[k].values) and self.scans[k].rows > 0]
        fits = [self.goodness(fit, k) for k in each]
        return [*guarded, *weights, self.precisions(), *curves, *fits, fit.numerics()]

    def coefficients(self, k: int) -> Coefficients:
        """Posterior mean, deviation and credible interval of every weight; no test against zero."""
        m = self.posterior.mean
        estimates, names = m.coefficients[k], self.names
        if self.posterior.centred:
            estimates, names = np.append(m.intercept[k], estimates), ("intercept", *names)
        errors = self.posterior.deviations(k)
        half = normal_quantile(self.level) * errors
        rows = tuple(
            Coefficient(name, float(w), float(e), None, None, float(w - h), float(w + h))
            for name, w, e, h in zip(names, estimates, errors, half, strict=True)
        )
        percent = f"{100 * self.level:g} %"
        note = (
            f"a weight lies in its interval with probability {percent}, given the prior and the α and β in use; "
            "std. error is the posterior's deviation"
        )
        return Coefficients(self.targets[k], self.level, rows, (note,))

    def precisions(self) -> Table:
        """α, β, what they mean, how many weights the rows determine, and the log evidence."""
        b, penalties = self.posterior.belief, self.posterior.mean.penalties
        columns = (b.alpha, b.beta, penalties, b.alpha**-0.5, b.beta**-0.5, b.effective, b.log_evidence)
        rows = tuple(
            (name, *(float(c[k]) if np.isfinite(c[k]) else None for c in columns), len(self.names))
            for k, name in enumerate(self.targets)
        )
        heads = (
            "target", "α (prior)", "β (noise)", "λ = α/β", "prior deviation 1/√α", "noise deviation 1/√β",
            "well-determined weights γ", "log evidence", "columns",
        )  # fmt: skip
        note = "ridge regression with alpha = λ finds the same weights; scikit-learn's BayesianRidge calls α lambda_"
        return Table("Prior and noise", heads, rows, (note,))

    def evidence(self, k: int) -> Curve:
        """The log evidence over λ, the other precision at its best for each."""
        scan, chosen = self.scans[k], float(self.posterior.mean.penalties[k])
        near = np.exp(np.linspace(np.log(chosen) - SHOWN, np.log(chosen) + SHOWN, 49))
        line = Line("log evidence", tuple(near.tolist()), tuple(scan.log(near).tolist()))
        hills = scan.hills()
        other = f"; it has {hills} maxima, of which this is the highest" if hills > 1 else ""
        says = f"The evidence is greatest at λ = α/β = {chosen:.4g}{other}."
        return Curve(
            f"Evidence of the prior for {self.targets[k]}", "λ = α/β", "log evidence", (line,), says, "log",
            marks=((chosen, "in use"),),
        )  # fmt: skip

    def goodness(self, fit: RidgeFacts, k: int) -> Goodness:
        """The fit of the posterior's mean; σ is the noise in use."""
        beta = float(self.posterior.belief.beta[k])
        return replace(fit.goodness(k), sigma=beta**-0.5)
