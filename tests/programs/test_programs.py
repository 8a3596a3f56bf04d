"""Whole shaders with settings: what the commands in each folder's `commands.txt` print must be its `output.txt`.

`pytest tests/programs --update` rewrites the outputs; look at the difference before you commit it.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from bindlint.cli import group
from click.testing import CliRunner

HERE = Path(__file__).parent
PROGRAMS = sorted(path.parent for path in HERE.glob("*/commands.txt"))


@pytest.mark.parametrize("folder", PROGRAMS, ids=[path.name for path in PROGRAMS])
def test_program(folder: Path, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    commands = (folder / "commands.txt").read_text(encoding="utf-8").splitlines()
    got = "\n".join(transcript(command) for command in commands if command)
    stored = folder / "output.txt"
    if update:
        stored.write_text(got, encoding="utf-8", newline="\n")
    assert got == stored.read_text(encoding="utf-8")


def transcript(command: str) -> str:
    """The command as typed, both streams, and the exit status where it is not 0."""
    result = CliRunner().invoke(group, shlex.split(command)[1:])
    status = f"[exit status {result.exit_code}]\n" if result.exit_code else ""
    return f"$ {command}\n{result.stdout}{result.stderr}{status}"
