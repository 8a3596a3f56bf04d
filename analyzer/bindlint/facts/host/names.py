"""What the names in host code mean: variables, members, constants, and things that nothing here declares."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeVar

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.index import Constant, Function, Member, Source, Struct, Table, Variable
from bindlint.facts.host.machine import Frame, Machine
from bindlint.facts.host.syntax import Declared, Path, type_text
from bindlint.facts.host.values import Array, Cell, Record, Unknown, Value

T = TypeVar("T")

_OF_MINIENGINE = re.compile(r"\b(\w+)\s*(?:\.|->)\s*(?:InitStaticSampler\s*\(|Reset\s*\(\s*\d+\s*,\s*\d+\s*\))")
"""What only the root signatures of MiniEngine are asked for; its command signatures have a `Finalize`, too."""


class Names(Machine):
    """Looking names up."""

    def local(self, name: str) -> Cell | None:
        for scope in reversed(self.frame.scopes):
            if name in scope:
                return scope[name]
        for scope in reversed(self.frame.outer):
            if name in scope:
                return scope[name]
        return None

    def look_up(self, path: Path, node: Node) -> Cell:
        """The variable or constant that a name means; an unknown one keeps what is done to it in this function."""
        name = path[-1]
        if len(path) == 1:
            cell = self.local(name)
            if cell is not None:
                return cell
            this = self.frame.this
            if this is not None and self._is_field(this, name):
                return self.field(this, name)
        else:
            renamed = self.local(f"namespace {path[0]}")
            if renamed is not None and isinstance(renamed.value, str):
                path = (*renamed.value.split("::"), *path[1:])
        return self._outside(path, node)

    def _is_field(self, record: Record, name: str) -> bool:
        if name in record.fields:
            return True
        if record.type in api.RECORDS:
            return any(name in fields.split("|") for fields in api.RECORDS[record.type])
        struct = self.struct_named(record.type) if record.type else None
        return struct is not None and any(member.declared.name == name for member in struct.members)

    def _outside(self, path: Path, node: Node) -> Cell:
        scope = self.frame.path
        member = self._member_of_class(path) if len(path) == 1 else None
        if member is not None:
            return member
        constants = self.nearest(self.index.constants, path)
        if constants:
            return Cell(self._constant_value(constants, path, node), constant=True)
        variables = self.index.variables.find(path, scope)
        if len(variables) == 1:
            return self._variable(variables[0])
        known = api.CONSTANTS.get(path[-1])
        if known is not None:
            return Cell(known, constant=True)
        nearest = api.nearest(path[-1]) if len(path) == 1 else ""
        if nearest:
            self.remark(node, "unknown-name", f"d3d12.h has no `{path[-1]}`", nearest)
            return Cell(api.CONSTANTS[nearest], constant=True)
        return self._latent(path, node)

    def nearest(self, table: Table[T], path: Path) -> list[T]:
        """What a name means here."""
        if path[-1] not in table.by_name:
            return []
        return next((found for scope in self.search_scopes() if (found := table.find(path, scope))), [])

    def search_scopes(self) -> list[Path]:
        """Where a name is looked for: in opened namespaces, around the function, in the bases of its class."""
        path = self.frame.path
        opened = [path[:end] + used for used in reversed(self.frame.opened) for end in range(len(path), -1, -1)]
        own = self.frame.types
        return [*(scope for scope in opened if scope in self.index.namespaces), own, *self._base_scopes()]

    def _base_scopes(self) -> list[Path]:
        """The classes that the class of the running function derives from."""
        path = self.frame.path
        known = self._bases.get(path)
        if known is None:
            known = self._bases[path] = self._bases_of(path)
        return known

    def _bases_of(self, path: Path) -> list[Path]:
        pending = [s for end in range(len(path), 0, -1) for s in self.index.structs.find(path[:end], ())]
        found: list[Path] = []
        while pending and len(found) < 32:
            struct = pending.pop(0)
            for base in struct.bases:
                for known in self.index.structs.find(base, struct.path[:-1]):
                    if known.path not in found:
                        found.append(known.path)
                        pending.append(known)
        return found

    def _constant_value(self, constants: list[Constant], path: Path, node: Node) -> Value:
        values = [self.constant(c) for c in constants]
        if all(isinstance(v, int | float) and v == values[0] for v in values):
            return values[0]
        if len(values) == 1:
            return values[0]
        return self.unknown(f"`{'::'.join(path)}` has several values", node)

    def is_virtual(self, function: Function) -> bool:
        """Whether a derived class may put another function in its place."""
        name = re.escape(function.path[-1].encode())
        declared = re.compile(rb"\bvirtual\b[^;{}]*\b%b\s*\(|\b%b\s*\([^;{}]*\)[^;{}]*\boverride\b" % (name, name))
        structs = self.index.structs.find(function.path[:-1], ())
        return any(declared.search(struct.node.text or b"") for struct in structs)

    def _member_of_class(self, path: Path) -> Cell | None:
        """A member of a class around the running function, or of one that these derive from."""
        name, around = path[0], self.frame.path
        if (name, around) not in self._fields:
            self._fields[name, around] = self._declared_in_class(name)
        found = self._fields[name, around]
        if found is None:
            return None
        struct, member, scope = found
        key = (*scope, name)
        if key not in self.shared:
            why = self.unknown(f"`{name}` is a member of `{scope[-1]}`, set elsewhere", None, name)
            self.shared[key] = self._set_elsewhere(member.type, member.declared, struct.source, why, member.node)
        return self.shared[key]

    def _declared_in_class(self, name: str) -> tuple[Struct, Member, Path] | None:
        """The member of that name, its class, and how that is called."""
        around = (self.frame.path[:end] for end in range(len(self.frame.path), 0, -1))
        for scope in (*around, *self._base_scopes()):
            for struct in self.index.structs.find(scope, ()):
                for member in struct.members:
                    if member.declared.name == name:
                        return struct, member, scope
        return None

    def _set_elsewhere(self, type_name: str, declared: Declared, source: Source, why: Unknown, node: Node) -> Cell:
        self.enter(Frame(source, self.frame.path, None, self.frame.body))
        try:
            if declared.pointers:
                return Cell(Record("", why, None, declared.name))
            value = self.default(type_name, declared.sizes, why, node)
        finally:
            self.leave()
        if isinstance(value, Array) and value.grows:
            value.state = value.cells, False
        if isinstance(value, Record | Array):
            value.name = declared.name
            return Cell(value, value.place)
        return Cell(why)

    def _variable(self, variable: Variable) -> Cell:
        cell = self.shared.get(variable.path)
        if cell is None:
            self.shared[variable.path] = cell = Cell(self.unknown(f"`{variable.path[-1]}` depends on itself"))
            declared = Declared(variable.declarator)
            type_name = type_text(variable.node.child_by_field_name("type"))
            value = variable.declarator.child_by_field_name("value") or variable.node.child_by_field_name(
                "default_value"
            )
            where = "is defined elsewhere" if variable.constant and value is None else "is a variable that may change"
            why = self.unknown(f"`{variable.path[-1]}` {where}", None, variable.path[-1])
            if variable.constant and value is not None and not declared.pointers:
                self.enter(Frame(variable.source, variable.path[:-1], None, ""))
                try:
                    made = self.initialise(type_name, declared.sizes, value)
                    if isinstance(made, Record | Array):
                        made.name = variable.path[-1]
                    cell.state = made, self.place(variable.declarator)
                finally:
                    self.leave()
            else:
                cell.state = self._set_elsewhere(type_name, declared, variable.source, why, variable.node).state
        return cell

    def _latent(self, path: Path, node: Node) -> Cell:
        """A variable that nothing here declares; where nothing is written to it, each use has its own place."""
        cell = self.shared.get(("", *path))
        if cell is not None and isinstance(cell.value, Record) and not cell.value.fields:
            known = cell.value.fill
            if isinstance(known, Unknown):
                cell.value.fill = self.unknown(known.why, node, known.name, unread=True)
        if cell is None:
            name = "::".join(path)
            kind = api.MINIENGINE if path[-1] in _of_miniengine(self.frame.body) else ""
            why = self.unknown(f"`{name}` is not declared here", node, name, unread=True)
            cell = self.shared[("", *path)] = Cell(Record(kind, why, self.place(node), name))
        return cell

    def constant(self, constant: Constant) -> Value:
        """The value of an enumerator or a constant variable."""
        pending: list[Constant] = []
        current: Constant | None = constant
        while current is not None and id(current) not in self._constants:
            pending.append(current)
            current = current.before if current.value is None else None
        for item in reversed(pending):
            self._constants[id(item)] = self.unknown(f"`{item.path[-1]}` depends on itself")
            self._constants[id(item)] = self._evaluate_constant(item)
        return self._constants[id(constant)]

    def _evaluate_constant(self, item: Constant) -> Value:
        if item.value is None:
            before = 0 if item.before is None else self._constants[id(item.before)]
            return (before + (item.before is not None)) if isinstance(before, int) else before
        self.enter(Frame(item.source, item.scope, None, ""))
        try:
            if item.value.type == "initializer_list":
                children = item.value.named_children
                return self.evaluate(children[0]) if len(children) == 1 else self.unknown("is not one number")
            return self.evaluate(item.value)
        finally:
            self.leave()


@lru_cache(64)
def _of_miniengine(body: str) -> frozenset[str]:
    """What a function treats as root signatures of MiniEngine."""
    return frozenset(match[1] for match in _OF_MINIENGINE.finditer(body))
