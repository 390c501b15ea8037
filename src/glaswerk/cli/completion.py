"""`glaswerk completion`: what a shell needs to complete the commands."""

import click
from click.shell_completion import get_completion_class

from glaswerk import cli

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion", help='Print the completion of a SHELL, to be read by it: eval "$(glaswerk completion bash)".'
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    kind = get_completion_class(shell)
    if kind is None:
        raise click.BadParameter(f"must be one of {', '.join(SHELLS)}, got {shell!r}", param_hint="SHELL")
    click.echo(kind(cli.main, {}, "glaswerk", "_GLASWERK_COMPLETE").source())
