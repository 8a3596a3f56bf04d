"""Generated shaders: the compiler accepts exactly those without an error of ours, and binds what our table says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.plugins import load_rules
from oracle.shaders import generate
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

ENGINE = Engine(load_rules())


@pytest.mark.parametrize("seed", range(300))
def test_same_verdict_and_same_bindings(seed: int, oracle: Oracle, tmp_path: Path) -> None:
    generated = generate(seed)
    path = tmp_path / "generated.hlsl"
    path.write_text(generated.source)
    verdict = oracle.ask(generated.source.encode(), generated.arguments)
    assert verdict is not None, "the compiler crashed"

    shader = msgspec.structs.replace(parse_arguments(generated.arguments, str(tmp_path)).shader, file=str(path))
    analysis = Analyser().analyse(shader)
    assert analysis.problems == ()
    errors = [f.violation.message for f in ENGINE.check(analysis).findings if f.severity == "error"]
    assert (not errors) == verdict.accepted, verdict.errors or errors
    if verdict.accepted:
        ours: Counter[object] = Counter()
        for binding in analysis.bindings:
            if binding.used:
                at = binding.registers
                ours[(at.cls, at.space, at.lower, at.upper) if at else (binding.resource.cls, "unassigned")] += 1
        theirs = Counter(b.place if b.lower is not None else (b.cls, "unassigned") for b in verdict.bindings)
        assert ours == theirs
        if shader.profile is not None and not shader.profile.is_library:
            kinds = {b.place: b.kind for b in verdict.bindings}
            for binding in analysis.bindings:
                if binding.used and binding.registers is not None:
                    at = binding.registers
                    assert binding.view == kinds[at.cls, at.space, at.lower, at.upper], binding.name
