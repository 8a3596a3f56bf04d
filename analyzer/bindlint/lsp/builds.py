"""How the build compiles the shaders of a workspace: by manifests that are found there, or that the editor names."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bindlint.discovery import beginning, files_below
from bindlint.errors import UsageError
from bindlint.manifest import PROJECT_SUFFIXES, Job, ManifestReader, include_roots, manifest_lines
from bindlint.manifests import SHADERMAKE_SUFFIX, SourceOptions, entries, kind_of
from bindlint.manifests.reading import LARGEST
from bindlint.model.shader import Shader
from bindlint.paths import is_inside, path_fault

COMMANDS_NAME = "compile_commands.json"
SUFFIXES = (*PROJECT_SUFFIXES, SHADERMAKE_SUFFIX)
_PROJECT_SUFFIX = ".vcxproj"
"""Items that projects share are compiled by the projects that import them."""
_SHADERMAKE = re.compile(rb"^[ \t]*[^#/\s]\S*[ \t].*-T[ \t]", re.M)


class Builds:
    """The manifests of some folders, each read when the first shader that it names is asked for.

    `named` are the editor's own, relative to the first folder; None takes those that are found. Of one file `most`
    compilations are to be judged.
    """

    def __init__(self, folders: Sequence[str], named: Iterable[str] | None = None, most: int = 64) -> None:
        self.folders = folders
        self.most = most
        self._named = None if named is None else tuple(named_manifests(folders, named))
        self._texts: dict[str, bytes] | None = None
        self._known: dict[str, tuple[Shader, ...]] = {}
        self._shaders: dict[str, dict[str, dict[Shader, None]]] = {}
        self.faults: dict[str, str] = {}
        """Why manifests cannot be used, by their path."""

    def forget(self) -> None:
        """Look again which manifests there are, and what they say."""
        self._texts = None
        self._known.clear()
        self._shaders.clear()
        self.faults.clear()

    def shaders(self, file: str) -> tuple[Shader, ...]:
        """The compilations of a file; none where no manifest has it."""
        if file not in self._known:
            self._known[file] = self._compilations(file)
        return self._known[file]

    def _compilations(self, file: str) -> tuple[Shader, ...]:
        if self._texts is None:
            paths = self._found() if self._named is None else self._named
            self._texts = {path: beginning(path, LARGEST).lower() for path in paths}
        if path_fault(file):
            return ()
        name = os.path.basename(file).lower()
        real = os.path.realpath(file)
        found: dict[Shader, None] = {}
        for path, text in self._texts.items():
            if self._named is not None or _may_name(path, text, name):
                if path not in self._shaders:
                    self._shaders[path] = self._read(path)
                found |= self._shaders[path].get(real, {})
        return tuple(dict.fromkeys(msgspec.structs.replace(shader, file=file) for shader in found))

    def _found(self) -> Iterator[str]:
        for folder in self.folders:
            # What a build makes is mostly ignored by git, and so is not met on the way.
            yield from sorted(glob.glob(os.path.join(glob.escape(folder), "*", COMMANDS_NAME)))
            yield from filter(_is_manifest, files_below(folder, {*SUFFIXES, ".json"}))

    def _read(self, path: str) -> dict[str, dict[Shader, None]]:
        """The shaders that a manifest compiles, by the real path of their file."""
        found: dict[str, dict[Shader, None]] = {}
        try:
            for job in _jobs(path):
                if job.shader is not None:
                    file = os.path.realpath(job.shader.file)
                    shader = msgspec.structs.replace(job.shader, file=file, roots=self._roots(job, file))
                    found.setdefault(file, {})[shader] = None
        except (UsageError, OSError) as error:
            self.faults[path] = str(error)
        return found

    def _roots(self, job: Job, file: str) -> tuple[str, ...]:
        """What includes must not leave; a manifest that was only found opens nothing outside of the workspace."""
        own = include_roots(os.path.dirname(file), self.folders)
        named = self._named is not None
        return tuple(dict.fromkeys((*own, *(r for r in job.roots if named or any(is_inside(r, o) for o in own)))))


def _is_manifest(path: str) -> bool:
    name = os.path.basename(path).lower()
    if name.endswith(SHADERMAKE_SUFFIX):
        return _SHADERMAKE.search(beginning(path, LARGEST)) is not None
    return name.endswith(_PROJECT_SUFFIX) or name == COMMANDS_NAME


def _may_name(path: str, text: bytes, name: str) -> bool:
    """Whether a manifest can have a file: projects also name by what they import, and in many spellings."""
    if path.lower().endswith(_PROJECT_SUFFIX) or not name.isascii():
        return True
    return name.encode() in text or b"\0" in text or b"\\u" in text


def named_manifests(folders: Sequence[str], named: Iterable[str]) -> Iterator[str]:
    """The paths of manifests that the editor names."""
    start = folders[0] if folders else ""
    yield from (os.path.normpath(os.path.join(start, path)) for path in named)


def _jobs(path: str) -> Iterator[Job]:
    reader = ManifestReader(path)
    with open(path, "rb") as stream:
        kind = kind_of(path, stream.peek(64))
        if kind == "lines":
            yield from reader.jobs(manifest_lines(stream))
        else:
            found = entries(path, stream, SourceOptions(), lambda _: None, kind)
            yield from (reader.job(entry.line, entry.span) for entry in found if entry.problem is None)
