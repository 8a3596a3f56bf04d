"""A hostile repository: bounded time and memory, nothing from outside is read or shown, nothing unescaped."""

from __future__ import annotations

import html.parser
import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

COMMAND = [sys.executable, "-m", "bindlint", "audit"]
SECRET = "Secret_9c41"
CLEAN = "Texture2D A : register(t0);\nfloat4 main() : SV_Target { return A[uint2(0, 0)]; }\n"
MARKUP = "<img src=x onerror=alert(1)>"
CONTROL = "\x1b]0;owned\x07\u202e"


def hostile(outside: Path, top: Path) -> None:
    """Writes the repository `top`; `outside` is what it tries to get at."""
    outside.mkdir()
    (outside / "secret.hlsli").write_text(f"Texture2D {SECRET} : register(t7);\n#error {SECRET}\n")
    (outside / "secret.hlsl").write_text(f"Texture2D {SECRET} : register(t7);\n{CLEAN}")
    up = "../" * 12
    files = {
        "absolute.hlsl": f'#include "{outside.as_posix()}/secret.hlsli"\n{CLEAN}',
        "deep/up.hlsl": f'#include "{up}{outside.as_posix().lstrip("/")}/secret.hlsli"\n{CLEAN}',
        "near.hlsl": f'#include "../outside/secret.hlsli"\n{CLEAN}',
        "through.hlsl": f'#include "link.hlsli"\n#include "linked/secret.hlsli"\n{CLEAN}',
        "project.vcxproj": _project(outside),
        "shaders.cfg": f"../outside/secret.hlsl -T ps -E main\n{outside.as_posix()}/secret.hlsl -T ps -E main\n",
        f"{MARKUP.replace('/', '')}.hlsl": f"Texture2D B : register(t0);\n{CLEAN}",
        "bomb.hlsl": "\n".join(
            [
                "#define M0 x x x x x x x x x x",
                *(f"#define M{n} {f'M{n - 1} ' * 10}" for n in range(1, 12)),
                "M11",
                CLEAN,
            ]
        ),
        "braces.hlsl": "{" * 10_000 + CLEAN,
        "parentheses.hlsl": f"static const int D = {'(' * 10_000}1{')' * 10_000};\n{CLEAN}",
        "conditions.hlsl": "#if 1\n" * 10_000 + CLEAN + "#endif\n" * 10_000,
        "templates.hlsl": f"{'A<' * 10_000}int{'>' * 10_000} x;\n{CLEAN}",
        "itself.hlsl": f'#include "itself.hlsl"\n{CLEAN}',
        "message.hlsl": f"#error {MARKUP}</style></title><script>alert(2)</script>{CONTROL}`<b>`\n{CLEAN}",
        "name.hlsl": CLEAN.replace("A", "\uff21\u202e"),
        "host.cpp": f'#include "../outside/secret.hlsli"\n#include "{outside.as_posix()}/secret.hlsli"\nID3D12Heap* d;',
        "deep.cpp": f"void f(ID3D12Device* d) {{ {'{' * 10_000} }}\nint x = {'(' * 10_000}1;\n",
        "many.cpp": f"ID3D12Device* d;\n{MARKUP}{CONTROL}\n" + '#include "many.cpp"\n' * 500,
        "root.hlsl": f'[RootSignature("{MARKUP}")]\n{CLEAN}',
        **{f"chain/c{n}.hlsli": f'#include "c{n + 1}.hlsli"\n' for n in range(400)},
        "chain/start.hlsl": f'#include "c0.hlsli"\n{CLEAN}',
    }
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (top / "control\x1b[31m\u202e.hlsl").write_text(CLEAN)
    os.makedirs(top / "many", exist_ok=True)
    (top / "link.hlsli").symlink_to(outside / "secret.hlsli")
    (top / "linked").symlink_to(outside)
    (top / "taken.hlsl").symlink_to(outside / "secret.hlsl")
    (top / "loop").symlink_to(top)
    with open(top / "huge.hlsl", "wb") as stream:
        stream.write(CLEAN.encode())
        stream.truncate(200 << 20)
    with open(top / "huge.vcxproj", "wb") as stream:
        stream.truncate(200 << 20)
    for name in ("pipe.hlsl", "pipe.cpp", "pipe.vcxproj"):
        os.mkfifo(top / name)


def _project(outside: Path) -> str:
    items = "".join(
        f'<FxCompile Include="{path}"><ShaderType>Pixel</ShaderType></FxCompile>'
        for path in (f"{outside.as_posix()}/secret.hlsl", "../outside/secret.hlsl")
    )
    folders = f"<AdditionalIncludeDirectories>{outside.as_posix()}</AdditionalIncludeDirectories>"
    inner = f'<FxCompile Include="near.hlsl"><ShaderType>Pixel</ShaderType>{folders}</FxCompile>'
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{outside.as_uri()}/secret.hlsl">]>'
    return f"{entity}<Project>&e;<ItemGroup>{items}{inner}</ItemGroup></Project>"


class _Page(html.parser.HTMLParser):
    """What stands on a page: the names of its elements and of their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


class Shown(NamedTuple):
    """What came of an audit: its documents as text, and the seconds that it took."""

    document: str
    text: str
    page: str
    errors: str
    results: Path
    seconds: float


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    if not hasattr(os, "mkfifo"):
        pytest.skip("links and pipes are made as POSIX has them")
    folder = tmp_path_factory.mktemp("hostile")
    top, page, results = folder / "repository", folder / "page.html", folder / "r.sqlite"
    top.mkdir()
    hostile(folder / "outside", top)
    options = [str(top), "--no-cache", "--shader-time", "20", "--results", str(results), "--html", str(page)]
    start = time.monotonic()
    first = subprocess.run([*COMMAND, *options, "--format", "json"], capture_output=True, check=False, timeout=250)
    spent = time.monotonic() - start
    again = subprocess.run([*COMMAND, *options, "--resume"], capture_output=True, check=False, timeout=250)
    assert (first.returncode, again.returncode) == (0, 0), first.stderr
    errors = (first.stderr + again.stderr).decode()
    return Shown(first.stdout.decode(), again.stdout.decode(), page.read_text("utf-8"), errors, results, spent)


def test_it_takes_bounded_time_and_memory(shown: Shown) -> None:
    database = sqlite3.connect(shown.results)
    memory = int(database.execute("SELECT value FROM run WHERE name='peak_memory_process'").fetchone()[0])
    read = {row[0] for row in database.execute("SELECT file FROM units WHERE status IN ('done', 'no-entry')")}
    database.close()
    assert shown.seconds < 200
    assert memory < 1 << 30
    assert {"near.hlsl", "braces.hlsl", "bomb.hlsl", "message.hlsl", "chain/start.hlsl", "huge.hlsl"} <= read


def test_nothing_from_outside_is_shown(shown: Shown) -> None:
    database = sqlite3.connect(shown.results)
    stored = "\n".join(database.iterdump())
    files = {row[0] for row in database.execute("SELECT file FROM units")}
    database.close()
    assert SECRET not in shown.document + shown.text + shown.page + shown.errors + stored
    assert "taken.hlsl" not in files
    assert not any("outside/" in file or file.startswith(("loop/", "linked/")) for file in files)
    codes = {(finding["code"], finding["file"]) for finding in json.loads(shown.document)["findings"]}
    assert {("BL004", name) for name in ("absolute.hlsl", "deep/up.hlsl", "near.hlsl", "through.hlsl")} <= codes


def test_nothing_is_shown_unescaped(shown: Shown) -> None:
    parsed = _Page()
    parsed.feed(shown.page)
    assert not parsed.elements & {"img", "script", "iframe", "object", "link", "b1", "form", "base"}
    assert not any(name.startswith("on") for name in parsed.attributes)
    assert not {"style", "src", "srcset"} & parsed.attributes
    assert any(MARKUP in text for text in parsed.text)
    for text in (shown.page, shown.text, shown.errors):
        assert not any(character in text for character in "\x1b\x07\u202e")
