"""Whether an expression differs from thread to thread of a wave, as far as an entry point's own text can show it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bindlint_grammars.hlsl.tokens import NAME

from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol

_NAME = re.compile(rf"(?<![\w$.])({NAME})((?:\s*\.\s*\w+)*)(\s*\()?")
_CALLS = frozenset(
    ("min", "max", "abs", "floor", "round", "int", "uint", "float", "int2", "uint2", "uint3", "asuint", "asint")
)
"""Functions of which something that varies comes out again."""
_INTRINSICS = frozenset(
    ("DispatchRaysIndex", "InstanceID", "InstanceIndex", "PrimitiveIndex", "GeometryIndex", "WaveGetLaneIndex")
)
"""What each ray or lane has of its own (HLSL documentation of ray-tracing system values and wave intrinsics)."""
_SEMANTICS = frozenset(("SV_VERTEXID", "SV_PRIMITIVEID", "SV_INSTANCEID", "SV_GROUPINDEX", "SV_SAMPLEINDEX"))
_THREAD_SEMANTICS = ("SV_DISPATCHTHREADID", "SV_GROUPTHREADID")
_SMALLEST_WAVE = 4
_ROW = 32
"""Threads in a wave on common hardware: rows of a group as long as that share no wave."""
_MAX_DEPTH = 4
_FLATTENING = re.compile(r"/|>>|%|&|WaveReadLane|\[|\?")
"""What may turn a value that varies into one that does not."""


class Varying:
    """Judges expressions in the body of one function. What only data can tell is not said to vary."""

    def __init__(self, table: SymbolTable, function: FunctionSymbol, text: str) -> None:
        self.table = table
        self.function = function
        self.text = text
        self._locals: dict[str, bool] = {}

    def shown(self, expression: str, depth: int = 0) -> bool:
        """Whether the expression surely takes several values within a wave."""
        if _FLATTENING.search(expression):
            return False
        matches = list(_NAME.finditer(expression))
        if any(m[3] and m[1] not in _CALLS and m[1] not in _INTRINSICS for m in matches):
            return False
        return any(self._name(m[1], m[2], bool(m[3]), depth) for m in matches)

    def _name(self, name: str, members: str, called: bool, depth: int) -> bool:
        if called:
            return name in _INTRINSICS
        semantic = self._semantic(name, [m.strip() for m in members.split(".")[1:]])
        if semantic is not None:
            return semantic
        return depth < _MAX_DEPTH and self._local(name, depth)

    def _local(self, name: str, depth: int) -> bool:
        if name not in self._locals:
            self._locals[name] = False
            values = re.findall(rf"(?<![\w.]){name}\s*=(?!=)\s*([^;]+);", self.text)
            self._locals[name] = len(values) == 1 and self.shown(values[0], depth + 1)
        return self._locals[name]

    def _semantic(self, name: str, members: list[str]) -> bool | None:
        """Whether a parameter with a system value varies; None where the name is none."""
        for parameter in self.function.function.parameters:
            if parameter.name != name:
                continue
            if parameter.semantic:
                return self._varies(parameter.semantic, members)
            struct = self.table.resolve_type(parameter.type, self.function.scope).struct
            for field in struct.struct.fields if struct is not None and members else ():
                if field.name == members[0]:
                    return self._varies(field.semantic, members[1:])
            return False
        return None

    def _varies(self, semantic: str, members: list[str]) -> bool:
        upper = semantic.upper()
        if upper not in _THREAD_SEMANTICS:
            return upper in _SEMANTICS
        component = "xyz".find(members[0][:1]) if members else 0
        sizes = list(self._group())
        if not 0 <= component < len(sizes):
            return False
        before = 1
        for size in sizes[:component]:
            before *= size
        return sizes[component] > 1 and before < _ROW and before * sizes[component] >= _SMALLEST_WAVE

    def _group(self) -> Iterator[int]:
        for each in self.table.attributes(self.function):
            if each.name == "numthreads":
                for place in each.attribute.arguments:
                    yield self.table.evaluate(each.unit.slice(place), None, self.function.scope) or 1
