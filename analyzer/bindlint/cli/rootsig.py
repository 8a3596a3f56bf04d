"""`bindlint rootsig`: root signatures from and to every form."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from bindlint.arguments import native_path
from bindlint.cli import Failure
from bindlint.cli.inputs import Inputs, compiler_arguments, configuration, read_jobs
from bindlint.cli.output import write_output
from bindlint.config import LEVELS, Level, host_of
from bindlint.errors import BindlintError, UsageError, shortened
from bindlint.manifest import include_roots
from bindlint.model.finding import MISSING_ENTRY
from bindlint.model.root_signature import RootSignature
from bindlint.paths import SOURCE_SUFFIXES
from bindlint.report.terminal import escape
from bindlint.rootsig.convert import FORMS, Form, convert
from bindlint.rootsig.versions import VERSIONS

if TYPE_CHECKING:
    from bindlint.model.binding import ShaderAnalysis

_Command = TypeVar("_Command", bound=Callable[..., Any])
_COMPILER_OPTIONS = {"ignore_unknown_options": True}

_HELP = """Show, convert, compare and suggest root signatures.

A SOURCE is the text of a root signature, or a file: FILE.hlsl:MACRO, FILE.hlsl (what its entry point has; -T, -E, -D
and -I as in dxc), a compiled shader or a serialized signature (.cso .dxil .bin .rts0), FILE.toml#NAME, FILE.json#NAME,
FILE.cpp:FUNCTION.
"""


@click.group("rootsig", help=_HELP)
def command() -> None:
    pass


def _verb(name: str, metavar: str) -> Callable[[_Command], _Command]:
    """A verb with the words and options that all of them have."""

    def decorate(function: _Command) -> _Command:
        for option in (
            click.option("--isolated", is_flag=True, help="Read no configuration."),
            click.option("--config", metavar="FILE", help="Configuration in place of the nearest bindlint.toml."),
            click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar),
        ):
            function = option(function)
        return command.command(name, context_settings=_COMPILER_OPTIONS)(function)  # type: ignore[return-value]

    return decorate


def _output_options(function: _Command) -> _Command:
    for option in (
        click.option("--output", metavar="FILE", help="Write there and not to standard output."),
        click.option("--name", default="", help="Name of the macro, function or entry."),
        click.option("--version", type=click.Choice(VERSIONS), help="Version of the root signature."),
    ):
        function = option(function)
    return function


def _read(inputs: Inputs, least: int, most: int) -> list[tuple[str, tuple[RootSignature, ...]]]:
    """The signatures of each source that the words name."""
    from bindlint.bindings.analyse import Analyser
    from bindlint.facts.root_signature_files import split_source
    from bindlint.rootsig.sources import read_source

    config = configuration(inputs)
    arguments = compiler_arguments(inputs, config)
    if not least <= len(arguments.inputs) <= most:
        raise UsageError(f"name {'one source' if most == 1 else 'two sources'}, not {len(arguments.inputs)}")
    analyser = Analyser(host=host_of(config))
    found = []
    for source in arguments.inputs:
        path = split_source(native_path(source), os.path.isfile)[0]
        roots = include_roots(os.path.dirname(path), arguments.shader.include_dirs)
        shader = msgspec.structs.replace(arguments.shader, roots=roots)
        found.append((source, read_source(source, shader, analyser)))
    return found


@_verb("show", "[COMPILER OPTIONS] SOURCE")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(form: str, **values: Any) -> None:
    """Print what a root signature binds, how each parameter is set, and what it costs.

    Ends with 1 where nothing of it can be read.
    """
    from bindlint.cli.rootsig_text import plain, rich_print
    from bindlint.rootsig.table import table_of

    try:
        ((_, found),) = _read(Inputs(**values), 1, 1)
    except BindlintError as error:
        raise Failure(str(error)) from error
    tables = [table_of(signature) for signature in found]
    if form == "json":
        _write(msgspec.json.format(msgspec.json.encode({"version": 1, "root_signatures": tables}), indent=2) + b"\n")
    elif sys.stdout.isatty():
        rich_print(tables)
    else:
        _write("\n\n".join("\n".join(plain(table)) for table in tables).encode("utf-8", "backslashreplace") + b"\n")
    # What host code leaves open is no fault of its author's.
    raise SystemExit(1 if any(s.faults and not s.parameters and s.origin != "cpp" for s in found) else 0)


@_verb("convert", "[COMPILER OPTIONS] SOURCE")
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="The form that is wanted.")
@_output_options
def convert_command(form: Form, version: str | None, name: str, output: str | None, **values: Any) -> None:
    """Write a root signature in another form: HLSL, C++ (with d3dx12 or without), JSON, TOML or serialized bytes.

    What the form or version says no longer is told on standard error.
    """
    from bindlint.facts.root_signature_files import one_of

    try:
        ((source, found),) = _read(Inputs(**values), 1, 1)
        converted = convert(one_of(found, source), form, version, name)
        for lost in converted.lost:
            click.echo(escape(f"lost: {lost}"), err=True)
        _write(converted.data, output)
    except BindlintError as error:
        raise Failure(str(error)) from error


@_verb("diff", "[COMPILER OPTIONS] OLD NEW")
def diff(**values: Any) -> None:
    """Say what changes from one root signature to another, for shaders and for the code that sets root arguments.

    Exit status: 0 nothing, 1 something, 2 a source cannot be read.
    """
    from bindlint.facts.root_signature_files import one_of
    from bindlint.rootsig.diff import difference
    from bindlint.rootsig.words import refuse_faults

    try:
        old, new = (one_of(found, source) for source, found in _read(Inputs(**values), 2, 2))
        for signature in (old, new):
            refuse_faults(signature)
    except BindlintError as error:
        raise Failure(str(error)) from error
    found = difference(old, new)
    for heading, changes in (("for shaders:", found.shader), ("for callers:", found.caller)):
        if changes:
            click.echo(heading)
        for change in changes:
            click.echo(escape(f"  {change}"))
    raise SystemExit(1 if found else 0)


@_verb("suggest", "[COMPILER OPTIONS] [SHADERS]...")
@click.option("--manifest", metavar="FILE", help="JSON Lines of directory, file, arguments: all of their shaders.")
@click.option("--to", "form", type=click.Choice(FORMS), default="hlsl", show_default=True)
@_output_options
@click.option("--budget", type=click.IntRange(0, 64), default=0, show_default=True, metavar="DWORDS",
              help="DWORDs to spend on root constants and root descriptors in place of tables.")  # fmt: skip
@click.option("--constants", multiple=True, metavar="NAMES", help="Constant buffers that become root constants.")
@click.option("--frequency", multiple=True, metavar="NAME=HOW",
              help="How often a resource changes: per-draw, per-frame, static; or a TOML file.")  # fmt: skip
@click.option("--static-samplers", is_flag=True, help="Static samplers in place of tables of samplers.")
@click.option("--deny", is_flag=True, help="Deny access to the stages that need none.")
@click.option("--tier", type=click.Choice(["1", "2", "3"]), help="Resource binding tier that it must be valid on.")
@click.option("--feature-level", type=click.Choice(LEVELS), help="Feature level that it must be valid on.")
def suggest_command(
    form: Form,
    version: str | None,
    name: str,
    output: str | None,
    budget: int,
    constants: tuple[str, ...],
    frequency: tuple[str, ...],
    static_samplers: bool,
    deny: bool,
    tier: str | None,
    feature_level: Level | None,
    **values: Any,
) -> None:
    """Make a root signature that covers just what the SHADERS use together, at the smallest cost.

    Without --budget buffers share descriptor tables. Of several entry points in a file all count; -T and -E choose one.
    Why each parameter is as it is stands in comments, or on standard error where the form has none.

    Exit status: 0, or 1 where the target cannot hold what the shaders need.
    """
    from bindlint.rootsig.frequency import read_frequencies
    from bindlint.rootsig.suggest import Wishes, suggest

    try:
        inputs = Inputs(**values, tier=tier, feature_level=feature_level)
        config = configuration(inputs)
        wishes = Wishes(
            budget,
            tuple(part.strip() for word in constants for part in word.split(",") if part.strip()),
            static_samplers,
            deny,
            config.target.target,
            read_frequencies(frequency),
        )
        made = suggest(_analyses(inputs), wishes)
        signature = made.signature if version != "1.0" else _plain(made.signature)
        commented = form in ("hlsl", "cpp", "cpp-raw", "toml")
        converted = convert(signature, form, version, name, made.reasons if commented else None)
    except BindlintError as error:
        raise Failure(str(error)) from error
    if not commented:
        for index, reason in made.reasons.items():
            click.echo(escape(f"parameter {index}: {reason}"), err=True)
    for note in made.notes:
        click.echo(escape(f"note: {note}"), err=True)
    for fault in made.faults:
        click.echo(escape(f"error: {fault}"), err=True)
    _write(converted.data, output)
    raise SystemExit(1 if made.faults else 0)


def _plain(signature: RootSignature) -> RootSignature:
    """The same in version 1.0, where everything is volatile and nothing is lost by not saying so."""
    from bindlint.rootsig.versions import in_version

    return in_version(signature, "1.0")[0]


def _analyses(inputs: Inputs) -> list[ShaderAnalysis]:
    """Every shader that the words or the manifest name, analysed."""
    from bindlint.bindings.analyse import Analyser

    jobs = read_jobs(inputs, configuration(inputs))
    analyser = Analyser()
    found: list[ShaderAnalysis] = []
    for job in jobs:
        if job.shader is None:
            raise UsageError(job.problems[0].message if job.problems else f"{job.file} cannot be used")
        if job.file.lower().endswith(SOURCE_SUFFIXES):
            raise UsageError(f"{job.file} is C++, and a suggestion is made of shaders; `rootsig show` reads C++")
        shader = msgspec.structs.replace(job.shader, roots=job.roots)
        shaders = (shader,) if shader.profile else analyser.discover(shader)
        found += [analyser.analyse(shader) for shader in shaders]
    for analysis in found:
        absent = [problem for problem in analysis.problems if problem.kind == MISSING_ENTRY]
        if analysis.status == "failed" or absent:
            raise UsageError(f"{analysis.shader.file}: {(absent or analysis.problems)[0].message}")
    if not any(analysis.entries for analysis in found):
        files = ", ".join(dict.fromkeys(analysis.shader.file for analysis in found))
        raise UsageError(f"{shortened(files)}: no entry point is found, so there is nothing to make a suggestion of")
    return found


def _write(data: bytes, output: str | None = None) -> None:
    if output is not None:
        write_output(output, (data,))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
