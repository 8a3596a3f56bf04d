"""What all input rules share: a problem met while reading becomes the finding of the rule that names its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bindlint.model.finding import Problem, Severity, Violation
from bindlint.rule import Rule


def input_rule(
    code: str,
    name: str,
    severity: Severity,
    summary: str,
    *kinds: str,
    severities: Mapping[str, Severity] | None = None,
) -> Rule:
    """A rule that reports every problem of these kinds; `severities` gives single kinds a severity of their own."""
    own = severities or {}

    def check(problem: Problem) -> Iterator[Violation]:
        if problem.kind in kinds or problem.kind in own:
            yield Violation(
                problem.message,
                problem.span,
                related=problem.related,
                symbols=(problem.kind, problem.message),
                severity=own.get(problem.kind),
            )

    return Rule(code, name, severity, "problem", summary, check)
