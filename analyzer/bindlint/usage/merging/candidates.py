"""Which functions of a shader have to be followed; in most shaders, none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property

from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.usage.bodies.syntax import Assign, Atom, Body, Call, Expr, Local, Ref, Select, atoms
from bindlint.usage.link import Program
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol, by_count

_TYPES = frozenset(name for name, known in RESOURCE_TYPES.items() if known.cls != "b")
HANDED_OUT = frozenset(("out", "inout"))
_MAX_ROUNDS = 8
"""A struct holds only what stands before it, so that one round is enough in what compiles."""


class Candidates:
    """`names` are the global resources; `statics` the static variables that hold some."""

    def __init__(self, program: Program, names: set[str]) -> None:
        self.program = program
        self.names = names
        self.types = _holding(program)
        self.statics = [
            symbol
            for symbol in program.table.globals()
            if isinstance(symbol, VariableSymbol) and symbol.static and symbol.variable.type.name in self.types
        ]
        self._statics = {symbol.variable.name for symbol in self.statics}
        self._givers = {f.function.name for f in program.reached if f.function.return_type.name in self.types}
        self._open = {symbol.variable.name for symbol in self.statics if self._is_open(symbol)}
        self.differing = {function for function in program.reached if self._may_differ(function)}

    @cached_property
    def followed(self) -> set[FunctionSymbol]:
        """The functions that move resources, and those that call one of them."""
        return self._with_callers({function for function in self.program.reached if self._moves(function)})

    @cached_property
    def inert(self) -> set[FunctionSymbol]:
        """Those of them in which nothing can be found where each argument stands for one resource."""
        found = self.followed - self._with_callers(self.differing)
        return {function for function in found if not self._hands_out(function)}

    @cached_property
    def _callers(self) -> Mapping[str, list[FunctionSymbol]]:
        found: defaultdict[str, list[FunctionSymbol]] = defaultdict(list)
        for function in self.program.reached:
            for name in function.body.free | function.body.methods:
                found[name].append(function)
        return found

    def _with_callers(self, functions: set[FunctionSymbol]) -> set[FunctionSymbol]:
        found, open_ = set(functions), list(functions)
        while open_:
            for caller in self._callers.get(open_.pop().function.name, ()):
                if caller not in found:
                    found.add(caller)
                    open_.append(caller)
        return found

    def _moves(self, function: FunctionSymbol) -> bool:
        body = function.body
        return (
            not (body.free.isdisjoint(self.types) and body.free.isdisjoint(self._statics))
            or self._hands_out(function)
            or any(p.type.name in self.types for p in function.function.parameters)
            or self._chooses(body)
        )

    def _hands_out(self, function: FunctionSymbol) -> bool:
        """Whether a function may change what variables of its caller stand for."""
        written = function.function
        return (
            written.return_type.name in self.types
            or written.owner in self.types
            or any(p.type.name in self.types and HANDED_OUT & p.modifiers for p in written.parameters)
        )

    def _may_differ(self, function: FunctionSymbol) -> bool:
        """Whether a body has a variable, or a choice, that may stand for more than one thing or for none."""
        body = function.body
        returns_one = function.function.return_type.name in self.types
        return (
            not body.free.isdisjoint(self._open)
            or (not body.free.isdisjoint(self._statics) and self._assigns(function, self._is_static))
            or self._assigns_parameter(function)
            or (returns_one and sum(step.kind == "return" for step in body.steps) > 1)
            or (not body.free.isdisjoint(self.types) and self._has_variable(function))
            or self._chooses(body)
        )

    def _is_open(self, symbol: VariableSymbol) -> bool:
        """Whether a static variable may stand for more than its initializer says, though nothing is assigned to it."""
        first = symbol.initializer
        return first is None or bool(symbol.variable.dimensions) or self._chooses(first)

    def _is_static(self, ref: Ref) -> bool:
        return ref.local < 0 and ref.name.rpartition("::")[2] in self._statics

    def _assigns_parameter(self, function: FunctionSymbol) -> bool:
        own = {n for n, parameter in enumerate(function.function.parameters) if parameter.type.name in self.types}
        return bool(own) and self._assigns(function, lambda ref: ref.local in own)

    def _has_variable(self, function: FunctionSymbol) -> bool:
        body = function.body
        first = len(function.function.parameters)
        own = {n for n in range(first, len(body.locals)) if self._is_held(body.locals[n])}
        given = {step.target for step in body.steps if step.kind == "assign"}
        return (
            any(number not in given or body.locals[number].dimensions for number in own)
            or self._assigns(function, lambda ref: ref.local in own)
        )  # fmt: skip

    def _assigns(self, function: FunctionSymbol, is_one: Callable[[Ref], bool]) -> bool:
        """Whether a function assigns to one of certain variables, or has it assigned by another function."""
        return any(self._gives(function, atom, is_one) for step in function.body.steps for atom in atoms(step.value))

    def _gives(self, function: FunctionSymbol, atom: Atom, is_one: Callable[[Ref], bool]) -> bool:
        if isinstance(atom, Assign):
            target = atom.target[-1] if atom.target else None
            if not isinstance(target, Ref) or not is_one(target):
                return False
            return all(member == "[]" or member in self._fields for member in target.members)
        if not isinstance(atom, Call) or atom.receiver is not None:
            return False
        passed = [
            number
            for number, argument in enumerate(atom.arguments)
            if any(isinstance(ref, Ref) and is_one(ref) for ref in argument)
        ]
        if not passed:
            return False
        visible = self.program.table.visible(atom.name, function.scope)
        called = by_count((s for s in visible if isinstance(s, FunctionSymbol)), len(atom.arguments))
        return any(HANDED_OUT & f.function.parameters[number].modifiers for f in called for number in passed)

    @cached_property
    def _fields(self) -> set[str]:
        """The names of fields that hold resources."""
        structs = (struct.struct for index in self.program.table.indices for struct, _ in index.structs)
        return {field.name for struct in structs for field in struct.fields if field.type.name in self.types}

    def _chooses(self, body: Body) -> bool:
        """Whether an expression chooses between resources."""
        branching = (step for step in body.steps if step.branches and step.kind != "loop")
        return any(
            isinstance(atom, Select) and self._is_one(body, atom.yes) and self._is_one(body, atom.no)
            for step in branching
            for atom in atoms(step.value)
        )

    def _is_one(self, body: Body, expression: Expr) -> bool:
        single = expression[0] if len(expression) == 1 else None
        if isinstance(single, Call):
            return single.receiver is None and single.name in self._givers
        if not isinstance(single, Ref):
            return False
        return self._is_held(body.locals[single.local]) if single.local >= 0 else single.name in self.names

    def _is_held(self, local: Local) -> bool:
        return local.type.partition("<")[0].rsplit("::", 1)[-1].strip() in self.types


def _holding(program: Program) -> set[str]:
    """The names of the types that are resources or hold some."""
    found = set(_TYPES)
    parts = [(struct.struct.name, names) for index in program.table.indices for struct, names in index.structs]
    for _ in range(_MAX_ROUNDS):
        before = len(found)
        found.update(name for name, names in parts if not found.isdisjoint(names))
        if len(found) == before:
            break
    return found
