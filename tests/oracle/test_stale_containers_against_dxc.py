"""A container of the real compiler is found to be made of its own source, and of no source with other registers."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.finding import Violation
from bindlint_rules.shader_signature import stale_container
from oracle.shaders import generate
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

_REGISTER = re.compile(r"register\(([btus])(\d+)")


def found(source: str, arguments: list[str], folder: Path) -> list[Violation]:
    path = folder / "generated.hlsl"
    path.write_text(source)
    shader = parse_arguments(arguments, str(folder)).shader
    shader = msgspec.structs.replace(shader, file=str(path), shipped=str(folder / "generated.cso"))
    return list(stale_container.check(Analyser().analyse(shader)))


@pytest.mark.parametrize("seed", range(1000, 1100))
@pytest.mark.parametrize("stripped", [False, True])
def test_a_container_is_made_of_its_source(seed: int, stripped: bool, oracle: Oracle, tmp_path: Path) -> None:
    generated = generate(seed)
    arguments = list(generated.arguments)
    verdict = oracle.ask(generated.source.encode(), [*arguments, *(["-Qstrip_reflect"] if stripped else [])])
    assert verdict is not None, "the compiler crashed"
    if not verdict.accepted:
        return
    (tmp_path / "generated.cso").write_bytes(verdict.container)
    assert found(generated.source, arguments, tmp_path) == []
    moved = _REGISTER.sub(lambda match: f"register({match[1]}{int(match[2]) + 900}", generated.source)
    again = oracle.ask(moved.encode(), arguments)
    if again is not None and again.accepted:
        same = again.bindings == verdict.bindings and again.root_signature == verdict.root_signature
        assert bool(found(moved, arguments, tmp_path)) != same, moved
