"""BL216: A `[RootSignature]` attribute that the compiler refuses or does not take."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis, SignatureAttribute
from bindlint.model.finding import Severity, Violation
from bindlint.rule import Rule

RAY_TRACING = frozenset(("raygeneration", "intersection", "anyhit", "closesthit", "miss", "callable"))


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    given = analysis.signature.origin if analysis.signature is not None else ""
    for attribute in analysis.signature_attributes:
        fault, severity = _fault(attribute, given)
        if fault:
            symbols = (attribute.function, "RootSignature")
            yield Violation(fault, attribute.span, symbols=symbols, severity=severity)


def _fault(attribute: SignatureAttribute, given: str) -> tuple[str, Severity | None]:
    function = f"`{attribute.function}`"
    if attribute.stage in RAY_TRACING:
        way_out = "use a GlobalRootSignature or LocalRootSignature subobject"
        return f"a [RootSignature] is not supported on {function}, a {attribute.stage} shader; {way_out}", None
    if attribute.stage == "lib":
        return f"this [RootSignature] is ignored: {function} has no [shader(...)] attribute", "warning"
    if not attribute.taken:
        return f"this [RootSignature] is ignored: {function} has another one after it", "warning"
    if given in ("define", "option"):
        name = "-rootsig-define" if given == "define" else "--rootsig"
        return f"{name} stands in for this [RootSignature] of {function}", "info"
    return "", None


RULE = Rule(
    "BL216",
    "misplaced-root-signature",
    "error",
    "shader",
    "A [RootSignature] attribute where it is refused or ignored",
    check,
)
