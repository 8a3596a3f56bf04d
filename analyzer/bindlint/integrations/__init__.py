"""Files for the builds of others: what `bindlint integration` prints."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "cmake": Path(__file__).parent / "Bindlint.cmake",
    "msbuild": Path(__file__).parent / "bindlint.targets",
    "pre-commit": Path(__file__).parent / "pre-commit-config.yaml",
    "github": Path(__file__).parent / "github-workflow.yml",
}
"""By the name of what they are for; each file says itself how it is used."""
