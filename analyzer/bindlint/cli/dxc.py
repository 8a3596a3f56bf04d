"""`bindlint dxc`: the check of just what one command line of dxc or fxc compiles, and the compiler after it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from typing import Any

import click

from bindlint.arguments import Arguments, parse_arguments
from bindlint.cli import Failure
from bindlint.cli.check import command as check
from bindlint.cli.inputs import tell
from bindlint.manifests.commands import compiler_of, not_compiling

_HELP = """Check what one command line of dxc or fxc compiles: put `bindlint dxc --` in front of it.

The command line is taken as it is, response files included, and nothing of bindlint.toml is added to it; rules and
severities are those of the configuration. OPTIONS before `--` are those of `bindlint check`.

Exit status: that of `bindlint check`; with --then-compile that of the compiler, where it is run. Then the report goes
to standard error, and standard output is the compiler's.
"""

_OTHERS = ("words", "manifest", "configuration", "shader_model", "dialect", "stdin_filename", "jobs", "guess_pipelines")
"""Parameters of `check` that mean nothing for one command line."""


def _options() -> list[click.Parameter]:
    own = [p for p in check.params if isinstance(p, click.Option) and p.name not in _OTHERS]
    then = click.Option(["--then-compile"], is_flag=True, help="Run the command line where nothing keeps from it.")
    return [*own, then, click.Argument(["line"], nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND LINE...")]


@click.pass_context
def _run(context: click.Context, /, line: tuple[str, ...], then_compile: bool, **options: Any) -> None:
    compiler = compiler_of(line)
    if compiler is None:
        first = f", not `{line[0]}`" if line else ""
        raise Failure(f"name dxc or fxc after `--`{first}: bindlint dxc -- dxc -T ps_6_6 sky.hlsl")
    place, dialect = compiler
    if then_compile and shutil.which(line[0]) is None:
        raise Failure(f"there is no program `{line[0]}` to compile with")
    words = line[place + 1 :]
    arguments = parse_arguments(words)
    reason = not_compiling(arguments, dialect)
    status = 0
    if reason:
        tell(f"nothing is checked: {reason}")
    else:
        words = _single_input(words, arguments)
        try:
            context.invoke(check, words=words, compiler=dialect, aside=then_compile, **options)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
    if then_compile and not status:
        status = _compile(line)
    raise SystemExit(status)


def _single_input(words: tuple[str, ...], arguments: Arguments) -> tuple[str, ...]:
    """The words with one file among them. Values of options that are not known look like files too."""
    faults = [fault.message for fault in arguments.faults if fault.kind != "unknown-option"]
    if faults:
        raise Failure("; ".join(faults))
    if arguments.shader.profile is None:
        raise Failure("the command line has no target profile (-T)")
    inputs = arguments.inputs
    if len(inputs) > 1 and arguments.faults:
        inputs = tuple(word for word in inputs if os.path.isfile(word))
    if len(inputs) != 1:
        named = ", ".join(f"`{word}`" for word in inputs)
        raise Failure(f"the command line names {'several files: ' + named if named else 'no file'}")
    if os.path.isdir(inputs[0]):
        raise Failure(f"`{inputs[0]}` is a folder")
    return tuple(word for word in words if word not in arguments.inputs or word in inputs)


def _compile(line: tuple[str, ...]) -> int:
    """The compiler's exit status. Where the system lets it, this process becomes the compiler and returns nothing.

    Whatever is done to the one, such as a signal, is then done to the other.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        if sys.platform == "win32":
            return subprocess.run(line, check=False).returncode
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, which would be handed on
            signal.signal(number, signal.SIG_DFL)
        os.execvp(line[0], line)
    except OSError as error:
        raise Failure(f"`{line[0]}` cannot be run: {error.strerror}") from error


command = click.Command(
    "dxc", callback=_run, params=_options(), help=_HELP, context_settings={"allow_interspersed_args": False}
)
