"""The macros in force while a file is read, and the record of which of them were asked for."""

from __future__ import annotations

from bindlint_grammars.hlsl.macros import Macro
from bindlint_grammars.hlsl.scan import Segment


class Environment:
    """Working state of one stretch of a file.

    `macros` is shared with the run and changed in place; `delta` holds what this stretch defined (None: undefined).
    `present` and `absent` are what was read of the macros that stood at its start.
    """

    __slots__ = ("absent", "delta", "identity", "macros", "present")

    def __init__(self, macros: dict[bytes, Macro], identity: int) -> None:
        self.macros = macros
        self.identity = identity
        self.delta: dict[bytes, Macro | None] = {}
        self.present: dict[bytes, Macro] = {}
        self.absent: set[bytes] = set()

    def read(self, name: bytes) -> Macro | None:
        """The macro of that name, None when there is none."""
        macro = self.macros.get(name)
        if name not in self.delta:
            if macro is None:
                self.absent.add(name)
            else:
                self.present[name] = macro
        return macro

    def hits(self, segment: Segment) -> set[bytes]:
        """The names in the segment that are macros."""
        names = segment.names
        found = self.macros.keys() & names
        if self.delta:
            self.absent.update(names.difference(self.delta, found))
            for name in found:
                if name not in self.delta:
                    self.present[name] = self.macros[name]
        elif found:
            self.absent.update(names.difference(found))
            self.present.update({name: self.macros[name] for name in found})
        else:
            self.absent.update(names)
        return found

    def define(self, name: bytes, macro: Macro | None) -> None:
        """Define a name, or with None undefine it."""
        self.delta[name] = macro
        self.identity = change(self.macros, self.identity, name, macro)


def change(macros: dict[bytes, Macro], identity: int, name: bytes, macro: Macro | None) -> int:
    """Put a macro into `macros`, or with None take it out; the identity of the environment afterwards."""
    before = macros.pop(name, None) if macro is None else macros.get(name)
    if before is not None:
        identity ^= before.identity
    if macro is not None:
        macros[name] = macro
        identity ^= macro.identity
    return identity
