"""BL307: Root constants that are fewer than the constant buffer that they feed has."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ConstantMember, ShaderAnalysis
from bindlint.model.finding import Severity, Violation
from bindlint.model.root_signature import RootSignature
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import listed
from bindlint_rules.shader_signature.coverage import Verdict, judgements, violation

DWORD = 4


def check(analysis: ShaderAnalysis, signature: RootSignature) -> Iterator[Violation]:
    for judgement in judgements(analysis, signature, Verdict.COVERED):
        (claim,), resource = judgement.claims, judgement.binding.resource
        if claim.kind != "constants":
            continue
        given, needed = signature.parameters[claim.index].count, -(-resource.size // DWORD)
        if needed > given:
            beyond = [
                member
                for member in analysis.constant_members
                if member.buffer == resource.name and member.offset + member.size > given * DWORD
            ]
            read = [member for member in beyond if member.used]
            severity: Severity | None = "warning" if beyond and not read else None
            message = (
                f"`{resource.name}` is {needed} DWORDs large, but the root signature passes {given} ({claim.place}); "
                f"{_what_lies_beyond(read or beyond, given * DWORD, bool(read))}"
            )
            yield violation(analysis, judgement, message, judgement.claims, severity)


def _what_lies_beyond(members: list[ConstantMember], end: int, read: bool) -> str:
    if not members:
        return "what the shader reads beyond them is undefined"
    names = [_beyond(member, end) for member in members]
    shown = listed(names if len(names) <= 3 else [*names[:3], f"{len(names) - 3} more"])
    arrays = [member for member in members if member.stride]
    # Who counts an array of scalars as one DWORD an element has forgotten about the rows of constant buffers.
    why = f" (array elements stand {arrays[0].stride} bytes apart)" if arrays else ""
    verb = "lies" if len(names) == 1 and ".." not in names[0] else "lie"
    return f"{shown}{why} {verb} out of range{'' if read else ', although the shader does not read there'}"


def _beyond(member: ConstantMember, end: int) -> str:
    """`d`, or the elements `v[4]..v[15]` of an array."""
    if not member.stride:
        return f"`{member.name}`"
    last = (member.size - 1) // member.stride
    element = member.size - last * member.stride
    first = max(0, (end - member.offset - element) // member.stride + 1)
    names = [f"`{member.name}[{index}]`" for index in (first, last)]
    return "..".join(names) if first < last else names[0]


RULE = Rule(
    "BL307",
    "small-root-constants",
    "error",
    "shader-signature",
    "Root constants that end before the constant buffer that they feed",
    check,
)
