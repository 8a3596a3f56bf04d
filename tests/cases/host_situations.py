"""Situations that users meet in host code: calls, heaps and copies; each like those of `cases.situations`."""

from __future__ import annotations

from typing import NamedTuple

from bindlint.testing import HOST_FILE, Block


class HostSituation(NamedTuple):
    """A file of host code, and its findings as `Situation` has them; `others` are further files."""

    number: int
    kind: str
    source: str
    findings: str = ""
    others: tuple[tuple[str, str], ...] = ()
    configuration: str = ""

    @property
    def block(self) -> Block:
        files = tuple((name, text.encode()) for name, text in ((HOST_FILE, self.source), *self.others))
        return Block(self.number, (), files, (), configuration=self.configuration)


CLASS = """\
enum RootParameters {{ kFrame, kMaterial }};

class Renderer
{{
    ComPtr<ID3D12Device> dev;
    ComPtr<ID3D12GraphicsCommandList> cl;
    ComPtr<ID3D12CommandAllocator> allocator;
    ComPtr<ID3D12RootSignature> rs;
    ComPtr<ID3D12DescriptorHeap> h, staging;
    UINT increment;

    void Create();
    void Draw(D3D12_GPU_VIRTUAL_ADDRESS address, D3D12_GPU_DESCRIPTOR_HANDLE table);
}};

void Renderer::Create()
{{
    increment = dev->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    D3D12_DESCRIPTOR_HEAP_DESC heap = {{}};
    heap.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    heap.NumDescriptors = 64;
    dev->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&staging));
    heap.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    dev->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&h));
    CD3DX12_DESCRIPTOR_RANGE textures(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 4, 0);
    CD3DX12_ROOT_PARAMETER parameters[2];
    parameters[kFrame].InitAsConstantBufferView({register});
    parameters[kMaterial].InitAsDescriptorTable(1, &textures);
    CD3DX12_ROOT_SIGNATURE_DESC desc(2, parameters, 0, nullptr, {flags});
    ComPtr<ID3DBlob> blob;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr);
    dev->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&rs));
{created}}}

void Renderer::Draw(D3D12_GPU_VIRTUAL_ADDRESS address, D3D12_GPU_DESCRIPTOR_HANDLE table)
{{
{calls}}}
"""
INDEXED = "D3D12_ROOT_SIGNATURE_FLAG_CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED"


def renderer(*calls: str, flags: str = "D3D12_ROOT_SIGNATURE_FLAG_NONE", register: int = 0, created: str = "") -> str:
    """A class whose method `Draw` makes the calls, from line 37 on."""
    lines = "".join(f"    {each}\n" for each in calls)
    return CLASS.format(calls=lines, flags=flags, register=register, created=created)


RESET = "cl->Reset(allocator.Get(), nullptr);"
COMPUTE_SIGNATURE = "cl->SetComputeRootSignature(rs.Get());"
SIGNATURE = "cl->SetGraphicsRootSignature(rs.Get());"
HEAPS = "cl->SetDescriptorHeaps(1, h.GetAddressOf());"
TABLE = "cl->SetComputeRootDescriptorTable(kMaterial, table);"
DISPATCH = "cl->Dispatch(1, 1, 1);"
FROM = "CD3DX12_CPU_DESCRIPTOR_HANDLE from({}->GetCPUDescriptorHandleForHeapStart(), {}, increment);"
TO = "CD3DX12_CPU_DESCRIPTOR_HANDLE to({}->GetCPUDescriptorHandleForHeapStart(), {}, increment);"
COPY = "dev->CopyDescriptorsSimple(4, to, from, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);"

PIPELINE = """\
    ComPtr<ID3DBlob> ps;
    D3DCompileFromFile(L"blend.hlsl", nullptr, nullptr, "main", "ps_5_1", 0, 0, &ps, nullptr);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC state = {};
    state.pRootSignature = rs.Get();
    state.PS = CD3DX12_SHADER_BYTECODE(ps.Get());
    ComPtr<ID3D12PipelineState> pipeline;
    dev->CreateGraphicsPipelineState(&state, IID_PPV_ARGS(&pipeline));
"""
BLEND = "cbuffer U : register(b1) { float4 u; };\nTexture2D<float4> t : register(t0);\n"
BLEND += "float4 main() : SV_Target { return u * t.Load(0); }\n"

LAYOUT = """\
void Make(ID3D12Device* device)
{{
    CD3DX12_DESCRIPTOR_RANGE ranges[2];
    ranges[0].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 4, 0);
    ranges[1].Init(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 5, {second});
    CD3DX12_ROOT_PARAMETER parameters[5];
    parameters[0].InitAsConstantBufferView(0);
    parameters[1].InitAsConstantBufferView(1);
    parameters[2].InitAsConstants({constants}, 2);
    parameters[3].InitAsDescriptorTable(1, &ranges[0]);
    parameters[4].InitAsDescriptorTable(1, &ranges[1]);
    CD3DX12_ROOT_SIGNATURE_DESC desc(5, parameters);
    ComPtr<ID3DBlob> blob;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr);
}}
"""
SPARE = "[policy]\nreserve-dwords = 4\n"

CASES: tuple[HostSituation, ...] = (
    HostSituation(
        11,
        "two ranges of host code that overlap",
        LAYOUT.format(second=1, constants=8),
        "BL202 error | host.cpp:5 | t1-t5 in parameter 4, range 0 overlaps t0-t3 in parameter 3, range 0: both bind "
        "t1-t3 | host.cpp:4",
    ),
    HostSituation(11, "two ranges side by side", LAYOUT.format(second=4, constants=8)),
    HostSituation(
        59,
        "a tool's DWORDs do not fit",
        LAYOUT.format(second=4, constants=56),
        "BL425 error | host.cpp:10 | costs 62 of 64 DWORDs and leaves 2; the project keeps 4 free",
        configuration=SPARE,
    ),
    HostSituation(59, "a tool's DWORDs fit", LAYOUT.format(second=4, constants=54), configuration=SPARE),
    HostSituation(
        69,
        "heap after a root signature that indexes it",
        renderer(SIGNATURE, HEAPS, "cl->DrawInstanced(3, 1, 0, 0);", flags=INDEXED),
        "BL704 warning | host.cpp:38 | `SetDescriptorHeaps` comes after `SetGraphicsRootSignature(rs)`"
        " | set the heap first | CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | host.cpp:37",
    ),
    HostSituation(
        69,
        "after one that was reset",
        renderer(RESET, COMPUTE_SIGNATURE, HEAPS, DISPATCH, flags=INDEXED),
        "BL704 error | host.cpp:39 | comes after `SetComputeRootSignature(rs)` | host.cpp:38",
    ),
    HostSituation(69, "heap first", renderer(HEAPS, SIGNATURE, flags=INDEXED)),
    HostSituation(69, "root signature of tables", renderer(SIGNATURE, HEAPS)),
    HostSituation(
        86,
        "register of the host and of the shader",
        renderer(created=PIPELINE),
        "BL301 error | `U` needs b1 | parameter 0 | `pipeline` | blend.hlsl:1 | host.cpp:29\n"
        "BL505 info | parameter 0 (CBV b0)",
        (("blend.hlsl", BLEND),),
    ),
    HostSituation(86, "the same register", renderer(created=PIPELINE, register=1), others=(("blend.hlsl", BLEND),)),
    HostSituation(
        87,
        "root offset for a root index",
        renderer(SIGNATURE, HEAPS, "cl->SetGraphicsRootDescriptorTable(2, table);"),
        "BL601 error | host.cpp:39 | root parameter 2, but `rs` has only 0-1 | DWORD 2 is where parameter 1 begins"
        " | host.cpp:28 | host.cpp:37",
    ),
    HostSituation(
        87,
        "register for a root index",
        renderer(SIGNATURE, "cl->SetGraphicsRootConstantBufferView(4, address);", register=4),
        "BL601 error | host.cpp:38 | b4 (HLSL slot) is root parameter 0 (API slot) | host.cpp:27",
    ),
    HostSituation(
        87,
        "index by name",
        renderer(SIGNATURE, HEAPS, "cl->SetGraphicsRootDescriptorTable(kMaterial, table);"),
    ),
    HostSituation(
        89,
        "table before the root signature",
        renderer(TABLE, COMPUTE_SIGNATURE, DISPATCH),
        "BL606 warning | host.cpp:37 | root parameter 1 | `SetComputeRootSignature(rs)` comes after it | host.cpp:38"
        " | set the root signature first",
    ),
    HostSituation(
        89,
        "on a list that was reset",
        renderer(RESET, TABLE, COMPUTE_SIGNATURE, DISPATCH),
        "BL604 error | host.cpp:38 | `SetComputeRootSignature(rs)` has to come first | host.cpp:39",
    ),
    HostSituation(89, "root signature first", renderer(RESET, COMPUTE_SIGNATURE, TABLE, DISPATCH)),
    HostSituation(
        90,
        "overlap within a heap",
        renderer(FROM.format("staging", 0), TO.format("staging", 2), COPY),
        "BL717 error | host.cpp:39 | descriptors 0-3 of `staging` over descriptors 2-5 | must not overlap",
    ),
    HostSituation(
        90,
        "source in the shader-visible heap",
        renderer(FROM.format("h", 0), TO.format("staging", 2), COPY),
        "BL714 error | host.cpp:39 | copies from `h`, which is shader-visible | host.cpp:24",
    ),
    HostSituation(90, "side by side", renderer(FROM.format("staging", 0), TO.format("staging", 4), COPY)),
    HostSituation(
        90,
        "GPU handle of a heap that is not shader-visible",
        renderer(SIGNATURE, "cl->SetGraphicsRootDescriptorTable(1, staging->GetGPUDescriptorHandleForHeapStart());"),
        "BL708 error | host.cpp:38 | GPU handle of `staging`, which is not shader-visible | host.cpp:22",
    ),
)
