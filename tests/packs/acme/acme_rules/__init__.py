"""A third party's rules: one that judges names, one that crashes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule


def _check_prefix(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for resource in analysis.resources:
        if not resource.name.startswith("acme"):
            yield Violation(f"`{resource.name}` must be named acme...", resource.span, symbols=(resource.name,))


def _check_registers(analysis: ShaderAnalysis) -> Iterator[Violation]:
    raise LookupError("no such house rule")


RULES = (
    Rule(
        code="ACME1",
        name="unprefixed-resource",
        severity="warning",
        scope="shader",
        summary="A resource without the house's prefix",
        check=_check_prefix,
        page=str(Path(__file__).with_name("unprefixed_resource.md")),
    ),
    Rule(
        code="ACME2",
        name="house-register",
        severity="info",
        scope="shader",
        summary="A rule that crashes",
        check=_check_registers,
    ),
)
