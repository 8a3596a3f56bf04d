"""Settings of a project: the nearest `bindlint.toml`, checked key by key."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from bindlint.errors import BindlintError, did_you_mean, shortened
from bindlint.model.described import DescribedHeap, DescribedPipeline, DescribedStage
from bindlint.model.finding import Severity
from bindlint.model.host import HostSettings, WrapperDescription
from bindlint.model.policy import EXTENSIONS, ExtensionSlot, Policy, RequiredBinding, read_registers, read_spaces
from bindlint.model.shader import Target
from bindlint.model.source import Span
from bindlint.paths import path_fault

CONFIG_NAME = "bindlint.toml"

SeverityOrOff = Literal["error", "warning", "info", "off"]
FailOn = Literal["error", "warning", "info", "never"]


class ConfigurationError(BindlintError):
    """A configuration file, or a rule pack, that cannot be used."""


Level = Literal["11_0", "11_1", "12_0", "12_1", "12_2"]
LEVELS: tuple[Level, ...] = ("11_0", "11_1", "12_0", "12_1", "12_2")


class TargetSettings(msgspec.Struct, frozen=True, rename="kebab"):
    """What the shaders must run on: a resource binding tier, a feature level, or both."""

    tier: Literal[1, 2, 3] | None = None
    feature_level: Level | None = None

    @property
    def target(self) -> Target | None:
        """As rules see it; None where nothing is asked for."""
        asked = self.tier is not None or self.feature_level is not None
        return Target(binding_tier=self.tier, feature_level=self.feature_level) if asked else None


class PolicySettings(msgspec.Struct, frozen=True, rename="kebab"):
    """What the project says of its own registers, as written; `bindlint.model.policy` has what it means."""

    required: dict[str, str] = {}
    reserved_registers: tuple[str, ...] = ()
    reserved_spaces: tuple[str, ...] = ()
    extension_slots: tuple[str, ...] | dict[str, str] = ()
    reserve_dwords: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0


class CppSettings(msgspec.Struct, frozen=True, rename="kebab"):
    """What must be known of the project's C++ to read root signatures and layouts out of it."""

    files: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    structs: dict[str, str] = {}
    wrapper: tuple[WrapperDescription, ...] = ()


class Override(msgspec.Struct, frozen=True, rename="kebab"):
    """Other settings for findings in some files; of several that match, the last has the last word."""

    files: tuple[str, ...]
    ignore: tuple[str, ...] = ()
    severity: dict[str, SeverityOrOff] = {}


class Config(msgspec.Struct, frozen=True, rename="kebab"):
    """The settings. Selectors name rules by code, prefix of a code, name or family.

    `folder` is where the file was found ("" without one); paths and globs in it start there.
    `root_signature` is only checked here; `facts.root_signature_document` reads it where a source names it.
    `limits` override those of `bindlint_grammars.hlsl.limits` by name.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, SeverityOrOff] = {}
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    override: tuple[Override, ...] = ()
    include_dirs: tuple[str, ...] = ()
    virtual_directories: dict[str, str] = {}
    defines: tuple[str, ...] = ()
    hlsl_version: Literal[2015, 2016, 2017, 2018, 2021] | None = None
    limits: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}
    fail_on: FailOn = "error"
    target: TargetSettings = TargetSettings()
    policy: PolicySettings = PolicySettings()
    cpp: CppSettings = CppSettings()
    pipeline: tuple[DescribedPipeline, ...] = ()
    heap: tuple[DescribedHeap, ...] = ()
    root_signature: tuple[dict[str, Any], ...] = msgspec.field(name="root_signature", default=())
    folder: str = ""

    @property
    def selectors(self) -> tuple[str, ...]:
        """Every selector of rules that the settings use."""
        overrides = [selector for override in self.override for selector in (*override.ignore, *override.severity)]
        ignored = [selector for selectors in self.per_file_ignores.values() for selector in selectors]
        return (*self.select, *self.ignore, *self.severity, *ignored, *overrides)


def repository_root(path: Path) -> Path | None:
    """The nearest folder, from `path` up, that holds `.git`."""
    return next((folder for folder in (path, *path.parents) if (folder / ".git").exists()), None)


def find_config(start: Path) -> Path | None:
    """The nearest `bindlint.toml` from the folder `start` up, no further than the repository's root."""
    for folder in (start, *start.parents):
        candidate = folder / CONFIG_NAME
        if candidate.is_file():
            return candidate
        if (folder / ".git").exists():
            break
    return None


def load_config(path: Path) -> Config:
    """Read one configuration file; raises `ConfigurationError` that names the key, its line and the nearest known."""
    import tomllib

    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 (byte {error.start})") from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    _check_keys(path, text, values, [name for name in _names(Config) if name != "folder"])
    _check_keys(path, text, values.get("target"), _names(TargetSettings), "target.")
    _check_keys(path, text, values.get("policy"), _names(PolicySettings), "policy.")
    _check_keys(path, text, values.get("cpp"), _names(CppSettings), "cpp.")
    for override in _tables(values, "override"):
        _check_keys(path, text, override, _names(Override), "override.")
    for wrapper in _tables(values.get("cpp"), "wrapper"):
        _check_keys(path, text, wrapper, _names(WrapperDescription), "cpp.wrapper.")
    for pipeline in _tables(values, "pipeline"):
        _check_keys(path, text, pipeline, _names(DescribedPipeline)[:-1], "pipeline.")
        for stage in _tables(pipeline, "stages"):
            _check_keys(path, text, stage, _names(DescribedStage)[:-1], "pipeline.stages.")
    for heap in _tables(values, "heap"):
        _check_keys(path, text, heap, _names(DescribedHeap)[:-1], "heap.")
    if "limits" in values:
        from bindlint_grammars.hlsl.limits import Limits

        _check_keys(path, text, values["limits"], [name.replace("_", "-") for name in _names(Limits)], "limits.")
    try:
        config = msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        inner = re.match(r"\w+\[\d+\]\.([\w-]+)", place)
        key = inner[1] if inner else _faulty_key(values, re.split(r"[.\[`]", place)[0])
        message = message[:1].lower() + message[1:]
        raise ConfigurationError(f"{path}:{_line_of(text, key)}: `{key}`: {message}") from error
    if config.limits:
        _check_limits(path, text, config.limits)
    for table, key, message in _faults_of_paths(config):
        line = _line_of(text, key, table)
        raise ConfigurationError(f"{path}:{line}: `{key}`: {message}")
    fault = next(chain(_policy_faults(config.policy), _wrapper_faults(config.cpp)), None)
    if fault is not None:
        word, message = fault
        raise ConfigurationError(f"{path}:{line_with(text, word)}: {message}")
    if config.root_signature:
        from bindlint.facts.root_signature_document import DocumentError, read_document

        try:
            read_document(text, str(path), alone=False)
        except DocumentError as error:
            raise ConfigurationError(str(error)) from error
    return _with_places(msgspec.structs.replace(config, folder=str(path.parent.resolve())), text)


def _with_places(config: Config, text: str) -> Config:
    """The settings with the places of what they describe, since findings show them."""
    if not (config.pipeline or config.heap):
        return config
    file = os.path.join(config.folder, CONFIG_NAME)
    lines = text.splitlines()

    def opened(key: str) -> list[int]:
        head = re.compile(rf"\s*\[\[\s*{key}\s*\]\]")
        found = [number for number, line in enumerate(lines, 1) if head.match(line)]
        return found or [_line_of(text, key)] * len(getattr(config, key))

    def place(line: int) -> Span:
        written = lines[line - 1]
        return Span(file, line, len(written) - len(written.lstrip()) + 1, line, len(written.rstrip()) + 1)

    pipelines = []
    for pipeline, line in zip(config.pipeline, opened("pipeline"), strict=True):
        at = line
        stages: list[DescribedStage] = []
        for stage in pipeline.stages:
            at = next((n for n in range(at + bool(stages), len(lines) + 1) if stage.file in lines[n - 1]), at)
            stages.append(msgspec.structs.replace(stage, span=place(at)))
        pipelines.append(msgspec.structs.replace(pipeline, stages=tuple(stages), span=place(line)))
    heaps = zip(config.heap, opened("heap"), strict=True)
    described = tuple(msgspec.structs.replace(heap, span=place(line)) for heap, line in heaps)
    return msgspec.structs.replace(config, pipeline=tuple(pipelines), heap=described)


def virtual_dirs_of(config: Config) -> tuple[tuple[str, str], ...]:
    """Beginnings of included paths with the folders that they stand for, longer ones first."""
    named = sorted(config.virtual_directories.items(), key=lambda pair: -len(pair[0]))
    return tuple((name.rstrip("/"), os.path.normpath(os.path.join(config.folder, path))) for name, path in named)


def host_of(config: Config) -> HostSettings:
    """What the settings say of host code, with the paths made absolute."""

    def absolute(paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(os.path.normpath(os.path.join(config.folder, path)) for path in paths)

    cpp = config.cpp
    return HostSettings(cpp.wrapper, absolute(cpp.files), absolute(cpp.include_dirs), cpp.structs)


def policy_of(settings: PolicySettings) -> Policy | None:
    """What the settings mean, None where they ask for nothing; only for settings without faults."""
    required = ((read_registers(text), name) for text, name in settings.required.items())
    policy = Policy(
        tuple(RequiredBinding(registers, name) for registers, name in required if registers is not None),
        tuple(filter(None, map(read_registers, settings.reserved_registers))),
        tuple(filter(None, map(read_spaces, settings.reserved_spaces))),
        tuple(_extension_slots(settings)),
        settings.reserve_dwords,
    )
    return policy if policy != Policy() else None


def _extension_slots(settings: PolicySettings) -> Iterator[ExtensionSlot]:
    slots = settings.extension_slots
    for name, text in slots.items() if isinstance(slots, dict) else dict.fromkeys(slots, "").items():
        preset = EXTENSIONS.get(name)
        if preset is not None:
            yield msgspec.structs.replace(preset, registers=read_registers(text) or preset.registers)


def _policy_faults(settings: PolicySettings) -> Iterator[tuple[str, str]]:
    """Words of the policy that mean nothing, each with what to say of it."""
    form = "is no register; write it as `b0`, `t3, space2` or `t0-t15, space1`"
    slots = settings.extension_slots
    places = [*settings.required, *settings.reserved_registers, *(slots.values() if isinstance(slots, dict) else ())]
    yield from ((text, f"`{text}` {form}") for text in places if read_registers(text) is None)
    for text in settings.reserved_spaces:
        if read_spaces(text) is None:
            yield text, f"`{text}` is no register space; write it as `7` or `100-109`"
    for name in slots:
        if name not in EXTENSIONS:
            yield name, f"there is no extension `{name}`; known are {', '.join(EXTENSIONS)}"


def _wrapper_faults(settings: CppSettings) -> Iterator[tuple[str, str]]:
    """Words of wrappers that are no part of what the wrapper makes, each with what to say of it."""
    if not settings.wrapper:
        return
    from bindlint.facts.host.wrappers import known_arguments

    for wrapper in settings.wrapper:
        known = known_arguments(wrapper.gives)
        for word in (*wrapper.arguments, *wrapper.values):
            if word not in known:
                hint = did_you_mean(word, known)
                yield word, f"wrapper `{wrapper.function}`: {wrapper.gives} has no `{word}`{hint}"


def _faults_of_paths(config: Config) -> Iterator[tuple[str, str, str]]:
    """Paths and globs that can be none: the table, the key, and what to say of it."""
    cpp = config.cpp
    paths = [
        *(("", "include-dirs", path) for path in config.include_dirs),
        *(("", "virtual-directories", path) for path in config.virtual_directories.values()),
        *(("cpp", "files", path) for path in cpp.files),
        *(("cpp", "include-dirs", path) for path in cpp.include_dirs),
        *(("pipeline", "file", stage.file) for pipeline in config.pipeline for stage in pipeline.stages),
    ]
    for table, key, path in paths:
        if fault := path_fault(path):
            yield table, key, fault
    globs = [
        *(("override", "files", glob) for override in config.override for glob in override.files),
        *(("", "per-file-ignores", glob) for glob in config.per_file_ignores),
    ]
    for table, key, glob in globs:
        if not _GLOB.fullmatch(glob):
            yield (
                table,
                key,
                f"`{shortened(glob)}` matches no file: " + ("it is empty" if not glob else "a `[` is open"),
            )


_GLOB = re.compile(r"(?:[^\[\0]|\[!?\]?[^\]]*\])+")


def _faulty_key(values: dict[str, Any], key: str) -> str:
    """The key within the table `key` whose value is wrong; `key` itself where it is no table."""
    table = values.get(key)
    for inner, value in table.items() if isinstance(table, dict) else ():
        try:
            msgspec.convert({key: {inner: value}}, Config)
        except msgspec.ValidationError:
            return str(inner)
    return key


def _names(kind: type[msgspec.Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind)]


def _tables(values: Any, key: str) -> list[Any]:
    """The tables that `[[key]]` opens."""
    found = values.get(key) if isinstance(values, dict) else None
    return found if isinstance(found, list) else []


def _check_keys(path: Path, text: str, values: Any, known: list[str], prefix: str = "") -> None:
    for key in values if isinstance(values, dict) else ():
        if key not in known:
            hint = did_you_mean(key, known)
            raise ConfigurationError(f"{path}:{_line_of(text, key)}: unknown key `{prefix}{key}`{hint}")


def _check_limits(path: Path, text: str, limits: dict[str, int]) -> None:
    from bindlint_grammars.hlsl.limits import CEILING

    for key, value in limits.items():
        highest = getattr(CEILING, key.replace("-", "_"))
        if value > highest:
            raise ConfigurationError(f"{path}:{_line_of(text, key)}: `{key}`: {value} is more than {highest}")


def _line_of(text: str, key: str, table: str = "") -> int:
    """The line at which `key` is set, or its table opened; 1 where a key is written in a way that hides it.

    Of a `table` it is the first one below where that begins.
    """
    first = _line_of(text, table) if table else 1
    for number, line in enumerate(text.splitlines()[first - 1 :], first):
        if re.match(rf"""\s*(?:\[+\s*)?(?:[\w."'-]+\.)?["']?{re.escape(key)}["']?\s*[=.\]]""", line):
            return number
    return first


def line_with(text: str, word: str) -> int:
    """The first line on which `word` stands as a whole key or string."""
    whole = re.compile(rf"""(?<![\w-]){re.escape(word)}(?![\w-])""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if whole.search(line)), 1)


def lowest(fail_on: FailOn) -> tuple[Severity, ...]:
    """The severities that make a run fail."""
    order: tuple[Severity, ...] = ("error", "warning", "info")
    return () if fail_on == "never" else order[: order.index(fail_on) + 1]
