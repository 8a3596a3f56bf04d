"""Where a binding's register is said, and what findings about it share."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import Binding, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterRange


def placed(analysis: ShaderAnalysis) -> Iterator[tuple[Binding, RegisterRange]]:
    """Every binding with its registers: used ones, and declared ones with a register of their own."""
    return ((binding, binding.registers) for binding in analysis.bindings if binding.registers is not None)


def violation(binding: Binding, message: str, *symbols: str) -> Violation:
    """A finding at the register clause, or at the name where the compiler chose the register."""
    clauses = binding.resource.clauses
    span = clauses[-1].span if binding.explicit and clauses else binding.resource.span
    return Violation(message, span, certainty=binding.certainty, symbols=(binding.name, *symbols))
