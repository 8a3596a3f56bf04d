"""The README's example is what the program prints today, and its commands are those that exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
EXAMPLE = re.compile(r"(?s)(<!-- example -->\n```\n)(.*?)(```\n<!-- end of example -->)")


def test_example_output(monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.chdir(ROOT)
    text = README.read_text(encoding="utf-8")
    command = re.search(r"\.venv/bin/bindlint (check .*)", text)
    assert command is not None
    program = [sys.executable, "-m", "bindlint", *shlex.split(command[1])]
    result = subprocess.run(program, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    shown = f"$ bindlint {command[1]}\n{result.stdout}"
    if update:
        README.write_text(EXAMPLE.sub(lambda match: match[1] + shown + match[3], text), encoding="utf-8")
    found = EXAMPLE.search(README.read_text(encoding="utf-8"))
    assert found is not None and found[2] == shown
