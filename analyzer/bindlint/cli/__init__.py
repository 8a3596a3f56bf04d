"""The command line: `bindlint`, one module a command, each imported when it is called."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import Any

import click

COMMANDS = {
    "audit": "Audit whole repositories of shaders, without configuration.",
    "check": "Check shaders and report what is wrong with their bindings.",
    "dxc": "Check what one command line of dxc or fxc compiles, and run it.",
    "explain": "Print the page of a rule, or which rules a message of another tool is about.",
    "graph": "Write the graph of shaders, root signatures, pipelines and host calls.",
    "impact": "Tell who uses registers, and what breaks if they move.",
    "init": "Write a bindlint.toml from what is found.",
    "integration": "Print the file by which CMake, MSBuild, pre-commit or GitHub run bindlint.",
    "manifest": "Write a manifest from what a build knows about its shaders.",
    "new-rule": "Make the module and the page of a new rule.",
    "rootsig": "Show, convert, compare and suggest root signatures.",
    "rules": "Print the table of all rules.",
    "server": "Run the language server, for editors.",
    "show": "Print binding tables and root signatures of shaders.",
}


class Failure(click.ClickException):
    """What ends a command with exit status 2: something about the input or the configuration that is no finding."""

    exit_code = 2

    def format_message(self) -> str:
        from bindlint.errors import shortened
        from bindlint.report.terminal import escape

        return escape(shortened(self.message))


class _LazyGroup(click.Group):
    """Knows its commands by name and one line; their modules are imported when they run."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("bindlint: stopped", err=True)
            raise SystemExit(128 + signal.SIGINT) from None
        except UnicodeEncodeError as error:
            raise Failure(f"`{error.object}` is no text that {error.encoding} can hold") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = importlib.import_module(f"bindlint.cli.{name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            from bindlint.errors import did_you_mean

            ctx.fail(f"There is no command '{args[0]}'{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        click.echo(f"bindlint {version('bindlint')}")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Print the version."
)
def group() -> None:
    """Static analysis of HLSL resource bindings: registers, root signatures, limits."""


def _terminated(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; ends with 0 (clean), 1 (findings), 2 (usage or internal error) or 130 (Ctrl-C)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started this process
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminated)
    try:
        group(args=arguments, prog_name="bindlint")
    except OSError as error:  # a full disk, a working directory that is gone
        what = f"`{error.filename}`: " if error.filename else ""
        click.echo(f"Error: {Failure(what + (error.strerror or str(error))).format_message()}", err=True)
        os._exit(2)  # what could not be written must not be tried again
