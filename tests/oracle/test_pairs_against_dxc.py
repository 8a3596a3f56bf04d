"""Generated pairs of shader and root signature: the same verdict, and where one is rejected, the same culprit."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.engine import Engine
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding
from bindlint.model.registers import RegisterRange
from bindlint.plugins import load_rules
from oracle.pairs import signature_for
from oracle.shaders import generate
from oracle.test_signature_mutants import known_to_dxc
from oracle.worker import Oracle

pytestmark = pytest.mark.dxc

ENGINE = Engine(load_rules())
UNBOUND = re.compile(
    r"Shader (\w+) descriptor range \(RegisterSpace=(\d+), NumDescriptors=(\d+), BaseShaderRegister=(\d+)\)"
)
CLASSES = {"CBV": "b", "SRV": "t", "UAV": "u", "sampler": "s"}
UNBOUNDED = 0xFFFFFFFF
RANGE = r"parameter {a}, range {b}\b|range {b} \([^)]*\) of parameter {a}\b"
CULPRITS = (
    (
        re.compile(r"root parameter ?\[(\d+)\], visibility \w+, descriptor table slot \[(\d+)\]"),
        RANGE,
    ),
    (re.compile(r"root parameter ?\[(\d+)\] descriptor table entry \[(\d+)\]", re.I), RANGE),
    (re.compile(r"descriptor table slot \[(?P<b>\d+)\], root parameter \[(?P<a>\d+)\]"), RANGE),
    (re.compile(r"static sampler \[(\d+)\]", re.I), r"static sampler {a}\b"),
    # Here it calls static samplers parameters.
    (re.compile(r"Root parameter \[(\d+)\] specifies"), r"(parameter|static sampler) {a}\b"),
    (re.compile(r"root parameter ?\[(\d+)\]", re.I), r"parameter {a}\b"),
)
"""How the compiler names the place in the root signature, and how we do."""


def culprit(errors: str) -> str:
    """The text that one of our findings must hold, as a pattern: the registers of the shader, or the place in the root
    signature; "" where the compiler names none."""
    unbound = UNBOUND.search(errors)
    if unbound is not None:
        space, count, lower = map(int, unbound.groups()[1:])
        # It counts one descriptor in an unbounded range.
        ends = [None, lower] if count == 1 else [lower + count - 1]
        registers = (str(RegisterRange(CLASSES[unbound[1]], space, lower, upper)) for upper in ends)
        return f"needs ({'|'.join(map(re.escape, registers))})(?![-\\d])"
    for pattern, form in CULPRITS:
        match = pattern.search(errors)
        if match is not None:
            named = match.groupdict() or dict(zip("ab", match.groups(), strict=False))
            return form.format(**named)
    return ""


def names(finding: Finding, wanted: str) -> bool:
    texts = (finding.violation.message, *(related.message for related in finding.violation.related))
    return any(re.search(wanted, text) for text in texts)


def disagreement(seed: int, oracle: Oracle, folder: Path) -> str:
    """Where the compiler and we part over the pair of a seed; "" where it is no pair or both say the same."""
    generated = generate(seed)
    path = folder / "pair.hlsl"

    def analysed(source: str, *options: str) -> ShaderAnalysis:
        path.write_text(source)
        shader = parse_arguments([*generated.arguments, *options], str(folder)).shader
        return Analyser().analyse(msgspec.structs.replace(shader, file=str(path)))

    alone = analysed(generated.source)
    assert alone.shader.profile is not None
    if alone.shader.profile.is_library or any(f.severity == "error" for f in ENGINE.check(alone).findings):
        return ""
    source, option = generated.source + signature_for(seed, alone), ("-rootsig-define", "SIGNATURE")
    verdict = oracle.ask(source.encode(), [*generated.arguments, *option])
    assert verdict is not None, "the compiler crashed"
    findings = ENGINE.check(analysed(source, *option)).findings
    errors = [finding for finding in findings if finding.severity == "error" and known_to_dxc(finding)]
    said = "; ".join(f"{finding.code} {finding.violation.message}" for finding in errors)
    if verdict.accepted != (not errors):
        return f"{verdict.errors or 'accepted'}, but we say {said or 'nothing'}"
    wanted = "" if verdict.accepted else culprit(verdict.errors)
    if wanted and not any(names(finding, wanted) for finding in errors):
        return f"{verdict.errors}, but we say {said}, which does not name `{wanted}`"
    return ""


def test_same_verdict_and_same_culprit(seeds: range, oracle: Oracle, tmp_path: Path) -> None:
    found = {seed: disagreement(seed, oracle, tmp_path) for seed in seeds}
    assert {seed: text for seed, text in found.items() if text} == {}
