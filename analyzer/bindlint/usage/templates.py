"""Templates with their parameters replaced by arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from bindlint_grammars.hlsl.tokens import NAME

from bindlint.facts.type_names import read_type
from bindlint.model.declarations import Struct, TemplateParameter, TypeName

_WORD = re.compile(r"(?<![\w$.])" + NAME)


def parameters(template: tuple[TemplateParameter, ...], arguments: tuple[TypeName, ...]) -> dict[str, str]:
    """The texts that are given for template parameters."""
    return {p.name: str(a) for p, a in zip(template, arguments, strict=False)}


def replaced_type(written: TypeName, given: Mapping[str, str]) -> TypeName:
    """A type with the names in it replaced by texts."""
    if written.arguments:
        return TypeName(written.name, tuple(replaced_type(a, given) for a in written.arguments))
    if written.name in given:
        return read_type(given[written.name].encode())
    return written if written.name.isidentifier() else TypeName(replaced(written.name, given))


def instantiated(struct: Struct, given: Mapping[str, str]) -> Struct:
    """A struct template with the texts that are given for its parameters."""
    return msgspec.structs.replace(
        struct,
        bases=tuple(replaced_type(base, given) for base in struct.bases),
        fields=tuple(
            msgspec.structs.replace(
                field,
                type=replaced_type(field.type, given),
                dimensions=tuple(replaced(text, given) for text in field.dimensions),
                bits=replaced(field.bits, given),
            )
            for field in struct.fields
        ),
    )


def replaced(text: str, given: Mapping[str, str]) -> str:
    """A text with the names in it replaced."""
    return _WORD.sub(lambda match: given.get(match[0], match[0]), text) if given and text else text
