"""Settings of a project: the nearest `bindlint.toml`, checked key by key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from bindlint.errors import BindlintError, did_you_mean
from bindlint.model.finding import Severity

CONFIG_NAME = "bindlint.toml"

SeverityOrOff = Literal["error", "warning", "info", "off"]
FailOn = Literal["error", "warning", "info", "never"]


class ConfigurationError(BindlintError):
    """A configuration file, or a rule pack, that cannot be used."""


class TargetSettings(msgspec.Struct, frozen=True, rename="kebab"):
    """What the shaders must run on; read and kept for the rules about hardware tiers."""

    tier: Literal[1, 2, 3] | None = None
    feature_level: str | None = None


class Config(msgspec.Struct, frozen=True, rename="kebab"):
    """The settings. Selectors name rules by code, prefix of a code, name or family.

    `folder` is where the file was found ("" without one); paths and globs in it start there.
    `limits` override those of `bindlint_grammars.hlsl.limits` by name.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, SeverityOrOff] = {}
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    hlsl_version: Literal[2015, 2016, 2017, 2018, 2021] | None = None
    limits: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = {}
    fail_on: FailOn = "error"
    target: TargetSettings = TargetSettings()
    folder: str = ""


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
    if "limits" in values:
        from bindlint_grammars.hlsl.limits import Limits

        _check_keys(path, text, values["limits"], [name.replace("_", "-") for name in _names(Limits)], "limits.")
    try:
        config = msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        key = _faulty_key(values, re.split(r"[.\[`]", place)[0])
        message = message[:1].lower() + message[1:]
        raise ConfigurationError(f"{path}:{_line_of(text, key)}: `{key}`: {message}") from error
    return msgspec.structs.replace(config, folder=str(path.parent.resolve()))


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


def _check_keys(path: Path, text: str, values: Any, known: list[str], prefix: str = "") -> None:
    for key in values if isinstance(values, dict) else ():
        if key not in known:
            hint = did_you_mean(key, known)
            raise ConfigurationError(f"{path}:{_line_of(text, key)}: unknown key `{prefix}{key}`{hint}")


def _line_of(text: str, key: str) -> int:
    """The line at which `key` is set, or its table opened; 1 where a key is written in a way that hides it."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"""\s*(?:\[+\s*)?(?:[\w."'-]+\.)?["']?{re.escape(key)}["']?\s*[=.\]]""", line):
            return number
    return 1


def lowest(fail_on: FailOn) -> tuple[Severity, ...]:
    """The severities that make a run fail."""
    order: tuple[Severity, ...] = ("error", "warning", "info")
    return () if fail_on == "never" else order[: order.index(fail_on) + 1]
