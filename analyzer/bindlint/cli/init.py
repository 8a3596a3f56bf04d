"""`bindlint init`: a commented `bindlint.toml`, from the shaders that are found."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from bindlint.cli import Failure
from bindlint.config import CONFIG_NAME, repository_root

_HELP = """Write a commented bindlint.toml into FOLDER (default: this one), from the shaders that are found there.

Include directories are guessed from includes that lead nowhere and files that they would lead to. An existing file is
overwritten with --force only.
"""
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+["<]([^">\n]+)[">]', re.M)
_READ_BYTES = 1 << 20
_HEADERS = (".hlsli", ".fxh", ".ush")
_ASKED_FOR_ENTRIES = 400
"""Files whose entry points are looked for; their kinds are told, not counted to the last."""
_SHOWN = 3


class _Guess(msgspec.Struct, frozen=True):
    """An include directory, relative to the configuration, and the includes that it leads to their files."""

    folder: str
    includes: tuple[str, ...]


class _Found(msgspec.Struct, frozen=True):
    files: tuple[str, ...]
    guesses: tuple[_Guess, ...] = ()
    missing: tuple[str, ...] = ()
    stages: tuple[tuple[str, int], ...] = ()


@click.command("init", help=_HELP)
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--force", is_flag=True, help="Overwrite an existing bindlint.toml.")
def command(folder: str, force: bool) -> None:
    top = Path(folder)
    if not top.is_dir():
        raise Failure(f"there is no folder `{folder}`")
    path = top / CONFIG_NAME
    if path.exists() and not force:
        raise Failure(f"{path} is already there; --force overwrites it")
    text = "\n".join(_lines(_search(top.resolve()))) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"made {path}")


def _search(top: Path) -> _Found:
    from bindlint.discovery import shader_files

    files = tuple(os.path.relpath(file, top).replace(os.sep, "/") for file in shader_files(str(top)))
    lost = _lost_includes(top, files)
    guesses, missing = _guesses(_candidates(top, lost), lost)
    return _Found(files, guesses, missing, _stages(top, files))


def _lost_includes(top: Path, files: tuple[str, ...]) -> Counter[str]:
    """Includes that are not there beside the file, as they are spelled, with the number of files that have them."""
    lost: Counter[str] = Counter()
    for file in files:
        try:
            with open(top / file, "rb") as stream:
                text = stream.read(_READ_BYTES)
        except OSError:
            continue
        spelled = {match.decode("utf-8", "replace").replace("\\", "/") for match in _INCLUDE.findall(text)}
        beside = (top / file).parent
        lost.update(include for include in spelled if not (beside / include).is_file())
    return lost


def _candidates(top: Path, lost: Counter[str]) -> list[str]:
    """Every file that is called like a lost include, whatever its suffix, relative to `top`."""
    names = {include.rpartition("/")[2].lower() for include in lost}
    found = []
    for parent, folders, files in os.walk(top):
        folders[:] = sorted(folder for folder in folders if folder[0] != ".")
        place = os.path.relpath(parent, top).replace(os.sep, "/")
        found += [f"{place}/{name}".removeprefix("./") for name in sorted(files) if name.lower() in names]
    return found


def _guesses(files: list[str], lost: Counter[str]) -> tuple[tuple[_Guess, ...], tuple[str, ...]]:
    """The folders that lead most lost includes to a file, the best first, and the includes for which there is none."""
    leads: dict[str, set[str]] = {}
    for include in lost:
        ending = f"/{include.lower()}"
        for file in files:
            if f"/{file}".lower().endswith(ending):
                leads.setdefault(file[: len(file) - len(include)].rstrip("/") or ".", set()).add(include)
    guesses: list[_Guess] = []
    open_ones = set(lost)
    while True:
        best = max(sorted(leads), key=lambda folder: len(leads[folder] & open_ones), default="")
        solved = leads.get(best, set()) & open_ones
        if not solved:
            return tuple(guesses), tuple(sorted(open_ones))
        guesses.append(_Guess(best, tuple(sorted(solved))))
        open_ones -= solved


def _stages(top: Path, files: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The stages of the entry points that the files hold, the most frequent first."""
    from bindlint.bindings.analyse import Analyser
    from bindlint.model.shader import STAGES, Shader

    analyser, roots = Analyser(), (str(repository_root(top) or top),)
    counts: Counter[str] = Counter()
    for file in [name for name in files if not name.lower().endswith(_HEADERS)][:_ASKED_FOR_ENTRIES]:
        for shader in analyser.discover(Shader(str(top / file), roots=roots)):
            if shader.profile is not None:
                counts[STAGES[shader.profile.stage]] += 1
    return tuple(counts.most_common())


def _lines(found: _Found) -> Iterator[str]:
    folders = Counter(os.path.dirname(file) or "." for file in found.files)
    places = _some([f"{folder} ({count})" for folder, count in folders.most_common()])
    stages = ", ".join(f"{count} {stage}" for stage, count in found.stages)
    yield "# Settings of bindlint. Paths and globs start at this file's folder; an unknown key is an error."
    yield f"# Found: {len(found.files)} shader files{f' in {places}' if places else ''}."
    if stages:
        yield f"# Entry points by their looks: {stages}. Give -T and -E, or a manifest, where these guesses are wrong."
    yield ""
    yield "# Folders in which includes are looked for, after those of the command line."
    if found.missing:
        yield f"# Found nowhere: {_some(found.missing)}."
    if found.guesses:
        yield "include-dirs = ["
        for guess in found.guesses:
            yield f"    {_string(guess.folder)},  # for {_some(guess.includes)}"
        yield "]"
    else:
        yield '# include-dirs = ["shaders/include"]'
    yield from _REST.splitlines()


def _some(words: Sequence[str]) -> str:
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(map(_comment, words[:_SHOWN])) + more


def _comment(text: str) -> str:
    """The text without what TOML does not allow in a comment."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _string(text: str) -> str:
    """A TOML string."""
    import json

    return json.dumps(text, ensure_ascii=True)


_REST = """
# Macros that the build defines.
# defines = ["PLATFORM_WINDOWS=1", "QUALITY=2"]
# hlsl-version = 2021

# Rules by code, prefix, name or family; `bindlint rules` lists them.
# select = ["ALL"]
# ignore = ["latent-overlap"]
# fail-on = "error"

# [severity]
# register-overlap = "warning"

# Other settings for some files.
# [[override]]
# files = ["third_party/**"]
# ignore = ["registers"]

# What the shaders must run on: a resource binding tier, a feature level, or both.
# [target]
# tier = 1
# feature-level = "11_0"

# What this project has decided for its registers.
# [policy]
# required = { b0 = "Frame", "t0, space1" = "SceneTextures" }
# reserved-registers = ["t100-t109"]
# reserved-spaces = ["100-109"]
# extension-slots = ["nvapi"]
# reserve-dwords = 4
"""
