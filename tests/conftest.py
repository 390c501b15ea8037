"""What every test may use, and the honest count of what could not run."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"
CHROMIUM = Path("/usr/bin/chromium")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync")
QUIET += ("--disable-background-networking", "--disable-component-update")
absent: dict[str, list[str]] = {}


@pytest.fixture
def shared_data(request: pytest.FixtureRequest) -> Path:
    """The folder of data sets that must not be committed; tests that need it are counted when it is not there."""
    if not SHARED.is_dir():
        absent.setdefault("the shared data sets beside the checkout", []).append(request.node.nodeid)
        pytest.skip("the shared data sets are not beside this checkout")
    return SHARED


@pytest.fixture
def chromium(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A browser that asks nobody anything; tests that need it are counted when there is none."""
    if not CHROMIUM.is_file():
        absent.setdefault("Chromium at /usr/bin/chromium", []).append(request.node.nodeid)
        pytest.skip("there is no Chromium on this machine")
    with importlib.import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def dask_client() -> Iterator[Any]:
    """A Dask cluster for all tests that need one: two processes of one thread."""
    distributed = importlib.import_module("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", protocol="tcp://"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Never skip in silence: say what was absent and how many tests it cost."""
    for what, tests in absent.items():
        terminalreporter.write_line(f"absent: {what}: {len(tests)} test(s) did not run")
