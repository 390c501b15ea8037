"""The command line: `glaswerk COMMAND …`. The door to Click and Rich.

A command's module is loaded when the command is run, so that `glaswerk --help` needs none of the mathematics.
"""

import importlib

import click

from glaswerk import __version__

COMMANDS = {
    "describe": "What a table holds: kinds, missing cells, what reading lost.",
    "report": "Compare models of a table and write the report, one HTML page.",
    "fit": "Fit one model to a table and keep it in a file.",
    "predict": "Predict the rows of a table with a model from a file.",
    "compare": "What changed between two reports, from their JSON.",
    "validate": "Judge models on rows they have not seen; exit code 1 where a check fails.",
    "datasets": "List the data sets that come along, or write one to a file.",
    "lab": "The experiments of the scripts: list them, run one.",
    "warm": "Compile the loops ahead, so that no first fit waits.",
    "completion": "Print the line that makes your shell complete these commands.",
}
EPILOG = """Results go to standard output, progress and messages to standard error.

Exit codes: 0 all is well, 1 a check failed, 2 wrong use, 3 a problem with the data, 4 a problem with the model."""


class Commands(click.Group):
    """Commands by name, each in a module of the same name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table alone: listing the commands loads none of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="glaswerk")
def main() -> None:
    """See-through machine learning for tables.

    A table goes in; a model comes out that you can defend: every number with its formula, every choice validated,
    every prediction with its uncertainty.
    """


__all__ = ["COMMANDS", "main"]
