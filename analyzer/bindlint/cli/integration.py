"""`bindlint integration`: the files by which other tools run bindlint."""

from __future__ import annotations

import click

from bindlint.cli import Failure
from bindlint.cli.output import write_output
from bindlint.errors import UsageError
from bindlint.integrations import FILES

_HELP = f"""Print the file by which another tool runs bindlint: {", ".join(FILES)}.

cmake is a module with the function bindlint_check, msbuild are targets for .vcxproj files, pre-commit is a
.pre-commit-config.yaml, and github is a workflow.
"""


@click.command("integration", help=_HELP)
@click.argument("tool", type=click.Choice(list(FILES)))
@click.option("--path", is_flag=True, help="Print where the file is instead.")
@click.option("-o", "--output", metavar="FILE", help="Write the file there.")
def command(tool: str, path: bool, output: str | None) -> None:
    file = FILES[tool]
    if path:
        click.echo(file.as_posix())
    elif output is None:
        click.echo(file.read_text(encoding="utf-8"), nl=False)
    else:
        try:
            write_output(output, (file.read_bytes(),))
        except UsageError as error:
            raise Failure(str(error)) from error
