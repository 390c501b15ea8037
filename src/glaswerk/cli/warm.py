"""`glaswerk warm`: compile ahead."""

import time

import click

from glaswerk import kernels


@click.command("warm", help="Compile every loop into the cache, so that no first fit waits for it.")
def command() -> None:
    start = time.perf_counter()
    names = kernels.warm()
    click.echo(f"{len(names)} compiled loops ready in {time.perf_counter() - start:.1f} s", err=True)
