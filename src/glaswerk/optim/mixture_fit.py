"""A fitted mixture in the units of the columns: densities, draws, and what it knows as facts."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from glaswerk import kernels
from glaswerk.archive import storable
from glaswerk.base import Array
from glaswerk.facts import Curve, Line, Prototype, Prototypes
from glaswerk.optim.em import EMTrace, Mixed
from glaswerk.optim.mixture import Mixture, Whitened, inverse_roots, padded_rows
from glaswerk.optim.tiles import TiledRows, Tiles
from glaswerk.passes import BLOCK_ROWS, Block


@storable("MixtureFit", version=1)
@dataclass(frozen=True, eq=False)
class MixtureFit:
    """The mixture about `shift`; Σ w of the rows, mean and standard deviation of their columns; how EM went."""

    mixture: Mixture
    shift: Array
    weight: float
    mean: Array
    scale: Array
    converged: bool
    trace: EMTrace

    def check(self) -> None:
        if self.shift.shape != self.mixture.means.shape[1:]:
            raise ValueError("a fitted mixture needs one shift for every column")

    @property
    def means(self) -> Array:
        return self.mixture.means + self.shift

    def precision_roots(self) -> Array:
        """L⁻ᵀ of every component, as scikit-learn has them: (k, d, d), (d, d), (k, d) or (k,)."""
        kind, covariances = self.mixture.kind, self.mixture.covariances
        if kind in ("diag", "spherical"):
            return 1.0 / np.sqrt(covariances)
        turns = inverse_roots(self.mixture.roots())
        return turns[0].T if kind == "tied" else turns.transpose(0, 2, 1)

    def densities(self, X: Array) -> tuple[Array, Array]:
        """ln p of every row (n,), and its responsibilities (n, k)."""
        form = Whitened.of(self.mixture)
        turns = np.array([padded_rows(turn) for turn in form.turns])
        density, shares = np.empty(len(X)), np.empty((len(X), len(self.mixture.weights)))
        for start in range(0, len(X), BLOCK_ROWS):
            part = X[start : start + BLOCK_ROWS]
            tiles = Tiles.of(Block(0, part, np.zeros((len(part), 0)), np.zeros(0)), self.shift)
            rows = slice(start, start + len(part))
            kernels.whitened_shares(
                tiles.cells, len(part), form.mixture.means, turns, form.constant, shares[rows], density[rows]
            )
        return density, shares

    def sample(self, n: int, random: np.random.RandomState) -> tuple[Array, Array]:
        """n draws, component after component, and the component of each."""
        counts = random.multinomial(n, self.mixture.weights)
        roots = self.mixture.roots()
        drawn = [
            mean + random.standard_normal((count, len(mean))) @ root.T
            for mean, root, count in zip(self.means, roots, counts, strict=True)
        ]
        return np.concatenate(drawn), np.repeat(np.arange(len(counts)), counts)

    def prototypes(self, title: str, columns: tuple[str, ...], says: str) -> Prototypes:
        """As a fact, the heaviest component first; the spread is the root of the trace of Σ_k."""
        groups = []
        matrices = self.mixture.matrices()
        for k in np.argsort(-self.mixture.weights, kind="stable"):
            share, matrix = float(self.mixture.weights[k]), matrices[k]
            covariance = tuple(tuple(row) for row in matrix.tolist())
            spread = float(np.sqrt(np.trace(matrix)))
            groups.append(
                Prototype(
                    f"component {k}", share * self.weight, share, spread, tuple(self.means[k].tolist()), covariance
                )
            )
        return Prototypes(title, columns, tuple(groups), tuple(self.mean.tolist()), tuple(self.scale.tolist()), says)

    def curve(self) -> Curve:
        """Mean ln p of every round."""
        bound = tuple(self.trace.log_likelihood.tolist())
        x = tuple(float(k + 1) for k in range(len(bound)))
        fell, anew = len(self.trace.fell), len(self.trace.restarted)
        told = "it never fell" if not fell else f"it fell {fell} time(s), by what regularising adds"
        if anew:
            told += f"; {anew} time(s) a collapsed component was begun anew"
        ended = "converged" if self.converged else "the rounds were used up"
        says = f"{len(bound)} rounds, {ended}; {told}."
        marks = tuple((float(k), "begun anew") for k in self.trace.restarted)
        return Curve("Log-likelihood of EM", "round", "mean ln p(x)", (Line("ln p", x, bound),), says, marks=marks)


def fit_of(found: Mixed, rows: TiledRows) -> MixtureFit:
    reach = rows.reach
    mean = rows.shift + reach.sums[0] / reach.rows
    return MixtureFit(
        found.mixture, rows.shift, reach.weight, mean, np.sqrt(reach.variance), found.converged, found.trace
    )


def covariances_of(kind: str, precisions: Array) -> Array:
    """Covariances from precisions of the same kind, by a factor of each."""
    if kind in ("diag", "spherical"):
        return 1.0 / precisions
    eye = np.eye(precisions.shape[-1])
    if kind == "tied":
        found: Array = linalg.cho_solve((linalg.cholesky(precisions, lower=True), True), eye)
        return found
    return np.array([linalg.cho_solve((linalg.cholesky(part, lower=True), True), eye) for part in precisions])
