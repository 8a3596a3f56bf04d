"""What single rules say of HLSL that stands in a test."""

from __future__ import annotations

import msgspec
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.model.finding import Violation
from bindlint_rules import RULES

PATH = "/shaders/a.hlsl"
BY_NAME = {rule.name: rule for rule in RULES}


def violations(name: str, source: str, *arguments: str) -> list[Violation]:
    """What the rule says of the entry points that `arguments` name, or of all that are found."""
    analyser = Analyser()
    analyser.overlay(PATH, source.encode())
    shader = msgspec.structs.replace(parse_arguments(arguments).shader, file=PATH)
    analyses = tuple(map(analyser.analyse, analyser.discover(shader)))
    rule = BY_NAME[name]
    return rule.run(analyses) if rule.scope == "file" else [v for one in analyses for v in rule.run(one)]


def pixel(declarations: str, used: str) -> str:
    """A pixel shader that returns an expression."""
    return f"{declarations} float4 main() : SV_Target {{ return {used}; }}"


def judged(name: str, source: str, *arguments: str) -> list[str]:
    """Severity, certainty and message of each of the rule's findings, and after each its notes."""
    lines = []
    for violation in violations(name, source, *arguments):
        severity = violation.severity or BY_NAME[name].severity
        lines.append(f"{severity}, {violation.certainty}: {violation.message}")
        lines += (f"note: {related.message}" for related in violation.related)
    return lines
