"""After `--fix` fewer findings are left, none has come, and fixing again changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.testing import Block, read_page
from bindlint_rules import RULES
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

FIXED = ("BL101", "BL102", "BL103", "BL109", "BL112", "BL309", "BL311")
BLOCKS = [
    pytest.param(block, id=f"{rule.code}:{block.line}")
    for rule in RULES
    if rule.code in FIXED
    for block in read_page(Path(rule.page)).blocks
    if block.has_shader and not block.limits
]


def grave(file: Path, *words: str) -> Counter[str]:
    """The errors and warnings by code; a run that fails fails the test."""
    command = ["check", "--isolated", "--format", "json", *words, str(file)]
    result = CliRunner().invoke(group, command, catch_exceptions=False)
    assert "internal error" not in result.stderr
    shaders = json.loads(result.stdout)["shaders"]
    distinct = {json.dumps(each) for shader in shaders for each in shader["findings"] if each["severity"] != "info"}
    return Counter(json.loads(each)["code"] for each in distinct)


def hold(file: Path, *words: str) -> None:
    before, text = grave(file, *words), file.read_bytes()
    after = grave(file, "--fix", "--unsafe-fixes", *words)
    assert not after - before
    changed = file.read_bytes() != text
    assert (after.total() < before.total()) >= changed
    mended = file.read_bytes()
    assert grave(file, "--fix", "--unsafe-fixes", *words) == after
    assert file.read_bytes() == mended


@pytest.mark.parametrize("block", BLOCKS)
def test_the_blocks_of_pages(block: Block, tmp_path: Path) -> None:
    hold(block.write(tmp_path), *block.arguments)


REGISTER = st.tuples(st.sampled_from("tuT"), st.integers(0, 3), st.sampled_from(["", ", space1"]))


@settings(max_examples=30)
@given(st.lists(REGISTER, min_size=1, max_size=6), st.sampled_from(["", "[2]"]))
def test_any_registers(
    tmp_path_factory: pytest.TempPathFactory, registers: list[tuple[str, int, str]], size: str
) -> None:
    names = [f"r{index}" for index in range(len(registers))]
    lines = [
        f"Texture2D {name}{size} : register({letter}{number}{space});"
        for name, (letter, number, space) in zip(names, registers, strict=True)
    ]
    subscript = "[1]" if size else ""
    total = " + ".join(f"{name}{subscript}.Load(0)" for name in names)
    file = tmp_path_factory.mktemp("any") / "a.hlsl"
    file.write_text("\n".join([*lines, f"float4 main() : SV_Target {{ return {total}; }}", ""]), encoding="utf-8")
    hold(file, "-T", "ps_6_0")
    assert not grave(file, "-T", "ps_6_0")
