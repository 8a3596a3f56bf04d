"""BL129: Registers that the compiler chooses and that move when something else comes into use."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.bindings.assign import assign
from bindlint.model.binding import AccessKind, Binding, ShaderAnalysis
from bindlint.model.finding import Related, Violation, weakest
from bindlint.model.registers import RegisterRange
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import placed

ANY_USE: frozenset[AccessKind] = frozenset(("read",))


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    chosen = [
        (binding, registers)
        for binding, registers in placed(analysis.bindings)
        if binding.used and not binding.explicit and binding.resource.origin in ("global", "cbuffer", "$Globals")
    ]
    used = {binding.resource for binding in analysis.bindings if binding.used}
    if not chosen or len(used) == len(analysis.resources):
        return
    everything, _ = assign(analysis.resources, dict.fromkeys(analysis.resources, ANY_USE), analysis.shader, {})
    full = placed(everything)
    where = {binding.resource: registers for binding, registers in full}
    for binding, registers in chosen:
        then = where.get(binding.resource)
        if then is None or then == registers:
            continue
        cause = next((b for b, taken in full if b.resource not in used and _displaces(taken, registers, then)), None)
        if cause is not None:
            yield _violation(binding, registers, cause, then)


def _displaces(taken: RegisterRange, now: RegisterRange, then: RegisterRange) -> bool:
    """Whether what takes a range is in the way of a resource that so comes to lie behind it."""
    return (taken.cls, taken.space) == (now.cls, now.space) and taken.last >= now.lower and taken.lower < then.lower


def _violation(binding: Binding, registers: RegisterRange, cause: Binding, then: RegisterRange) -> Violation:
    return Violation(
        f"`{binding.name}` has no register and is placed at {registers}, because `{cause.name}` is not used; where it "
        f"is used, `{binding.name}` is at {then}; give it a register",
        binding.resource.span,
        related=(Related(f"`{cause.name}` is declared here and not used", cause.resource.span),),
        certainty=weakest("likely", binding.certainty, cause.certainty),
        symbols=(binding.name, str(registers), cause.name),
    )


RULE = Rule(
    "BL129",
    "use-dependent-register",
    "info",
    "shader",
    "A register that the compiler chose depends on what else is used",
    check,
)
