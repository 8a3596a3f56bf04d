"""`shadertoolsconfig.json`, the settings of editors for HLSL, where there is no `bindlint.toml`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bindlint.arguments import decode_text, native_path
from bindlint.config import Config, ConfigurationError, find_config, line_with, load_config, repository_root
from bindlint.paths import is_inside, path_fault

SHADERTOOLS_NAME = "shadertoolsconfig.json"

_NO_JSON = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


class _Settings(msgspec.Struct, frozen=True):
    """What is read of one file; other keys are those of an editor."""

    root: bool = False
    defines: dict[str, str | int | float | bool | None] = msgspec.field(name="hlsl.preprocessorDefinitions", default={})
    include_dirs: tuple[str, ...] = msgspec.field(name="hlsl.additionalIncludeDirectories", default=())
    virtual_dirs: dict[str, str] = msgspec.field(name="hlsl.virtualDirectoryMappings", default={})


def nearest_config(start: Path) -> Config:
    """The settings for what lies in the folder `start`: the nearest `bindlint.toml`, or else what editors are told.

    Files of editors add up from `start` to the one that calls itself `root`, no further than the repository's root;
    the nearest has the last word. Raises `ConfigurationError` that names the file and the line.
    """
    found = find_config(start)
    if found is not None:
        return _confined(load_config(found), found)
    files = list(_files(start))
    if not files:
        return Config()
    defines: dict[str, str] = {}
    virtual: dict[str, str] = {}
    include_dirs: list[str] = []
    for folder, settings in files:
        defines = {name: _text(value) for name, value in settings.defines.items()} | defines
        virtual = {name: _absolute(folder, path) for name, path in settings.virtual_dirs.items()} | virtual
        include_dirs += (_absolute(folder, path) for path in settings.include_dirs)
    return Config(
        defines=tuple(f"{name}={value}" for name, value in defines.items()),
        include_dirs=tuple(dict.fromkeys(include_dirs)),
        virtual_directories=virtual,
        folder=str(files[-1][0].resolve()),
    )


def _files(start: Path) -> Iterator[tuple[Path, _Settings]]:
    for folder in (start, *start.parents):
        if (folder / SHADERTOOLS_NAME).is_file():
            settings = _read(folder / SHADERTOOLS_NAME)
            yield folder, settings
            if settings.root:
                break
        if (folder / ".git").exists():
            break


def _confined(config: Config, path: Path) -> Config:
    """The settings, where nothing that they name is read from outside of the repository: nobody has vouched for them.

    Raises `ConfigurationError`. What an include directory leads to is refused where it is met.
    """
    home = str(repository_root(path.parent) or path.parent)
    named = [("files", file) for file in config.cpp.files]
    for pipeline in config.pipeline:
        named += (("stages", stage.file) for stage in pipeline.stages)
        if pipeline.root_signature:
            from bindlint.facts.root_signature_files import split_source

            source = split_source(pipeline.root_signature, lambda each: os.path.isfile(path.parent / each))[0]
            named += (("root-signature", each) for each in (source,) if each)
    for key, file in named:
        if not is_inside(os.path.join(path.parent, file), home):
            line = line_with(path.read_text("utf-8-sig"), file)
            message = f"`{file}` lies outside of the repository; --config {path} vouches for it"
            raise ConfigurationError(f"{path}:{line}: `{key}`: {message}")
    return config


def _read(path: Path) -> _Settings:
    try:
        text = decode_text(path.read_bytes())
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        plain = _NO_JSON.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
        settings = msgspec.json.decode(plain, type=_Settings)
    except msgspec.ValidationError as error:
        message, _, key = str(error).partition(" - at `$.")
        line = text[: max(text.find(key.split("[")[0].rstrip("`")), 0)].count("\n") + 1
        raise ConfigurationError(f"{path}:{line}: `{key.rstrip('`')}`: {message[:1].lower()}{message[1:]}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        place = re.search(r"byte (\d+)", str(error))
        line = plain.encode()[: int(place[1]) if place else None].count(b"\n") + 1
        raise ConfigurationError(f"{path}:{line}: is no JSON: {error}") from error
    return _checked(path, text, settings)


def _checked(path: Path, text: str, settings: _Settings) -> _Settings:
    paths = (
        ("hlsl.additionalIncludeDirectories", settings.include_dirs),
        ("hlsl.virtualDirectoryMappings", settings.virtual_dirs.values()),
    )
    for key, fault in ((key, path_fault(each)) for key, named in paths for each in named):
        if fault:
            line = text[: max(text.find(key), 0)].count("\n") + 1
            raise ConfigurationError(f"{path}:{line}: `{key}`: {fault}")
    return settings


def _text(value: str | int | float | bool | None) -> str:
    return str(int(value)) if isinstance(value, bool) else "" if value is None else str(value)


def _absolute(folder: Path, path: str) -> str:
    return os.path.normpath(os.path.join(folder, native_path(path)))
