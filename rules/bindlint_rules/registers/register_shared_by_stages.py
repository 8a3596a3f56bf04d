"""BL131: One register that means different things in the stages of one file, because the compiler chose it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Related, Violation, weakest
from bindlint.model.registers import RegisterRange
from bindlint.model.shader import STAGES
from bindlint.rule import Rule

from bindlint_rules.registers.overlaps import placed

GRAPHICS = ("vs", "hs", "ds", "gs", "ps", "as", "ms")
_Meaning = tuple[Binding, ShaderAnalysis]


def check(analyses: tuple[ShaderAnalysis, ...]) -> Iterator[Violation]:
    meanings: defaultdict[RegisterRange, list[_Meaning]] = defaultdict(list)
    for analysis in analyses:
        if analysis.stage in GRAPHICS:
            for binding, registers in placed(analysis.bindings):
                if binding.used:
                    first = RegisterRange(registers.cls, registers.space, registers.lower, registers.lower)
                    meanings[first].append((binding, analysis))
    for register, found in meanings.items():
        pair = next((pair for pair in _pairs(found) if _clash(*pair)), None)
        if pair is not None:
            yield _violation(register, *pair)


def _pairs(found: list[_Meaning]) -> Iterator[tuple[_Meaning, _Meaning]]:
    return ((one, other) for at, other in enumerate(found) for one in found[:at])


def _clash(one: _Meaning, other: _Meaning) -> bool:
    """Different resources in different stages, of which the compiler placed at least one."""
    (first, here), (second, there) = one, other
    return here.stage != there.stage and first.resource != second.resource and not (first.explicit and second.explicit)


def _violation(register: RegisterRange, one: _Meaning, other: _Meaning) -> Violation:
    (first, here), (second, there) = one, other
    chosen = second if not second.explicit else first
    return Violation(
        f"{register} is `{first.name}` in {here.shader.entry} ({STAGES[here.stage]}) and `{second.name}` in "
        f"{there.shader.entry} ({STAGES[there.stage]}): in one pipeline a parameter that all stages see feeds both; "
        f"give `{chosen.name}` a register",
        chosen.resource.span,
        related=tuple(
            Related(f"`{binding.name}` is declared here", binding.resource.span)
            for binding in (first, second)
            if binding is not chosen
        ),
        certainty=weakest("likely", first.certainty, second.certainty),
        symbols=(str(register), first.name, second.name),
    )


RULE = Rule(
    "BL131",
    "register-shared-by-stages",
    "info",
    "file",
    "A register that the compiler chose means another resource in another stage",
    check,
)
