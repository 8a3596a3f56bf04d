"""The command line where files, folders and streams are odd."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.cli import group
from bindlint.discovery import shader_files
from bindlint_grammars.hlsl.limits import Limits
from click.testing import CliRunner, Result

CLEAN = "Texture2D a : register(t0);\nfloat4 main() : SV_Target { return a.Load(0); }\n"
OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""
COMMAND = [sys.executable, "-m", "bindlint"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    for name, text in files.items():
        Path(name).with_suffix(".hlsl").write_text(text, encoding="utf-8")


def test_links_in_a_circle(folder: Path) -> None:
    write(good=CLEAN)
    Path("a.hlsl").symlink_to("b.hlsl")
    Path("b.hlsl").symlink_to("a.hlsl")
    result = CliRunner().invoke(group, ["check", "--format", "jsonl", "."])
    assert '"file":"good.hlsl"' in result.output, result.output
    assert not isinstance(result.exception, RuntimeError)
    assert CliRunner().invoke(group, ["check", "a.hlsl"]).exit_code == 2
    assert CliRunner().invoke(group, ["check", "x" * 5000 + ".hlsl"]).exit_code == 2


@pytest.mark.parametrize("streams", ["<&-", ">&-", ">/dev/full", "2>&-"])
def test_streams_that_are_closed_or_full_end_without_a_traceback(folder: Path, streams: str) -> None:
    write(bad=OVERLAP)
    word = "- --stdin-filename x.hlsl" if streams == "<&-" else "bad.hlsl"
    command = f'"{COMMAND[0]}" {COMMAND[1]} "{COMMAND[2]}" check {word} {streams}'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.returncode in {"<&-": (0,), ">&-": (1,), ">/dev/full": (2,), "2>&-": (1,)}[streams]


def check(*words: str) -> Result:
    return CliRunner().invoke(group, ["check", "--format", "concise", *words])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rootsig", ""], "the source of the root signature is empty"),
        (["--rootsig", " "], "the source of the root signature is empty"),
        (["--rootsig", "gone.hlsl:RS"], "`gone.hlsl` is neither a file nor the text of a root signature; did you mean"),
        (["--rootsig", "/dev/zero:RS"], "`/dev/zero` is there, but is no file"),
        (["--rootsig", "RS"], "`RS` is neither a file nor"),
        (["--rootsig", "gone.toml#Sky"], "`gone.toml` is neither a file nor"),
        (["--rootsig", "good.hlsl"], "name the macro of `good.hlsl` that holds the root signature"),
        (["-import-binding-table", "gone.csv"], "there is no binding table `"),
    ],
)
def test_what_an_option_names_must_be_there(folder: Path, words: list[str], message: str) -> None:
    write(good=CLEAN, gonne=CLEAN)
    result = check("good.hlsl", "-T", "ps_6_0", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("DescriptorTable(SRV(t0)", 1, "BL201"),
        ("CBV(b0), StaticSampler(s0, mipLODBias = 1.5", 1, "BL201"),
        ("rs/rs.hlsl:RS", 0, ""),
        ("rs\\rs.hlsl:RS", 0, ""),
        ("rs/rs.hlsl:OTHER", 2, "there is no macro `OTHER`"),
    ],
)
def test_root_signatures_as_text_and_of_files(folder: Path, source: str, status: int, message: str) -> None:
    (folder / "rs").mkdir()
    write(good=CLEAN)
    (folder / "rs" / "rs.hlsl").write_text('#include "table.hlsli"\n#define RS TABLE\n')
    (folder / "rs" / "table.hlsli").write_text('#define TABLE "DescriptorTable(SRV(t0))"\n')
    result = check("good.hlsl", "-T", "ps_6_0", "--rootsig", source)
    assert (result.exit_code, message in result.output) == (status, True), result.output


@pytest.mark.parametrize(
    ("option", "status", "code"),
    [
        ("-binding-table-define T", 0, ""),
        ("-binding-table-define U", 2, "BL012"),
        ("-import-binding-table t.csv", 0, ""),
    ],
)
def test_binding_tables_must_be_there(folder: Path, option: str, status: int, code: str) -> None:
    write(good='#define T "ResourceName, Binding, Space; a, t3, 0"\n' + CLEAN)
    Path("t.csv").write_text("ResourceName,Binding,Space\na,t3,0\n")
    result = check("good.hlsl", "-T", "ps_6_0", *option.split())
    assert (result.exit_code, code in result.output) == (status, True), result.output
    Path("m.jsonl").write_text(json.dumps({"file": "good.hlsl", "arguments": ["-T", "ps_6_0", *option.split()]}))
    result = check("--manifest", "m.jsonl")
    assert (result.exit_code, code in result.output) == (min(status, 1), True), result.output
    Path("t.csv").unlink()
    result = check("--manifest", "m.jsonl")
    assert ("BL093" in result.output) == option.endswith("t.csv")


OUTSIDE = [
    (["in/a.hlsl"], False),
    (["in"], False),
    (["in/a.hlsl", "-I", "common"], True),
    (["in", "common"], True),
    (["in/a.hlsl", "common"], True),
    (["--manifest", "in/m.jsonl"], False),
    (["--manifest", "m.jsonl"], True),
]


@pytest.mark.parametrize(
    ("words", "allowed"),
    [(["in/a.hlsl"], False), (["in/a.hlsl", "--config", "in/bindlint.toml"], True), (["in/sub/b.hlsl"], True)],
)
def test_a_configuration_that_was_found_opens_only_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], allowed: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in/sub", "in/inner", "common"):
        Path(name).mkdir(parents=True)
    Path("common/c.hlsli").touch()
    Path("in/inner/d.hlsli").touch()
    Path("in/a.hlsl").write_text('#include "c.hlsli"\n' + CLEAN)
    Path("in/sub/b.hlsl").write_text('#include "d.hlsli"\n' + CLEAN)
    Path("in/bindlint.toml").write_text('include-dirs = ["../common", "inner"]\n')
    result = check(*words)
    assert (result.exit_code, "BL004" in result.output) == (0 if allowed else 1, not allowed), result.output


@pytest.mark.parametrize(("words", "allowed"), OUTSIDE)
@pytest.mark.parametrize("include", ["../common/c.hlsli", "{}/common/c.hlsli", "link.hlsli"])
def test_without_a_repository_includes_stay_in_what_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, include: str, words: list[str], allowed: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("common").mkdir()
    Path("common/c.hlsli").write_text("static const int secret = 1;\n")
    Path("in/link.hlsli").symlink_to(tmp_path / "common" / "c.hlsli")
    Path("in/a.hlsl").write_text(f'#include "{include.format(tmp_path)}"\n{CLEAN}')
    Path("in/m.jsonl").write_text('{"file": "a.hlsl", "arguments": ["-T", "ps_6_0"]}\n')
    Path("m.jsonl").write_text('{"file": "in/a.hlsl", "arguments": ["-T", "ps_6_0"]}\n')
    result = check(*words)
    assert result.exit_code == (0 if allowed else 1)
    assert ("BL004" in result.output) == (not allowed)
    assert "secret" not in result.output


def test_many_shaders_take_no_more_memory_than_some() -> None:
    analyser = Analyser(Limits(held_bytes=20_000, facts_bytes=5_000))
    text = "Texture2D a : register(t0);\nfloat4 main() : SV_Target { float v = N; return a.Load(0) * v; }\n"
    held = []
    tracemalloc.start()
    for number in range(300):
        name = f"{number}.hlsl"
        analyser.overlay(name, text.encode())
        shader = parse_arguments(["-T", "ps_6_0", "-D", f"N={number}", "-I", f"{number}"]).shader
        analysis = analyser.analyse(msgspec.structs.replace(shader, file=name))
        assert [binding.name for binding in analysis.bindings] == ["a"]
        analyser.overlay(name, None)
        if number % 20 == 19:
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert max(held[8:]) < max(held[:8]) + 200_000, held  # without a bound 140 shaders take two million


UNREAD = [
    ("#if " + "(" * 200 + "1" + ")" * 200 + "\n{}#endif\n", "BL013", "nested more than 100 deep"),
    ("#if 0\n{}", "BL007", "this conditional is never closed"),
    ('#include "gone.hlsli"\n', "BL001", "gone.hlsli is not found"),
    ("#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(x))))\nB(B(B(1)))\n", "BL010", "beyond the limits"),
    ("float4 main( : = ][ { }\n", "BL011", "could not be read"),
]


@pytest.mark.parametrize(("text", "code", "cause"), UNREAD)
def test_an_entry_point_may_stand_in_what_was_not_read(folder: Path, text: str, code: str, cause: str) -> None:
    write(a=text.replace("{}", CLEAN) if "{}" in text else text)
    result = CliRunner().invoke(group, ["check", "--format", "jsonl", "-T", "ps_6_0", "a.hlsl"])
    shader = json.loads(result.stdout)
    by_code = {finding["code"]: finding for finding in shader["findings"]}
    assert (result.exit_code, shader["status"]) == (1, "partial")
    assert {code, "BL012"} <= by_code.keys()
    assert by_code["BL012"]["message"].startswith("as far as the shader was read, there is no entry point `main`")
    assert cause in by_code["BL012"]["related"][0]["message"]


def test_an_entry_point_is_missing_where_all_was_read(folder: Path) -> None:
    write(a="#if 1\n" + CLEAN.replace("main", "other"))
    result = check("a.hlsl", "-T", "ps_6_0")
    assert result.exit_code == 2
    assert "there is no entry point `main` in this file; did you mean `other`?" in result.output


@pytest.mark.parametrize("words", [["check"], ["show"], ["rootsig", "suggest"]])
def test_a_folder_without_shaders_is_no_clean_one(folder: Path, words: list[str]) -> None:
    (folder / "empty").mkdir()
    (folder / "full").mkdir()
    result = CliRunner().invoke(group, [*words, "empty"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no shader is found in `empty`" in result.stderr
    (folder / "full" / "a.hlsl").write_text(CLEAN)
    result = CliRunner().invoke(group, [*words, "empty", "full"])
    assert result.exit_code == 0
    assert "no shader is found in `empty`" in result.stderr


def test_show_has_no_form_without_room_for_a_table(folder: Path) -> None:
    write(good=CLEAN)
    result = CliRunner().invoke(group, ["show", "--format", "concise", "good.hlsl"])
    assert result.exit_code == 2
    assert "'text', 'json', 'jsonl'" in result.stderr


@pytest.mark.parametrize("name", [b"\x01" * 3_000_000, b"x" * 3_000_000], ids=["control characters", "a long word"])
def test_messages_have_an_end(folder: Path, name: bytes) -> None:
    write(good=CLEAN)
    Path("args.txt").write_bytes(b"-T " + name)
    result = check("@args.txt", "good.hlsl")
    assert result.exit_code == 2
    assert "there is no target profile" in result.stderr
    assert "characters left out" in result.stderr
    assert len(result.stderr) < 5000
    Path("good.hlsl").write_bytes(b"#include <" + name.replace(b"\x01", b"n") + b">\n" + CLEAN.encode())
    result = CliRunner().invoke(group, ["check", "--format", "jsonl", "good.hlsl"])
    assert "is not found" in result.stdout
    assert len(result.stdout) < 5000


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_stopped_ends_with_the_status_of_the_signal(
    folder: Path, jobs: str, sent: signal.Signals, status: int
) -> None:
    write(good=CLEAN)
    lines = (json.dumps({"file": "good.hlsl", "arguments": ["-T", "ps_6_0", f"-DN={n}"]}) for n in range(20_000))
    Path("m.jsonl").write_text("\n".join(lines))
    command = [*COMMAND, "check", "--format", "jsonl", "--jobs", jobs, "--manifest", "m.jsonl"]
    before = signal.signal(sent, signal.SIG_DFL)  # what a background job ignores would be ignored by its processes, too
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    signal.signal(sent, before)
    with running:
        assert running.stdout is not None
        running.stdout.read(1)
        time.sleep(0.2)
        os.killpg(running.pid, sent) if sent == signal.SIGINT else running.send_signal(sent)
        _, said = running.communicate(timeout=60)
    assert running.returncode == status
    assert said.decode() in ("bindlint: stopped\n", "")


def test_what_is_passed_over_is_said(folder: Path) -> None:
    write(good=CLEAN)
    result = check("good.hlsl", "-T", "ps_6_0", "-I", "gone")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "there is no include directory `" in result.stderr
    Path("m.jsonl").write_text("\n")
    result = check("--manifest", "m.jsonl")
    assert (result.exit_code, result.stderr) == (0, "bindlint: the manifest names no shader\n")


def test_one_file_has_one_name(folder: Path) -> None:
    write(outer='#include "./inner.hlsl"\n#include "inner.hlsl"\n', inner=OVERLAP)
    write(itself='#include "itself.hlsl"\n' + CLEAN)
    result = CliRunner().invoke(group, ["check", "--format", "concise", "outer.hlsl", "itself.hlsl", "-T", "ps_6_0"])
    assert "inner.hlsl:" in result.stdout
    assert "./" not in result.stdout


def test_an_include_that_is_no_file_is_told_apart_from_none(folder: Path) -> None:
    write(a='#include "folder.hlsli"\n#include "loop.hlsli"\n#include "gone.hlsli"\n' + CLEAN)
    Path("folder.hlsli").mkdir()
    Path("loop.hlsli").symlink_to("loop.hlsli")
    result = check("a.hlsl", "-T", "ps_6_0")
    assert "folder.hlsli is there, but is no file" in result.stdout
    assert "loop.hlsli is there, but is no file" in result.stdout
    assert "gone.hlsli is not found" in result.stdout


def test_a_header_against_a_root_signature_with_mesh_parts(tmp_path: Path) -> None:
    (tmp_path / "helper.hlsli").write_text("float4 helper() { return 0; }\n")
    words = ["check", "--isolated", "--format", "concise", "--rootsig", "SRV(t0, visibility=SHADER_VISIBILITY_MESH)"]
    result = CliRunner().invoke(group, [*words, str(tmp_path / "helper.hlsli")])
    assert result.exit_code == 0
    assert "BL215" in result.output
    assert "BL090" not in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
@pytest.mark.parametrize("words", [["check"], ["check", "--rootsig"], ["rootsig", "show"]])
def test_a_pipe_that_is_called_like_a_file_is_none(folder: Path, words: list[str]) -> None:
    write(good=CLEAN)
    os.mkfifo("p.cso")
    result = CliRunner().invoke(
        group, [*words, "p.cso", *(["good.hlsl"] if len(words) == 2 and words[0] == "check" else [])]
    )
    assert result.exit_code in (1, 2)
    assert "is there, but is no file" in result.output
    assert "did you mean" not in result.output


@pytest.mark.parametrize("form", ["toml", "json", "hlsl"])
def test_names_that_are_no_text_are_refused(form: str) -> None:
    result = CliRunner().invoke(group, ["rootsig", "convert", "CBV(b0)", "--to", form, "--name", "\udcff"])
    assert result.exit_code == 2
    assert "cannot be called `\\udcff`, which is no text" in result.output


def test_an_empty_container_is_not_read(folder: Path) -> None:
    empty = b"DXBC" + bytes(16) + (1).to_bytes(4, "little") + (32).to_bytes(4, "little") + bytes(4)
    Path("empty.cso").write_bytes(empty)
    Path("bound.hlsl").write_text("float4 main() : SV_Target { return 0; }", encoding="utf-8")
    for words in (["empty.cso"], ["--against", "empty.cso", "-T", "ps_6_0", "bound.hlsl"]):
        result = check(*words)
        assert result.exit_code == 1
        assert "error[BL005] `empty.cso`: the container is empty: it has no parts" in result.output


def test_a_compiled_shader_without_a_shader_is_told(folder: Path) -> None:
    write(bound=CLEAN)
    made = CliRunner().invoke(group, ["rootsig", "convert", "CBV(b0)", "--to", "rts0", "--output", "only.cso"])
    assert made.exit_code == 0
    result = check("--against", "only.cso", "-T", "ps_6_0", "bound.hlsl")
    assert result.exit_code == 1
    assert "error[BL005] `only.cso`: there is no shader in it" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes and links there")
@pytest.mark.parametrize("command", ["check", "audit"])
@pytest.mark.parametrize("kind", ["range", "stars", "folders", "pipe", "itself", "link"])
def test_odd_ignores_and_links_end_no_run(folder: Path, command: str, kind: str) -> None:
    name = f"{'a' * 120}.hlsl"
    Path(name).write_text(CLEAN, encoding="utf-8")
    ignores = folder / ".gitignore"
    if kind == "pipe":
        os.mkfifo(ignores)
    elif kind == "itself":
        ignores.symlink_to(ignores)
    elif kind == "link":
        Path("d").symlink_to("d")
    else:
        pattern = {"range": "[z-a]", "stars": "*a" * 40 + "b", "folders": "**/a*a*a*a*a*a*a*b/" * 20 + "c"}[kind]
        ignores.write_text(f"{pattern}\nold.hlsl\n", encoding="utf-8")
        write(old=OVERLAP)
    words = [".", "--no-cache"] if command == "audit" else ["."]
    done = subprocess.run([*COMMAND, command, *words], capture_output=True, text=True, timeout=300)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert "cannot be searched" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("*a*b*.hlsl", ["xaxbx.hlsl", "d/ab.hlsl", "d/e/ab.hlsl"]),
        ("d/**/e/**/*b.hlsl", ["d/e/ab.hlsl", "d/x/e/y/b.hlsl"]),
        ("**/e/", ["d/e/ab.hlsl", "d/x/e/y/b.hlsl"]),
        ("/*a*b*", ["xaxbx.hlsl"]),
        ("*[!b]?x*", ["xaxbx.hlsl", "ba.txt.hlsl"]),
    ],
)
def test_patterns_with_several_stars(folder: Path, pattern: str, ignored: list[str]) -> None:
    names = ["xaxbx.hlsl", "d/ab.hlsl", "d/e/ab.hlsl", "d/x/e/y/b.hlsl", "ba.txt.hlsl"]
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    (folder / ".gitignore").write_text(pattern, encoding="utf-8")
    assert sorted(set(names) - {path.replace(os.sep, "/") for path in shader_files(".")}) == sorted(ignored)
