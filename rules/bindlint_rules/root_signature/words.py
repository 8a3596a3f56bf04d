"""How messages speak of the parts of a root signature."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.finding import Related
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import Claim, RootParameter, StaticSampler

RANGE_KEYWORDS: dict[RegisterClass, str] = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "Sampler"}
PARAMETER_KEYWORDS = {
    "table": "DescriptorTable",
    "constants": "RootConstants",
    "cbv": "CBV",
    "srv": "SRV",
    "uav": "UAV",
}


def parameter_name(parameter: RootParameter) -> str:
    """`parameter 2 (CBV b0)`."""
    keyword = PARAMETER_KEYWORDS[parameter.kind]
    registers = "" if parameter.kind == "table" else f" {parameter.registers[0]}"
    return f"parameter {parameter.index} ({keyword}{registers})"


def range_name(parameter: RootParameter, index: int) -> str:
    """`range 1 (UAV u0-u3) of parameter 0`."""
    part = parameter.ranges[index]
    return f"range {index} ({RANGE_KEYWORDS[part.cls]} {part.registers}) of parameter {parameter.index}"


def sampler_name(sampler: StaticSampler) -> str:
    return f"static sampler {sampler.registers}"


def claimed(claims: Iterable[Claim]) -> tuple[Related, ...]:
    return tuple(Related(f"{claim.registers} in {claim.place}", claim.span) for claim in claims)


def shared(one: RegisterRange, other: RegisterRange) -> RegisterRange:
    """The registers that are in both ranges."""
    unbounded = one.upper is None and other.upper is None
    return RegisterRange(
        one.cls, one.space, max(one.lower, other.lower), None if unbounded else min(one.last, other.last)
    )


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
