"""Methods of a device: root signatures, heaps and command signatures that it makes, views and copies of descriptors."""

from __future__ import annotations

from bindlint.facts.host import device_api
from bindlint.facts.host.device import Device, FunctionCall, FunctionOf, Method, MethodCall
from bindlint.facts.host.lists import shortened
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.objects import BLOB
from bindlint.facts.host.values import Cell, Pointer, Record, Value
from bindlint.model.device import (
    HEAP_TYPES,
    CopyRange,
    HeapType,
    HostCall,
    HostCommandSignature,
    HostCopy,
    HostHandle,
    HostHeap,
    IndirectArgument,
    IndirectKind,
)
from bindlint.model.source import NOWHERE, Span

_SERIALIZERS = {
    "D3D12SerializeRootSignature": 4,
    "D3D12SerializeVersionedRootSignature": 3,
    "D3DX12SerializeVersionedRootSignature": 4,
}
_VIEWS = {
    "CreateConstantBufferView": ("cbv", 2),
    "CreateShaderResourceView": ("srv", 3),
    "CreateUnorderedAccessView": ("uav", 4),
    "CreateRenderTargetView": ("rtv", 3),
    "CreateDepthStencilView": ("dsv", 3),
    "CreateSampler": ("sampler", 2),
    "CreateSampler2": ("sampler", 2),
}
_INDIRECT: tuple[IndirectKind, ...] = (
    "draw", "draw-indexed", "dispatch", "vertex-buffer", "index-buffer", "constants", "cbv", "srv", "uav",
    "dispatch-rays", "dispatch-mesh", "incrementing-constant",
)  # fmt: skip
_INDEXED = {
    "constants": "Constant",
    "incrementing-constant": "IncrementingConstant",
    "cbv": "ConstantBufferView",
    "srv": "ShaderResourceView",
    "uav": "UnorderedAccessView",
}
_MAX_RANGES = 256


def _number(value: Value | None) -> int | None:
    return value if isinstance(value, int) else None


def _described(device: Device, call: MethodCall, kind: str) -> Record | None:
    """The description that the first argument points to."""
    value = pointer_to(device.argument(call.arguments[0]))
    held = value.cell.value if isinstance(value, Pointer) and value.cell is not None else value
    return held if isinstance(held, Record) and held.type == kind else None


def _name(key: str) -> str:
    return key.rpartition("::")[2]


def _place(cell: Cell) -> Span:
    return NOWHERE if cell.place is None else cell.place[0].span(cell.place[1], cell.place[2])


# Root signatures.


def _serialize(device: Device, call: FunctionCall) -> Value | None:
    if len(call.arguments) != _SERIALIZERS[call.name]:
        return None
    description, blob = call.arguments[0], call.arguments[-2]
    device.argument(description)
    device.create(blob, call.node, blob=device.origin(call.node))
    return 0


def _buffer(device: Device, call: MethodCall) -> Value | None:
    """The bytes of a blob stand for the blob."""
    value = call.target.cells[0].value if call.target.certain and not call.arguments else None
    return value if isinstance(value, Record) and BLOB in value.fields else None


def _create_root_signature(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) not in (4, 5):
        return None
    blob = device.argument(call.arguments[1])
    origin = blob.fields.get(BLOB) if isinstance(blob, Record) else None
    known = {} if origin is None else {"of": origin.value}
    device.create(call.arguments[-1], call.node, **known)
    return 0


def _subobject(device: Device, call: FunctionCall) -> Value | None:
    """What stands for a root signature in the stream of a pipeline is that root signature."""
    return device.evaluate(call.arguments[0]) if len(call.arguments) == 1 else None


# Heaps.


def _create_heap(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) not in (2, 3):
        return None
    description = _described(device, call, device_api.HEAP)
    if description is None:
        return None
    kind, count = (_number(device.field(description, name).value) for name in ("Type", "NumDescriptors"))
    flags = device.field(description, "Flags")
    key = device.create(call.arguments[-1], call.node)
    device.sight(
        HostHeap(
            key=key,
            name=_name(key),
            function=device.function,
            span=device.span(call.node),
            type=heap_type(kind),
            count=count,
            shader_visible=bool(flags.value & 1) if isinstance(flags.value, int) else None,
            flags_span=_place(flags),
        )
    )
    return 0


def heap_type(value: int | None) -> HeapType | None:
    return HEAP_TYPES[value] if value is not None and 0 <= value < len(HEAP_TYPES) else None


def _start(kind: str) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) > 1:
            return None
        handle = device.start_of(device.ref_to(call.target, call.receiver), kind, call.node)
        if call.arguments:  # Some compilers return structures through an argument.
            value = device.argument(call.arguments[0])
            if isinstance(value, Pointer) and value.cell is not None:
                device.write(value.cell, handle, call.node)
        return handle

    return method


def _increment(device: Device, call: MethodCall) -> Value | None:
    return device.increment(1) if len(call.arguments) == 1 else None


def _offset(device: Device, call: MethodCall) -> Value | None:
    """`Offset` and `InitOffsetted` of d3dx12's handles."""
    handle = call.target.cells[0].value if call.target.certain else None
    if isinstance(handle, Pointer) and handle.cell is not None:
        handle = handle.cell.value
    if not isinstance(handle, Record) or handle.type not in (device_api.CPU_HANDLE, device_api.GPU_HANDLE):
        return None
    values = [device.argument(node) for node in call.arguments]
    base = handle if call.name == "Offset" else values.pop(0) if values else None
    if not isinstance(base, Record) or not 1 <= len(values) <= 2:
        return None
    moved = device.offset(base, values, call.node, handle.type)
    device.write(device.field(handle, "ptr"), device.field(moved, "ptr").value, call.node)
    return call.target.cells[0].value


# Command signatures.


def _create_command_signature(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) not in (3, 4):
        return None
    description = _described(device, call, device_api.COMMAND_SIGNATURE)
    if description is None:
        return None
    signature = device.ref_or_null(call.arguments[1])
    key = device.create(call.arguments[-1], call.node)
    device.sight(
        HostCommandSignature(
            key=key,
            name=_name(key),
            function=device.function,
            span=device.span(call.node),
            arguments=_indirect_arguments(device, description),
            stride=_number(device.field(description, "ByteStride").value),
            signature=signature,
        )
    )
    return 0


def _indirect_arguments(device: Device, description: Record) -> tuple[IndirectArgument, ...] | None:
    count = _number(device.field(description, "NumArgumentDescs").value)
    pointer = pointer_to(device.field(description, "pArgumentDescs").value)
    if not isinstance(pointer, Pointer) or count is None or not 0 <= count <= _MAX_RANGES:
        return None
    cells = pointer.array.cells[pointer.index : pointer.index + count]
    return tuple(_indirect_argument(device, cell) for cell in cells) if len(cells) == count else None


def _indirect_argument(device: Device, cell: Cell) -> IndirectArgument:
    record, span = cell.value, _place(cell)
    if not isinstance(record, Record) or record.type != device_api.INDIRECT_ARGUMENT:
        return IndirectArgument(None, span)
    kind_cell = device.field(record, "Type")
    number = _number(kind_cell.value)
    kind = _INDIRECT[number] if number is not None and 0 <= number < len(_INDIRECT) else None
    span = _place(kind_cell) if kind_cell.place is not None else span
    held = device.field(record, _INDEXED[kind]).value if kind in _INDEXED else None
    if not isinstance(held, Record):
        return IndirectArgument(kind, span)
    index = _number(device.field(held, "RootParameterIndex").value)
    if kind not in ("constants", "incrementing-constant"):
        return IndirectArgument(kind, span, index)
    offset = _number(device.field(held, "DestOffsetIn32BitValues").value)
    count = _number(device.field(held, "Num32BitValuesToSet").value) if kind == "constants" else 1
    return IndirectArgument(kind, span, index, offset, count)


# Views and copies.


def _view(kind: str, count: int) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) != count:
            return None
        for node in call.arguments[:-1]:
            device.argument(node)
        handle = device.handle(call.arguments[-1])
        buffer = _described(device, call, device_api.CBV) if kind == "cbv" else None
        size = _number(device.field(buffer, "SizeInBytes").value) if buffer is not None else None
        _sight(device, call, "view", handles=(handle,), view=kind, size=size)
        return 0

    return method


def _sight(device: Device, call: MethodCall, kind: str, **known: object) -> None:
    device.sight(
        HostCall(
            name=call.name, kind=kind, span=device.span(call.node), function=device.function,  # type: ignore[arg-type]
            receiver=device.ref_to(call.target, call.receiver), conditional=device.undecided > 0,
            **known,  # type: ignore[arg-type]
        )
    )  # fmt: skip


def _copy_simple(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 4:
        return None
    count = _number(device.argument(call.arguments[0]))
    destination, source = (_range(device.handle(node), count) for node in call.arguments[1:3])
    kind = heap_type(_number(device.argument(call.arguments[3])))
    copied = HostCopy((destination,), (source,), kind)
    _sight(device, call, "copy", copy=copied, count=count, index_text=shortened(call.arguments[0]))
    return 0


def _copy(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 7:
        return None
    destinations, sources = (_ranges(device, call, first) for first in (0, 3))
    kind = heap_type(_number(device.argument(call.arguments[6])))
    _sight(device, call, "copy", copy=HostCopy(destinations, sources, kind))
    return 0


def _range(handle: HostHandle, count: int | None) -> CopyRange:
    return CopyRange(handle, count, handle.span)


def _ranges(device: Device, call: MethodCall, first: int) -> tuple[CopyRange, ...] | None:
    """The ranges of three arguments: their number, their starts and their sizes, where NULL is 1 for each."""
    count = _number(device.argument(call.arguments[first]))
    handles = device.handles(call.arguments[first + 1], count)
    if handles is None and count is not None and 0 <= count <= _MAX_RANGES:
        handles = (HostHandle(span=device.span(call.arguments[first + 1])),) * count
    sizes = pointer_to(device.argument(call.arguments[first + 2]))
    if handles is None:
        return None
    if isinstance(sizes, int):
        return tuple(_range(handle, 1) for handle in handles)
    counts: list[int | None] = [None] * len(handles)
    if isinstance(sizes, Pointer):
        cells = sizes.array.cells[sizes.index : sizes.index + len(handles)]
        counts = [_number(cell.value) for cell in cells] + [None] * (len(handles) - len(cells))
    return tuple(_range(handle, size) for handle, size in zip(handles, counts, strict=True))


METHODS: dict[str, Method] = {
    "GetBufferPointer": _buffer,
    "CreateRootSignature": _create_root_signature,
    "CreateDescriptorHeap": _create_heap,
    "GetCPUDescriptorHandleForHeapStart": _start(device_api.CPU_HANDLE),
    "GetGPUDescriptorHandleForHeapStart": _start(device_api.GPU_HANDLE),
    "GetDescriptorHandleIncrementSize": _increment,
    "Offset": _offset,
    "InitOffsetted": _offset,
    "CreateCommandSignature": _create_command_signature,
    **{name: _view(kind, count) for name, (kind, count) in _VIEWS.items()},
    "CopyDescriptorsSimple": _copy_simple,
    "CopyDescriptors": _copy,
}
FUNCTIONS: dict[str, FunctionOf] = {
    **dict.fromkeys(_SERIALIZERS, _serialize),
    "CD3DX12_PIPELINE_STATE_STREAM_ROOT_SIGNATURE": _subobject,
}
