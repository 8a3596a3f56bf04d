"""BL604: A root argument, a draw or a dispatch before any root signature is set."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import BindPoint, HostCall
from bindlint.model.finding import Related, Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import OTHER_POINT, places, signature_setter
from bindlint_rules.host_calls.sequences import OF_STATE_OBJECTS, lone_sequences, next_setter


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in lone_sequences(host):
        told: set[BindPoint] = set()
        for at, call in enumerate(calls):
            point = call.bind_point
            if point is None or point in told or not _needs_signature(call):
                continue
            # Where the other bind point has one, the rule `other-bind-point` tells.
            if call.state.bound(point).status == "unset" and call.state.bound(OTHER_POINT[point]).status != "set":
                told.add(point)
                yield _violation(call, point, next_setter(calls, at, point))


def _needs_signature(call: HostCall) -> bool:
    return call.kind == "set-root-argument" or (call.kind == "draw" and call.name not in OF_STATE_OBJECTS)


def _violation(call: HostCall, point: BindPoint, later: HostCall | None) -> Violation:
    setter = signature_setter(point)
    remedy = f"call `{setter}` first"
    note: tuple[Related, ...] = ()
    if later is not None:
        remedy = f"`{setter}({later.target.text})` has to come first"
        note = places((f"`{setter}` comes here", later.span))
    return Violation(
        f"`{call.name}` comes before any {point} root signature is set on `{call.receiver.text}`; {remedy}",
        call.span,
        note,
        symbols=(call.function, call.name, point),
    )


RULE = Rule(
    "BL604",
    "no-root-signature",
    "error",
    "host",
    "A root argument, a draw or a dispatch before any root signature is set",
    check,
)
