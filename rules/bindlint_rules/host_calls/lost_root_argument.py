"""BL606: A root argument that is lost because another root signature is set before anything uses it."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import BindPoint, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import places, signature_of
from bindlint_rules.host_calls.sequences import next_setter, sequences


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for calls in sequences(host):
        told: set[HostCall] = set()
        for at, call in enumerate(calls):
            point = call.bind_point
            if call.kind != "set-root-argument" or point is None or call.conditional or call.index is None:
                continue
            later = next_setter(calls, at, point)
            if later is not None and later not in told and _loses(call, later, point, project):
                told.add(later)
                yield _violation(call, later, point)


def _loses(call: HostCall, later: HostCall, point: BindPoint, project: Project) -> bool:
    """Whether setting the signature makes the argument stale; the same signature once more would not."""
    before = later.state.bound(point)
    if later.conditional or not before.settled or before.drawn or call.index not in before.arguments:
        return False
    if before.status == "unknown":
        return True
    one, other = signature_of(before, project), project.signature(later.target)
    return before.status == "set" and None not in (one, other) and one is not other


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
