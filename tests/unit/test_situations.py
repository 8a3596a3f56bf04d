"""Situations that users meet: each ends in its message, or in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.cli import main
from bindlint.model.finding import Finding
from bindlint.model.source import Span
from bindlint.plugins import load_rules
from bindlint.testing import find
from cases.host_situations import CASES as HOST_CODE
from cases.host_situations import HostSituation
from cases.pipeline_situations import CASES as PIPELINES
from cases.situations import CASES, INVENTORIES, Inventory, Situation

RULES = load_rules()


def named(situation: Situation | HostSituation | Inventory) -> str:
    return f"{situation.number}: {situation.kind}"


def place(span: Span) -> str:
    return str(span) if span.use is None else f"{span} from the macro `{span.macro}`, used at {span.use}"


def text(finding: Finding) -> str:
    violation = finding.violation
    notes = [f"{note.message} {place(note.span)}" for note in violation.related]
    fix = [f"fix: {violation.fix.title}"] if violation.fix else []
    head = f"{finding.code} {finding.severity} {violation.certainty} {violation.message} {place(violation.span)}"
    return "\n".join([head, *notes, *fix])


@pytest.mark.parametrize("situation", (*CASES, *PIPELINES, *HOST_CODE), ids=named)
def test_its_message(situation: Situation | HostSituation, tmp_path: Path) -> None:
    found = [text(finding) for finding in find(situation.block, RULES, tmp_path)]
    left = list(found)
    for line in situation.findings.split("\n") if situation.findings else ():
        parts = [part.strip() for part in line.split("|")]
        code, _, first = parts[0].partition(" ")
        words = [code, first, *parts[1:]]
        met = next((each for each in left if all(word in each for word in words)), None)
        assert met is not None, (words, found)
        left.remove(met)
    assert not left, left


@pytest.mark.parametrize("inventory", INVENTORIES, ids=named)
def test_its_table(inventory: Inventory, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shader.hlsl").write_text(inventory.source)
    with pytest.raises(SystemExit):
        main(["show", *inventory.arguments.split(), str(tmp_path / "shader.hlsl")])
    shown = capsys.readouterr().out
    table = [" ".join(line.split()) for line in shown.splitlines()]
    for line in inventory.lines.split("\n"):
        assert any(row.startswith(line) for row in table), shown
