"""BL123: Constant-buffer views over what they cannot hold."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule


def check(analysis: ShaderAnalysis) -> Iterator[Violation]:
    for view in analysis.views:
        resource = view.resource
        if view.kind == "numeric":
            message = f"a {resource.type.name} holds a struct, not a {view.element}; wrap it in one"
        else:
            message = f"`{view.element}` has resources in it, and an array of {resource.type.name} cannot hold any"
        yield Violation(f"`{resource.name}`: {message}", resource.span, symbols=(resource.name, view.element))


RULE = Rule(
    "BL123",
    "buffer-element",
    "error",
    "shader",
    "A ConstantBuffer or TextureBuffer of something that it cannot hold",
    check,
)
