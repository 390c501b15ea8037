"""What every test may use, and the honest count of what could not run."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared" / "data"
absent: dict[str, list[str]] = {}


@pytest.fixture
def shared_data(request: pytest.FixtureRequest) -> Path:
    """The folder of data sets that must not be committed; tests that need it are counted when it is not there."""
    if not SHARED.is_dir():
        absent.setdefault("the shared data sets beside the checkout", []).append(request.node.nodeid)
        pytest.skip("the shared data sets are not beside this checkout")
    return SHARED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Never skip in silence: say what was absent and how many tests it cost."""
    for what, tests in absent.items():
        terminalreporter.write_line(f"absent: {what}: {len(tests)} test(s) did not run")
