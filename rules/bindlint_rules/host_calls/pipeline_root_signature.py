"""BL608: A draw with another root signature than its pipeline state was made with."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostRef
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import other_signature, places, signature_of, signature_setter, signature_words


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    told: set[tuple[str, str, str]] = set()
    for call in host.calls:
        if call.kind != "draw" or call.bind_point is None:
            continue
        bound, pipeline = call.state.bound(call.bind_point), project.pipeline(call.state.pipeline)
        if pipeline is None or pipeline.host is None or pipeline.bind_point != call.bind_point:
            continue
        made_with = pipeline.host.signature or HostRef()
        made = project.signature(made_with)
        held = signature_of(bound, project)
        key = (call.function, pipeline.name, bound.signature.key)
        if made is None or held is None or key in told or not other_signature(held, made):
            continue
        told.add(key)
        names = signature_words(made, made_with), signature_words(held, bound.signature)
        yield Violation(
            f"`{call.name}` draws with the pipeline `{pipeline.name}`, which is made with {names[0]}, but "
            f"{names[1]} is set; call `{signature_setter(call.bind_point)}` with the pipeline's",
            call.span,
            places(
                (f"{names[1]} is set here", bound.span),
                (f"the pipeline `{pipeline.name}`", pipeline.span),
                (f"{names[0]} is built here", made.span),
            ),
            symbols=(call.function, pipeline.name, held.name),
        )


RULE = Rule(
    "BL608",
    "pipeline-root-signature",
    "error",
    "host",
    "A draw with another root signature than its pipeline was made with",
    check,
)
