"""What references in a body mean: variables, fields, and the type that a chain of members and subscripts leads to."""

from __future__ import annotations

from typing import NamedTuple

from bindlint.usage.bodies.syntax import Body, Ref
from bindlint.usage.liveness.intrinsics import is_numeric, is_object
from bindlint.usage.liveness.needs import HEAPS, THIS
from bindlint.usage.liveness.paths import MAX_FIELDS, is_field
from bindlint.usage.names import ResolvedType, SymbolTable
from bindlint.usage.symbols import FunctionSymbol, Scope, StructSymbol, VariableSymbol, by_count


class Walk(NamedTuple):
    """Where a reference leads: its type (None: not known), whether it ends in an element of a resource (or of what a
    subscript operator gives), and the subscript operators on the way."""

    resolved: ResolvedType | None
    element: bool
    operators: tuple[FunctionSymbol, ...]


class Place(NamedTuple):
    """A field of a local variable; `whole` is false where the reference goes on to a part of that field."""

    number: int
    path: str
    whole: bool


class Walker:
    """References of one body: `scope` is where it stands, `owner` the struct whose method it is."""

    def __init__(self, table: SymbolTable, body: Body, scope: Scope, owner: StructSymbol | None) -> None:
        self.table = table
        self.body = body
        self.scope = scope
        self.owner = owner
        self.types: dict[int, ResolvedType] = {}
        self.this_type = ResolvedType("", None, owner)

    def own_members(self, ref: Ref) -> tuple[str, ...] | None:
        """Where in the object that the method is called on a name leads; None where it does not lead there."""
        if self.owner is None or ref.local >= 0:
            return None
        if ref.name == "this":
            return ref.members
        return (ref.name, *ref.members) if self.table.field(self.owner, ref.name) is not None else None

    def place(self, ref: Ref) -> Place | None:
        """The part of a local variable (or of the method's object) that a reference names; None for other names."""
        if ref.local >= 0:
            number, members = ref.local, ref.members
        else:
            own = self.own_members(ref)
            if own is None:
                return None
            number, members = THIS, own
        if not members:
            return Place(number, "", True)
        path = self.fields(self.this_type if number == THIS else self.local_type(number), members)
        return Place(number, ".".join(path), len(path) == len(members))

    def fields(self, resolved: ResolvedType | None, members: tuple[str, ...]) -> list[str]:
        """The fields that members lead through; a name that may be a swizzle is a field where its type has one."""
        found: list[str] = []
        for member in members[:MAX_FIELDS]:
            if not is_field(member) and (member == "[]" or not self._has_field(resolved, found, member)):
                break
            found.append(member)
        return found

    def _has_field(self, resolved: ResolvedType | None, path: list[str], name: str) -> bool:
        for step in (*path, name):
            inner = self.table.field(resolved.struct, step) if resolved is not None and resolved.struct else None
            if resolved is None or inner is None or resolved.dimensions:
                return False
            resolved = None if inner.dimensions else self.table.member_type(resolved, inner.type)
        return True

    def variable(self, name: str) -> VariableSymbol | None:
        for symbol in self.table.visible(name, self.scope):
            if isinstance(symbol, VariableSymbol):
                return symbol
        return None

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
        elif (own := self.own_members(ref)) is not None:
            resolved, dimensions, members = self.this_type, 0, own
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
                found = by_count(self.table.methods(struct, "operator[]"), 1)
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
