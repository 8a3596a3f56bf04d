"""What d3d12.h and d3dx12.h declare of pipelines and state objects: structures, enumerations, and their helpers."""

from __future__ import annotations

SHADER = "@shader"
"""Bytecode, a blob or a path: whatever comes from a shader file. Its fields are those of `HostStage`."""
BYTECODE = "D3D12_SHADER_BYTECODE"
GRAPHICS, COMPUTE = "D3D12_GRAPHICS_PIPELINE_STATE_DESC", "D3D12_COMPUTE_PIPELINE_STATE_DESC"
MESH = "D3DX12_MESH_SHADER_PIPELINE_STATE_DESC"
STREAM = "CD3DX12_PIPELINE_STATE_STREAM"
STREAM_DESC = "D3D12_PIPELINE_STATE_STREAM_DESC"
RT_FORMATS = "D3D12_RT_FORMAT_ARRAY"
GRAPHICS_PSO, COMPUTE_PSO = "GraphicsPSO", "ComputePSO"
"""The pipeline classes of MiniEngine."""
STATE_OBJECT = "D3D12_STATE_OBJECT_DESC"
SUBOBJECT = "D3D12_STATE_SUBOBJECT"
LIBRARY, HIT_GROUP = "D3D12_DXIL_LIBRARY_DESC", "D3D12_HIT_GROUP_DESC"
LOCAL, GLOBAL = "D3D12_LOCAL_ROOT_SIGNATURE", "D3D12_GLOBAL_ROOT_SIGNATURE"
ASSOCIATION = "D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION"
COLLECTION = "D3D12_EXISTING_COLLECTION_DESC"

_REST = (
    "BlendState SampleMask RasterizerState DepthStencilState InputLayout IBStripCutValue PrimitiveTopologyType "
    "NumRenderTargets RTVFormats DSVFormat SampleDesc NodeMask CachedPSO Flags"
)
_MESH_REST = (
    "BlendState SampleMask RasterizerState DepthStencilState PrimitiveTopologyType NumRenderTargets RTVFormats "
    "DSVFormat SampleDesc NodeMask CachedPSO Flags"
)
RECORDS: dict[str, tuple[str, ...]] = {
    name: tuple(fields.split())
    for name, fields in {
        SHADER: "file entry profile defines",
        BYTECODE: "pShaderBytecode BytecodeLength",
        GRAPHICS: f"pRootSignature VS PS DS HS GS StreamOutput {_REST}",
        COMPUTE: "pRootSignature CS NodeMask CachedPSO Flags",
        MESH: f"pRootSignature AS MS PS {_MESH_REST}",
        STREAM: f"pRootSignature VS PS DS HS GS AS MS CS {_REST}",
        STREAM_DESC: "SizeInBytes pPipelineStateSubobjectStream",
        RT_FORMATS: "RTFormats NumRenderTargets",
        GRAPHICS_PSO: "pRootSignature VS PS DS HS GS NumRenderTargets",
        COMPUTE_PSO: "pRootSignature CS",
        STATE_OBJECT: "Type NumSubobjects pSubobjects",
        SUBOBJECT: "Type pDesc",
        LIBRARY: "DXILLibrary NumExports pExports",
        "D3D12_EXPORT_DESC": "Name ExportToRename Flags",
        HIT_GROUP: "HitGroupExport Type AnyHitShaderImport ClosestHitShaderImport IntersectionShaderImport",
        LOCAL: "pLocalRootSignature",
        GLOBAL: "pGlobalRootSignature",
        ASSOCIATION: "pSubobjectToAssociate NumExports pExports",
        COLLECTION: "pExistingCollection NumExports pExports",
    }.items()
}
FIELD_TYPES: dict[tuple[str, str], str] = {
    (name, field): BYTECODE
    for name, fields in RECORDS.items()
    for field in fields
    if field == "DXILLibrary" or (len(field) == 2 and field[1] == "S")
}

TYPES: dict[str, str] = {name: name for name in RECORDS} | {
    "CD3DX12_SHADER_BYTECODE": BYTECODE,
    "CD3DX12_RT_FORMAT_ARRAY": RT_FORMATS,
    "CD3DX12_STATE_OBJECT_DESC": STATE_OBJECT,
    **{f"CD3DX12_PIPELINE_STATE_STREAM{n}": STREAM for n in range(1, 6)},
    "CD3DX12_PIPELINE_MESH_STATE_STREAM": STREAM,
    **{f"CD3DX12_PIPELINE_STATE_STREAM_{stage}S": BYTECODE for stage in "VPDHGAMC"},
    "CD3DX12_PIPELINE_STATE_STREAM_RENDER_TARGET_FORMATS": RT_FORMATS,
    "D3D12_GRAPHICS_PIPELINE_STATE_DESC1": GRAPHICS,
    "CD3DX12_DXIL_LIBRARY_SUBOBJECT": LIBRARY,
    "CD3DX12_HIT_GROUP_SUBOBJECT": HIT_GROUP,
    "CD3DX12_LOCAL_ROOT_SIGNATURE_SUBOBJECT": LOCAL,
    "CD3DX12_GLOBAL_ROOT_SIGNATURE_SUBOBJECT": GLOBAL,
    "CD3DX12_SUBOBJECT_TO_EXPORTS_ASSOCIATION_SUBOBJECT": ASSOCIATION,
    "CD3DX12_EXISTING_COLLECTION_SUBOBJECT": COLLECTION,
}

CONSTANTS: dict[str, int] = {
    f"D3D12_STATE_SUBOBJECT_TYPE_{name}": number
    for number, name in {
        0: "STATE_OBJECT_CONFIG", 1: "GLOBAL_ROOT_SIGNATURE", 2: "LOCAL_ROOT_SIGNATURE", 3: "NODE_MASK",
        5: "DXIL_LIBRARY", 6: "EXISTING_COLLECTION", 7: "SUBOBJECT_TO_EXPORTS_ASSOCIATION",
        8: "DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION", 9: "RAYTRACING_SHADER_CONFIG", 10: "RAYTRACING_PIPELINE_CONFIG",
        11: "HIT_GROUP", 12: "RAYTRACING_PIPELINE_CONFIG1", 13: "WORK_GRAPH",
    }.items()
}  # fmt: skip
BY_SUBOBJECT_TYPE = {1: GLOBAL, 2: LOCAL, 5: LIBRARY, 6: COLLECTION, 7: ASSOCIATION, 11: HIT_GROUP}
