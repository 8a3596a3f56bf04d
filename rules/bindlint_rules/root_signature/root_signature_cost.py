"""BL203: A root signature that is larger than D3D12 allows."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Related, Violation
from bindlint.model.root_signature import MAX_COST, RootParameter, RootSignature
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import listed, parameter_name

MAX_LOCAL_SIZE = 4096 - 32
"""Bytes: D3D12_RAYTRACING_MAX_SHADER_RECORD_STRIDE less D3D12_SHADER_IDENTIFIER_SIZE_IN_BYTES."""


def check(signature: RootSignature) -> Iterator[Violation]:
    if signature.is_local:
        total, culprit = 0, None
        for parameter in signature.parameters:
            total = _local_end(total, parameter)
            if total > MAX_LOCAL_SIZE and culprit is None:
                culprit = parameter
        if culprit is not None:
            message = f"the local root arguments take {total} bytes; a shader record has room for {MAX_LOCAL_SIZE}"
            yield Violation(message, culprit.span, symbols=(signature.name, f"{total} bytes"))
    elif signature.cost > MAX_COST:
        yield _too_costly(signature)


def _local_end(start: int, parameter: RootParameter) -> int:
    """Where the parameter ends in a shader record: constants are 4 bytes each, all else 8 on a multiple of 8."""
    if parameter.kind == "constants":
        return start + 4 * parameter.count
    return (start + 7) // 8 * 8 + 8


def _too_costly(signature: RootSignature) -> Violation:
    spent = 0
    for parameter in signature.parameters:
        spent += parameter.cost
        if spent > MAX_COST:
            break
    costs = "+".join(str(each.cost) for each in signature.parameters[:16])
    more = "+..." if len(signature.parameters) > 16 else ""
    by_cost = sorted(signature.parameters, key=lambda each: -each.cost)
    return Violation(
        f"the root signature costs {signature.cost} of {MAX_COST} DWORDs ({costs}{more}){_way_out(signature)}",
        parameter.span,
        related=tuple(Related(f"{parameter_name(each)} costs {each.cost}", each.span) for each in by_cost[:3]),
        symbols=(signature.name, f"{signature.cost} DWORDs"),
    )


def _way_out(signature: RootSignature) -> str:
    """The smallest change that mends it: descriptors (2 DWORDs each) into one table (1), or constants into a CBV."""
    excess = signature.cost - MAX_COST
    needed = excess // 2 + 1
    descriptors = [parameter for parameter in signature.parameters if parameter.kind in ("cbv", "srv", "uav")]
    if len(descriptors) >= needed:
        moved = listed(str(parameter.registers[0]) for parameter in descriptors[:needed])
        return f"; moving {moved} into a descriptor table saves {2 * needed - 1}"
    constants = max(
        (parameter for parameter in signature.parameters if parameter.kind == "constants"),
        key=lambda parameter: parameter.count,
        default=None,
    )
    if constants is not None and constants.count - 2 >= excess:
        return f"; a root CBV in place of the constants at {constants.registers[0]} saves {constants.count - 2}"
    return ""


RULE = Rule(
    "BL203",
    "root-signature-cost",
    "error",
    "root-signature",
    "A root signature that is larger than D3D12 allows",
    check,
)
