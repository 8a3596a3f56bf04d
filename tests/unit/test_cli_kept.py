"""What `check` keeps between runs: the same output without the work, and nothing that has become untrue."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "bindlint", "check"]
MARKED = '#include "h.hlsli"\nTexture2D A : register(t0);\nfloat4 main() : SV_Target {{ return A[uint2({}, 0)]; }}\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BINDLINT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "h.hlsli").write_text("// bindlint: allow(latent-overlap)\nTexture2D Spare : register(t0);\n")
    for number in range(30):
        (tmp_path / "s" / f"s{number:02}.hlsl").write_text(MARKED.format(number))
    return tmp_path


def check(*options: str) -> tuple[int, str]:
    command = [*COMMAND, "s", "--isolated", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stdout


@pytest.mark.parametrize("form", ["concise", "json", "sarif"])
def test_a_second_run_says_the_same(place: Path, form: str) -> None:
    fresh = check("--format", form, "--no-cache")
    assert not list((place / "cache").rglob("*.sqlite"))
    first = check("--format", form)
    assert list((place / "cache").rglob("*.sqlite"))
    assert first == fresh
    assert check("--format", form) == fresh
    assert check("--format", form, "--jobs", "2") == fresh


def test_what_has_changed_is_judged_again(place: Path) -> None:
    assert check("--format", "concise")[0] == 0
    header = place / "s" / "h.hlsli"
    header.write_text("Texture2D Spare : register(t0);\nfloat4 spare() { return Spare[uint2(0, 0)]; }\n")
    assert "BL104" in check("--format", "concise")[1]
    (place / "s" / "s05.hlsl").write_text(MARKED.format(5).replace("return", "return spare() +"))
    code, said = check("--format", "concise")
    assert code == 1 and said.count("BL103") == 1
    assert check("--format", "concise", "--ignore", "register-overlap")[0] == 0
    assert check("--format", "concise", "-D", "Spare=Other")[1].count("`Other`") >= 1


def test_of_a_few_shaders_nothing_is_kept(place: Path) -> None:
    for path in (place / "s").glob("s[12]*.hlsl"):
        path.unlink()
    check()
    assert not list((place / "cache").rglob("*.sqlite"))


def test_damaged_values_are_passed_over(place: Path) -> None:
    first = check("--format", "concise")
    database = sqlite3.connect(next((place / "cache").rglob("*.sqlite")))
    with database:
        database.execute("UPDATE results SET value=?", (zlib.compress(b"junk"),))
    database.close()
    assert check("--format", "concise") == first
