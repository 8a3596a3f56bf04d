"""What things need: the resources, parameters and variables that a value or an effect depends on."""

from __future__ import annotations

from typing import NamedTuple

from bindlint.model.binding import AccessKind
from bindlint.usage.liveness.paths import overlap
from bindlint.usage.numbers import Number
from bindlint.usage.symbols import FunctionSymbol, Symbol, VariableSymbol

THIS = -2
"""The number of the object that a method is called on, among locals and parameters."""


class Use(NamedTuple):
    """A global resource or constant, the path into a struct instance, and how it is touched."""

    symbol: VariableSymbol
    path: tuple[str, ...]
    kind: AccessKind


class Var(NamedTuple):
    """A field ("" = the whole) of a local variable; `view` says what a read may find there (see `stores`)."""

    number: int
    field: str
    kind: AccessKind
    view: int = 0


class Input(NamedTuple):
    """What a parameter (or `this`) held at the call."""

    number: int
    field: str
    kind: AccessKind


class Global(NamedTuple):
    """A field ("" = the whole) of a static or groupshared global variable."""

    symbol: VariableSymbol
    path: str


class Heap(NamedTuple):
    """ResourceDescriptorHeap or SamplerDescriptorHeap."""

    name: str


Dead = frozenset[tuple[int, bool]]
"""Branches of controls (`Region`)."""

Need = Use | Var | Input | Global | Heap
Needs = frozenset[Need]
NOTHING: Needs = frozenset()
HEAPS = frozenset(("ResourceDescriptorHeap", "SamplerDescriptorHeap"))

EFFECT = Heap("")
"""Stands in effects that need no resource, so that an effect is never an empty set."""


class Output(NamedTuple):
    """What a result or an out-parameter needs: any part of it `base`, each field what stands under its path as well."""

    base: Needs = NOTHING
    fields: dict[str, Needs] = {}  # noqa: RUF012 -- never written

    def field(self, path: str) -> Needs:
        """What one field needs."""
        if not self.fields:
            return self.base
        return self.base.union(*(needs for name, needs in self.fields.items() if overlap(name, path)))

    @property
    def whole(self) -> Needs:
        return self.base.union(*self.fields.values()) if self.fields else self.base


class Summary:
    """What a call of one function touches, under one meaning of its free names.

    `effects` is what stays whoever reads the result; `outs` what goes into parameters, `writes` into (fields of)
    globals. `calls` and `touches` are those of the body itself, for chains. `sure` are effects that run whenever the
    function does, `sure_result` what its result cannot do without; `loops` says that it, or what it calls, loops,
    `branches` that something in it runs conditionally. `fed` is what its loops take from the caller,
    `circles` what stays of them where the call stands in a loop that stays. `stored` is what goes into `out` parameters
    before others overwrite it: an entry point's keep every store. `handed` are the parameters handed on as payloads,
    `leaves` says that it may end the whole shader.
    `dead` are the branches (control, branch) of the body that are never taken, `overwritten` the fields of parameters
    that have a new value wherever the function ends. `value` is what it returns where that is always the same number.
    """

    __slots__ = (
        "branches",
        "calls",
        "circles",
        "dead",
        "effects",
        "fed",
        "handed",
        "leaves",
        "loops",
        "outs",
        "overwritten",
        "result",
        "stored",
        "sure",
        "sure_result",
        "touches",
        "value",
        "writes",
    )

    def __init__(self) -> None:
        self.effects: Needs = NOTHING
        self.result = Output()
        self.outs: dict[int, Output] = {}
        self.writes: dict[tuple[VariableSymbol, str], Needs] = {}
        self.calls: tuple[tuple[FunctionSymbol, Summary], ...] = ()
        self.touches: frozenset[Symbol] = frozenset()
        self.sure: frozenset[Need] = NOTHING
        self.sure_result: frozenset[Need] = NOTHING
        self.loops = False
        self.branches = False
        self.fed: Needs = NOTHING
        self.circles: Needs = NOTHING
        self.stored: Needs = NOTHING
        self.handed: frozenset[int] = frozenset()
        self.leaves = False
        self.dead: Dead = frozenset()
        self.overwritten: frozenset[tuple[int, str]] = frozenset()
        self.value: Number | None = None
