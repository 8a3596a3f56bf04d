"""BL315: Parts of a root signature that none of a file's entry points uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.shader_signature.coverage import used_lines
from bindlint_rules.shader_signature.idle_root_parameter import parts

Place = tuple[str, int, int]


def check(analyses: tuple[ShaderAnalysis, ...]) -> Iterator[Violation]:
    if any(analysis.status != "ok" for analysis in analyses):
        return
    sharing: defaultdict[tuple[Place, ...], list[ShaderAnalysis]] = defaultdict(list)
    for analysis in analyses:
        signature = analysis.signature
        if signature is not None and not signature.faults:
            sharing[_written(signature)].append(analysis)
    for places, users in sharing.items():
        # What stands in a header may serve the shaders of other files; a lone shader is for `idle-root-parameter`.
        if len(users) < 2 or any(file != users[0].shader.file for file, _, _ in places):
            continue
        entries = " and ".join(f"`{analysis.shader.entry}`" for analysis in users)
        assert users[0].signature is not None
        used = [used_lines(analysis) for analysis in users]
        for part in parts(users[0].signature):
            if not any(map(part.serves, used)):
                message = f"{part.name} is used by none of the shaders of this root signature here, {entries}"
                yield Violation(message, part.span, certainty="likely", symbols=(part.name, entries))


def _written(signature: RootSignature) -> tuple[Place, ...]:
    """Where the parts stand, whichever macro calls lead there."""
    return tuple((part.span.file, part.span.start, part.span.end) for part in parts(signature))


RULE = Rule(
    "BL315",
    "idle-in-file",
    "info",
    "file",
    "A part of a root signature that none of the file's shaders uses",
    check,
)
