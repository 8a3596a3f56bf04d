"""The engine's own rules: about rules that crash, suppression comments and manifests, of which no pack can know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bindlint.model.finding import Problem, Violation
from bindlint.rule import Rule

_PAGES = Path(__file__).parent / "data" / "pages"


def _reported_by_the_engine(_: Problem) -> Iterable[Violation]:
    return ()


MANIFEST_PROBLEMS = ("manifest-line", "missing-file", "arguments", "unknown-option", "extra-argument")


def _check_manifest(problem: Problem) -> Iterator[Violation]:
    if problem.kind in MANIFEST_PROBLEMS:
        yield Violation(problem.message, problem.span, severity=None if problem.partial else "warning")


RULE_CRASHED = Rule(
    code="BL090",
    name="rule-crashed",
    severity="error",
    scope="problem",
    summary="A rule ended in an error of its own, so that its findings are missing",
    check=_reported_by_the_engine,
    page=str(_PAGES / "rule_crashed.md"),
)
UNUSED_SUPPRESSION = Rule(
    code="BL091",
    name="unused-suppression",
    severity="warning",
    scope="problem",
    summary="An `allow` comment silences nothing",
    check=_reported_by_the_engine,
    page=str(_PAGES / "unused_suppression.md"),
)
UNKNOWN_SUPPRESSION = Rule(
    code="BL092",
    name="unknown-suppression",
    severity="warning",
    scope="problem",
    summary="An `allow` comment names no rule, or cannot be read",
    check=_reported_by_the_engine,
    page=str(_PAGES / "unknown_suppression.md"),
)
MANIFEST_ARGUMENTS = Rule(
    code="BL093",
    name="manifest-arguments",
    severity="error",
    scope="problem",
    summary="A line of a manifest gives no shader, or has arguments that mean nothing",
    check=_check_manifest,
    page=str(_PAGES / "manifest_arguments.md"),
)

ENGINE_RULES = (RULE_CRASHED, UNUSED_SUPPRESSION, UNKNOWN_SUPPRESSION, MANIFEST_ARGUMENTS)
