"""BL425: A root signature that leaves too little room for what the project keeps free."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Related, Violation
from bindlint.model.policy import Policy
from bindlint.model.root_signature import MAX_COST, RootParameter, RootSignature
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import parameter_name


def check(analysis: ShaderAnalysis, policy: Policy) -> Iterator[Violation]:
    room = MAX_COST - policy.reserve_dwords
    for signature in analysis.signatures:
        if signature.is_local or signature.faults or not room < signature.cost <= MAX_COST:
            continue
        dearest = sorted(signature.parameters, key=lambda parameter: -parameter.cost)[:3]
        yield Violation(
            f"the root signature costs {signature.cost} of {MAX_COST} DWORDs and leaves {MAX_COST - signature.cost}; "
            f"the project keeps {policy.reserve_dwords} free",
            next(parameter.span for parameter, end in _ends(signature) if end > room),
            related=tuple(Related(f"{parameter_name(each)} costs {each.cost}", each.span) for each in dearest),
            symbols=(signature.name, f"{signature.cost} DWORDs"),
        )


def _ends(signature: RootSignature) -> Iterator[tuple[RootParameter, int]]:
    """Each parameter with the DWORDs spent when it is counted in."""
    return zip(signature.parameters, accumulate(each.cost for each in signature.parameters), strict=True)


RULE = Rule(
    "BL425",
    "spare-dwords",
    "error",
    "policy",
    "A root signature that leaves too few DWORDs free",
    check,
)
