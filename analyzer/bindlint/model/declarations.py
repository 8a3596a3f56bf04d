"""Symbolic declarations of one stretch of expanded shader text: what is written, before any name is resolved.

Every `start` and `end` is a byte offset into the text of the unit that the declaration came from; the unit's source
map leads from there to a file. Types, array sizes and initializers are kept as they are written, since what they mean
depends on the rest of the shader.
"""

from __future__ import annotations

from typing import Literal

import msgspec

SPECIALIZED = "vk::constant_id"
"""The attribute of a constant that Vulkan may set when a pipeline is made; it stands among the `storage` keywords."""

Place = tuple[int, int]
"""Start and end (exclusive) in the unit's text, in bytes."""


class TypeName(msgspec.Struct, frozen=True):
    """A type as written: `Texture2D<float4>` is name "Texture2D" with one argument; `unsigned int` is one name.

    `qualified` names keep their `::`. An argument that is no type (a number, an expression) is a TypeName whose name is
    that text. `dimensions` belong to types that carry array sizes themselves (`typedef float F[4]`).
    """

    name: str
    arguments: tuple[TypeName, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(map(str, self.arguments))}>" if self.arguments else self.name


class RegisterFault(msgspec.Struct, frozen=True):
    """Why a `register(...)` cannot be read: what stands there and what was expected."""

    message: str
    start: int
    end: int


class RegisterAnnotation(msgspec.Struct, frozen=True):
    """One `: register(...)`.

    `letter` as written ("" where only a space is given), `number` None where none is meant (space only; `register(t)`
    has number 0), `space` None where not given, `subscript` the text between `[` and `]`, `profile` the first argument
    where it is a target profile. Faults are syntax faults by the compiler's grammar (ParseDecl.cpp).
    """

    start: int
    end: int
    letter: str = ""
    number: int | None = None
    space: int | None = None
    subscript: str = ""
    profile: str = ""
    fault: RegisterFault | None = None


class UnknownAnnotation(msgspec.Struct, frozen=True):
    """A `: name(...)` on a declaration that is neither register nor packoffset: likely a misspelling."""

    name: str
    start: int
    end: int


class Variable(msgspec.Struct, frozen=True):
    """A variable, field or cbuffer member: one declarator.

    `dimensions` are the texts between `[` and `]`, outermost first, "" where unbounded. `storage` holds the keywords
    written before the type (static, const, uniform, extern, groupshared, volatile, globallycoherent, row_major, ...).
    """

    name: str
    type: TypeName
    start: int
    end: int
    scope: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    registers: tuple[RegisterAnnotation, ...] = ()
    packoffset: str = ""
    semantic: str = ""
    unknown: tuple[UnknownAnnotation, ...] = ()
    storage: frozenset[str] = frozenset()
    initializer: Place | None = None
    type_place: Place = (0, 0)
    bits: str = ""
    """The text of a bit-field's width."""
    template: tuple[TemplateParameter, ...] = ()


class TemplateParameter(msgspec.Struct, frozen=True):
    """`typename T` has kind "typename"; `int N` has the type's name as kind."""

    name: str
    kind: str
    default: str = ""


class Attribute(msgspec.Struct, frozen=True):
    """`[name(arguments)]` before a function or statement; the name as written, each argument's place in the text."""

    name: str
    start: int
    end: int
    arguments: tuple[Place, ...] = ()


class Parameter(msgspec.Struct, frozen=True):
    name: str
    type: TypeName
    start: int
    end: int
    dimensions: tuple[str, ...] = ()
    modifiers: frozenset[str] = frozenset()
    semantic: str = ""
    default: Place | None = None


class Function(msgspec.Struct, frozen=True):
    """A function, method or prototype (`body` None). `owner` is the struct a method belongs to ("" for a free one).

    `start` and `end` are the name's. `body` runs from `{` to after `}`.
    """

    name: str
    start: int
    end: int
    scope: tuple[str, ...] = ()
    owner: str = ""
    parameters: tuple[Parameter, ...] = ()
    return_type: TypeName = TypeName("void")
    semantic: str = ""
    attributes: tuple[Attribute, ...] = ()
    modifiers: frozenset[str] = frozenset()
    template: tuple[TemplateParameter, ...] = ()
    body: Place | None = None


class Struct(msgspec.Struct, frozen=True):
    """A struct, class or interface; nested types are items of their own, with this one in their scope."""

    name: str
    start: int
    end: int
    scope: tuple[str, ...] = ()
    bases: tuple[TypeName, ...] = ()
    fields: tuple[Variable, ...] = ()
    methods: tuple[Function, ...] = ()
    template: tuple[TemplateParameter, ...] = ()
    keyword: str = "struct"


class ConstantBufferBlock(msgspec.Struct, frozen=True):
    """`cbuffer name : register(b0) { members }` or `tbuffer`. What else stands in the block is an item before it."""

    name: str
    kind: Literal["cbuffer", "tbuffer"]
    start: int
    end: int
    scope: tuple[str, ...] = ()
    registers: tuple[RegisterAnnotation, ...] = ()
    unknown: tuple[UnknownAnnotation, ...] = ()
    members: tuple[Variable, ...] = ()
    packoffset: str = ""


class Alias(msgspec.Struct, frozen=True):
    """`typedef T name[4]` or `using name = T`."""

    name: str
    type: TypeName
    start: int
    end: int
    scope: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    template: tuple[TemplateParameter, ...] = ()


class Enum(msgspec.Struct, frozen=True):
    """An enum; each enumerator is its name and the text of its value ("" where it follows the one before)."""

    name: str
    start: int
    end: int
    scope: tuple[str, ...] = ()
    enumerators: tuple[tuple[str, str], ...] = ()
    scoped: bool = False


class UsingNamespace(msgspec.Struct, frozen=True):
    name: str
    start: int
    end: int
    scope: tuple[str, ...] = ()


class Subobject(msgspec.Struct, frozen=True):
    """`GlobalRootSignature name = { "..." };` and its kin: the subobject's type, its name, each argument's place."""

    kind: str
    name: str
    start: int
    end: int
    arguments: tuple[Place, ...] = ()


Item = Variable | Function | Struct | ConstantBufferBlock | Alias | Enum | UsingNamespace | Subobject


class Declarations(msgspec.Struct, frozen=True):
    """Everything one unit declares, in the order in which it is written (a nested cbuffer before its outer one).

    `unread` are the places that the parser could not make sense of; everything around them is still here.
    """

    items: tuple[Item, ...] = ()
    unread: tuple[Place, ...] = ()
