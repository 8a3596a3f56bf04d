"""BL119: Resources in structs and cbuffers whose registers follow the optimizer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import placed


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    groups: defaultdict[tuple[str, int], list[Binding]] = defaultdict(list)
    for binding, registers in placed(analysis.bindings):
        if binding.used and not binding.explicit and binding.resource.origin in ("leaf", "hoisted"):
            groups[registers.cls, registers.space].append(binding)
    for (cls, _), group in groups.items():
        if len(group) < 2:
            continue
        first, second, *others = group
        more = f" and {len(others)} more" if others else ""
        home = "outside the cbuffer" if first.resource.origin == "hoisted" else "outside the struct"
        advice = (
            f"declare them {home} with registers of their own"
            if any(binding.resource.origin == "hoisted" for binding in group)
            else f"give the struct's instance {'an' if cls == 's' else 'a'} {cls} register"
        )
        yield Violation(
            f"`{first.name}`, `{second.name}`{more} have no {cls} registers and are numbered in the order in which the "
            f"optimized code meets them, which any change of the code may alter; {advice}",
            first.resource.span,
            related=tuple(
                Related(f"`{binding.name}` is numbered with it", binding.resource.span)
                for binding in group[1:]
                if binding.resource.span != first.resource.span
            ),
            certainty="likely",
            symbols=tuple(binding.name for binding in group),
        )


RULE = Rule(
    "BL119",
    "unstable-register",
    "warning",
    "shader",
    "Registers inside a struct or cbuffer follow the optimizer",
    check,
)
