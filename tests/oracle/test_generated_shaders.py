"""Generated shaders: the compiler accepts exactly those without an error of ours, and binds what our table says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.model.binding import ShaderAnalysis
from bindlint.plugins import load_rules
from oracle import flows
from oracle.shaders import GeneratedShader, generate
from oracle.worker import Oracle, Verdict

pytestmark = pytest.mark.dxc

ENGINE = Engine(load_rules())
MISSED_ONCE = (5379, 7018395, 7019055, 9007675, 9012792, 11015156, 13003668, 13019324)
"""Seeds of `flows` in which a binding was missed once."""


def asked(generated: GeneratedShader, oracle: Oracle, folder: Path) -> tuple[ShaderAnalysis, Verdict]:
    path = folder / "generated.hlsl"
    path.write_text(generated.source)
    shader = msgspec.structs.replace(parse_arguments(generated.arguments, str(folder)).shader, file=str(path))
    verdict = oracle.ask(generated.source.encode(), generated.arguments)
    assert verdict is not None, "the compiler crashed"
    return Analyser().analyse(shader), verdict


def difference(generated: GeneratedShader, oracle: Oracle, folder: Path) -> str:
    """How our answer about a shader whose bindings are all certain differs from the compiler's."""
    analysis, verdict = asked(generated, oracle, folder)
    errors = [f.violation.message for f in ENGINE.check(analysis).findings if f.severity == "error"]
    if analysis.problems or (not errors) != verdict.accepted:
        return f"{analysis.problems} {verdict.errors or 'accepted'}, but we say {errors}"
    if not verdict.accepted:
        return ""
    library = analysis.shader.profile is not None and analysis.shader.profile.is_library
    ours: Counter[object] = Counter()
    for binding in analysis.bindings:
        if binding.used:
            at, view = binding.registers, "" if library else binding.view
            ours[(at.cls, at.space, at.lower, at.upper, view) if at else (binding.resource.cls, "unassigned")] += 1
    theirs = Counter(
        (*b.place, "" if library else b.kind) if b.lower is not None else (b.cls, "unassigned")
        for b in verdict.bindings
    )
    return "" if ours == theirs else f"missed {theirs - ours}, too many {ours - theirs}"


def fault(generated: GeneratedShader, oracle: Oracle, folder: Path) -> str:
    """What is wrong with our answer about a shader of which the compiler may drop more than we tell."""
    analysis, verdict = asked(generated, oracle, folder)
    if analysis.problems:
        return str(analysis.problems)
    if not verdict.accepted:
        return ""
    theirs = {(*b.place, b.kind) for b in verdict.bindings}
    ours = {
        (at.cls, at.space, at.lower, at.upper, binding.view): binding.certainty
        for binding in analysis.bindings
        if binding.used and (at := binding.registers)
    }
    certain = [place for place, certainty in ours.items() if certainty == "certain" and place not in theirs]
    missed = theirs - ours.keys()
    return f"missed {missed}, wrongly certain {certain}" if missed or certain else ""


def test_same_verdict_and_same_bindings(seeds: range, oracle: Oracle, tmp_path: Path) -> None:
    found = {seed: difference(generate(seed), oracle, tmp_path) for seed in seeds}
    assert {seed: text for seed, text in found.items() if text} == {}


def test_nothing_missed_and_nothing_wrongly_certain(seeds: range, oracle: Oracle, tmp_path: Path) -> None:
    found = {seed: fault(flows.generate(seed), oracle, tmp_path) for seed in seeds}
    assert {seed: text for seed, text in found.items() if text} == {}


@pytest.mark.parametrize("seed", MISSED_ONCE)
def test_nothing_missed_again(seed: int, oracle: Oracle, tmp_path: Path) -> None:
    assert fault(flows.generate(seed), oracle, tmp_path) == ""
