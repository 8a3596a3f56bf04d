"""BL613: ExecuteIndirect with another root signature than its command signature was made with."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import other_signature, places, signature_of, signature_setter, signature_words
from bindlint_rules.host_calls.indirect import bind_point, signature_name


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call in host.calls:
        if call.kind != "execute-indirect":
            continue
        made = project.command_signature(call.target)
        point = bind_point(made) if made is not None else None
        if made is None or point is None or made.signature is None:
            continue
        bound, wanted = call.state.bound(point), project.signature(made.signature)
        held = signature_of(bound, project)
        if bound.status == "unset":
            wrong = f"no {point} root signature is set"
        elif held is not None and wanted is not None and other_signature(held, wanted):
            wrong = f"the {point} root signature is {signature_words(held, bound.signature)}"
        else:
            continue
        yield Violation(
            f"{signature_name(made)} is made with the root signature `{made.signature.text}`, but {wrong}; call "
            f"`{signature_setter(point)}` with it before `{call.name}`",
            call.span,
            places((signature_name(made), made.span), ("the root signature is set here", bound.span)),
            symbols=(call.function, made.name),
        )


RULE = Rule(
    "BL613",
    "indirect-list-signature",
    "error",
    "host",
    "ExecuteIndirect with another root signature than its command signature's",
    check,
)
