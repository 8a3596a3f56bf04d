"""Runtime data (RDAT) of a compiled library: resources, functions, subobjects."""

from __future__ import annotations

import struct
from typing import NamedTuple

from bindlint_grammars.container.binary import name_at, rows
from bindlint_grammars.container.parts import MAX_PARTS, SHADER_KINDS

_WORD = struct.Struct("<I")
_HEADER = struct.Struct("<2I")
_RESOURCE = struct.Struct("<8I")
_FUNCTION = struct.Struct("<8I")
_SUBOBJECT = struct.Struct("<4I")
_STRINGS, _INDICES, _RESOURCES, _FUNCTIONS, _BYTES, _SUBOBJECTS = range(1, 7)

GLOBAL_ROOT_SIGNATURE, LOCAL_ROOT_SIGNATURE = 1, 2
"""Kinds of subobjects that hold serialized root signatures."""

RESOURCE_HEAP, SAMPLER_HEAP = 1 << 25, 1 << 26
"""Features of a shader that indexes a descriptor heap (ShaderFeatureInfo in DxilContainer.h)."""


class LibraryResource(NamedTuple):
    """`cls` is SRV 0, UAV 1, CBV 2, sampler 3, `kind` DXIL's ResourceKind; `lower` 4294967295 was never assigned."""

    cls: int
    kind: int
    space: int
    lower: int
    upper: int
    name: str
    flags: int


class LibraryFunction(NamedTuple):
    """`resources` are indices into those of the library, `stage` as SHADER_KINDS name it, `features` as in SFI0."""

    name: str
    stage: str
    resources: tuple[int, ...]
    features: int


class LibrarySubobject(NamedTuple):
    """`data` are the bytes of a root signature, b"" for all other kinds."""

    kind: int
    name: str
    data: bytes


class RuntimeData(NamedTuple):
    resources: tuple[LibraryResource, ...] = ()
    functions: tuple[LibraryFunction, ...] = ()
    subobjects: tuple[LibrarySubobject, ...] = ()
    faults: tuple[str, ...] = ()


def read_rdat(data: bytes) -> RuntimeData:
    """Read the part's bytes; whatever lies outside of them is a fault and is left out."""
    return _Reader(data).read()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.faults: list[str] = []
        self._parts = self._read_parts(data)
        self._names: dict[int, str] = {}
        self._lists: dict[int, tuple[int, ...]] = {}
        self._blobs: dict[tuple[int, int], bytes] = {}
        # Lists and blobs may be shared as a whole, but what overlaps in part would let few bytes stand for many.
        self._list_room = len(self._parts.get(_INDICES, b""))
        self._blob_room = len(self._parts.get(_BYTES, b""))

    def _read_parts(self, data: bytes) -> dict[int, bytes]:
        head = rows(data, _HEADER, 0, 1)
        offsets = rows(data, _WORD, _HEADER.size, min(head[0][1], MAX_PARTS)) if head else []
        parts: dict[int, bytes] = {}
        room = len(data)
        for (offset,) in offsets:
            part = rows(data, _HEADER, offset, 1)
            size = part[0][1] if part else 0
            start = offset + _HEADER.size
            room -= size
            if not part or start + size > len(data) or room < 0:
                self.faults.append("a table of the runtime data (RDAT) lies outside of it")
            else:
                parts.setdefault(part[0][0], data[start : start + size])
        if not offsets:
            self.faults.append("the runtime data (RDAT) is cut off")
        return parts

    def _table(self, kind: int, form: struct.Struct) -> list[tuple[int, ...]]:
        part = self._parts.get(kind)
        if part is None:
            return []
        head = rows(part, _HEADER, 0, 1)
        count, stride = head[0] if head else (1, 0)
        found = rows(part, form, _HEADER.size, count, stride) if count else []
        if len(found) < count:
            self.faults.append(f"table {kind} of the runtime data (RDAT) has no room for its {count} rows")
        return found

    def _name(self, offset: int) -> str:
        if offset not in self._names:
            self._names[offset] = name_at(self._parts.get(_STRINGS, b""), offset)
        return self._names[offset]

    def _list(self, offset: int) -> tuple[int, ...]:
        if offset not in self._lists:
            part = self._parts.get(_INDICES, b"")
            place = offset * _WORD.size
            head = rows(part, _WORD, place, 1)
            count = head[0][0] if head else 0
            self._list_room -= _WORD.size * (count + 1)
            found = rows(part, _WORD, place + _WORD.size, count) if self._list_room >= 0 else []
            if len(found) < count:
                self.faults.append("a list of the runtime data (RDAT) lies outside of it")
            self._lists[offset] = tuple(index for (index,) in found)
        return self._lists[offset]

    def _blob(self, offset: int, size: int) -> bytes:
        if (offset, size) not in self._blobs:
            part = self._parts.get(_BYTES, b"")
            self._blob_room -= size
            if offset + size > len(part) or self._blob_room < 0:
                self.faults.append("a root signature of the runtime data (RDAT) lies outside of it")
                return b""
            self._blobs[offset, size] = part[offset : offset + size]
        return self._blobs[offset, size]

    def read(self) -> RuntimeData:
        resources = [
            LibraryResource(cls, kind, space, lower, upper, self._name(name), flags)
            for cls, kind, _, space, lower, upper, name, flags in self._table(_RESOURCES, _RESOURCE)
        ]
        functions = [
            LibraryFunction(
                self._name(plain),
                SHADER_KINDS[kind] if kind < len(SHADER_KINDS) else "",
                self._list(uses) if uses != 0xFFFFFFFF else (),
                features,
            )
            for _, plain, uses, _, kind, _, _, features in self._table(_FUNCTIONS, _FUNCTION)
        ]
        subobjects = [
            LibrarySubobject(
                kind,
                self._name(name),
                self._blob(offset, size) if kind in (GLOBAL_ROOT_SIGNATURE, LOCAL_ROOT_SIGNATURE) else b"",
            )
            for kind, name, offset, size in self._table(_SUBOBJECTS, _SUBOBJECT)
        ]
        return RuntimeData(tuple(resources), tuple(functions), tuple(subobjects), tuple(dict.fromkeys(self.faults)))
