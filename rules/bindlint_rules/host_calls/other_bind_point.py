"""BL605: A call for graphics where the root signature is set for compute, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bindlint.model.device import BindPoint, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import OTHER_POINT, parameter_at, places, setter, signature_of, signature_setter
from bindlint_rules.host_calls.sequences import OF_STATE_OBJECTS, lone_sequences


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in lone_sequences(host):
        for call in calls:
            point = call.bind_point
            if point is None or call.kind not in ("draw", "set-root-argument") or call.name in OF_STATE_OBJECTS:
                continue
            own, other = call.state.bound(point), call.state.bound(OTHER_POINT[point])
            if own.status == "set" or other.status != "set":
                continue
            if own.status == "unset":
                yield _violation(call, point, f"only a {OTHER_POINT[point]} root signature is set")
            elif _stray(call, point, calls, project):
                why = f"the root signature that this function sets is for {OTHER_POINT[point]}"
                yield _violation(call, point, why, likely=True)


def _stray(call: HostCall, point: BindPoint, calls: Sequence[HostCall], project: Project) -> bool:
    """Whether the function has nothing else of the bind point, and the argument fits the other's signature."""
    if call.kind != "set-root-argument" or call.parameter is None:
        return False
    if any(c.bind_point == point and c.kind in ("draw", "set-root-signature") for c in calls):
        return False
    if all(c.bind_point != OTHER_POINT[point] or c.kind != "draw" for c in calls):
        return False
    signature = signature_of(call.state.bound(OTHER_POINT[point]), project)
    parameter = parameter_at(signature, call.index) if signature is not None else None
    return parameter is not None and parameter.kind == call.parameter


def _violation(call: HostCall, point: BindPoint, why: str, likely: bool = False) -> Violation:
    other = OTHER_POINT[point]
    remedy = f"call `{signature_setter(point)}`"
    if call.kind == "set-root-argument" and call.parameter is not None:
        right = call.name.replace(point.capitalize(), other.capitalize(), 1)
        remedy = f"`{right}` sets that one's" if right != call.name else f"call `{setter(other, call.parameter)}`"
    return Violation(
        f"`{call.name}` goes by the {point} root signature, but {why}; {remedy}",
        call.span,
        places((f"the {other} root signature is set here", call.state.bound(other).span)),
        certainty="likely" if likely else "certain",
        symbols=(call.function, call.name, call.index_text),
        severity="warning" if likely else None,
    )


RULE = Rule(
    "BL605",
    "other-bind-point",
    "error",
    "host",
    "A graphics call where the root signature is set for compute, or the other way round",
    check,
)
