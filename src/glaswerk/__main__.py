"""`python -m glaswerk` and the command `glaswerk`."""

import importlib
import sys

MISSING = "the command line needs {}: pip install 'glaswerk[report]'"


def main() -> None:
    """Run the command line, or say what it needs."""
    try:
        commands = importlib.import_module("glaswerk.cli")
    except ModuleNotFoundError as error:
        sys.exit(MISSING.format(error.name))
    commands.main(prog_name="glaswerk")


if __name__ == "__main__":
    main()
