"""BL106: Resources without a register of their own for which no room is left."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import AllocationFault, ShaderAnalysis
from bindlint.model.finding import Related, Violation, weakest
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    if analysis.shader.legacy_resource_reservation:
        for resource in analysis.resources:
            if resource.count is None:
                message = f"`{resource.name}` is unbounded, which -flegacy-resource-reservation does not allow"
                yield Violation(message, resource.span, symbols=("reservation", resource.name))
    for fault in analysis.allocation_faults:
        # Two explicit unbounded ranges always intersect as well, which is the rule register-overlap's to say.
        if not (fault.kind == "second-unbounded" and fault.resource.explicit):
            yield _violation(fault)


def _violation(fault: AllocationFault) -> Violation:
    resource = fault.resource
    where = f"the {resource.cls} registers of space{fault.space}"
    size = "all registers from its base on" if resource.count is None else f"{resource.count} registers in a row"
    if fault.kind == "second-unbounded":
        first = fault.others[0].name
        message = f"`{resource.name}` is a second unbounded resource after `{first}` in {where}: a space holds one"
    else:
        message = f"no room is left for `{resource.name}`, which needs {size}, in {where}"
    advice = f"; give it a space of its own, such as register(space{fault.space + 1}), or explicit registers"
    return Violation(
        message + advice,
        resource.span,
        related=tuple(
            Related(f"`{other.name}` takes {other.registers}", other.resource.span) for other in fault.others
        ),
        certainty=weakest("unknown" if resource.untold_size else "likely", *(o.certainty for o in fault.others)),
        symbols=(fault.kind, resource.name, str(fault.space)),
    )


RULE = Rule(
    "BL106",
    "no-free-register",
    "error",
    "shader",
    "No room is left for a resource that the compiler places",
    check,
)
