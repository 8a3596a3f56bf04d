"""Hand-made values for tests of the layers above the analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Problem, Severity, Violation
from bindlint.model.shader import Shader
from bindlint.model.source import Span
from bindlint.rule import Rule, Scope


def span(file: str = "a.hlsl", line: int = 1, column: int = 1, length: int = 1) -> Span:
    return Span(file, line, column, line, column + length)


def analysis(
    file: str = "a.hlsl",
    problems: tuple[Problem, ...] = (),
    files: tuple[str, ...] | None = None,
) -> ShaderAnalysis:
    return ShaderAnalysis(Shader(file), "ok", problems=problems, files=(file,) if files is None else files)


def rule(
    code: str,
    *violations: Violation,
    name: str = "",
    severity: Severity = "error",
    scope: Scope = "shader",
    check: Callable[..., Iterable[Violation]] | None = None,
) -> Rule:
    return Rule(code, name or f"rule-{code.lower()}", severity, scope, "", check or (lambda *_: violations))


class Text:
    """A source file: text and positions."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()

    def position(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset].decode()
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
