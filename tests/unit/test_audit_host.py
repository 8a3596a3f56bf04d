"""The audit of C++: found, read by program, joined with shaders, stored, shown, kept, bounded and confined."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from audits import audit, rows, write
from renderers import renderer

VIEW_AT_0 = "InitAsConstantBufferView(0)"
WHOLE = renderer(VIEW_AT_0, "InitAsConstants(3, 4)")
OPEN = renderer(VIEW_AT_0, "InitAsConstants(m_count, 4)")
SHADER = """#include "view.hlsli"
cbuffer Tint : register(b1) { float4 tint; }
float4 VS(float4 at : POSITION) : SV_Position { return at + view; }
float4 PS() : SV_Target { return tint; }
"""
VIEW = "cbuffer View : register(b0) { float4 view; }\n"
ONE = {"src/renderer.cpp": WHOLE, "src/sky.hlsl": SHADER, "include/view.hlsli": VIEW}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BINDLINT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def test_what_is_wrong_between_host_code_and_shader(place: Path) -> None:
    write(place / "r", ONE)
    document = json.loads(audit("r", "--format", "json", "--fail-on", "error", expect=1).stdout)
    (finding,) = [each for each in document["findings"] if each["code"] == "BL301"]
    assert (finding["file"], finding["line"], finding["shaders"]) == ("src/sky.hlsl", 2, 0)
    assert "pipeline `m_pso`: `sky.hlsl:PS`" in finding["message"]
    assert {(each["file"], each["line"]) for each in finding["related"]} >= {("src/renderer.cpp", 19)}
    (rule,) = [each for each in document["rules"] if each["code"] == "BL301"]
    assert (rule["count"], rule["repositories"]) == (1, [["r", 1]])
    (repository,) = document["repositories"]
    assert [repository[name] for name in ("hosts", "pipelines", "joined_pipelines", "root_signatures")] == [1, 1, 1, 1]
    (signature,) = document["root_signatures"]
    assert [signature[name] for name in ("name", "file", "cost", "complete", "tier")] == [
        "m_rs", "src/renderer.cpp", 5, 1, 1,
    ]  # fmt: skip
    (pipeline,) = document["pipelines"]
    assert (pipeline["root_signature"], pipeline["why"]) == (signature["id"], "")
    assert [(stage["file"], stage["entry"]) for stage in pipeline["stages"]] == [
        ("src/sky.hlsl", "VS"),
        ("src/sky.hlsl", "PS"),
    ]


def test_what_cannot_be_followed_is_counted(place: Path) -> None:
    write(place / "r", {**ONE, "src/renderer.cpp": OPEN})
    done = audit("r", "--html", "page.html")
    assert "0/1" in done.stdout and "part of a root signature: not-read" in done.stdout
    assert rows("SELECT cost, least_cost, complete FROM root_signatures") == [(None, 2, 0)]
    assert rows("SELECT pipelines, joined_pipelines FROM programs") == [(1, 0)]
    page = (place / "page.html").read_text(encoding="utf-8")
    assert "at least 2" in page and "0 of 1" in page and "its root signature is known in parts" in page


def test_the_page_has_the_signature_of_the_host_code(place: Path) -> None:
    write(place / "r", ONE)
    audit("r", "--html", "page.html")
    page = (place / "page.html").read_text(encoding="utf-8")
    assert page.count("#0 cbv: b0") == 2, "it is drawn behind both shaders"
    assert "by pipeline <code>m_pso</code>" in page
    assert "src/renderer.cpp:7" in page and "<td>C++</td>" in page


def test_what_other_stages_see_is_not_behind_a_shader(place: Path) -> None:
    seen = WHOLE.replace(
        "InitAsConstantBufferView(0)", "InitAsConstantBufferView(0, 0, D3D12_SHADER_VISIBILITY_VERTEX)"
    )
    write(place / "r", {**ONE, "src/renderer.cpp": seen})
    audit("r", "--html", "page.html")
    assert (place / "page.html").read_text(encoding="utf-8").count("#0 cbv vertex: b0") == 1


def test_a_finding_in_a_header_of_host_code_is_one_row(place: Path) -> None:
    header = WHOLE.replace("InitAsConstants(3, 4)", "InitAsConstants(80, 4)").replace("void Renderer::", "inline void ")
    source = '#include "shared.h"\n#include <d3d12.h>\nID3D12Device* {};\n'
    files = {f"src/{name}.cpp": source.format(name) for name in "ab"}
    write(place / "r", {**ONE, **files, "src/shared.h": header})
    audit("r")
    assert rows("SELECT file, line FROM findings WHERE code='BL203'") == [("src/shared.h", 6)]


APART = {
    **{f"{name}/{file}": text for name in ("one", "two") for file, text in ONE.items()},
    "one/one.vcxproj": "<Project/>",
    "two/two.vcxproj": "<Project/>",
}


SHARING = '#include "../../common.h"\nID3D12Device* d;'
USING = '#include "device.h"\nID3D12Device* e;'


@pytest.mark.parametrize(
    ("more", "programs"),
    [
        ({}, ["one/src", "two/src"]),
        ({"common.h": "", "one/src/b.cpp": SHARING, "two/src/b.cpp": SHARING}, ["."]),
        ({"two/src/device.h": "ID3D12Device* d;", "one/src/b.cpp": USING}, ["."]),
        ({"two/src/device.h": "int d;", "one/src/b.cpp": USING}, ["one/src", "two/src"]),
    ],
)
def test_what_is_one_program(place: Path, more: dict[str, str], programs: list[str]) -> None:
    write(place / "r", {**APART, **more})
    audit("r")
    assert rows("SELECT file FROM units WHERE kind='program' ORDER BY file") == [(name,) for name in programs]
    assert rows("SELECT sum(joined_pipelines) FROM programs") == [(2,)]


@pytest.mark.parametrize("resume", [("--resume", "--no-cache"), ()], ids=["resumed", "from the cache"])
def test_only_what_has_changed_is_read_again(place: Path, resume: tuple[str, ...]) -> None:
    query = "SELECT file, milliseconds FROM units WHERE kind='program' ORDER BY file"
    write(place / "r", APART)
    audit("r")
    findings = "SELECT code, message, file, line FROM findings ORDER BY 1, 2, 3, 4"
    first, before = rows(query), rows(findings)
    audit("r", *resume)
    assert rows(query) == first and rows(findings) == before
    write(place / "r", {"one/src/sky.hlsl": SHADER.replace("register(b1)", "register(b0, space7)")})
    audit("r", *resume)
    assert rows("SELECT count(*) FROM findings WHERE message LIKE '%space7%' AND file='one/src/sky.hlsl'") != [(0,)]
    assert rows("SELECT count(*) FROM findings WHERE code='BL301' AND file='two/src/sky.hlsl'") == [(1,)]
    write(place / "r", {"one/src/renderer.cpp": OPEN})
    audit("r", *resume)
    assert rows("SELECT sum(joined_pipelines) FROM programs") == [(1,)]


def test_a_program_that_takes_too_long_is_ended_and_told(place: Path) -> None:
    slow = "".join(f"int f{number}(int x) {{ return x * {number} + f0(x); }}\n" for number in range(200_000))
    write(place / "r", {**APART, "one/src/slow.cpp": f"ID3D12Device* device;\n{slow}"})
    done = audit("r", "--shader-time", "2", "--memory", "0", "--no-cache", "--html", "page.html")
    assert rows("SELECT file, status FROM units WHERE kind='program' ORDER BY file") == [
        ("one/src", "time"),
        ("two/src", "done"),
    ]
    assert "the C++ in `one/src`: one step of it took more than 2 s" in done.stdout
    assert "1 program not read" in (place / "page.html").read_text(encoding="utf-8")


def test_host_code_reads_nothing_from_outside(place: Path) -> None:
    secret = "Secret_41c9"
    write(
        place,
        {"outside/secret.h": f"ID3D12RootSignature* {secret};\n#define {secret}_VALUE 77\n", "outside/s.hlsl": ""},
    )
    including = f'#include "../../outside/secret.h"\n#include "{place.as_posix()}/outside/secret.h"\n'
    wrong = WHOLE.replace("InitAsConstants(3, 4)", f"InitAsConstants({secret}_VALUE, 4)")
    write(place / "r", {**ONE, "src/renderer.cpp": including + wrong.replace("sky.hlsl", "../../outside/s.hlsl")})
    write(place, {"outside/other.vcxproj": "<Project/>"})
    audit("r")
    read = [file for (files,) in rows("SELECT files FROM units") for file in json.loads(str(files))]
    assert read and not any("outside" in file for file in read)
    assert rows("SELECT cost, least_cost FROM root_signatures") == [(None, 2)]
    assert rows("SELECT file FROM pipeline_stages") == [("",), ("",)]
