"""What a repository compiles, found without configuration: roots, include directories, defines; and its host code."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from bindlint.audit.programs import MOST_HOSTS, host_files, programs
from bindlint.audit.tree import LARGEST_READ, Tree, nearest
from bindlint.audit.values import TOLD_KINDS, Discovery, Note, Program, Unit
from bindlint.discovery import beginning
from bindlint.errors import BindlintError
from bindlint.manifest import ManifestReader, include_roots
from bindlint.manifests import PROJECT_SUFFIXES, SHADERMAKE_SUFFIX, SourceOptions, entries
from bindlint.model.shader import Shader
from bindlint.paths import SHADER_SUFFIXES, ending_of

MOST_COMPILATIONS = 256
"""Of one file; what manifests name beyond is left out, and that is said."""
MOST_UNITS = 50_000
MODEL = "6_6"
"""Of what projects and configurations name without a shader model; the same as of entry points that are found."""
_MOST_NOTES = 500
_OPTION = re.compile(r" \(--[\w-]+\)$")
_HEADERS = (".hlsli", ".fxh", ".ush")
_SEARCHED = 2_000
"""Files that one shader is followed through."""


class Discoverer:
    """Searches the working directory as the top of a repository. `most_units` shaders and no more are taken."""

    def __init__(self, most_units: int = MOST_UNITS) -> None:
        self._most_units = most_units
        self._tree = Tree(SHADER_SUFFIXES)
        self._notes: dict[Note, None] = {}
        self._roots = include_roots(".", ())
        self._included: set[str] = set()
        self._relative: dict[str, list[tuple[str, str]]] = {}

    @property
    def shaders(self) -> list[str]:
        """The shader files, whether they are compiled or only included."""
        return self._tree.shaders

    def completed(self, shader: Shader) -> Shader:
        """The shader with the include directories and defines that its files ask for."""
        return self._completed(Unit(shader, "")).shader

    def run(self) -> Discovery:
        units = list(self._from_manifests())
        named = {unit.file for unit in units}
        self._included |= self._included_beside()
        others = [path for path in self._tree.shaders if path not in named]
        found = [self._completed(Unit(Shader(path), "found")) for path in others if not self._is_header(path)]
        found = [unit for unit in found if not self._is_header(unit.file)]
        headers = len(others) - len(found)
        units += found
        if len(units) > self._most_units:
            left = len(units) - self._most_units
            self._say("limit", "", f"{left} shaders beyond the first {self._most_units} are not analysed")
        if not self._tree.shaders:
            self._say("empty", "", "no shader file is in it")
        hosts = host_files(self._tree)
        found_programs = tuple(self._bounded(program) for program in programs(self._tree, hosts))
        units.sort(key=lambda unit: posixpath.split(unit.file))
        if self._tree.odd_names:
            self._say("limit", "", f"{self._tree.odd_names} files whose names are no Unicode are passed over")
        notes = sorted(self._notes, key=lambda note: note.kind not in TOLD_KINDS)
        if len(notes) > _MOST_NOTES:
            left = len(notes) - _MOST_NOTES
            notes = [*notes[:_MOST_NOTES], Note("limit", "", f"{left} more notes are left out")]
        files = len(self._tree.shaders)
        return Discovery(tuple(units[: self._most_units]), files, headers, tuple(notes), found_programs, len(hosts))

    def _bounded(self, program: Program) -> Program:
        left = len(program.hosts) - MOST_HOSTS
        if left > 0:
            self._say("limit", program.folder, f"{left} of its files of C++ are left out; {MOST_HOSTS} are read")
        return msgspec.structs.replace(program, hosts=program.hosts[:MOST_HOSTS])

    def _is_header(self, path: str) -> bool:
        """Whether a file is there for others only: they include it, and it has no entry point that is not theirs."""
        return path in self._included and (path.lower().endswith(_HEADERS) or not self._tree.text(path).has_entry)

    def _included_beside(self) -> set[str]:
        """The files that shaders include from where they lie, themselves or through others."""
        found: set[str] = set()
        queue = list(self._tree.shaders)
        while queue:
            path = queue.pop()
            new = {other for _, other in self._direct(path) if other and other != path} - found
            found |= new
            queue += new
        return found

    def _say(self, kind: str, subject: str, message: str) -> None:
        self._notes[Note(kind, subject, message)] = None

    def _from_manifests(self) -> Iterator[Unit]:
        """The compilations that projects and configurations in the repository ask for, each once."""
        seen: set[Shader] = set()
        counts: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        for path in self._tree.files:
            if not _is_manifest(path):
                continue
            taken = 0
            for shader in self._shaders_of(path):
                if shader in seen:
                    continue
                seen.add(shader)
                counts[shader.file] += 1
                if counts[shader.file] > MOST_COMPILATIONS:
                    left_out[shader.file] += 1
                    continue
                taken += 1
                yield self._completed(Unit(shader, path))
            if taken:
                self._say("manifest", path, f"names {taken} compilations")
        for file, count in left_out.items():
            self._say("limit", file, f"{count} of its compilations are left out; {MOST_COMPILATIONS} are analysed")

    def _shaders_of(self, path: str) -> Iterator[Shader]:
        said: list[str] = []
        reader = ManifestReader(path)
        unusable = 0
        try:
            with open(path, "rb") as stream:
                for entry in entries(path, stream, SourceOptions(shader_model=MODEL), said.append):
                    job = None if entry.problem else reader.job(entry.line, entry.span)
                    shader = None if job is None or job.shader is None else self._inside(job.shader)
                    unusable += shader is None
                    if shader is not None:
                        yield shader
        except (BindlintError, OSError, ValueError, RecursionError) as error:
            self._say("manifest", path, f"cannot be read: {error}")
        if unusable:
            self._say("manifest", path, f"{unusable} of its entries name no shader of this repository")
        for message in said:
            self._say("manifest", path, _OPTION.sub("", message.removeprefix(f"{path}: ")))

    def _inside(self, shader: Shader) -> Shader | None:
        """The shader with paths relative to the repository; None where its file lies outside."""
        file = relative(shader.file)
        if file.startswith("../") or posixpath.isabs(file) or not self._tree.at("", file):
            return None
        folders = tuple(relative(folder) for folder in shader.include_dirs)
        return msgspec.structs.replace(shader, file=file, directory="", include_dirs=folders)

    def _completed(self, unit: Unit) -> Unit:
        """The unit with the include directories and defines that its files ask for."""
        shader = unit.shader
        folders = dict.fromkeys(shader.include_dirs)
        files: dict[str, None] = {shader.file: None}
        queue = [shader.file]
        places = {posixpath.dirname(shader.file): None}
        missing: list[tuple[str, str]] = []
        weight = 0
        while queue and len(files) < _SEARCHED:
            path = queue.pop()
            places[posixpath.dirname(path)] = None
            weight += self._tree.text(path).size
            for spelling, beside in self._direct(path):
                found = beside or self._from(spelling, [*folders, *places])
                if not found:
                    missing.append((spelling, path))
                elif found not in files:
                    files[found] = None
                    queue.append(found)
            if not queue:
                queue += self._searched(missing, folders, files)
                missing = []
        self._included.update(file for file in files if file != shader.file)
        defines = self._defines(shader, files)
        shader = msgspec.structs.replace(
            shader, include_dirs=tuple(folders), defines=(*shader.defines, *defines), roots=self._roots
        )
        return Unit(shader, unit.source, weight)

    def _direct(self, path: str) -> list[tuple[str, str]]:
        """Each include of a file and the file beside it that it means, "" where there is none."""
        if path not in self._relative:
            includes = self._tree.text(path).includes if _may_include(path) else ()
            folder = posixpath.dirname(path)
            self._relative[path] = [(spelling, self._tree.at(folder, spelling)) for spelling in includes]
        return self._relative[path]

    def _from(self, spelling: str, folders: list[str]) -> str:
        return next(filter(None, (self._tree.at(folder, spelling) for folder in folders)), "")

    def _searched(self, missing: list[tuple[str, str]], folders: dict[str, None], files: dict[str, None]) -> list[str]:
        """What is found elsewhere under the name of an include; the folder is added to `folders`."""
        found = []
        for spelling, path in missing:
            candidates = self._tree.ending(spelling)
            chosen = nearest(candidates, posixpath.dirname(path)) if candidates else ""
            if not chosen:
                if candidates:
                    self._included.update(candidates)
                    message = f"`{spelling}` may mean any of {len(candidates)} files, so none is taken"
                    self._say("include", path, message)
                continue
            folder = chosen[: -len(posixpath.normpath(spelling))].rstrip("/") or "."
            if folder not in folders:
                folders[folder] = None
                several = f", the nearest of {len(candidates)} files of that name" if len(candidates) > 1 else ""
                self._say("include-directory", folder, f"found for `{spelling}`{several}")
            if chosen not in files:
                files[chosen] = None
                found.append(chosen)
        return found

    def _defines(self, shader: Shader, files: dict[str, None]) -> Iterator[tuple[str, str]]:
        """Macros without which a file stops at an `#error`, unless something defines them."""
        given = {name for name, _ in shader.defines}
        needed = {name: path for path in files for name in self._tree.text(path).needed if name not in given}
        for name, path in needed.items():
            texts = [self._tree.text(file) for file in files]
            if any(name.encode() in text.defined for text in texts) or name.startswith("__"):
                continue
            self._say("define", name, f"is taken as 1, since `{path}` has an `#error` where it is not defined")
            yield name, "1"


def _may_include(path: str) -> bool:
    suffix = ending_of(path)
    return suffix in SHADER_SUFFIXES or suffix in (".h", ".hh", ".hpp", ".inl", ".inc", ".hlslh", ".cginc", ".shader")


def _is_manifest(path: str) -> bool:
    suffix = ending_of(path)
    if suffix in PROJECT_SUFFIXES:
        return b"FxCompile" in beginning(path, LARGEST_READ)
    return suffix == SHADERMAKE_SUFFIX and b" -T " in beginning(path, LARGEST_READ)


def relative(path: str) -> str:
    return os.path.relpath(path).replace(os.sep, "/")
