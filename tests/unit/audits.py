"""Audits as the tests run them: files written, the command in a process of its own, rows of the results."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "bindlint", "audit"]


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def audit(*arguments: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stderr
    return done


def rows(query: str, results: str = "bindlint-audit.sqlite") -> list[tuple[object, ...]]:
    database = sqlite3.connect(results)
    try:
        return list(database.execute(query))
    finally:
        database.close()


def damage(results: str, change: str) -> None:
    database = sqlite3.connect(results)
    with database:
        database.execute(change)
    database.close()
