"""Command lines of a build: a JSON array of `{directory, command or arguments, file}` as compilation databases are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

import msgspec

from bindlint.arguments import Arguments, decode_text, native_path, parse_arguments
from bindlint.errors import UsageError
from bindlint.manifest import ManifestLine, readable_folder
from bindlint.manifests.entry import Entry, SourceOptions, unusable
from bindlint.manifests.reading import at_line, split_words
from bindlint.model.shader import Dialect

_COMPILER = re.compile(r"(?:.*[-_.])?(dxc|fxc)(?:[-_.].*)?", re.IGNORECASE)
_ENDS = frozenset(("&&", "||", ";", "&", "|"))
_NOT_COMPILING = frozenset(
    ("?", "help", "help-hidden", "version", "dumpbin", "recompile", "link", "P", "M", "Odump", "compress", "decompress")
)
_LEADING = 3
"""Words among which the compiler is looked for: `wine64 fxc.exe`, `ccache dxc`."""


def compiler_of(words: list[str] | tuple[str, ...]) -> tuple[int, Dialect] | None:
    """Which of the first words is the name of dxc or fxc, and which of the two; None where none is."""
    for index, word in enumerate(words[:_LEADING]):
        if word.startswith("-"):
            return None
        match = _COMPILER.fullmatch(os.path.basename(native_path(word)).lower().removesuffix(".exe"))
        if match is not None and not os.path.splitext(word)[1].lower().startswith((".hlsl", ".fx")):
            return index, "fxc" if match[1] == "fxc" else "dxc"
    return None


def not_compiling(arguments: Arguments, dialect: str) -> str:
    """Why a command line compiles nothing that has bindings; "" where it does."""
    flags = [flag for flag in arguments.flags if flag in _NOT_COMPILING]
    if flags:
        return f"`-{flags[0]}` compiles nothing"
    if dialect == "fxc":
        effects = any(fault.kind == "unknown-profile" and "`fx_" in fault.message for fault in arguments.faults)
        return "effects (`fx_5_0`) are not read" if effects else ""
    return ""


def read_commands(path: str, data: bytes, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    """The compilations of shaders in an array of commands; what other compilers do is counted and passed over."""
    text = decode_text(data).encode()
    try:
        values = msgspec.json.decode(text, type=list[msgspec.Raw])
        return _entries(path, text, [msgspec.json.decode(value) for value in values], values, options, tell)
    except msgspec.ValidationError as error:
        message = "is no array of commands (`directory`, `command` or `arguments`, `file`)"
        raise UsageError(f"{path}:1: {message}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        place = re.search(r"byte (\d+)", str(error))
        line = text[: int(place[1]) if place else None].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: is no JSON: {str(error)[:200]}") from error


def _entries(
    path: str,
    text: bytes,
    values: list[Any],
    written: list[msgspec.Raw],
    options: SourceOptions,
    tell: Callable[[str], None],
) -> Iterator[Entry]:
    line, place = 1, 0
    others = 0
    for number, (value, raw) in enumerate(zip(values, written, strict=True), 1):
        start = text.index(raw, place)
        line += text.count(b"\n", place, start)
        place = start
        span = at_line(path, line)
        fault = _fault(value)
        if fault:
            yield unusable("", f"entry {number}: {fault}", span)
            continue
        folder = value.get("directory", "")
        commands = _commands(split_words(value["command"])) if "command" in value else [value["arguments"]]
        found = []
        for directory, dialect, rest in _compilations(commands, folder):
            started = os.path.join(os.path.dirname(path), native_path(directory))
            arguments = parse_arguments(rest, started, (readable_folder(path),))
            if not not_compiling(arguments, dialect):
                found.append((directory, dialect, rest, arguments.inputs))
        others += not found
        for directory, dialect, rest, inputs in found:
            own = inputs[0] if len(inputs) == 1 else ""
            file = own if own and (len(found) > 1 or directory != folder) else value.get("file") or own
            if not file:
                yield unusable("", f"entry {number}: names no file", span)
                continue
            kept = tuple(word for word in rest if word not in inputs)
            yield Entry(ManifestLine(native_path(file), directory, (*kept, *options.words), dialect), span)
    if others:
        tell(f"{path}: {others} of {len(values)} entries compile no shader by dxc or fxc, and are passed over")


def _compilations(commands: Iterable[list[str]], directory: str) -> Iterator[tuple[str, Dialect, list[str]]]:
    """Of commands that follow each other: the folder, the compiler and its words, of each that is one of dxc or fxc."""
    for words in commands:
        compiler = compiler_of(words)
        if compiler is not None:
            yield directory, compiler[1], words[compiler[0] + 1 :]
        elif len(words) > 1 and words[0] == "cd":
            directory = os.path.join(directory, native_path(words[-1]))


def _commands(words: Iterable[str]) -> Iterator[list[str]]:
    """The commands that a shell makes of the words of a line."""
    for is_end, part in groupby(words, _ENDS.__contains__):
        if not is_end:
            yield list(part)


def _fault(value: Any) -> str:
    """What keeps an entry from being a command."""
    if not isinstance(value, dict):
        return "is no object"
    for key in ("directory", "command", "file"):
        if not isinstance(value.get(key, ""), str):
            return f"`{key}` is no string"
    arguments = value.get("arguments", [])
    if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
        return "`arguments` is no array of strings"
    return "" if "command" in value or "arguments" in value else "has neither `command` nor `arguments`"
