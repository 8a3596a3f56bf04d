"""The layout of C++ types as a 64-bit MSVC gives it: sizes, alignments, offsets of members."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.index import Index, Member, Source, Struct
from bindlint.facts.host.syntax import Path
from bindlint.model.host import HostMember, HostStruct

Evaluate = Callable[[Node, Source, Path], int | None]
Extent = tuple[int, int]
"""Size and alignment in bytes."""

_SCALARS = {
    1: "bool char signed_char unsigned_char int8_t uint8_t BYTE UINT8 INT8 CHAR UCHAR byte BOOLEAN char8_t uint8 int8 "
    "u8 s8 i8 Uint8 Int8",
    2: "short unsigned_short short_int unsigned_short_int int16_t uint16_t WORD UINT16 INT16 SHORT USHORT wchar_t "
    "WCHAR HALF char16_t uint16 int16 u16 s16 i16 Uint16 Int16",
    4: "int unsigned unsigned_int signed_int long unsigned_long long_int unsigned_long_int int32_t uint32_t DWORD UINT "
    "INT UINT32 INT32 LONG ULONG BOOL float FLOAT char32_t uint32 int32 uint u32 s32 i32 f32 Uint32 Int32 Float32 "
    "DXGI_FORMAT HRESULT",
    8: "long_long unsigned_long_long int64_t uint64_t DWORD64 UINT64 INT64 LONGLONG ULONGLONG double size_t SIZE_T "
    "ptrdiff_t intptr_t uintptr_t UINT_PTR INT_PTR uint64 int64 u64 s64 i64 f64 Uint64 Int64 HANDLE HWND __int64 "
    "ssize_t D3D12_GPU_VIRTUAL_ADDRESS D3D12_GPU_DESCRIPTOR_HANDLE D3D12_CPU_DESCRIPTOR_HANDLE LARGE_INTEGER LPVOID "
    "LPCWSTR LPCSTR CD3DX12_GPU_DESCRIPTOR_HANDLE CD3DX12_CPU_DESCRIPTOR_HANDLE",
}
_BUILT_IN: dict[str, Extent] = {name: (size, size) for size, names in _SCALARS.items() for name in names.split()}
_BUILT_IN |= {f"XM{kind}{n}": (4 * n, 4) for kind in ("FLOAT", "INT", "UINT") for n in (2, 3, 4)}
_BUILT_IN |= {f"XM{kind}{n}A": (16, 16) for kind in ("FLOAT", "INT", "UINT") for n in (2, 3, 4)}
_BUILT_IN |= {f"XMFLOAT{rows}X{columns}": (4 * rows * columns, 4) for rows in (3, 4) for columns in (3, 4)}
_BUILT_IN |= {
    f"XMFLOAT{rows}X{columns}A": (16 * (rows if columns != 3 else 3), 16) for rows, columns in ((4, 4), (3, 4), (4, 3))
}
_BUILT_IN |= {
    "XMFLOAT4X3A": (48, 16),
    "XMVECTOR": (16, 16),
    "XMVECTORF32": (16, 16),
    "XMVECTORU32": (16, 16),
    "FXMVECTOR": (16, 16),
    "XMMATRIX": (64, 16),
    "XMHALF2": (4, 2),
    "XMHALF4": (8, 2),
    "XMCOLOR": (4, 4),
    "Vector2": (8, 4),
    "Vector3": (12, 4),
    "Vector4": (16, 4),
    "Quaternion": (16, 4),
    "Plane": (16, 4),
    "Color": (16, 4),
    "Matrix": (64, 4),
    "D3D12_DESCRIPTOR_RANGE": (20, 4),
    "D3D12_DESCRIPTOR_RANGE1": (24, 4),
    "D3D12_ROOT_PARAMETER": (32, 8),
    "D3D12_ROOT_PARAMETER1": (32, 8),
    "D3D12_STATIC_SAMPLER_DESC": (52, 4),
    "D3D12_ROOT_SIGNATURE_DESC": (40, 8),
    "D3D12_ROOT_SIGNATURE_DESC1": (40, 8),
    "D3D12_DRAW_ARGUMENTS": (16, 4),
    "D3D12_DRAW_INDEXED_ARGUMENTS": (20, 4),
    "D3D12_DISPATCH_ARGUMENTS": (12, 4),
    "D3D12_VERTEX_BUFFER_VIEW": (16, 8),
    "D3D12_INDEX_BUFFER_VIEW": (16, 8),
}
_GLM = {f"{prefix}vec{n}": (4 * n, 4) for prefix in ("", "i", "u") for n in (2, 3, 4)} | {
    f"mat{n}": (4 * n * n, 4) for n in (2, 3, 4)
}
_SIMPLE_MATH = frozenset(("Vector2", "Vector3", "Vector4", "Quaternion", "Plane", "Color", "Matrix"))
_ARRAY = re.compile(r"^(?:std ?:: ?)?array ?< ?(.+), ?(\w+) ?>$")
_DECLSPEC = re.compile(rb"\b__?declspec\s*\(\s*align\s*\(\s*(?:(\d+)[uUlL]*|(\w+))\s*\)\s*\)")
_DECLSPEC_BEFORE = re.compile(_DECLSPEC.pattern + rb"\s*\Z")
_MAX_DEPTH = 32
_MAX_ALIGNMENT = 8192
_LOOKED_BACK = 160


class Layout:
    """Sizes of types of one file; structures are laid out when they are asked for."""

    def __init__(self, index: Index, evaluate: Evaluate, simple_math: bool = False) -> None:
        self._index = index
        self._evaluate = evaluate
        self._simple_math = simple_math
        self._known: dict[int, HostStruct | None] = {}
        self._extents: dict[tuple[str, Path], Extent | None] = {}
        self._depth = 0

    def forget(self) -> None:
        """A type was declared: what names mean is to be looked up anew."""
        self._extents.clear()

    def size(self, type_name: str, scope: Path = ()) -> int | None:
        extent = self.extent(type_name, scope)
        return None if extent is None else extent[0]

    def extent(self, type_name: str, scope: Path) -> Extent | None:
        """Size and alignment of a type by name, None where it is not known."""
        if self._depth > _MAX_DEPTH:
            return None
        if self._depth == 0 and (type_name, scope) in self._extents:
            return self._extents[type_name, scope]
        self._depth += 1
        try:
            extent = self._extent(type_name, scope)
        finally:
            self._depth -= 1
        if self._depth == 0:
            self._extents[type_name, scope] = extent
        return extent

    def _extent(self, type_name: str, scope: Path) -> Extent | None:
        name = type_name.strip()
        if name.endswith(("*", "&")):
            return 8, 8
        array = _ARRAY.match(name)
        if array is not None:
            element = self.extent(array[1], scope)
            return (element[0] * int(array[2]), element[1]) if element is not None and array[2].isdigit() else None
        path = tuple(part.strip() for part in name.split("::") if part.strip())
        if not path:
            return None
        structs = self._index.structs.find(path, scope)
        if structs:
            laid = [self.struct(s) for s in structs]
            extents = {None if s is None else (s.size, s.alignment) for s in laid}
            return extents.pop() if len(extents) == 1 else None
        enums = self._index.enums.find(path, scope)
        if enums:
            return self.extent(enums[0], scope) if enums[0] != "int" else (4, 4)
        return self._alias(path, scope) or self._built_in(path)

    def struct(self, struct: Struct) -> HostStruct | None:
        """The layout of a structure; None where a member's size is not known."""
        key = id(struct)
        if key not in self._known:
            self._known[key] = None
            self._depth += 1
            self._known[key] = self._lay_out(struct) if self._depth <= _MAX_DEPTH else None
            self._depth -= 1
        return self._known[key]

    def _alias(self, path: Path, scope: Path) -> Extent | None:
        found = {alias for alias in self._index.aliases.find(path, scope) if alias != path[-1]}
        extents = {self.extent(alias, scope) for alias in found}
        return extents.pop() if len(extents) == 1 else None

    def _built_in(self, path: Path) -> Extent | None:
        name = path[-1].replace(" ", "_")
        if path[0] == "glm":
            return _GLM.get(name)
        if name in _SIMPLE_MATH and not (self._simple_math or "SimpleMath" in path):
            return None
        if name.endswith("_FLAGS") or (name.startswith("D3D12_") and name.endswith(("_TYPE", "_MODE", "_FUNC"))):
            return 4, 4
        return _BUILT_IN.get(name)

    def _lay_out(self, struct: Struct) -> HostStruct | None:
        if struct.node.has_error:
            return None
        scope = struct.path
        members: list[HostMember] = []
        offset, alignment = (8, 8) if _is_virtual(struct) else (0, 1)
        for base in struct.bases:
            found = self._index.structs.find(base, scope[:-1])
            laid = self.struct(found[0]) if len(found) == 1 else None
            if laid is None:
                return None
            if not laid.members:
                continue
            offset = _up(offset, laid.alignment)
            members += [HostMember(m.name, m.type, m.offset + offset, m.size, m.span) for m in laid.members]
            offset, alignment = offset + laid.size, max(alignment, laid.alignment)
        end = offset
        for member in struct.members:
            extent = self._member(member, struct)
            if extent is None:
                return None
            size, own = extent
            if struct.pack:
                own = min(own, struct.pack)
            if member.node.parent is not None and member.inline is None:
                asked = self._asked(member.node.parent, member.node.start_byte, struct)
                if asked is None:
                    return None
                own = max(own, asked)
            start = 0 if struct.is_union else _up(offset, own)
            span = struct.source.span(member.node.start_byte, member.node.end_byte)
            members.append(HostMember(member.declared.name, member.type, start, size, span))
            offset, alignment = start + size, max(alignment, own)
            end = max(end, offset)
        asked = self._asked(struct.node, _body_start(struct.node), struct)
        if asked is None:
            return None
        alignment = max(alignment, asked)
        span = struct.source.span(struct.node.start_byte, struct.node.end_byte)
        return HostStruct(struct.name, max(_up(end, alignment), 1), alignment, tuple(members), span)

    def _member(self, member: Member, struct: Struct) -> Extent | None:
        if member.bits:
            return None
        if member.declared.pointers or member.declared.reference or member.declared.function is not None:
            size, alignment = 8, 8
        else:
            inline = member.inline
            if inline is not None:
                laid = self.struct(inline)
                extent = None if laid is None else (laid.size, laid.alignment)
            else:
                extent = self.extent(member.type, struct.path)
            if extent is None:
                return None
            size, alignment = extent
        for bound in member.declared.sizes:
            count = None if bound is None else self._evaluate(bound, struct.source, struct.path)
            if count is None or not 0 < count < 1 << 28:
                return None
            size *= count
        return size, alignment

    def _asked(self, node: Node, until: int, struct: Struct) -> int | None:
        """The alignment that `alignas` or `__declspec(align)` asks for before `until`, 1 for none, None if unknown."""
        asked: list[int | None] = [1]
        for child in node.children:
            inner = child if child.type == "alignas_qualifier" else next(iter(child.named_children), None)
            if inner is not None and inner.type == "alignas_qualifier" and inner.named_children:
                asked.append(self._evaluate(inner.named_children[0], struct.source, struct.path))
        text = struct.source.unit.text
        before = _DECLSPEC_BEFORE.search(text, max(node.start_byte - _LOOKED_BACK, 0), node.start_byte)
        within = _DECLSPEC.search(text, node.start_byte, until)
        for match in (before, within):
            if match is not None:
                constant = int(match[1]) if match[1] else api.CONSTANTS.get(match[2].decode())
                asked.append(constant if isinstance(constant, int) else None)
        known = [number for number in asked if number is not None]
        return max(known) if len(known) == len(asked) and max(known) <= _MAX_ALIGNMENT else None


def _is_virtual(struct: Struct) -> bool:
    body = struct.node.child_by_field_name("body")
    return body is not None and any(
        c.type == "virtual" or c.type == "virtual_function_specifier"
        for member in body.named_children
        if member.type in ("field_declaration", "function_definition", "declaration")
        for c in member.children
    )


def _body_start(node: Node) -> int:
    body = node.child_by_field_name("body")
    return node.end_byte if body is None else body.start_byte


def _up(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment
