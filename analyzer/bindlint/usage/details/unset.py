"""Where the compiler cannot tell which register a name stands for: one of several, none, or that of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bindlint.model.binding import MergedResource
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.usage.bodies.syntax import Assign, Atom, Call, Expr, Local, Ref, Step, atoms
from bindlint.usage.details.merges import Merges, assignments
from bindlint.usage.link import Program
from bindlint.usage.liveness.needs import HEAPS, Global
from bindlint.usage.symbols import FunctionSymbol, VariableSymbol, by_count


def merged_resources(program: Program) -> Iterator[MergedResource]:
    """Those of the functions that may run, under conditions that are no constants."""
    names = {r.name for r in program.resources if r.origin == "global"} | HEAPS
    for function, dead in program.reached.items():
        body, count = function.body, len(function.body.free & names)
        own = [i for i in range(len(function.function.parameters), len(body.locals)) if _is_resource(body.locals[i])]
        if not count and not own:
            continue
        merges = Merges(program.table, function, dead, names, function in program.functions)
        if count > 1:
            yield from merges.found()
        if count:
            yield from _assigned_globals(merges)
        for number in own:
            yield from _unset(merges, number)
    yield from _unset_statics(program, names)


def _assigned_globals(merges: Merges) -> Iterator[MergedResource]:
    """Those that take another resource; a register cannot."""
    for step in merges.live.values():
        for atom in step.value:
            if isinstance(atom, Assign) and not atom.reads:
                name, source = merges.source(atom.target), merges.source(atom.value)
                if name and source and name != source and _is_register(merges, atom.target):
                    yield merges.merged(name, [name, source], [])


def _unset_statics(program: Program, names: set[str]) -> Iterator[MergedResource]:
    """Static globals that an entry point needs and no function that may run gives a value."""
    needed = {need.symbol for need in program.needs if isinstance(need, Global) and need.symbol.static}
    for symbol in sorted(needed, key=lambda symbol: symbol.variable.name):
        resolved = program.table.resolve_type(symbol.variable.type, symbol.scope)
        known, name = resolved.resource, symbol.variable.name
        if known is None or known.cls == "b" or symbol.variable.initializer is not None:
            continue
        named = [
            Merges(program.table, function, dead, names, False)
            for function, dead in program.reached.items()
            if name in function.body.free
        ]

        def is_it(atom: Atom, name: str = name) -> bool:
            return isinstance(atom, Ref) and atom.local < 0 and atom.name.rsplit("::", 1)[-1] == name

        if not any(_mentions(merges, step, is_it)[1] for merges in named for step in merges.live.values()):
            yield MergedResource(name, named[0].function.function.name if named else "", symbol.span, ("",), True)


def _is_resource(local: Local) -> bool:
    known = RESOURCE_TYPES.get(local.type.partition("<")[0].strip())
    return known is not None and known.cls != "b" and not local.dimensions


def _unset(merges: Merges, number: int) -> Iterator[MergedResource]:
    """A local that is read where nothing was assigned to it, or only under a condition."""
    given: list[tuple[int, Step, Expr]] = []
    read: list[tuple[int, Step]] = []
    for index, step in merges.live.items():
        whole = [value for target, value in assignments(step) if target == number]
        given += ((index, step, value) for value in whole)
        reads, writes = _mentions(merges, step, lambda atom: isinstance(atom, Ref) and atom.local == number)
        if writes > len(whole):
            return
        if reads > 0:
            read.append((index, step))
    if not given and read:
        yield merges.merged(merges.named(number), [""], [])
    elif len(given) == 1:
        index, step, value = given[0]
        source = merges.source(value)
        outside = [step.controls[:count] for count in range(len(step.controls))]
        after = any(i > index and other.controls in outside for i, other in read)
        if source and after and not step.loops and merges.depends(step) and not _jumps(merges):
            conditions = [merges.body.steps[control].value for control, _ in step.controls]
            yield merges.merged(merges.named(number), [source, ""], conditions)


def _mentions(merges: Merges, step: Step, is_it: Callable[[Atom], bool]) -> tuple[int, int]:
    """How often a step reads a variable, and how often it may give it another value."""
    reads = writes = 0
    for atom in atoms(step.value):
        if isinstance(atom, Ref):
            reads += is_it(atom)
        elif isinstance(atom, Assign):
            target = atom.target[-1] if atom.target else None
            if isinstance(target, Ref) and is_it(target) and not target.members:
                reads -= 1
                writes += 1
        elif isinstance(atom, Call) and atom.receiver is None:
            for position, argument in enumerate(atom.arguments):
                writes += any(map(is_it, argument)) and _may_write(merges, atom, position)
    return reads, writes


def _may_write(merges: Merges, call: Call, position: int) -> bool:
    visible = merges.table.visible(call.name, merges.function.scope)
    called = by_count((s for s in visible if isinstance(s, FunctionSymbol)), len(call.arguments))
    return not called or any({"out", "inout"} & f.function.parameters[position].modifiers for f in called)


def _jumps(merges: Merges) -> bool:
    """Whether something may end the function, or a block of it, early."""
    return any(s.kind in ("return", "jump", "discard") and s.controls for s in merges.live.values())


def _is_register(merges: Merges, target: Expr) -> bool:
    """Whether an expression is a global resource or an element of an array of them, and no element of a buffer."""
    (ref,) = target
    if not isinstance(ref, Ref):
        return False
    visible = merges.table.visible(ref.name, merges.function.scope)
    symbol = next((s for s in visible if isinstance(s, VariableSymbol)), None)
    if symbol is None or symbol.static or symbol.block is not None:
        return False
    resolved = merges.table.resolve_type(symbol.variable.type, symbol.scope)
    return len(ref.members) <= len(symbol.variable.dimensions) + len(resolved.dimensions)
