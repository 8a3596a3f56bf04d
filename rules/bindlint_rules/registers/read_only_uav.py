"""BL133: UAVs that a shader only reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import AccessKind, Resource, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule

READING: frozenset[AccessKind] = frozenset(("read", "query"))


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    kinds: defaultdict[Resource, set[AccessKind]] = defaultdict(set)
    for entry in analysis.entries:
        for use in entry.uses:
            if use.resource.type.name.startswith("RW"):
                kinds[use.resource] |= use.kinds
    for resource, touched in kinds.items():
        if "read" in touched and touched <= READING:
            plain = resource.type.name.removeprefix("RW")
            yield Violation(
                f"`{resource.name}` is only read: a {plain} at a t register would do, and with it an SRV",
                resource.span,
                certainty="likely",
                symbols=(resource.name,),
            )


RULE = Rule(
    "BL133",
    "read-only-uav",
    "info",
    "shader",
    "A UAV that is never written",
    check,
)
