"""`bindlint dxc`: what one command line of a compiler asks for, what is passed through, and the compiler after it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bindlint.cli import group
from click.testing import CliRunner, Result

CLEAN = "Texture2D a : register(t0);\nfloat4 main() : SV_Target { return a.Load(0); }\n"
OVERLAP = """\
Texture2D a : register(t0);
Texture2D b : register(t0);
float4 main() : SV_Target { return a.Load(0) + b.Load(0); }
"""
PASTED = "#define CB(n, s) cbuffer n : register(b##s) { float n##x; }\n#define SLOT 6\nCB(X, SLOT)\n" + (
    "float4 main() : SV_Target { return Xx; }\n"
)
MAIN = [sys.executable, "-m", "bindlint"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in (("clean", CLEAN), ("bad", OVERLAP), ("pasted", PASTED)):
        (tmp_path / f"{name}.hlsl").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def compiler(folder: Path) -> str:
    """A program named dxc that tells what it was called with, and ends with 7."""
    path = folder / "dxc"
    lines = [f"#!{sys.executable}", "import sys", "print(*sys.argv[1:], sep='|')", "print('warn', file=sys.stderr)"]
    path.write_text("\n".join([*lines, "sys.exit(7)", ""]), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def dxc(*words: str) -> Result:
    return CliRunner().invoke(group, ["dxc", "--format", "concise", *words])


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("-- dxc -T ps_6_0 -E main clean.hlsl -Fo out.dxil -Zi", 0),
        ("-- dxc -T ps_6_0 bad.hlsl", 1),
        ("-- dxc.exe /Tps_6_0 /Emain bad.hlsl", 1),
        ("dxc -T ps_6_0 bad.hlsl", 1),
        ("--fail-on never -- dxc -T ps_6_0 bad.hlsl", 0),
        ("--ignore BL103 -- dxc -T ps_6_0 bad.hlsl", 0),
        ("-- wine fxc.exe /nologo /T ps_5_0 bad.hlsl", 1),
        ("-- dxc @args.rsp", 1),
        ("-- dxc -T ps_6_0 -frobnicate bad.hlsl", 1),
        ("-- dxc -T ps_6_0 -frobnicate 7 bad.hlsl", 1),
        ("-- dxc -T ps_6_0 --frobnicate clean.hlsl", 0),
        ("-- dxc -T rootsig_1_1 -E RS signature.hlsl", 1),
        ("--rootsig SRV(t0) -- dxc -T ps_6_0 clean.hlsl", 1),
    ],
)
def test_the_exit_status_is_that_of_check(folder: Path, words: str, status: int) -> None:
    Path("args.rsp").write_text("-T ps_6_0 -E main\n'bad.hlsl'\n", encoding="utf-8")
    Path("signature.hlsl").write_text('#define RS "CBV(b0), CBV(b0)"\n', encoding="utf-8")
    result = dxc(*words.split())
    assert result.exit_code == status, result.output
    assert ("error[BL" in result.stdout) == (bool(status) or "never" in words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "name dxc or fxc after `--`"),
        ("-- g++ -c a.cpp", "not `g++`"),
        ("-- dxc clean.hlsl", "has no target profile"),
        ("-- dxc -T ps_6_0", "names no file"),
        ("-- dxc -T ps_6_0 clean.hlsl bad.hlsl", "names several files"),
        ("-- dxc -T ps_6_0 .", "is a folder"),
        ("-- dxc -T ps_6_0 none.hlsl", "no file or folder `none.hlsl`"),
        ("-- dxc -T ps_7_0 clean.hlsl", "no target profile `ps_7_0`"),
        ("-- dxc -T ps_6_0 clean.hlsl -HV 2033", "takes 2015"),
        ("-- dxc @none.rsp", "response file `none.rsp` cannot be read"),
        ("-- dxc @nul.rsp", "response file `nul.rsp` cannot be read"),
        ("-- dxc -T ps_6_0 -E nowhere clean.hlsl", ""),
        ("--teir 2 -- dxc -T ps_6_0 clean.hlsl", "--teir"),
        ("--then-compile -- ./none/dxc -T ps_6_0 clean.hlsl", "no program `./none/dxc`"),
    ],
)
def test_what_cannot_be_checked_ends_with_status_2(folder: Path, words: str, message: str) -> None:
    Path("nul.rsp").write_bytes(b"-T ps_6_0 clean.hlsl\0 -DX")
    result = dxc(*words.split())
    assert result.exit_code == 2, result.output
    assert message in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        "dxc -dumpbin x.dxil",
        "dxc --help",
        "dxc -?",
        "fxc /P out.txt a.hlsl",
        "dxc -recompile x.pdb",
        "fxc /T fx_5_0 a.fx",
    ],
)
def test_what_compiles_nothing_is_passed_through_with_a_note(folder: Path, words: str) -> None:
    result = dxc("--", *words.split())
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing is checked: " in result.stderr


def test_the_dialect_is_that_of_the_compiler(folder: Path) -> None:
    assert dxc("--", "fxc", "/T", "ps_5_1", "pasted.hlsl").exit_code == 0
    result = dxc("--", "dxc", "-T", "ps_5_1", "pasted.hlsl")
    assert "bSLOT" in result.stdout


def test_nothing_of_the_configuration_is_added_to_the_command_line(folder: Path) -> None:
    Path("inc").mkdir()
    Path("inc/h.hlsli").touch()
    Path("bindlint.toml").write_text('defines = ["B"]\ninclude-dirs = ["inc"]\n', encoding="utf-8")
    Path("a.hlsl").write_text(f"#ifdef B\n#error B\n#endif\n#include <h.hlsli>\n{CLEAN}", encoding="utf-8")
    result = dxc("--", "dxc", "-T", "ps_6_0", "a.hlsl")
    assert "error[BL001]" in result.stdout and "BL009" not in result.stdout
    assert dxc("--", "dxc", "-T", "ps_6_0", "a.hlsl", "-I", "inc").exit_code == 0
    Path("bindlint.toml").write_text('ignore = ["BL001"]\n', encoding="utf-8")
    assert dxc("--", "dxc", "-T", "ps_6_0", "a.hlsl").exit_code == 0


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the compiler is a script")
@pytest.mark.parametrize(
    ("words", "status", "stdout"),
    [
        ("-T ps_6_0 clean.hlsl -D A;$(x)", 7, "-T|ps_6_0|clean.hlsl|-D|A;$(x)\n"),
        ("-help", 7, "-help\n"),
        ("-T ps_6_0 bad.hlsl", 1, ""),
    ],
)
def test_the_compiler_runs_where_nothing_is_found(compiler: str, words: str, status: int, stdout: str) -> None:
    command = [*MAIN, "dxc", "--then-compile", "--", compiler, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, stdout)
    assert ("warn\n" in done.stderr) == (status == 7)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_what_ends_bindlint_ends_the_compiler(folder: Path) -> None:
    lines = [f"#!{sys.executable}", "import signal", "print('runs', flush=True)", "signal.sigwait([signal.SIGUSR1])"]
    Path("dxc").write_text("\n".join([*lines, ""]), encoding="utf-8")
    Path("dxc").chmod(0o755)
    command = [*MAIN, "dxc", "--then-compile", "--", "./dxc", "-T", "ps_6_0", "clean.hlsl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline() == "runs\n"
        running.terminate()
        # Its standard output is at an end once nobody holds it any more.
        assert running.stdout.read() == ""
    assert running.returncode == -signal.SIGTERM


def test_a_dependency_file_names_all_that_was_read(folder: Path) -> None:
    Path("a b.hlsli").write_text(CLEAN, encoding="utf-8")
    Path("a.hlsl").write_text('#include "a b.hlsli"\n', encoding="utf-8")
    assert dxc("--depfile", "a$.stamp.d", "--", "dxc", "-T", "ps_6_0", "a.hlsl").exit_code == 0
    target, *files = Path("a$.stamp.d").read_text(encoding="utf-8").split(" \\\n")
    assert target == "a$$.stamp:"
    place = str(folder).replace("\\", "/")
    assert [file.strip() for file in files] == [f"{place}/a\\ b.hlsli", f"{place}/a.hlsl"]
