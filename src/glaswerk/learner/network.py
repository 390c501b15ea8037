"""What the regressor and the classifier share that are feed-forward networks: training, inspection, facts."""

import warnings
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from glaswerk.archive import storable
from glaswerk.base import Allowed, Array, Estimator, Warned, find_unusable, flag, integer, none, number, one_of, weights
from glaswerk.facts import Curve, Fact, Facts, Line, Table
from glaswerk.learner.backpropagation import backpropagation
from glaswerk.learner.sampling import SampleFit
from glaswerk.optim.network import ACTIVATIONS, Numbers, Shape, forward
from glaswerk.optim.training import Course, Recipe, Rows, begin, train
from glaswerk.passes import Block, Progress, one_blas_thread

SOLVERS = ("adam", "sgd", "rprop", "lbfgs")
BATCH = 200
LONG = 2.0e9  # multiplications of a training beyond which its progress is shown
MOST_POINTS = 600


def widths_of(sizes: Any) -> tuple[int, ...]:
    return (int(sizes),) if isinstance(sizes, Integral) else tuple(int(size) for size in sizes)


layer_sizes = integer(1) | Allowed(
    "a tuple of such",
    lambda v: isinstance(v, list | tuple | np.ndarray) and all(integer(1).test(size) for size in v),
)
below_one = Allowed("a number >= 0 and < 1", lambda v: number(0).test(v) and v < 1)
seed = integer(0) | none() | Allowed("a RandomState", lambda v: isinstance(v, np.random.RandomState))


@storable("NetworkSolution", version=1)
@dataclass(frozen=True, eq=False)
class NetworkSolution:
    """The weights, how they came about epoch by epoch, and what it takes to go on as if nothing had happened."""

    shape: Shape
    theta: np.ndarray
    losses: Array
    held: Array
    ended: str
    settled: bool
    kept: int
    first: np.ndarray
    second: np.ndarray
    clock: int
    rate: float
    order: np.ndarray
    random: np.ndarray
    place: int

    @classmethod
    def of(cls, shape: Shape, course: Course) -> "NetworkSolution":
        _, random, place, *_ = course.random.get_state(legacy=True)
        watched = course.held if course.best is not None else []
        kept = int(np.argmin(watched)) + 1 if watched else len(course.losses)
        return cls(
            shape, course.theta, np.array(course.losses), np.array(course.held), course.ended, course.settled, kept,
            course.first, course.second, course.clock, course.rate, course.order, np.asarray(random), int(place),
        )  # fmt: skip

    def resumed(self) -> Course:
        """The training as it stood."""
        random = np.random.RandomState()
        random.set_state(("MT19937", self.random.astype(np.uint32), self.place, 0, 0.0))
        return Course(
            self.theta.copy(), self.first.copy(), self.second.copy(), random, self.order.copy(), self.clock, self.rate,
            self.losses.tolist(), self.held.tolist(),
        )  # fmt: skip

    def check(self) -> None:
        if self.theta.shape != (self.shape.n_parameters,) or self.theta.dtype.kind != "f":
            raise ValueError("a network needs one number for every weight")
        if self.first.shape != self.theta.shape or self.second.shape != self.theta.shape or self.random.shape != (624,):
            raise ValueError("the memory of the optimiser is of another size")


class NetworkLearner(SampleFit, Estimator):
    """Interface: a network whose subclass says what the target becomes (`_encoded`) and what the output means."""

    parameters: ClassVar[dict[str, Allowed]] = {
        "hidden_layer_sizes": layer_sizes,
        "activation": one_of(*ACTIVATIONS),
        "solver": one_of(*SOLVERS),
        "alpha": number(0),
        "batch_size": one_of("auto") | integer(1),
        "learning_rate": one_of("constant", "invscaling", "adaptive"),
        "learning_rate_init": number(0, above=True),
        "power_t": number(0),
        "max_iter": integer(1),
        "shuffle": flag(),
        "random_state": seed,
        "tol": number(0),
        "verbose": flag(),
        "warm_start": flag(),
        "momentum": number(0, 1),
        "nesterovs_momentum": flag(),
        "early_stopping": flag(),
        "validation_fraction": below_one,
        "beta_1": below_one,
        "beta_2": below_one,
        "epsilon": number(0, above=True),
        "n_iter_no_change": integer(1),
        "track_validation": flag(),
        "precision": one_of("double", "single"),
    }
    fitted: ClassVar[dict[str, type]] = {**Estimator.fitted, "solution_": NetworkSolution}
    output: ClassVar[str] = "squared"

    def __init__(
        self,
        hidden_layer_sizes: Any = (100,),
        activation: str = "relu",
        *,
        solver: str = "adam",
        alpha: float = 0.0001,
        batch_size: int | str = "auto",
        learning_rate: str = "constant",
        learning_rate_init: float = 0.001,
        power_t: float = 0.5,
        max_iter: int = 200,
        shuffle: bool = True,
        random_state: Any = 0,
        tol: float = 1e-4,
        verbose: bool = False,
        warm_start: bool = False,
        momentum: float = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        n_iter_no_change: int = 10,
        track_validation: bool = False,
        precision: str = "double",
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.track_validation = track_validation
        self.precision = precision

    def _encoded(self, y: Any, weight: Array, n_rows: int, *, first: bool) -> tuple[Array, str]:
        """The target as columns of numbers (n, q), and what the output means."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on rows in memory; `sample_weight` counts each row that many times. With warm_start it goes on."""
        goes_on = self.warm_start and hasattr(self, "solution_")
        return self._train(X, y, sample_weight, self.max_iter, goes_on)

    def one_epoch(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """One epoch more, on these rows: what `partial_fit` does."""
        if self.solver not in ("sgd", "adam"):
            raise AttributeError(f"partial_fit needs solver='sgd' or 'adam': {self.solver!r} compares whole passes")
        return self._train(X, y, sample_weight, 1, hasattr(self, "solution_"))

    def _train(self, X: Any, y: Any, sample_weight: Any, epochs: int, goes_on: bool) -> Self:
        self.check_parameters()
        owner = type(self).__name__
        cells = self._numbers(X, fit=not goes_on)
        weight = weights(sample_weight, len(cells), owner)
        Y, output = self._encoded(y, weight, len(cells), first=not goes_on)
        shape = Shape((cells.shape[1], *widths_of(self.hidden_layer_sizes), Y.shape[1]), self.activation, output)
        kind = np.float32 if self.precision == "single" else np.float64
        rows = Rows(np.ascontiguousarray(cells, dtype=kind), np.ascontiguousarray(Y, dtype=kind), weight.astype(kind))
        course = self._course(shape, len(rows), goes_on)
        rows, held = self._held_out(rows)
        if len(course.order) != len(rows):
            course.order = np.arange(len(rows))
        with one_blas_thread():
            course = train(shape, self._recipe(len(rows)), rows, held, course, epochs, self._progress(shape, rows))
        if not np.isfinite(course.theta).all():
            raise ValueError(
                f"{owner}: the weights have grown beyond all numbers after {len(course.losses)} epochs: scale the "
                f"columns, or lower learning_rate_init (now {self.learning_rate_init:g})"
            )
        self.solution_ = NetworkSolution.of(shape, course)
        if epochs > 1 and not course.settled:
            warnings.warn(
                f"{owner} has not converged after {len(course.losses)} epochs ({course.ended}); raise max_iter or tol",
                Warned,
                stacklevel=3,
            )
        return self

    def _numbers(self, X: Any, *, fit: bool) -> Array:
        cells = np.asarray(self.table(X, fit=fit), dtype=np.float64)
        message = find_unusable(cells, self.column_names())
        if message:
            raise ValueError(f"{type(self).__name__}: {message}")
        return cells

    def _course(self, shape: Shape, n_rows: int, goes_on: bool) -> Course:
        if goes_on:
            if self.solution_.shape != shape:
                raise ValueError(f"{type(self).__name__}: the network fitted so far has layers {self.solution_.shape}")
            return self.solution_.resumed()
        given = self.random_state
        random = given if isinstance(given, np.random.RandomState) else np.random.RandomState(given)
        return begin(shape, self._recipe(n_rows), n_rows, random, self.precision == "single")

    def _recipe(self, n_rows: int) -> Recipe:
        batch = min(BATCH, n_rows) if isinstance(self.batch_size, str) else int(self.batch_size)
        return Recipe(
            self.solver, batch, self.max_iter, self.learning_rate_init, self.learning_rate, self.power_t, self.momentum,
            self.nesterovs_momentum, self.beta_1, self.beta_2, self.epsilon, self.alpha, self.tol,
            self.n_iter_no_change, self.shuffle, self.early_stopping,
        )  # fmt: skip

    def _held_out(self, rows: Rows) -> tuple[Rows, Rows | None]:
        """The rows to learn from, and those kept back to judge every epoch by, where somebody asks for it."""
        if not (self.early_stopping or self.track_validation):
            return rows, None
        count = max(1, round(self.validation_fraction * len(rows)))
        if count >= len(rows):
            raise ValueError(f"{type(self).__name__}: {len(rows)} row(s) are too few to keep {count} of them back")
        back = np.sort(np.random.RandomState(len(rows)).permutation(len(rows))[:count])
        kept = np.setdiff1d(np.arange(len(rows)), back)

        def taken(places: np.ndarray) -> Rows:
            return Rows(rows.X[places], rows.Y[places], rows.weight[places] if rows.weight.size else rows.weight)

        return taken(kept), taken(back)

    def _progress(self, shape: Shape, rows: Rows) -> Any:
        """Tells of epochs where the training is long."""
        if 6.0 * len(rows) * shape.n_parameters * self.max_iter < LONG:
            return lambda _epoch, _loss: None
        shown = Progress(type(self).__name__, len(rows) * self.max_iter, 1)
        return lambda _epoch, _loss: shown(Block(0, rows.X, rows.Y, rows.weight))

    def _scores(self, X: Any) -> Numbers:
        self.check_fitted()
        cells = self._numbers(X, fit=False).astype(self.solution_.theta.dtype)
        with one_blas_thread():
            return forward(self.solution_.shape, self.solution_.theta, cells)[-1]

    @property
    def coefs_(self) -> list[np.ndarray]:
        """W of every layer (in, out)."""
        return [W for W, _ in self.solution_.shape.layers(self.solution_.theta)]

    @property
    def intercepts_(self) -> list[np.ndarray]:
        """b of every layer."""
        return [b for _, b in self.solution_.shape.layers(self.solution_.theta)]

    @property
    def n_iter_(self) -> int:
        return len(self.solution_.losses)

    @property
    def n_layers_(self) -> int:
        return len(self.solution_.shape.widths)

    @property
    def n_outputs_(self) -> int:
        return self.solution_.shape.widths[-1]

    @property
    def loss_(self) -> float:
        return float(self.solution_.losses[-1])

    @property
    def loss_curve_(self) -> list[float]:
        """The training loss of every epoch, the penalty included."""
        return [float(loss) for loss in self.solution_.losses]

    @property
    def validation_loss_curve_(self) -> list[float]:
        """The loss of the rows held out after every epoch, where there are any."""
        return [float(loss) for loss in self.solution_.held]

    def inspect(self, X: Any, y: Any) -> Facts:
        """[BG-BACKPROP] What backpropagation computes for these rows: passed on, sent back, gradients, their proof."""
        self.check_fitted()
        cells = self._numbers(X, fit=False)
        Y, _ = self._encoded(y, np.zeros(0), len(cells), first=False)
        known = self.solution_
        return Facts(backpropagation(known.shape, known.theta.astype(np.float64), cells, Y, self.alpha))

    def _known_facts(self) -> list[Fact]:
        known = self.solution_
        heads = ("layer", "inputs", "units", "weights", "root mean square", "largest |w|")
        rows = tuple(
            (k + 1, W.shape[0], W.shape[1], W.size + b.size, float(np.sqrt((W * W).mean())), float(np.abs(W).max()))
            for k, (W, b) in enumerate(known.shape.layers(known.theta))
        )
        notes: tuple[str, ...] = (
            f"{self.activation} inside; {len(known.losses)} epochs of {self.solver}: {known.ended}",
        )
        if known.kept != len(known.losses):
            notes = (*notes, f"the weights are those after epoch {known.kept}, the best for the rows held out")
        return [Table("The network", heads, rows, notes), self._loss_curve()]

    def _loss_curve(self) -> Curve:
        """[R61] Training and validation loss of every epoch."""
        known = self.solution_
        shown = np.unique(np.linspace(0, len(known.losses) - 1, min(MOST_POINTS, len(known.losses))).astype(int))
        x = tuple((shown + 1.0).tolist())
        lines = [Line("training rows", x, tuple(known.losses[shown].tolist()))]
        if known.held.size:
            lines.append(Line("rows held out", x, tuple(known.held[shown].tolist())))
        positive = all(v is not None and v > 0 for line in lines for v in line.y)
        marks = ((float(known.kept), "kept"),) if known.kept != len(known.losses) else ()
        return Curve(
            "Loss by epoch", "epoch", "mean loss", tuple(lines), says=self._diagnosis(), marks=marks,
            y_scale="log" if positive else "linear",
        )  # fmt: skip

    def _diagnosis(self) -> str:
        known = self.solution_
        if not known.held.size:
            return "No rows were held out: track_validation=True shows whether the network overfits."
        best = int(np.argmin(known.held))
        rise = known.held[-1] / known.held[best] - 1
        if best < len(known.held) - 1 and rise > 0.05:
            return f"Rows held out were predicted best after epoch {best + 1}; from there the network overfits."
        return f"Rows held out were predicted best after epoch {best + 1}, near the end: no sign of overfitting."

    def check_restored(self) -> None:
        """As many inputs as columns."""
        if self.solution_.shape.widths[0] != self.n_features_in_:
            raise ValueError("the network has another number of inputs than the table columns")
