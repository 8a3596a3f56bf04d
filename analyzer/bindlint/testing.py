"""Runs the page of a rule as its test: each HLSL block must give exactly the findings that its marks announce.

A page is Markdown with fixed headings. A block of code in it starts with a comment that gives the compiler's arguments,
and each line at which a finding starts ends in a mark:

    ```hlsl
    // bindlint: -T ps_6_6 -E main
    Texture2D wrong : register(u0); // expect: BL102 "takes a t register"
    ```

`// file: NAME` starts another file of the same block. Besides arguments the first line takes `oracle=gap` (the real
compiler accepts what is reported here), `oracle=skip:REASON` (it cannot be asked), `encoding=NAME` (of the files; UTF-8
by default) and `limit:NAME=NUMBER` (one of the preprocessor's limits).
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bindlint.model.finding import Finding
from bindlint.model.shader import Shader
from bindlint.rule import Rule

HEADINGS = ("Why it matters", "Bad", "Good", "Edge cases", "Source")
"""The second-level headings of every page, in order."""

MAIN_FILE = "shader.hlsl"
_FENCE = re.compile(r"^```hlsl[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
_TITLE = re.compile(r"^# (?P<name>[a-z0-9-]+) \((?P<code>[A-Z]+[0-9]+)\)$", re.M)
_OPTIONS = "// bindlint: "
_FILE = "// file: "
_SETTING = re.compile(r"(oracle|encoding|limit:\w+)=(.*)")
_MARKS = re.compile(r"// expect:(.*)$")
_MARK = re.compile(r'([A-Z]+[0-9]+)(?:\s+"([^"]*)")?')


class Mark(msgspec.Struct, frozen=True):
    """One expected finding: its file and line within the block, its code, and a part of its message."""

    file: str
    line: int
    code: str
    text: str


class Block(msgspec.Struct, frozen=True):
    """One block of code: `line` is where its code starts in the page; `files` are names and contents, the main one first."""

    line: int
    arguments: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    marks: tuple[Mark, ...]
    oracle: str = ""
    limits: tuple[tuple[str, int], ...] = ()

    def write(self, folder: Path) -> Path:
        """Lay the files out under `folder`; returns the main file's path. Other files may lie beside `folder`'s inner one."""
        root = folder / "shaders"
        for name, content in self.files:
            path = Path(os.path.normpath(root / name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return root / MAIN_FILE


class Page(msgspec.Struct, frozen=True):
    """A rule's page: `name` and `code` as its title gives them."""

    path: Path
    name: str
    code: str
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]


def read_page(path: Path) -> Page:
    """Read the page; what is malformed in it comes back as empty fields."""
    text = path.read_text(encoding="utf-8")
    title = _TITLE.match(text)
    prose = _FENCE.sub("", text)
    return Page(
        path,
        title["name"] if title else "",
        title["code"] if title else "",
        tuple(re.findall(r"^## (.+)$", prose, re.M)),
        tuple(_read_block(match[1], text.count("\n", 0, match.start(1)) + 1) for match in _FENCE.finditer(text)),
    )


def _read_block(code: str, line: int) -> Block:
    lines = code.rstrip("\n").split("\n")
    settings: dict[str, str] = {}
    arguments = []
    for option in shlex.split(lines[0].removeprefix(_OPTIONS)) if lines[0].startswith(_OPTIONS) else ():
        setting = _SETTING.fullmatch(option)
        if setting:
            settings[setting[1]] = setting[2]
        else:
            arguments.append(option)
    files: dict[str, list[str]] = {MAIN_FILE: []}
    name = MAIN_FILE
    marks = []
    for text in lines:
        if text.startswith(_FILE):
            name = text.removeprefix(_FILE).strip()
            files[name] = []
            continue
        files[name].append(text)
        announced = _MARKS.search(text)
        for code_, part in _MARK.findall(announced[1]) if announced else ():
            marks.append(Mark(name, len(files[name]), code_, part))
    encoding = settings.get("encoding", "utf-8")
    return Block(
        line,
        _with_defaults(arguments),
        tuple((name, "\n".join([*content, ""]).encode(encoding)) for name, content in files.items()),
        tuple(marks),
        settings.get("oracle", ""),
        tuple((key.removeprefix("limit:"), int(value)) for key, value in settings.items() if key.startswith("limit:")),
    )


def _with_defaults(arguments: list[str]) -> tuple[str, ...]:
    """`-T ps_6_0 -E main`, where the block says nothing else."""
    given = list(arguments)
    if "-T" not in given:
        given += ["-T", "ps_6_0"]
    if "-E" not in given and not given[given.index("-T") + 1].startswith("lib"):
        given += ["-E", "main"]
    return tuple(given)
