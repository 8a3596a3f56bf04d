"""What d3d12.h and d3dx12.h declare beside root signatures: heaps, descriptor handles, command signatures."""

from __future__ import annotations

from bindlint.model.device import HEAP_TYPES

CPU_HANDLE, GPU_HANDLE = "D3D12_CPU_DESCRIPTOR_HANDLE", "D3D12_GPU_DESCRIPTOR_HANDLE"
HEAP = "D3D12_DESCRIPTOR_HEAP_DESC"
CBV = "D3D12_CONSTANT_BUFFER_VIEW_DESC"
COMMAND_SIGNATURE, INDIRECT_ARGUMENT = "D3D12_COMMAND_SIGNATURE_DESC", "D3D12_INDIRECT_ARGUMENT_DESC"

RECORDS: dict[str, tuple[str, ...]] = {
    name: tuple(fields.split())
    for name, fields in {
        CPU_HANDLE: "ptr",
        GPU_HANDLE: "ptr",
        HEAP: "Type NumDescriptors Flags NodeMask",
        CBV: "BufferLocation SizeInBytes",
        COMMAND_SIGNATURE: "ByteStride NumArgumentDescs pArgumentDescs NodeMask",
        INDIRECT_ARGUMENT: "Type VertexBuffer|Constant|ConstantBufferView|ShaderResourceView|UnorderedAccessView"
        "|IncrementingConstant",
        "@INDIRECT_CONSTANT": "RootParameterIndex DestOffsetIn32BitValues Num32BitValuesToSet",
        "@INDIRECT_VIEW": "RootParameterIndex",
        "@INDIRECT_VERTEX_BUFFER": "Slot",
    }.items()
}
"""Fields in order, as in `bindlint.facts.host.api.RECORDS`; names with `@` are structures without one."""

FIELD_TYPES: dict[tuple[str, str], str] = {
    (INDIRECT_ARGUMENT, "VertexBuffer"): "@INDIRECT_VERTEX_BUFFER",
    (INDIRECT_ARGUMENT, "Constant"): "@INDIRECT_CONSTANT",
    (INDIRECT_ARGUMENT, "IncrementingConstant"): "@INDIRECT_CONSTANT",
    **{
        (INDIRECT_ARGUMENT, f"{kind}View"): "@INDIRECT_VIEW"
        for kind in ("ConstantBuffer", "ShaderResource", "UnorderedAccess")
    },
}

TYPES: dict[str, str] = {name: name for name in RECORDS} | {
    f"CD3DX12_{name.removeprefix('D3D12_')}": name for name in (CPU_HANDLE, GPU_HANDLE)
}

CONSTANTS: dict[str, int] = {
    **{f"D3D12_DESCRIPTOR_HEAP_TYPE_{name}": value for value, name in enumerate(HEAP_TYPES)},
    "D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT": 256,
    "D3D12_DESCRIPTOR_HEAP_FLAG_NONE": 0,
    "D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE": 1,
    **{
        f"D3D12_INDIRECT_ARGUMENT_TYPE_{name}": value
        for value, name in enumerate(
            (
                "DRAW", "DRAW_INDEXED", "DISPATCH", "VERTEX_BUFFER_VIEW", "INDEX_BUFFER_VIEW", "CONSTANT",
                "CONSTANT_BUFFER_VIEW", "SHADER_RESOURCE_VIEW", "UNORDERED_ACCESS_VIEW", "DISPATCH_RAYS",
                "DISPATCH_MESH", "INCREMENTING_CONSTANT",
            )
        )
    },
}  # fmt: skip
