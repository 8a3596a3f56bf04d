"""The audit: what it finds without configuration, what it stores, and that it goes on after whatever happened."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
import zlib
from pathlib import Path

import pytest
from audits import COMMAND, audit, damage, rows, write
from bindlint.audit.discovery import Discoverer
from bindlint.audit.report import as_text
from bindlint.audit.store import Store
from bindlint.audit.summary import summarised
from bindlint.audit.values import Repository

TWO = "return A[uint2(0, 0)] + B[uint2(0, 0)];"
DECLARED = "Texture2D A : register(t0);\nTexture2D B : register(t0);\n"
OVERLAP = f"{DECLARED}float4 main() : SV_Target {{ {TWO} }}\n"
CLEAN = "Texture2D A : register(t0);\nfloat4 main() : SV_Target { return A[uint2(0, 0)]; }\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BINDLINT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def test_what_is_found_without_configuration(place: Path) -> None:
    project = (
        '<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup>'
        '<FxCompile Include="made.hlsl">'
        "<ShaderType>Compute</ShaderType><EntryPointName>run</EntryPointName>"
        "<PreprocessorDefinitions>WIDE=4</PreprocessorDefinitions></FxCompile></ItemGroup></Project>"
    )
    needed = "#ifndef QUALITY\n#error QUALITY is needed\n#endif\nSamplerState S : register(s0);\n"
    body = "[numthreads(1, 1, 1)] void run() { R[WIDE - 1][0] = 1; }\n"
    write(
        place / "r",
        {
            "shaders/plain.hlsl": f'#include "common/shared.hlsli"\n{CLEAN}',
            "include/common/shared.hlsli": needed,
            "shaders/ambiguous.hlsl": f'#include "twice.hlsli"\n{CLEAN}',
            "a/twice.hlsli": "",
            "b/twice.hlsli": "",
            "made.hlsl": f"RWBuffer<int> R[WIDE] : register(u0);\n{body}",
            "made.vcxproj": project,
            "notes.hlsl": "float helper(float x) { return x; }\n",
        },
    )
    audit("r", "--no-cache")
    assert rows("SELECT file, entry, profile, status FROM shaders ORDER BY file") == [
        ("made.hlsl", "run", "cs_6_6", "ok"),
        ("shaders/ambiguous.hlsl", "main", "ps_6_6", "partial"),
        ("shaders/plain.hlsl", "main", "ps_6_6", "ok"),
    ]
    assert rows("SELECT file FROM units WHERE status='no-entry'") == [("notes.hlsl",)]
    notes = {(kind, subject) for kind, subject, _ in rows("SELECT kind, subject, message FROM notes")}
    assert notes == {
        ("include-directory", "include"),
        ("define", "QUALITY"),
        ("include", "shaders/ambiguous.hlsl"),
        ("manifest", "made.vcxproj"),
    }
    assert rows("SELECT files, headers FROM repositories") == [(7, 3)]


def test_a_finding_in_a_header_is_one_row(place: Path) -> None:
    header = f"{DECLARED}float4 look() {{ {TWO} }}\n"
    shader = '#include "h.hlsli"\nfloat4 main() : SV_Target { return look(); }\n'
    write(place / "r", {"h.hlsli": header, **{f"s{number}.hlsl": shader for number in range(5)}})
    done = audit("r", "--format", "json", "--fail-on", "error", expect=1)
    (finding,) = [f for f in json.loads(done.stdout)["findings"] if f["code"] == "BL103"]
    assert (finding["file"], finding["line"], finding["shaders"]) == ("h.hlsli", 2, 5)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_repositories_one_of_them_broken(place: Path, jobs: str) -> None:
    write(place / "many/good", {"a.hlsl": OVERLAP, ".git/HEAD": ""})
    write(place / "many/bad", {"a.hlsl": "\0\1\2" * 2000, "b.hlsl": "{{{{ [[ #if", "p.vcxproj": "<<<", ".git/HEAD": ""})
    write(place / "many/empty", {".git/HEAD": ""})
    audit("many", "--jobs", jobs)
    assert rows("SELECT name, status FROM repositories ORDER BY name") == [
        ("bad", "done"),
        ("empty", "done"),
        ("good", "done"),
    ]
    assert rows("SELECT code FROM findings WHERE code LIKE 'BL1%'") == [("BL103",)]


def test_a_warm_run_analyses_nothing_and_says_the_same(place: Path) -> None:
    write(place / "r", {"a.hlsl": OVERLAP, "b.hlsl": f'#include "h.hlsli"\n{CLEAN}', "h.hlsli": ""})
    query = "SELECT code, message, file, line FROM findings ORDER BY 1, 2, 3, 4"
    audit("r")
    first, spent = rows(query), rows("SELECT file, milliseconds FROM units ORDER BY 1")
    audit("r")
    assert rows(query) == first
    assert rows("SELECT file, milliseconds FROM units ORDER BY 1") == spent  # as measured by the first run
    write(place / "r", {"h.hlsli": "Texture2D C : register(t0);\nfloat4 more() { return C[uint2(0, 0)]; }\n"})
    audit("r")
    assert rows("SELECT file FROM findings WHERE code='BL104'") != []


def test_a_file_made_later_where_an_include_is_looked_for_first_is_noticed(place: Path) -> None:
    write(place / "r", {"x/a.hlsl": f'#include "h.hlsli"\n{CLEAN}', "inc/h.hlsli": "Texture2D Old : register(t5);\n"})
    audit("r")
    write(place / "r", {"x/h.hlsli": "Texture2D New : register(t0);\n"})
    audit("r")
    bindings = str(rows("SELECT bindings FROM shaders")[0][0])
    assert "New" in bindings and "Old" not in bindings


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\1" * 5000, b""])
def test_a_cache_that_is_none_is_made_anew(place: Path, content: bytes) -> None:
    write(place / "r", {"a.hlsl": CLEAN})
    audit("r")
    (cache,) = (place / "cache").rglob("results.sqlite")
    cache.write_bytes(content)
    done = audit("r")
    assert ("made anew" in done.stderr or "passed over" in done.stderr) == bool(content)
    assert audit("r").stderr == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("update units set files='[broken'", "is damaged: 1 shaders"),
        ("update units set files=7", "is damaged: 1 shaders"),
        ("update units set files=cast(x'22ff22' as text)", "is damaged: 1 shaders"),
        ("update units set closure=3", ""),
        ("update run set value='many'", ""),
    ],
)
def test_damaged_results_are_made_anew(place: Path, change: str, message: str) -> None:
    write(place / "r", {"a.hlsl": OVERLAP})
    first = audit("r", "--no-cache")
    damage("bindlint-audit.sqlite", change)
    again = audit("r", "--no-cache", "--resume")
    assert again.stdout == first.stdout
    assert message in again.stderr
    assert rows("SELECT count(*) FROM findings") == [(1,)]


def test_results_that_cannot_be_shown_end_with_a_message(place: Path) -> None:
    write(place / "r", {"a.hlsl": OVERLAP})
    audit("r", "--no-cache")
    damage("bindlint-audit.sqlite", "update findings set related='[broken'")
    assert "are damaged; without --resume" in audit("r", "--no-cache", "--resume", "--html", "p.html", expect=2).stderr


@pytest.mark.parametrize("value", ["'[1]'", "5", f"x'{zlib.compress(b'junk').hex()}'"])
def test_damaged_values_of_the_cache_are_passed_over(place: Path, value: str) -> None:
    write(place / "r", {"a.hlsl": OVERLAP})
    first = audit("r")
    damage("cache/results.sqlite", f"update results set value={value}")
    again = audit("r")
    assert again.stdout == first.stdout
    assert "is passed over" in again.stderr


def test_results_that_are_something_else_are_left_alone(place: Path) -> None:
    write(place, {"r/a.hlsl": CLEAN, "mine.sqlite": "my own notes"})
    assert "left as it is" in audit("r", "--results", "mine.sqlite", expect=2).stderr
    assert (place / "mine.sqlite").read_text() == "my own notes"


@pytest.mark.parametrize("resume", [(), ("--resume",)])
def test_results_of_a_newer_bindlint_are_left_alone(place: Path, resume: tuple[str, ...]) -> None:
    write(place / "r", {"a.hlsl": CLEAN})
    audit("r", "--no-cache")
    damage("bindlint-audit.sqlite", "PRAGMA user_version=99")
    before = (place / "bindlint-audit.sqlite").read_bytes()
    assert "of a newer bindlint and is left as it is" in audit("r", "--no-cache", *resume, expect=2).stderr
    assert (place / "bindlint-audit.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    ("resume", "message"), [((), ""), (("--resume",), "is of an older bindlint: everything is analysed again")]
)
def test_results_of_an_older_bindlint_are_made_anew(place: Path, resume: tuple[str, ...], message: str) -> None:
    write(place / "r", {"a.hlsl": CLEAN})
    first = audit("r", "--no-cache")
    damage("bindlint-audit.sqlite", "PRAGMA user_version=1")
    again = audit("r", "--no-cache", *resume)
    assert message in again.stderr and bool(message) == bool(again.stderr)
    assert again.stdout == first.stdout


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.html", "<title>my own notes</title>", "holds no report of an audit and is left as it is"),
        ("r.sqlite", None, "cannot hold both the page and the results"),
        ("r", None, "it is no file"),
    ],
)
def test_a_page_takes_the_place_of_no_other_file(place: Path, name: str, text: str | None, message: str) -> None:
    write(place, {"r/a.hlsl": CLEAN, **({} if text is None else {name: text})})
    assert message in audit("r", "--no-cache", "--results", "r.sqlite", "--html", name, expect=2).stderr
    assert not (place / "r.sqlite").exists(), "told before the work"
    assert text is None or (place / name).read_text() == text


def test_a_page_takes_the_place_of_an_older_one_and_makes_its_folders(place: Path) -> None:
    write(place, {"r/a.hlsl": CLEAN, "empty.html": ""})
    for name in ("empty.html", "a/b/page.html"):
        for _ in range(2):
            audit("r", "--no-cache", "--results", "c/d/r.sqlite", "--html", name)
        assert "bindlint audit" in (place / name).read_text()


def test_a_folder_without_shaders_is_told(place: Path) -> None:
    write(place, {"r/readme.md": "", "full/a.hlsl": CLEAN})
    assert "r: no shader file is in it" in audit("r", "full", "--html", "page.html").stdout
    assert rows("SELECT kind FROM notes") == [("empty",)]
    assert "no shader file is in it" in (place / "page.html").read_text()
    document = json.loads(audit("r", "full", "--format", "json").stdout)
    assert [[note["kind"] for note in each["notes"]] for each in document["repositories"]] == [[], ["empty"]]


def test_shaders_beyond_the_limit_are_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place / "r", {f"s{number}.hlsl": CLEAN for number in range(9)})
    monkeypatch.chdir(place / "r")
    found = Discoverer(most_units=5).run()
    assert len(found.units) == 5 and found.files == 9
    (note,) = found.notes
    assert (note.kind, note.message) == ("limit", "4 shaders beyond the first 5 are not analysed")
    store = Store(place / "r.sqlite", resume=False, tell=print)
    store.discovered(store.repository(Repository("r", str(place / "r"))), found)
    assert "r: 4 shaders beyond the first 5 are not analysed" in as_text(summarised(store.database), "r.sqlite", None)
    store.close()


def test_killed_in_the_middle_and_resumed(place: Path) -> None:
    """What was stored before the kill stands and is not done again; the end is that of a run without a kill."""
    body = "".join(f"float f{n}(float x) {{ return x * {n}; }}\n" for n in range(400))
    write(place / "r", {f"s{n:03}.hlsl": f"static const int N = {n};\n{body}{OVERLAP}" for n in range(120)})
    query = "SELECT file, code, message FROM findings ORDER BY 1, 2, 3"
    audit("r", "--no-cache", "--results", "whole.sqlite")
    command = [*COMMAND, "r", "--no-cache"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    stored = 0
    while not stored and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
        if os.path.exists("bindlint-audit.sqlite"):
            try:
                stored = int(str(rows("SELECT count(*) FROM units")[0][0]))
            except sqlite3.Error:
                stored = 0
    running.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    running.wait()
    assert rows("PRAGMA integrity_check") == [("ok",)]
    before = rows("SELECT id FROM units")
    assert 0 < len(before) <= 120
    audit("r", "--no-cache", "--resume")
    assert set(before) <= set(rows("SELECT id FROM units"))
    assert rows(query) == rows(query, "whole.sqlite")


def test_a_shader_that_takes_too_long_is_ended_and_counted(place: Path) -> None:
    slow = "".join(f"float f{number}(float x) {{ return x * {number}; }}\n" for number in range(100_000))
    write(place / "r", {"a.hlsl": CLEAN, "m/slow.hlsl": slow + CLEAN, "z.hlsl": CLEAN})
    done = audit("r", "--shader-time", "2", "--no-cache", "--format", "json")
    assert rows("SELECT file, status FROM units ORDER BY file") == [
        ("a.hlsl", "done"),
        ("m/slow.hlsl", "time"),
        ("z.hlsl", "done"),
    ]
    (unread,) = json.loads(done.stdout)["unread"]
    assert (unread["kind"], unread["place"]) == ("time", "m/slow.hlsl")


def test_a_shader_that_takes_too_much_memory_is_counted(place: Path) -> None:
    pytest.importorskip("resource", reason="this system bounds no memory")
    large = "".join(f"float f{number}(float x) {{ return x * {number}; }}\n" for number in range(60_000))
    write(place / "r", {"a.hlsl": CLEAN, "large.hlsl": large + CLEAN, "z.hlsl": CLEAN})
    audit("r", "--memory", "150", "--no-cache")
    found = dict(rows("SELECT file, status FROM units"))
    assert found["large.hlsl"] in ("memory", "crashed")
    assert found["a.hlsl"] == found["z.hlsl"] == "done"


def test_memory_in_which_no_process_starts_is_refused(place: Path) -> None:
    write(place / "r", {"a.hlsl": CLEAN})
    done = audit("r", "--memory", "1", expect=2)
    assert "1 is too little" in done.stderr and not (place / "bindlint-audit.sqlite").exists()
