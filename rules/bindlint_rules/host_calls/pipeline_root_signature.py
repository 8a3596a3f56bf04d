"""BL608: A draw with another root signature than its pipeline state was made with."""

from __future__ import annotations

from collections.abc import Iterator

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
        told_with = pipeline.host.signature
        made = project.signature(told_with) if told_with is not None else None
        held = signature_of(bound, project)
        key = (call.function, pipeline.name, bound.signature.key)
        if made is None or held is None or key in told or not other_signature(held, made):
            continue
        told.add(key)
        yield Violation(
            f"`{call.name}` draws with the pipeline `{pipeline.name}`, which is made with {signature_words(made)}, but "
            f"{signature_words(held)} is set; call `{signature_setter(call.bind_point)}` with the pipeline's",
            call.span,
            places(
                (f"{signature_words(held)} is set here", bound.span),
                (f"the pipeline `{pipeline.name}`", pipeline.span),
                (f"{signature_words(made)}", made.span),
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
