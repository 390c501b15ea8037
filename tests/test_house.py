"""The house rules, checked: budgets, completeness, the equation index, import contracts, what an import may load."""

import ast
import importlib
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import glaswerk
from glaswerk import design, learners
from glaswerk.facts import MethodCard

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "glaswerk"
FILES = sorted(SOURCE.rglob("*.py"))
EQUATION = re.compile(r"\[((?:BOE|TRE|BG|SCH|NAN)-[A-Z0-9]+)\]")
BIN = Path(sys.executable).parent


def relative(path):
    return str(path.relative_to(ROOT))


# Budgets


def functions(path):
    """Name and length in lines, without its docstring, of every function of a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body
            documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            docstring = body[0].end_lineno - body[0].lineno + 1 if documented else 0
            yield node.name, node.end_lineno - node.lineno + 1 - docstring


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_files_and_functions_keep_their_budgets(path):
    assert len(path.read_text().splitlines()) <= 400
    assert path.stem not in {"utils", "helpers", "common", "misc", "manager"}
    long = {name: lines for name, lines in functions(path) if lines > 60}
    assert not long


def test_most_functions_are_short():
    lengths = [lines for path in FILES for _, lines in functions(path)]
    assert statistics.median(lengths) <= 10
    assert statistics.quantiles(lengths, n=10)[-1] <= 30


# Completeness: a learner or a basis lands whole


def subjects(room):
    return sorted(path.stem for path in (SOURCE / room).glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize(("room", "name"), [(room, name) for room in ("learners", "design") for name in subjects(room)])
def test_a_subject_has_its_test_its_page_and_its_public_name(room, name):
    assert (ROOT / "tests" / room / f"test_{name}.py").is_file()
    assert (ROOT / "docs" / room / f"{name}.md").is_file()
    module = importlib.import_module(f"glaswerk.{room}.{name}")
    public = [n for n in vars(module) if n in glaswerk.__all__ and vars(module)[n].__module__ == module.__name__]
    assert public
    assert all(hasattr(importlib.import_module(f"glaswerk.{room}"), n) for n in public)


@pytest.mark.parametrize("name", learners.__all__)
def test_a_learner_has_its_card_with_known_equations_and_its_line_in_the_bench(name):
    card = getattr(learners, name).card
    assert isinstance(card, MethodCard)
    assert all([card.formula, card.cost, card.assumes, card.restriction_bias, card.preference_bias, card.not_for])
    assert set(card.equations) <= set(index())
    assert any(name in path.read_text() for path in (ROOT / "benchmarks" / "claims").glob("*.py"))


# The equation index


def index():
    """id → (file, test) as docs/equations.md lists them."""
    rows = {}
    for line in (ROOT / "docs" / "equations.md").read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        if len(cells) == 8 and re.fullmatch(r"`(BOE|TRE|BG|SCH|NAN)-[A-Z0-9]+`", cells[1]):
            assert cells[1].strip("`") not in rows, f"{cells[1]} stands twice in the index"
            rows[cells[1].strip("`")] = (cells[4].strip("`"), cells[5].strip("`"))
    return rows


def test_every_formula_of_the_index_is_cited_where_it_says():
    assert index()
    for name, places in index().items():
        for place in places:
            assert f"[{name}]" in (ROOT / place).read_text(), f"{place} does not cite {name}"


def test_no_unknown_formula_is_cited():
    for path in [*FILES, *(ROOT / "tests").rglob("*.py")]:
        unknown = set(EQUATION.findall(path.read_text())) - set(index())
        assert not unknown, f"{relative(path)} cites {unknown}"


# Import contracts: kept as they stand, and broken by every seeded violation

VIOLATIONS = {
    "a room above": ("stats/moments.py", "from glaswerk.learners import LinearRegression"),
    "numba outside the kernels": ("stats/moments.py", "import numba"),
    "scikit-learn outside its door": ("learners/least_squares.py", "import sklearn.linear_model"),
    "pyarrow outside the tables": ("passes/driver.py", "import pyarrow"),
    "the mathematics sees tables": ("learners/least_squares.py", "from glaswerk.table import TableError"),
    "a cycle inside a room": ("stats/pairs.py", "from glaswerk.stats.moments import Moments"),
    "a room nobody placed": ("attic/__init__.py", "X = 1"),
}


def contracts(folder):
    command = [BIN / "lint-imports", "--no-cache", "--config", ROOT / "pyproject.toml"]
    environment = {"PYTHONPATH": str(folder), "PATH": str(BIN)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_import_contracts_hold():
    found = contracts(SOURCE.parent)
    assert found.returncode == 0, found.stdout
    assert "0 broken" in found.stdout


@pytest.mark.parametrize("name", list(VIOLATIONS))
def test_a_seeded_violation_breaks_a_contract(tmp_path, name):
    place, line = VIOLATIONS[name]
    shutil.copytree(SOURCE, tmp_path / "glaswerk", ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "glaswerk" / place
    target.parent.mkdir(exist_ok=True)
    target.write_text((target.read_text() if target.exists() else "") + f"\n{line}\n")
    found = contracts(tmp_path)
    assert found.returncode != 0, found.stdout


def test_the_doors_are_the_only_exceptions_of_the_contracts():
    settings = (ROOT / "pyproject.toml").read_text()
    assert settings.count("\nignore_imports") == 1
    assert "# noqa" not in "".join(path.read_text() for path in FILES if "kernels" not in path.parts)


BANNED = [
    "import scipy.optimize",
    "from scipy.optimize import minimize",
    "from scipy import spatial",
    "import scipy.cluster.vq",
    "from numpy.linalg import inv",
    "import numpy as np\nnp.linalg.pinv(np.eye(2))",
    "from scipy import linalg\nlinalg.inv([[1]])",
    "import numpy as np\nnp.linalg.lstsq([[1]], [1])",
    "import pickle",
    "from . import stats",
    "def f():\n    import numpy\n    return numpy",
]


@pytest.mark.parametrize("code", BANNED)
def test_what_would_defeat_first_principles_is_banned(code):
    command = [
        BIN / "ruff",
        "check",
        "--stdin-filename",
        "src/glaswerk/stats/seeded.py",
        "--output-format",
        "concise",
        "-",
    ]
    found = subprocess.run(command, cwd=ROOT, input=code, capture_output=True, text=True, check=False)
    assert re.search("TID25[12]|PLC0415", found.stdout), found.stdout


def test_of_scikit_learn_only_the_contract_is_used():
    used = set()
    for path in FILES:
        used |= set(re.findall(r"^from (sklearn[\w.]*) import", path.read_text(), re.M))
    assert used <= {
        "sklearn.base",
        "sklearn.callback",
        "sklearn.exceptions",
        "sklearn.pipeline",
        "sklearn.utils.validation",
    }


# What an import may load


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import glaswerk", {"numpy", "sklearn", "numba", "polars", "pyarrow"}),
        ("from glaswerk import LinearRegression", {"numba", "polars", "dask", "glaswerk.table.parquet"}),
        (
            "from glaswerk import PolynomialBasis, StandardScaler, FunctionBasis, load",
            {"numba", "polars", "glaswerk.table.frames"},
        ),
        ("import glaswerk.table, glaswerk.scoring", {"polars", "pyarrow", "narwhals", "sklearn"}),
    ],
)
def test_an_import_loads_no_more_than_it_must(statement, unwanted):
    code = f"import sys; {statement}; print(*(name for name in {sorted(unwanted)!r} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


def test_every_public_name_is_there_and_documented():
    assert set(glaswerk.__all__) == set(glaswerk.HOME)
    for name in glaswerk.__all__:
        assert getattr(glaswerk, name).__doc__
        assert name in dir(glaswerk)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        glaswerk.Nothing  # noqa: B018
    assert set(design.__all__) <= set(glaswerk.__all__)
