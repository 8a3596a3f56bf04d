"""Visual Studio projects: the compilations that `FxCompile` items ask for, and how the build names their results."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from bindlint.arguments import native_path, parse_arguments, read_profile
from bindlint.errors import UsageError, did_you_mean
from bindlint.manifest import ManifestLine
from bindlint.manifests.entry import Entry, SourceOptions, unusable
from bindlint.manifests.msbuild import Item, Project, configurations_of, unescaped, well_known
from bindlint.manifests.reading import LARGEST, at_line, split_words
from bindlint.manifests.xml_tree import parse_xml
from bindlint.project.builds import Build

_STAGES = {
    "pixel": "ps", "vertex": "vs", "geometry": "gs", "hull": "hs", "domain": "ds", "compute": "cs", "library": "lib",
    "mesh": "ms", "amplification": "as", "rootsignature": "rootsig",
}  # fmt: skip
DEFAULT_MODEL = "5_0"
"""Where neither the project nor the user says one; what the build takes then depends on the Visual Studio."""
_OUTPUTS = ("ObjectFileOutput", "HeaderFileOutput")
_RESULT = re.compile(r"""(?:^|\s)[-/]F[oh]\s*(?:"([^"]+)"|([^\s"]+))""")
_MOST_CONFIGURATIONS = 8
_MOST_TOLD = 5


def read_project(path: str, data: bytes, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    """The compilations of one configuration of a project; `tell` gets which one, and what was assumed or left out.

    Raises `UsageError` for what is no project, and for a configuration that it does not have.
    """
    project = Project(path, parse_xml(path, data), ("FxCompile",), options.configuration)
    known = project.configurations
    if options.configuration and known and project.configuration not in known:
        hint = did_you_mean(options.configuration, known)
        several = ", ".join(f"`{name}`" for name in known)
        raise UsageError(f"{path}: has no configuration `{options.configuration}`{hint or f'; it has {several}'}")
    if len(known) > 1 and not options.configuration:
        tell(f"{path}: configuration {project.configuration}, the first of {len(known)} (--configuration)")
    for name in project.outside:
        tell(f"{path}: imports `{name}`, which lies outside the repository and is not read")
    for condition in islice(project.unread, _MOST_TOLD):
        shown = condition if len(condition) <= 200 else f"{condition[:200]}..."
        tell(f"{path}: condition `{shown}` is not understood; what hangs on it may be missing")
    if len(project.unread) > _MOST_TOLD:
        tell(f"{path}: {len(project.unread) - _MOST_TOLD} more conditions are not understood")
    return _entries(path, project, options, tell)


def _entries(path: str, project: Project, options: SourceOptions, tell: Callable[[str], None]) -> Iterator[Entry]:
    excluded = effects = unsaid = 0
    for item in project.items:
        if _is_excluded(item):
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
        profile = _profile(stage, model or DEFAULT_MODEL)
        if read_profile(profile) is None:
            return unusable(item.include, f"there is no target profile `{profile}`", span)
        arguments += ("-T", profile)
    if stage != "lib":
        entry = _value(item, "EntryPointName")
        arguments += ("-E", entry or "main") if stage or entry else ()
    for define in _parts(_written(item, "PreprocessorDefinitions")):
        arguments += ("-D", define)
    folder = os.path.dirname(path)
    for include in _parts(_written(item, "AdditionalIncludeDirectories")):
        arguments += ("-I", _from(folder, native_path(include)))
    arguments += split_words(_value(item, "AdditionalOptions"))
    return Entry(ManifestLine(_from(folder, item.include), arguments=(*arguments, *options.words)), span)


def read_builds(path: str) -> tuple[Build, ...]:
    """How a project compiles its shaders, by its own rule or by custom builds; nothing where it cannot be read."""
    alike: defaultdict[tuple[str, str, str, int], list[Item]] = defaultdict(list)
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            return ()
        root = parse_xml(path, data)
        for name in configurations_of(root)[:_MOST_CONFIGURATIONS] or ("",):
            for item in Project(path, root, ("FxCompile", "CustomBuild"), name).items:
                alike[item.kind, item.include, item.file, item.line].append(item)
    except (OSError, UsageError):
        return ()
    return tuple(_builds(os.path.dirname(path), alike.values()))


def _builds(folder: str, alike: Iterable[list[Item]]) -> Iterator[Build]:
    for items in alike:
        # What every configuration excludes may be compiled by another step, with the same settings.
        compiled = [item for item in items if not _is_excluded(item)] or items
        file = os.path.normpath(os.path.join(folder, items[0].include))
        if items[0].kind == "fxcompile":
            yield _build(file, compiled)
        else:
            yield from _custom_builds(file, compiled)


def _custom_builds(file: str, items: list[Item]) -> Iterator[Build]:
    """What commands, one to a line, compile a shader to; not what the configurations compile differently."""
    found: defaultdict[tuple[str, ...], set[Build]] = defaultdict(set)
    for line in (line for item in items for line in _value(item, "Command").splitlines()):
        shader = parse_arguments([word for word in split_words(line) if not word.startswith("@")][1:]).shader
        outputs = _stems(match[1] or match[2] for match in _RESULT.finditer(line))
        if outputs and shader.profile is not None:
            stage, profile = shader.profile.stage, str(shader.profile)
            found[outputs].add(Build(file, outputs, _joined(stage), shader.entry or "main", profile, shader.defines))
    yield from (build for builds in found.values() if len(builds) == 1 for build in builds)


def _build(file: str, items: list[Item]) -> Build:
    """One shader from what it is in several configurations."""

    def said(name: str) -> list[str]:
        values = (_written(item, name) for item in items)
        return [*dict.fromkeys(value for value in values if value)]

    def agreed(name: str, default: str = "") -> str:
        values = said(name) or [default]
        return values[0] if len(values) == 1 else ""

    stage = _STAGES.get(agreed("ShaderType").lower(), "")
    profile = _profile(stage, agreed("ShaderModel"))
    defines = (define.partition("=") for define in _parts(agreed("PreprocessorDefinitions")))
    return Build(
        file,
        _stems([unescaped(value) for key in _OUTPUTS for value in said(key)] or [file]),
        _joined(stage),
        "" if stage == "lib" else unescaped(agreed("EntryPointName", "main")),
        profile if read_profile(profile) else "",
        tuple((name, value if sign else "1") for name, sign, value in defines),
    )


def _stems(paths: Iterable[str]) -> tuple[str, ...]:
    """The names of results without folder and ending, in lower case."""
    names = (os.path.basename(native_path(path)) for path in paths)
    return tuple(dict.fromkeys(os.path.splitext(name)[0].lower() for name in names if name))


def _joined(stage: str) -> str:
    """The stage as which a pipeline may name it; a root signature is of none."""
    return "" if stage == "rootsig" else stage


def _is_excluded(item: Item) -> bool:
    return _value(item, "ExcludedFromBuild").lower() == "true"


def _profile(stage: str, model: str) -> str:
    return "rootsig_1_1" if stage == "rootsig" else f"{stage}_{model.replace('.', '_')}"


def _from(folder: str, path: str) -> str:
    """The path relative to the folder of the project."""
    try:
        return os.path.relpath(path, folder or os.curdir) if os.path.isabs(path) else path
    except ValueError:  # another drive of Windows
        return path


def _value(item: Item, name: str) -> str:
    return unescaped(_written(item, name))


def _parts(text: str) -> Iterator[str]:
    """The parts of a list, without empty ones; what a list is inherited from is in it already. `%3B` is a semicolon."""
    parts = (part.strip() for part in text.split(";"))
    return (unescaped(part) for part in parts if part)


def _written(item: Item, name: str) -> str:
    return well_known(item.metadata.get(name.lower(), ""), item).strip()
