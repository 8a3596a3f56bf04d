"""What references in a body mean: variables, fields, and the type that a chain of members and subscripts leads to."""

from __future__ import annotations

from typing import NamedTuple

from bindlint.usage.intrinsics import is_numeric, is_object
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.needs import HEAPS
from bindlint.usage.symbols import FunctionSymbol, Scope, StructSymbol, VariableSymbol
from bindlint.usage.syntax import Body, Ref

_SWIZZLE = frozenset("xyzwrgba")


def field_of(members: tuple[str, ...]) -> str:
    """The field that members lead into; swizzles, matrix elements and subscripts touch the whole."""
    if not members or members[0] == "[]":
        return ""
    first = members[0]
    if len(first) <= 4 and _SWIZZLE.issuperset(first):
        return ""
    return "" if first.startswith("_m") or (first[0] == "_" and first[1:2].isdigit()) else first


class Walk(NamedTuple):
    """Where a reference leads: its type (None: not known), whether it ends in an element of a resource (or of what a
    subscript operator gives), and the subscript operators on the way."""

    resolved: ResolvedType | None
    element: bool
    operators: tuple[FunctionSymbol, ...]


class Walker:
    """References of one body: `scope` is where it stands, `owner` the struct whose method it is."""

    def __init__(self, table: SymbolTable, body: Body, scope: Scope, owner: StructSymbol | None) -> None:
        self.table = table
        self.body = body
        self.scope = scope
        self.owner = owner
        self.types: dict[int, ResolvedType] = {}

    def own_field(self, ref: Ref) -> str | None:
        if self.owner is None or ref.local >= 0:
            return None
        if ref.name == "this":
            return field_of(ref.members)
        return ref.name if self.table.field(self.owner, ref.name) is not None else None

    def variable(self, name: str) -> VariableSymbol | None:
        return next((s for s in self.table.visible(name, self.scope) if isinstance(s, VariableSymbol)), None)

    def local_type(self, number: int) -> ResolvedType:
        found = self.types.get(number)
        if found is None:
            found = self.types[number] = self.table.resolve_written_type(self.body.locals[number].type, self.scope)
        return found

    def known(self, resolved: ResolvedType) -> ResolvedType | None:
        """None for the names of template parameters and whatever else cannot be told."""
        known = resolved.struct is not None or resolved.resource is not None or is_object(resolved.name)
        return resolved if known or is_numeric(resolved.name) else None

    def walk(self, ref: Ref) -> Walk:
        """Follow a reference through arrays, fields, elements of buffers and subscript operators to its type."""
        members = ref.members
        if ref.local >= 0:
            resolved, dimensions = self.local_type(ref.local), self.body.locals[ref.local].dimensions
        elif self.own_field(ref) is not None:
            resolved, dimensions = ResolvedType("", None, self.owner), 0
            members = members if ref.name == "this" else (ref.name, *members)
        else:
            symbol = self.variable(ref.name)
            if symbol is None:
                return Walk(None, ref.name in HEAPS and "[]" in members, ())
            resolved = self.table.resolve_type(symbol.variable.type, symbol.scope)
            dimensions = len(symbol.variable.dimensions)
        dimensions += len(resolved.dimensions)
        element = False
        operators: list[FunctionSymbol] = []
        for member in members:
            if member == "[]" and dimensions:
                dimensions -= 1
                continue
            if resolved.resource is not None:
                element = element or member == "[]"
                argument = resolved.argument
                resolved = (
                    self.table.resolve_type(argument, self.scope) if argument is not None else ResolvedType("float4")
                )
                dimensions = len(resolved.dimensions)
                if member == "[]":
                    continue
            struct = resolved.struct
            if struct is None:
                return Walk(self.known(resolved), element, tuple(operators))
            if member == "[]":
                found = self.table.methods(struct, "operator[]")
                if not found:
                    return Walk(None, element, tuple(operators))
                operators += found
                element = True
                resolved = self.table.member_type(resolved, found[0].function.return_type)
                dimensions = len(resolved.dimensions)
                continue
            inner = self.table.field(struct, member)
            if inner is None:
                return Walk(None, element, tuple(operators))
            resolved = self.table.member_type(resolved, inner.type)
            dimensions = len(inner.dimensions) + len(resolved.dimensions)
        return Walk(self.known(resolved), element, tuple(operators))
