"""Rules over all entry points of one file: when they run, and what the command line prints of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from analyses import analysis, rule, span
from bindlint.cli import group
from bindlint.config import Config
from bindlint.engine import Engine
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from click.testing import CliRunner

SHADER = """
cbuffer Time { float Now; };
cbuffer Matrices { float4x4 World; };
float4 MoveVS(float4 position : POSITION) : SV_Position { return mul(position, World) + Now; }
float4 StayVS(float4 position : POSITION) : SV_Position { return mul(position, World); }
"""


@pytest.mark.parametrize(("count", "expected"), [(1, []), (2, ["2"]), (3, ["3"])])
def test_rules_of_the_file_see_all_its_shaders_at_once(count: int, expected: list[str]) -> None:
    def check(analyses: tuple[ShaderAnalysis, ...]) -> list[Violation]:
        return [Violation(str(len(analyses)), span())]

    engine = Engine([rule("AC001", scope="file", check=check)])
    together = tuple(analysis(f"{number}.hlsl") for number in range(count))
    report = engine.check(together[-1], together)
    assert [finding.violation.message for finding in report.findings] == expected
    assert not engine.check(together[-1]).findings


@pytest.mark.parametrize(
    ("config", "runs"),
    [
        (Config(), False),
        (Config(select=("ALL",)), False),
        (Config(select=("AC",)), False),
        (Config(select=("AC001",)), True),
        (Config(select=("rule-ac001",)), True),
        (Config(severity={"AC001": "info"}), True),
        (Config(select=("AC001",), ignore=("AC001",)), False),
    ],
)
def test_a_rule_that_is_off_by_default_must_be_meant(config: Config, runs: bool) -> None:
    quiet = msgspec.structs.replace(rule("AC001", Violation("found", span())), enabled=False)
    assert bool(Engine([quiet], config).check(analysis()).findings) == runs


def test_a_file_is_judged_as_a_whole_where_its_entry_points_are_found(tmp_path: Path) -> None:
    (tmp_path / "move.hlsl").write_text(SHADER, encoding="utf-8")
    common = ["check", "--isolated", "--format", "concise", "--select", "BL130", str(tmp_path / "move.hlsl")]
    found = CliRunner().invoke(group, common)
    assert found.output.count("BL130") == 1 and "b1 in MoveVS, b0 in StayVS" in found.output
    alone = CliRunner().invoke(group, [*common, "-T", "vs_6_0", "-E", "StayVS"])
    assert "BL130" not in alone.output and alone.exit_code == 0
