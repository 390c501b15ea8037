"""The families of models that a report compares: one line each, with the condition under which it takes part.

A new learner joins every report by one line in `FAMILIES`. A family's own search (a penalty, a number of neighbours, a
size) is part of its learner, so that it is made anew inside every fold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from glaswerk import learners
from glaswerk.design import PolynomialBasis
from glaswerk.facts import MethodCard
from glaswerk.model import Model, TableDesign

ROWS_PER_TERM = 10  # of a basis, so that its coefficients are worth estimating
MOST_SQUARES = 120  # terms of a basis: beyond, a fit costs more than it tells
MOST_SUBSET = 40  # columns whose subsets are searched in a moment
REGRESSION, CLASSIFICATION = "regression", "classification"


@dataclass(frozen=True)
class Room:
    """What a family may take into account before it takes part: never the target's values."""

    rows: int
    numbers: int  # numeric input columns
    terms: int = 0  # columns of a design that gives every level one
    classes: int = 0


def welcome(_room: Room) -> str:
    return ""


@dataclass(frozen=True)
class Family:
    """A kind of model: `build` gives it unfitted; `refuses` says why it does not take part, or nothing.

    growth: a fit and its predictions cost about rows ** growth. most: training rows beyond which a fold is fitted to a
    sample of that size, whatever the clock says; None: never.
    """

    name: str
    task: str
    says: str
    build: Callable[[], Any]
    refuses: Callable[[Room], str] = welcome
    growth: float = 1.0
    most: int | None = None

    @property
    def card(self) -> MethodCard:
        found: MethodCard = self.build().learner.card
        return found


def squares() -> TableDesign:
    return TableDesign(basis=PolynomialBasis(2))


def scaled() -> TableDesign:
    return TableDesign(scale=True)


def scaled_squares() -> TableDesign:
    return TableDesign(scale=True, basis=PolynomialBasis(2))


def few_squares(room: Room) -> str:
    """A penalty bears more terms than rows could estimate, but no end of them."""
    terms = room.numbers * (room.numbers + 3) // 2
    if room.numbers == 0:
        return "there is no numeric column to square"
    return f"{terms} terms are more than {MOST_SQUARES}" if terms > MOST_SQUARES else ""


def rows_for_squares(room: Room) -> str:
    terms = room.numbers * (room.numbers + 3) // 2
    if few_squares(room):
        return few_squares(room)
    if terms * ROWS_PER_TERM > room.rows:
        return f"{terms} terms need {terms * ROWS_PER_TERM:,} rows, ten for each; there are {room.rows:,}"
    return ""


def few_terms(room: Room) -> str:
    if room.terms > MOST_SUBSET:
        return f"the subsets of {room.terms} columns are too many: at most {MOST_SUBSET} are searched"
    return "there is one column only: it has no subsets" if room.terms < 2 else ""


def rows_for_covariances(room: Room) -> str:
    needed = ROWS_PER_TERM * max(room.terms, room.numbers) * max(room.classes, 2)
    return f"a covariance for each class needs {needed:,} rows; there are {room.rows:,}" if needed > room.rows else ""


def native() -> TableDesign:
    """Categories and gaps as they are."""
    return TableDesign(categories="codes", missing="keep")


FAMILIES = (
    Family("linear regression", REGRESSION, "a weighted sum of the columns, by least squares",
           lambda: Model(learners.LinearRegression(), TableDesign())),
    Family("quadratic regression", REGRESSION, "the same with squares and products of the numeric columns",
           lambda: Model(learners.LinearRegression(), squares()), rows_for_squares),
    Family("ridge regression", REGRESSION, "a weighted sum with small weights, by a penalty chosen on rows left out",
           lambda: Model(learners.RidgeCV(), scaled())),
    Family("quadratic ridge", REGRESSION, "squares and products of the numeric columns, under such a penalty",
           lambda: Model(learners.RidgeCV(), scaled_squares()), few_squares),
    Family("best subset", REGRESSION, "least squares on those columns that have the least BIC of all subsets",
           lambda: Model(learners.BestSubsetRegression(), TableDesign()), few_terms),
    Family("Bayesian regression", REGRESSION, "a weighted sum whose prior and noise the evidence chooses",
           lambda: Model(learners.BayesianLinearRegression(), scaled())),
    Family("regression tree", REGRESSION, "questions one after the other, pruned back on rows left out",
           lambda: Model(learners.DecisionTreeRegressor(ccp_alpha="cv"), native()), growth=1.2),
    Family("classification tree", CLASSIFICATION, "questions one after the other, pruned back on rows left out",
           lambda: Model(learners.DecisionTreeClassifier(ccp_alpha="cv"), native()), growth=1.2),
    Family("regression forest", REGRESSION, "the mean of a hundred trees, each of rows and columns drawn anew",
           lambda: Model(learners.RandomForestRegressor(random_state=0), native()), growth=1.2),
    Family("classification forest", CLASSIFICATION, "a hundred trees, each of rows and columns drawn anew",
           lambda: Model(learners.RandomForestClassifier(random_state=0), native()), growth=1.2),
    Family("nearest neighbours", REGRESSION, "the mean of the five nearest rows, columns scaled",
           lambda: Model(learners.KNeighborsRegressor(), scaled()), growth=1.5),
    Family("logistic regression", CLASSIFICATION, "log odds that are weighted sums of the columns",
           lambda: Model(learners.LogisticRegression(), TableDesign())),
    Family("linear discriminants", CLASSIFICATION, "classes as normal distributions of one covariance: planes",
           lambda: Model(learners.LinearDiscriminantAnalysis(), TableDesign())),
    Family("quadratic discriminants", CLASSIFICATION, "classes as normal distributions, each with its own spread",
           lambda: Model(learners.QuadraticDiscriminantAnalysis(), TableDesign()), rows_for_covariances),
    Family("naive Bayes", CLASSIFICATION, "counts of every column by itself, multiplied; missing cells are skipped",
           lambda: Model(learners.NaiveBayes())),
    Family("nearest neighbours by vote", CLASSIFICATION, "the vote of the five nearest rows, columns scaled",
           lambda: Model(learners.KNeighborsClassifier(), scaled()), growth=1.5),
    Family("support vector machine", CLASSIFICATION, "the widest margin in the space of a Gaussian kernel, calibrated",
           lambda: Model(learners.SVC(calibration=5), scaled()), growth=2.0, most=4_096),
)  # fmt: skip


def families_for(task: str, room: Room) -> tuple[tuple[Family, ...], tuple[str, ...]]:
    """The families that take part, and a sentence for each of the task: what it is, or why it was left out."""
    found, said = [], []
    for family in FAMILIES:
        if family.task != task:
            continue
        reason = family.refuses(room)
        if reason:
            said.append(f"{family.name} was left out: {reason}.")
        else:
            found.append(family)
            said.append(f"{family.name}: {family.says}.")
    return tuple(found), tuple(said)


def candidates_for(task: str, room: Room) -> dict[str, Any]:
    """The same families as unfitted models by name."""
    return {family.name: family.build() for family in families_for(task, room)[0]}
