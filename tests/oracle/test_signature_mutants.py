"""Root signatures with one thing edited: the compiler rejects those with an error of ours and accepts the others."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.model.finding import Finding
from bindlint.plugins import load_rules
from oracle.signature_mutants import Mutant, generate
from oracle.worker import Oracle

ENGINE = Engine(load_rules())
COUNT = 300

UNKNOWN_TO_DXC = {
    "BL203": "",
    "BL209": "KEEPING_BUFFER_BOUNDS_CHECKS",
    "BL211": "keeps from seeing it",
    "BL212": "",
    "BL306": "",
    "BL307": "",
    "BL311": "",
}
"""Errors of ours to which the compiler is blind, by a part of their messages."""


def errors_of(mutant: Mutant, folder: Path) -> list[Finding]:
    path = folder / "mutant.hlsl"
    path.write_text(mutant.source)
    shader = msgspec.structs.replace(parse_arguments(mutant.arguments, str(folder)).shader, file=str(path))
    analysis = Analyser().analyse(shader)
    assert analysis.problems == ()
    return [finding for finding in ENGINE.check(analysis).findings if finding.severity == "error"]


def known_to_dxc(finding: Finding) -> bool:
    return finding.code not in UNKNOWN_TO_DXC or UNKNOWN_TO_DXC[finding.code] not in finding.violation.message


@pytest.mark.dxc
@pytest.mark.parametrize("seed", range(COUNT))
def test_same_verdict(seed: int, oracle: Oracle, tmp_path: Path) -> None:
    mutant = generate(seed)
    verdict = oracle.ask(mutant.source.encode(), mutant.arguments)
    assert verdict is not None, "the compiler crashed"
    errors = [f"{f.code} {f.violation.message}" for f in errors_of(mutant, tmp_path) if known_to_dxc(f)]
    assert verdict.accepted == (not errors), f"{mutant.edit}: {verdict.errors or errors}\n{mutant.source}"


def test_the_edited_clause_is_shown(tmp_path: Path) -> None:
    """In a finding itself or in its notes; what a clause no longer covers may be nearer to another one."""
    shown, found = 0, 0
    for mutant in map(generate, range(COUNT)):
        errors = errors_of(mutant, tmp_path)
        if errors and mutant.edit != "drop":
            found += 1
            spans = [span for f in errors for span in (f.violation.span, *(r.span for r in f.violation.related))]
            shown += any(span.line <= mutant.line <= span.end_line for span in spans)
    assert found > COUNT / 4
    assert shown >= 0.95 * found, f"{shown} of {found}"
