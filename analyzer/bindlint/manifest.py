"""Manifests: JSON Lines of `{"directory", "file", "arguments"}`, streamed to jobs; a bad line never stops a run."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from bindlint.arguments import Arguments, native_path, parse_arguments
from bindlint.config import repository_root
from bindlint.errors import shortened
from bindlint.model.finding import Problem
from bindlint.model.shader import Dialect, Profile, Shader
from bindlint.model.source import Span
from bindlint.paths import SHADER_SUFFIXES, ending_of, is_inside, path_fault


class Job(msgspec.Struct, frozen=True):
    """One shader to check, or why there is none. `file` is as it was given, `roots` what includes must not leave."""

    file: str
    shader: Shader | None = None
    problems: tuple[Problem, ...] = ()
    roots: tuple[str, ...] = ()


class ManifestLine(msgspec.Struct, frozen=True):
    """What one line holds; other keys are passed over. `compiler` is by default the one that has such a profile."""

    file: str
    directory: str = ""
    arguments: tuple[str, ...] = ()
    compiler: Dialect | None = None


LONGEST_LINE = 4 << 20
"""Bytes. A command line of Windows has 32 thousand; what goes on longer is a device, or no manifest."""

_PIECE = 1 << 16

PROJECT_SUFFIXES = (".vcxproj", ".vcxitems")
"""Endings of Visual Studio projects."""


def manifest_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a manifest in UTF-8, one at a time; PowerShell writes UTF-16.

    Of a line longer than `LONGEST_LINE` comes a beginning that is longer as well, and nothing of what follows.
    """
    first = stream.readline(LONGEST_LINE + 1)
    if first[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        lines = _decoded(chain((first,), iter(lambda: stream.read(_PIECE), b"")))
    else:
        lines = chain((first.removeprefix(codecs.BOM_UTF8),), iter(lambda: stream.readline(LONGEST_LINE + 1), b""))
    for line in lines:
        yield line
        if len(line) > LONGEST_LINE:
            return


def _decoded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    rest = ""
    for piece in pieces:
        *lines, rest = (rest + decoder.decode(piece)).split("\n")
        yield from (line.encode("utf-8", "replace") for line in lines)
        if len(rest) > LONGEST_LINE:
            break
    yield rest.encode("utf-8", "replace")


class ManifestReader:
    """Reads one manifest. Relative directories start at the folder of the manifest, as that is spelled.

    Includes may be read from the include directories of a line; where `declared` are given, of those outside of the
    manifest's repository from these alone.
    """

    def __init__(self, path: str, declared: tuple[str, ...] | None = None) -> None:
        self.path = path
        self._declared = declared
        self._folder = os.path.dirname(path)
        self._within = readable_folder(path)
        self._repository = self._within if self._within and os.path.exists(os.path.join(self._within, ".git")) else ""
        self._decode = msgspec.json.Decoder(ManifestLine).decode
        self._roots: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        self._places: dict[str, tuple[str, ...]] = {}

    def jobs(self, lines: Iterable[bytes]) -> Iterator[Job]:
        """One job a line that is not blank, in order."""
        for number, line in enumerate(lines, 1):
            if line.strip() or len(line) > LONGEST_LINE:
                yield self._job(line, Span(self.path, number, 1, number, 1))

    def _job(self, line: bytes, span: Span) -> Job:
        if len(line) > LONGEST_LINE:
            message = f"line {span.line} is longer than {LONGEST_LINE} bytes; neither it nor what follows is read"
            return Job("", problems=(Problem("manifest-line", message, span),))
        try:
            entry = self._decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            message = f"line {span.line} is no manifest line: {_uncapitalized(str(error))}"
            return Job(_file_of(line), problems=(Problem("manifest-line", message, span),))
        return self.job(entry, span)

    def job(self, entry: ManifestLine, span: Span) -> Job:
        """The job of a line that stands at `span`."""
        directory = os.path.join(self._folder, native_path(entry.directory))
        file = os.path.join(directory, native_path(entry.file))
        arguments = parse_arguments(entry.arguments, directory, self._readable(file))
        problems = _problems(arguments, entry.file, file, span)
        if self._repository and not is_inside(file, self._repository):
            message = f"{shortened(entry.file)} lies outside of the repository that the manifest is in"
            return Job(entry.file, None, (Problem("missing-file", message, span),))
        if any(problem.partial for problem in problems):
            return Job(entry.file, None, problems)
        if self._within and not (_is_shader(file) or self._is_near(file)):
            message = f"{shortened(entry.file)} has no ending of shaders, and lies outside of `{self._within}`"
            message += ", where the manifest is, and of the working directory"
            return Job(entry.file, None, (Problem("missing-file", message, span),))
        shader = compiled_by(entry.compiler, msgspec.structs.replace(arguments.shader, file=file))
        key = (directory, shader.include_dirs)
        if key not in self._roots:
            self._roots[key] = include_roots(directory, self._opened(shader.include_dirs))
        return Job(entry.file, shader, problems, self._roots[key])

    def _readable(self, file: str) -> tuple[str, ...]:
        """Where what a line names beside its file may lie: where the manifest is, or where the shader is."""
        if not self._within:
            return ()
        if not (_is_shader(file) and os.path.isfile(file)):
            return (self._within,)
        beside = os.path.dirname(file)
        if beside not in self._places:
            folder = readable_folder(file)
            inside = is_inside(folder, self._within)
            self._places[beside] = (self._within,) if inside else (self._within, folder)
        return self._places[beside]

    def _is_near(self, file: str) -> bool:
        """Whether a file lies where the manifest or the user is."""
        return is_inside(file, self._within) or is_inside(file, readable_folder(os.path.join(os.getcwd(), "")))

    def _opened(self, folders: tuple[str, ...]) -> Iterator[str]:
        """The include directories that includes may lead into."""
        for folder in folders:
            declared = self._declared is None or not self._repository or folder in self._declared
            if declared or is_inside(folder, self._repository):
                yield folder


def readable_folder(path: str) -> str:
    """Where files may lie that are read with that one: in its repository, or else its folder; "" for anywhere."""
    folder = Path(os.path.realpath(os.path.dirname(path)))
    return "" if path == "-" else str(repository_root(folder) or folder)


def compiled_by(compiler: Dialect | None, shader: Shader) -> Shader:
    """The shader as that compiler makes it: dxc takes a profile below 6.0 for 6.0, and says so."""
    if compiler is None:
        return shader
    profile = shader.profile
    if compiler == "dxc" and profile is not None and profile.major < 6 and profile.stage != "rootsig":
        profile = Profile(profile.stage, 6, 0)
    return msgspec.structs.replace(shader, dialect=compiler, profile=profile)


def include_roots(folder: str, declared: Iterable[str]) -> tuple[str, ...]:
    """What includes must not leave: the repository of `folder`, or else that folder, and those `declared` beside it."""
    place = Path(os.path.realpath(folder))
    root = repository_root(place) or place
    others = {Path(os.path.realpath(each)) for each in declared if "\0" not in each}
    return (str(root), *sorted(str(each) for each in others if not each.is_relative_to(root)))


def _problems(arguments: Arguments, given: str, file: str, span: Span) -> tuple[Problem, ...]:
    problems = [
        Problem(fault.kind, fault.message, span, partial=False)
        if fault.kind == "unknown-option"
        else Problem("arguments", fault.message, span)
        for fault in arguments.faults
    ]
    table = arguments.shader.binding_table_file
    if table and not os.path.isfile(table):
        problems.append(Problem("arguments", f"there is no binding table `{table}`", span))
    for word in arguments.inputs:
        if os.path.basename(native_path(word)) != os.path.basename(file):
            message = f"argument `{word}` is no option and is passed over: the manifest names the file"
            problems.append(Problem("extra-argument", message, span, partial=False))
    if not os.path.isfile(file):
        why = path_fault(file)
        problems.append(Problem("missing-file", f"there is no file `{given}`" + (f": {why}" if why else ""), span))
    return tuple(problems)


def _is_shader(file: str) -> bool:
    return not path_fault(file) and ending_of(os.path.realpath(file)) in SHADER_SUFFIXES


def _uncapitalized(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _file_of(line: bytes) -> str:
    """The file that a line with some other fault names, as far as that can be read."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    file = value.get("file", "") if isinstance(value, dict) else ""
    return file if isinstance(file, str) else ""
