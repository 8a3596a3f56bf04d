"""BL612: A command signature without the root signature that it needs, or with one that it must not have."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.host_calls.held import places
from bindlint_rules.host_calls.indirect import argument_words, is_root, signature_name


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for made in host.command_signatures:
        arguments = made.arguments
        if not arguments:
            continue
        name, symbols = signature_name(made), (made.function, made.name)
        roots = [argument for argument in arguments if is_root(argument)]
        if roots and made.signature is None:
            yield Violation(
                f"{name} changes root arguments ({argument_words(roots[0])}) but is made without a root signature",
                made.span,
                places((argument_words(roots[0]), roots[0].span)),
                symbols=symbols,
            )
        elif made.signature is not None and not roots and all(argument.kind for argument in arguments):
            text = f" `{made.signature.text}`" if made.signature.text else ""
            yield Violation(
                f"{name} changes no root argument but is made with the root signature{text}; give NULL",
                made.span,
                symbols=symbols,
            )


RULE = Rule(
    "BL612",
    "indirect-root-signature",
    "error",
    "host",
    "A command signature that lacks a root signature, or has one in vain",
    check,
)
