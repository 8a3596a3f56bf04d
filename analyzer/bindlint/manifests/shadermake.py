"""Configurations of ShaderMake: one shader a line, `{a,b}` for several, lines behind `#if` and `#ifdef`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

import msgspec

from bindlint.arguments import decode_text, native_path, parse_arguments
from bindlint.errors import did_you_mean
from bindlint.manifest import ManifestLine
from bindlint.manifests.entry import Entry, SourceOptions, unusable
from bindlint.manifests.reading import at_line, split_words
from bindlint.model.shader import STAGES

DEFAULT_MODEL = "6_5"
"""ShaderMake's own, where no `--shaderModel` is given."""
MOST_PERMUTATIONS = 1 << 14
"""Of one line; builds of more do not end either."""
MOST_OF_A_FILE = 1 << 16
"""Permutations of all lines together."""
_MOST_TEXT = 32 << 20
"""Characters of all lines together, with each of their permutations written out."""
_SEARCHED_FILES = 1 << 16

_VALUES = {
    "T": "profile", "E": "entryPoint", "D": "define", "o": "output", "O": "optimization", "s": "outputSuffix",
    "m": "shaderModel", "X": "compilerOptions",
}  # fmt: skip
_WORD = re.compile(r'(?:[^\s"]|"[^"]*(?:"|$))+')
_LONG = (*_VALUES.values(), "compilerOptionsDXIL", "compilerOptionsSPIRV")


class _LineError(Exception):
    """Why a line means nothing."""


def read_shadermake(path: str, data: bytes, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    """The compilations of a configuration; `tell` gets where files were looked for that are not beside it."""
    defined = {name for name, _ in parse_arguments(options.words).shader.defines}
    files = _Files(os.path.dirname(path))
    blocks = [True]
    opened: list[int] = []
    count = length = 0
    for number, line in enumerate(decode_text(data).splitlines(), 1):
        text = line.strip()
        span = at_line(path, number)
        if text.startswith("#"):
            fault = _directive(text, blocks, opened, number, defined)
            if fault:
                yield unusable("", fault, span)
        elif text and not text.startswith("//") and blocks[-1]:
            try:
                several, permutations = _permutations(text)
                count += several
                length += several * len(text)
                if count > MOST_OF_A_FILE or length > _MOST_TEXT:
                    opened.clear()
                    message = f"{count} permutations up to here; neither this line nor what follows is read"
                    yield unusable(native_path(text.split()[0]), message, span)
                    break
                for permutation in permutations:
                    found = _compilation(permutation, options)
                    place = files.place(found.file)
                    yield Entry(msgspec.structs.replace(found, directory=place), span)
            except _LineError as fault_of_line:
                yield unusable(native_path(text.split()[0]), str(fault_of_line), span)
    for start in opened:
        yield unusable("", "this has no `#endif`", at_line(path, start))
    if files.elsewhere:
        tell(f"{path}: shaders are taken from {', '.join(sorted(files.elsewhere))}, since they are not beside it")


def _directive(text: str, blocks: list[bool], opened: list[int], number: int, defined: set[str]) -> str:
    """What a conditional line does to the open blocks; says what is wrong with it."""
    name, _, rest = text[1:].strip().partition(" ")
    condition = rest.split("//")[0].strip()
    match name:
        case "ifdef" | "ifndef" if condition:
            blocks.append(blocks[-1] and (condition in defined) == (name == "ifdef"))
        case "if" if condition in ("0", "1"):
            blocks.append(blocks[-1] and condition == "1")
        case "else" if opened:
            blocks[-1] = blocks[-2] and not blocks[-1]
            return ""
        case "endif" if opened:
            blocks.pop()
            opened.pop()
            return ""
        case "else" | "endif":
            return f"`#{name}` without `#if`"
        case "if" | "ifdef" | "ifndef":
            blocks.append(blocks[-1])
            opened.append(number)
            return f"`{text}` is no condition of ShaderMake (`#ifdef NAME`, `#if 1`, `#if 0`); what follows is read"
        case _:
            return f"`{text}` is no line of ShaderMake"
    opened.append(number)
    return ""


def _permutations(text: str) -> tuple[int, Iterator[str]]:
    """How many there are of a line with one choice of each `{a,b}`, and each of them. Raises `_LineError`."""
    count = 1
    head, *groups = text.split("{")
    parts: list[tuple[list[str], str]] = []
    for group in groups:
        inside, closing, after = group.partition("}")
        if not closing:
            raise _LineError("`{` without `}`")
        choices = inside.split(",")
        count *= len(choices)
        parts.append((choices, after))
    if count > MOST_PERMUTATIONS:
        raise _LineError(f"{count} permutations; no more than {MOST_PERMUTATIONS} are read")
    return count, (_permutation(head, parts, index) for index in range(count))


def _permutation(head: str, parts: list[tuple[list[str], str]], index: int) -> str:
    """One of them, in the order of ShaderMake: the last choice changes first."""
    made: list[str] = []
    for choices, after in reversed(parts):
        index, chosen = divmod(index, len(choices))
        made += (after, choices[chosen])
    return "".join((head, *reversed(made)))


def _compilation(text: str, options: SourceOptions) -> ManifestLine:
    """What one permutation asks for. Raises `_LineError`."""
    file, *words = [word.replace('"', "") for word in _WORD.findall(text)] or [""]
    if not file:
        raise _LineError("names no file")
    values: dict[str, str] = {}
    defines: list[str] = []
    extra: list[str] = []
    queue = iter(words)
    for word in queue:
        name, value = _option(word, queue)
        if name == "define":
            defines += ("-D", value)
        elif name.startswith("compilerOptions"):
            extra += () if name.endswith("SPIRV") else split_words(value)
        else:
            values[name] = value
    stage = values.get("profile", "")
    if stage not in STAGES:
        raise _LineError(f"`-T` needs a stage{f', not `{stage}`' if stage else ''}: {', '.join(STAGES)}")
    model = (values.get("shaderModel") or options.shader_model or DEFAULT_MODEL).replace(".", "_")
    arguments = ["-T", f"{stage}_{model}"]
    if stage != "lib":
        arguments += ("-E", values.get("entryPoint", "main"))
    return ManifestLine(native_path(file), arguments=(*arguments, *defines, *extra, *options.words))


def _option(word: str, queue: Iterator[str]) -> tuple[str, str]:
    """The long name of an option and its value, joined or the next word. Raises `_LineError`."""
    if word.startswith("--"):
        name, equals, value = word[2:].partition("=")
        if name not in _LONG:
            raise _LineError(f"there is no option `{word}`{did_you_mean(name, _LONG)}")
    elif word.startswith("-") and word[1:2] in _VALUES:
        name, value = _VALUES[word[1]], word[2:]
        equals = value
    else:
        raise _LineError(f"`{word}` is no option of ShaderMake")
    if not equals:
        value = next(queue, "")
        if not value:
            raise _LineError(f"`{word}` needs a value")
    return name, value


class _Files:
    """Where the shaders of a configuration lie: beside it, or in the one folder below in which there is such a file.

    `elsewhere` are the folders of the second kind; ShaderMake is told them by `--sourceDir`.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._places: dict[str, str] = {}
        self._below: dict[str, list[str]] | None = None
        self.elsewhere: set[str] = set()

    def place(self, file: str) -> str:
        """The folder that `file` is relative to, from that of the configuration; "" too where it is not found."""
        known = self._places.get(file)
        if known is None:
            known = self._places[file] = self._find(file)
        return known

    def _find(self, file: str) -> str:
        if os.path.isfile(os.path.join(self._folder, file)):
            return ""
        ending = os.path.normpath(file)
        if ending.startswith(os.pardir) or os.path.isabs(ending):
            return ""
        if self._below is None:
            self._below = _files_by_name(self._folder or os.curdir)
        found = [p for p in self._below.get(os.path.basename(ending), ()) if p.endswith(os.sep + ending)]
        if len(found) != 1:
            return ""
        place = os.path.relpath(found[0][: -len(ending)], self._folder or os.curdir)
        self.elsewhere.add(place)
        return place


def _files_by_name(folder: str) -> dict[str, list[str]]:
    """The paths of the files below a folder, by their names; no more than anyone lists in a configuration."""
    found: dict[str, list[str]] = {}
    count = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            found.setdefault(name, []).append(os.path.join(parent, name))
        count += len(names)
        if count > _SEARCHED_FILES:
            break
    return found
