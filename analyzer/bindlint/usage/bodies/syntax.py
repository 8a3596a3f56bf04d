"""The shape of a function body: its steps, what each reads, assigns and calls, and under which conditions it runs.

A body becomes a flat list of steps. Names of locals are resolved here (scopes and shadowing), all other names stay
free: what they mean is the business of linking. Expressions are bags of atoms, since use asks what is touched and not
what is computed. Where a value may decide whether something runs, its text is kept as well, by number (-1: none).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from itertools import pairwise
from typing import Literal

import msgspec

StepKind = Literal["expression", "assign", "return", "condition", "loop", "jump", "discard"]


class Ref(msgspec.Struct, gc=False, frozen=True):
    """A name with the members and subscripts after it: `s.texture[i].x`.

    `local` is the number of the local variable it means (parameters come first), -1 where the name is free. `members`
    are the names after the dots in order, "[]" for a subscript; `indices` the expressions in subscripts and `texts`
    their texts.
    """

    name: str
    local: int
    members: tuple[str, ...] = ()
    indices: tuple[Expr, ...] = ()
    texts: tuple[int, ...] = ()


class Call(msgspec.Struct, gc=False, frozen=True):
    """`f(a, b)` has name "f" and no receiver; `t.Sample(s, uv)` has receiver `t`; `ns::f(x)` keeps its qualifier.

    `texts` are those of the arguments, `template` those of explicit template arguments, `members` what is taken of the
    result.
    """

    name: str
    arguments: tuple[Expr, ...]
    texts: tuple[int, ...] = ()
    receiver: Expr | None = None
    template: tuple[int, ...] = ()
    members: tuple[str, ...] = ()


class Assign(msgspec.Struct, gc=False, frozen=True):
    """`target = value`, `target += value` (`reads` is then true) or `++target` (no value). The target comes last.

    `plain`: the value is one name or one call and nothing else, no literal and no operator.
    """

    target: Expr
    value: Expr
    reads: bool
    plain: bool = False


class Select(msgspec.Struct, gc=False, frozen=True):
    """`condition ? yes : no`."""

    text: int
    condition: Expr
    yes: Expr
    no: Expr


class ShortCircuit(msgspec.Struct, gc=False, frozen=True):
    """`a && b || c` where others than the first do something: each runs or not by the values of those before it."""

    operands: tuple[Expr, ...]


Atom = Ref | Call | Assign | Select | ShortCircuit
Expr = tuple[Atom, ...]


def atoms(expression: Expr) -> Iterator[Atom]:
    """All atoms of an expression, those in others as well."""
    open_ = list(expression)
    while open_:
        atom = open_.pop()
        yield atom
        if isinstance(atom, Ref):
            parts: tuple[Expr, ...] = atom.indices
        elif isinstance(atom, Call):
            parts = (*atom.arguments, atom.receiver or ())
        elif isinstance(atom, Select):
            parts = (atom.condition, atom.yes, atom.no)
        elif isinstance(atom, ShortCircuit):
            parts = atom.operands
        else:
            parts = (atom.target, atom.value)
        for part in parts:
            open_ += part


class Local(msgspec.Struct, gc=False, frozen=True):
    """A local variable or parameter: its type as written and how many array dimensions it has of its own."""

    name: str
    type: str
    dimensions: int = 0


class Step(msgspec.Struct, gc=False, frozen=True):
    """One step. `controls` are pairs (index of a condition or loop step, branch taken); `loops` the loops around it.

    `target` is the local that an "assign" step initializes; `text` is a condition's; `plain` as in an assignment, or
    that the step is one assignment. `overwrites`: the step is one plain assignment or one call, and no `switch` is
    around it, so that what follows it in its block runs after it. `branches`: it evaluates something conditionally.
    """

    kind: StepKind
    value: Expr
    controls: tuple[tuple[int, bool], ...]
    loops: tuple[int, ...] = ()
    target: int = -1
    text: int = -1
    plain: bool = False
    overwrites: bool = False
    branches: bool = False


class Case(msgspec.Struct, gc=False, frozen=True):
    """The steps from `start` to `end` of a `switch` that stand behind labels with these texts.

    `falls`: what comes after them in the `switch` may run after them.
    """

    texts: tuple[int, ...]
    start: int
    end: int
    falls: bool


class Switch(msgspec.Struct, gc=False, frozen=True):
    """What a `switch` asks, and its cases in order."""

    text: int
    cases: tuple[Case, ...]


class Region(msgspec.Struct, gc=False, frozen=True):
    """The tokens of a body that run only where a control has a branch; see `Body`."""

    control: int
    branch: bool
    start: int
    end: int


UNKNOWN = "__unknown"
"""How what has no known value is written in a body's texts."""

DEFAULT = "default"
"""How the label of that name is written in a body's texts."""

KEPT = "__builtin_kept"
"""The name of a call whose arguments stay, whoever reads them."""

UNREACHABLE = -1
"""The control of regions behind a jump that is always taken."""


def select_control(text: int) -> int:
    """The control that the condition of a `Select` is, or the first label of a case."""
    return -2 - text


class Body(msgspec.Struct, frozen=True, weakref=True):
    """A body as steps.

    `free` are the names that are no locals, `methods` the names called on something. In `texts` a parameter that is
    never assigned stands as `parameter_name(number)`, and a local that keeps its first value as that value's text.
    `constants` are the numbers of such parameters; `passed` says where parameters go as they are: (number, name of the
    function, position, count of arguments). `regions` are what stands under conditions and loops, and behind returns
    (under the step of the return, True).
    """

    steps: tuple[Step, ...]
    locals: tuple[Local, ...]
    free: frozenset[str]
    methods: frozenset[str]
    texts: tuple[str, ...] = ()
    constants: frozenset[int] = frozenset()
    passed: frozenset[tuple[int, str, int, int]] = frozenset()
    regions: tuple[Region, ...] = ()
    marks: tuple[tuple[int, str], ...] = ()
    """Labels, attributes, `do`, `break` and `continue`, each with the number of the step that comes next."""
    switches: Mapping[int, Switch] = {}
    """By the steps that they are."""
    named: frozenset[str] = frozenset()
    """The names that are no locals in texts that may tell a value."""
    returned: frozenset[int] = frozenset()
    """The numbers of parameters that stand in the texts of returned values."""
    cut: bool = False
    """It nests too deeply to be read: its one step has every name in it."""

    def ends_at(self, index: int, dead: Set[tuple[int, bool]], passed: Set[int]) -> bool:
        """Whether the return at `index` is always taken: all around it runs, and no jump before it leads past it.

        `dead` are branches and `passed` steps that are known not to run.
        """
        step = self.steps[index]
        if not all((control, not branch) in dead for control, branch in step.controls):
            return False
        jumps = (
            each
            for i, each in enumerate(self.steps[:index])
            if each.kind == "jump" and i not in passed and dead.isdisjoint(each.controls)
        )
        return not any(loop in step.loops for jump in jumps for loop in jump.loops)


PARAMETER = re.compile(r"__parameter_(\d+)\b")


def parameter_name(number: int) -> str:
    """How a parameter is written in a body's texts."""
    return f"__parameter_{number}"


def extended(base: Expr, members: list[str], indices: list[Expr], texts: list[int]) -> Expr:
    """What hangs on an expression, made part of it where it is one name or one call."""
    single = base[0] if len(base) == 1 else None
    if isinstance(single, Ref) and members:
        found = (*single.members, *members), (*single.indices, *indices), (*single.texts, *texts)
        return (Ref(single.name, single.local, *found),)
    if isinstance(single, Call) and members:
        base = (msgspec.structs.replace(single, members=(*single.members, *members)),)
    # What is assigned to is the last atom, so subscripts come before what they index.
    return (*(atom for index in indices for atom in index), *base)


def short_circuit(atoms: list[Atom], part: int, cuts: list[int]) -> None:
    """Makes one atom of those from `part` on where `&&` or `||` stand between them (at `cuts`) and it matters."""
    if cuts and not all(isinstance(atom, Ref) for atom in atoms[cuts[0] :]):
        bounds = (part, *cuts, len(atoms))
        atoms[part:] = [ShortCircuit(tuple(tuple(atoms[a:b]) for a, b in pairwise(bounds)))]
    cuts.clear()
