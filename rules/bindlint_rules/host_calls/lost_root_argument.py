"""BL606: A root argument that is lost because another root signature is set before anything uses it."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import BindPoint, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import other_signature, places, signature_of
from bindlint_rules.host_calls.sequences import sequences


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in sequences(host):
        for at, later in enumerate(calls):
            point = later.bind_point
            if later.kind != "set-root-signature" or point is None:
                continue
            # Of those before the last argument it is not told whether a draw has used them.
            last = next((call for call in reversed(calls[:at]) if call.bind_point == point), None)
            if last is not None and last.kind == "set-root-argument" and _loses(last, later, point, project):
                yield _violation(last, later, point)


def _loses(call: HostCall, later: HostCall, point: BindPoint, project: Project) -> bool:
    """Whether setting the signature makes the argument stale; the same signature once more would not."""
    before = later.state.bound(point)
    if call.conditional or later.conditional or before.drawn or call.index not in before.arguments:
        return False
    if before.status == "unknown":
        return True
    one, other = signature_of(before, project), project.signature(later.target)
    return one is not None and other is not None and other_signature(one, other)


def _violation(call: HostCall, later: HostCall, point: BindPoint) -> Violation:
    unless = ""
    if later.state.bound(point).status == "unknown":
        unless = f" unless `{later.target.text}` is set already"
    return Violation(
        f"`{call.name}` sets root parameter {call.index}, but `{later.name}({later.target.text})` comes after it and "
        f"drops all root arguments{unless}; set the root signature first",
        call.span,
        places((f"`{later.name}` comes here", later.span)),
        certainty="likely",
        symbols=(call.function, call.name, str(call.index)),
    )


RULE = Rule(
    "BL606",
    "lost-root-argument",
    "warning",
    "host",
    "A root argument that is lost because a root signature is set after it",
    check,
)
