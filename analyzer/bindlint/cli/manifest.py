"""`bindlint manifest`: our manifest out of what a build knows about its shaders."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click
import msgspec

from bindlint.arguments import native_path, parse_arguments
from bindlint.cli import Failure
from bindlint.cli.inputs import Inputs, source_options, tell
from bindlint.cli.output import write_output
from bindlint.errors import BindlintError, UsageError
from bindlint.manifests import Entry, NothingAskedError, SourceOptions, asked_entries, kind_of
from bindlint.words import counted

_HELP = """Write our manifest, JSON Lines of directory, file and arguments, from what a build has.

SOURCES are Visual Studio projects (.vcxproj), configurations of ShaderMake (.cfg), and JSON arrays of commands such as
compile_commands.json. Compiler options (-D, -I, -HV and all others) are added to every line. Paths are relative to the
folder of --output, or else to the working directory. `bindlint check --manifest SOURCE` reads the same sources.

Exit status: 0; 1 where some lines of a source cannot be used; 2 where a source cannot be read at all, or
none asks for a shader.
"""


@click.command("manifest", help=_HELP, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMPILER OPTIONS] SOURCES...")
@click.option("-o", "--output", metavar="FILE", help="Where to (default: standard output).")
@click.option("--configuration", metavar="NAME", help="Of a Visual Studio project, such as `Debug|x64`.")
@click.option("--shader-model", metavar="X_Y", help="Where a project or a ShaderMake configuration says none.")
def command(words: tuple[str, ...], output: str | None, configuration: str | None, shader_model: str | None) -> None:
    sources = parse_arguments(words).inputs
    if not sources:
        raise Failure("name a source: a .vcxproj, a ShaderMake .cfg or a .json array of commands")
    options = tuple(word for word in words if word not in sources)
    inputs = Inputs(options, configuration=configuration, shader_model=shader_model)
    base = os.path.dirname(output) if output else ""
    lines: list[bytes] = []
    unusable = 0
    nothing: list[NothingAskedError] = []
    try:
        asked = source_options(inputs)
        for source in sources:
            try:
                found = list(_entries(native_path(source), asked))
            except NothingAskedError as error:
                nothing.append(error)
                continue
            for entry in found:
                if entry.problem:
                    unusable += 1
                    tell(f"{entry.span.file}:{entry.span.line}: {entry.problem.message}")
                else:
                    lines.append(_line(entry, os.path.dirname(native_path(source)), base, len(asked.words)))
        if nothing and not (lines or unusable):
            raise nothing[0]
        for told in nothing:
            tell(str(told))
        _write(output, b"".join(lines))
    except BindlintError as error:
        raise Failure(str(error)) from error
    tell(counted(len(lines), "compilation"))
    raise SystemExit(int(unusable > 0))


def _entries(path: str, options: SourceOptions) -> Iterator[Entry]:
    try:
        with open(path, "rb") as stream:
            kind = kind_of(path, stream.peek(64))
            if kind == "lines":
                raise UsageError(f"`{path}` is no .vcxproj, no .cfg and no .json array of commands")
            yield from asked_entries(path, stream, options, tell, kind)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {error.strerror}") from error


def _line(entry: Entry, folder: str, base: str, given: int) -> bytes:
    """The line as it holds in the folder `base`; of its arguments the last `given` are those of our command line."""
    directory = os.path.join(folder, native_path(entry.line.directory))
    line = entry.line
    kept = len(line.arguments) - given
    own = (word[:2] + _relative(word[2:], directory) if word[1:2] == "I" else word for word in line.arguments[kept:])
    values = {
        "directory": _relative(directory, base),
        "file": line.file,
        "arguments": [*line.arguments[:kept], *own],
    }
    if line.compiler is not None:
        values["compiler"] = line.compiler
    return msgspec.json.encode(values) + b"\n"


def _relative(path: str, start: str) -> str:
    try:
        return os.path.relpath(path or os.curdir, start or os.curdir).replace(os.sep, "/")
    except ValueError:  # another drive of Windows
        return os.path.abspath(path).replace(os.sep, "/")


def _write(output: str | None, data: bytes) -> None:
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_output(output, (data,))
