"""Visual Studio projects: the compilations that `FxCompile` items of one configuration ask for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

from bindlint.arguments import native_path, read_profile
from bindlint.errors import UsageError, did_you_mean
from bindlint.manifest import ManifestLine
from bindlint.manifests.entry import Entry, SourceOptions, unusable
from bindlint.manifests.msbuild import Item, Project, well_known
from bindlint.manifests.reading import at_line, split_words

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_STAGES = {
    "pixel": "ps", "vertex": "vs", "geometry": "gs", "hull": "hs", "domain": "ds", "compute": "cs", "library": "lib",
    "mesh": "ms", "amplification": "as", "rootsignature": "rootsig",
}  # fmt: skip
DEFAULT_MODEL = "5_0"
"""Where neither the project nor the user says one; what the build takes then depends on the Visual Studio."""


def read_project(path: str, data: bytes, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    """The compilations of one configuration of a project; `tell` gets which one, and what was assumed or left out.

    Raises `UsageError` for what is no project, and for a configuration that it does not have.
    """
    project = Project(path, data, "FxCompile", options.configuration)
    known = project.configurations
    if options.configuration and known and project.configuration not in known:
        hint = did_you_mean(options.configuration, known)
        several = ", ".join(f"`{name}`" for name in known)
        raise UsageError(f"{path}: has no configuration `{options.configuration}`{hint or f'; it has {several}'}")
    if len(known) > 1 and not options.configuration:
        tell(f"{path}: configuration {project.configuration}, the first of {len(known)} (--configuration)")
    for name in project.outside:
        tell(f"{path}: imports `{name}`, which lies outside the repository and is not read")
    return _entries(path, project, options, tell)


def _entries(path: str, project: Project, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    excluded = effects = unsaid = 0
    for item in project.items:
        if _value(item, "ExcludedFromBuild").lower() == "true":
            excluded += 1
            continue
        kind = _value(item, "ShaderType").lower()
        if kind in ("effect", "texture1d"):
            effects += 1
            continue
        if kind and kind not in _STAGES:
            message = f"there is no shader type `{_value(item, 'ShaderType')}`{did_you_mean(kind, _STAGES)}"
            yield unusable(item.include, message, at_line(item.file, item.line))
            continue
        said = _value(item, "ShaderModel") or options.shader_model
        unsaid += not said and bool(kind)
        yield _entry(path, item, _STAGES.get(kind, ""), said, options)
    if excluded:
        tell(f"{path}: {excluded} shaders are excluded from the build of {project.configuration}")
    if effects:
        tell(f"{path}: {effects} effects are passed over")
    if unsaid:
        tell(f"{path}: {unsaid} shaders have no shader model; {DEFAULT_MODEL} is taken (--shader-model)")


def _entry(path: str, item: Item, stage: str, model: str, options: SourceOptions) -> Entry:
    span = at_line(item.file, item.line)
    arguments: list[str] = []
    if stage:
        profile = f"{stage}_{(model or DEFAULT_MODEL).replace('.', '_')}"
        if stage == "rootsig":
            profile = "rootsig_1_1"
        if read_profile(profile) is None:
            return unusable(item.include, f"there is no target profile `{profile}`", span)
        arguments += ("-T", profile)
    if stage != "lib":
        entry = _value(item, "EntryPointName")
        arguments += ("-E", entry or "main") if stage or entry else ()
    for define in _parts(item, "PreprocessorDefinitions"):
        arguments += ("-D", define)
    folder = os.path.dirname(path)
    for include in _parts(item, "AdditionalIncludeDirectories"):
        arguments += ("-I", _from(folder, native_path(include)))
    arguments += split_words(_value(item, "AdditionalOptions"))
    return Entry(ManifestLine(_from(folder, item.include), arguments=(*arguments, *options.words)), span)


def _from(folder: str, path: str) -> str:
    """The path relative to the folder of the project."""
    try:
        return os.path.relpath(path, folder or os.curdir) if os.path.isabs(path) else path
    except ValueError:  # another drive of Windows
        return path


def _value(item: Item, name: str) -> str:
    return well_known(item.metadata.get(name.lower(), ""), item).strip()


def _parts(item: Item, name: str) -> Iterator[str]:
    """The parts of a list, without empty ones; what a list is inherited from is in it already. `%3B` is a semicolon."""
    parts = (part.strip() for part in _value(item, name).split(";"))
    return (_ESCAPE.sub(lambda match: chr(int(match[1], 16)), part) for part in parts if part)
