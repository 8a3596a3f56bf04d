"""Templates with their parameters replaced by arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from bindlint_grammars.hlsl.tokens import NAME

from bindlint.facts.type_names import read_type
from bindlint.model.declarations import Struct, TemplateParameter, TypeName
from bindlint.model.resource_types import RESOURCE_TYPES

_PLAIN = re.compile(r"(?:(?:float|u?int|bool|double)(?:[1-4](?:x[1-4])?)?|\d+)")
"""Numbers and numeric types that have one spelling."""
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


def template_name(name: str) -> str:
    """The name of the template that a specialisation's name begins with; any other name as it is."""
    return name.partition("<")[0] or name


def may_match(specialisation: str, given: Sequence[str]) -> bool:
    """Whether the texts given for a template's parameters ("" where not known) may be those of a specialisation."""
    pairs = zip(read_type(specialisation.encode()).arguments, given, strict=False)
    heads = ((own.name, text.partition("<")[0]) for own, text in pairs)
    return all(own == head or not (_is_told(own) and _is_told(head)) for own, head in heads)


def _is_told(name: str) -> bool:
    """Whether a type or value is another one wherever its name is another."""
    return _PLAIN.fullmatch(name) is not None or (name in RESOURCE_TYPES and name[0].isupper())


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


def arguments_of(text: str) -> tuple[TypeName, ...]:
    """Template arguments as text, split at the commas that are theirs."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    found = []
    for part in (*parts, text[start:]):
        head, _, rest = part.partition("<")
        found.append(TypeName(head.strip(), arguments_of(rest.rsplit(">", 1)[0]) if rest else ()))
    return tuple(found)
