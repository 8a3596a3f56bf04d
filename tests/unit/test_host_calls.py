"""Calls of the API in C++ host code: objects by their keys, handles, heaps, copies, and the state of command lists."""

from __future__ import annotations

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.model.device import HostCall, HostHandle
from bindlint.model.host import HostFile
from bindlint_grammars.hlsl.source_files import SourceStore


def read(text: str, **files: str) -> HostFile:
    overlays = {"main.cpp": text.encode()} | {name.replace("_h", ".h"): body.encode() for name, body in files.items()}
    return HostReader(SourceStore(overlays=overlays)).read("main.cpp", calls=True)


def handle_text(handle: HostHandle) -> str:
    index = "?" if handle.index is None else handle.index
    return f"{handle.side or '?'} {handle.heap.key or '?'}+{index}"


def line(call: HostCall) -> str:
    """A call in one line, without its receiver."""
    parts = [call.name]
    if call.target.key:
        parts.append(call.target.key)
    if call.kind == "set-root-argument":
        parts.append(f"[{'?' if call.index is None else call.index}]")
    if call.parameter == "constants":
        parts.append(f"{call.count} at {call.offset}")
    parts += [handle_text(handle) for handle in call.handles]
    if call.kind == "set-heaps":
        parts.append("?" if call.heaps is None else " ".join(heap.key for heap in call.heaps))
    return " ".join(parts)


def lines(text: str, **files: str) -> list[str]:
    return [line(call) for call in read(text, **files).calls]


def state(call: HostCall) -> str:
    """What is bound at the call's own bind point, and the heaps and the pipeline of the list."""
    bound = call.state.bound(call.bind_point or "graphics")
    settled = "settled" if bound.settled else "open"
    arguments = " ".join(map(str, bound.arguments)) or "-"
    return f"{bound.status} {bound.signature.key or '-'} {arguments} {settled}"


def states(text: str, name: str = "DrawInstanced", **files: str) -> list[str]:
    return [state(call) for call in read(text, **files).calls if call.name == name]


CLASS = """
struct App {
    void Init(); void Draw();
    ComPtr<ID3D12Device> m_device;
    ComPtr<ID3D12GraphicsCommandList> m_list;
    ComPtr<ID3D12RootSignature> m_rs, m_other, m_pair[2];
    ComPtr<ID3D12DescriptorHeap> m_heap, m_samplers, m_heaps[2];
    ComPtr<ID3D12PipelineState> m_pso;
    ID3D12CommandAllocator* m_allocator;
    UINT m_size;
};
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("m_list->SetGraphicsRootSignature(m_rs.Get());", "SetGraphicsRootSignature App::m_rs"),
        ("this->m_list->SetComputeRootSignature(this->m_rs.Get());", "SetComputeRootSignature App::m_rs"),
        ("m_list->SetPipelineState(m_pso.Get());", "SetPipelineState App::m_pso"),
        ("m_list->SetGraphicsRootConstantBufferView(2, a);", "SetGraphicsRootConstantBufferView [2]"),
        ("m_list->SetGraphicsRootConstantBufferView(n, a);", "SetGraphicsRootConstantBufferView [?]"),
        ("m_list->SetComputeRoot32BitConstant(1, 7, 3);", "SetComputeRoot32BitConstant [1] 1 at 3"),
        ("m_list->SetComputeRoot32BitConstants(1, 4, p, 0);", "SetComputeRoot32BitConstants [1] 4 at 0"),
        (
            "m_list->SetGraphicsRootDescriptorTable(0, m_heap->GetGPUDescriptorHandleForHeapStart());",
            "SetGraphicsRootDescriptorTable [0] gpu App::m_heap+0",
        ),
        (
            "CD3DX12_GPU_DESCRIPTOR_HANDLE h(m_heap->GetGPUDescriptorHandleForHeapStart(), 3, m_size);"
            "h.Offset(2, m_size); m_list->SetGraphicsRootDescriptorTable(0, h);",
            "SetGraphicsRootDescriptorTable [0] gpu App::m_heap+5",
        ),
        (
            "CD3DX12_GPU_DESCRIPTOR_HANDLE h(m_heap->GetGPUDescriptorHandleForHeapStart(), n, m_size);"
            "m_list->SetGraphicsRootDescriptorTable(0, h);",
            "SetGraphicsRootDescriptorTable [0] gpu App::m_heap+?",
        ),
        (
            "UINT size = m_device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);"
            "D3D12_GPU_DESCRIPTOR_HANDLE h = m_heap->GetGPUDescriptorHandleForHeapStart(); h.ptr += 3 * size;"
            "m_list->SetGraphicsRootDescriptorTable(0, h);",
            "SetGraphicsRootDescriptorTable [0] gpu App::m_heap+3",
        ),
        (
            "D3D12_GPU_DESCRIPTOR_HANDLE h = m_heap->GetGPUDescriptorHandleForHeapStart(); h.ptr += unread;"
            "m_list->SetGraphicsRootDescriptorTable(0, h);",
            "SetGraphicsRootDescriptorTable [0] gpu App::m_heap+?",
        ),
        (
            "ID3D12DescriptorHeap* heaps[] = { m_heap.Get(), m_samplers.Get() };"
            "m_list->SetDescriptorHeaps(_countof(heaps), heaps);",
            "SetDescriptorHeaps App::m_heap App::m_samplers",
        ),
        ("m_list->SetDescriptorHeaps(1, m_heap.GetAddressOf());", "SetDescriptorHeaps App::m_heap"),
        ("auto* h = m_heaps[1].Get(); m_list->SetDescriptorHeaps(1, &h);", "SetDescriptorHeaps App::m_heaps[1]"),
        ("m_list->SetDescriptorHeaps(n, heaps);", "SetDescriptorHeaps ?"),
        ("auto* cl = m_list.Get(); cl->SetPipelineState(states[2]);", "SetPipelineState App::states[2]"),
        ("m_list->SetPipelineState(m_psos[n].Get());", "SetPipelineState App::m_psos[*]"),
        ("m_list->DrawInstanced(3, 1, 0, 0);", "DrawInstanced"),
        (
            "auto rtv = m_heap->GetCPUDescriptorHandleForHeapStart();m_list->OMSetRenderTargets(1, &rtv, FALSE, NULL);",
            "OMSetRenderTargets cpu App::m_heap+0",
        ),
        (
            "m_device->CreateSampler(&desc, m_heap->GetCPUDescriptorHandleForHeapStart());",
            "CreateSampler cpu App::m_heap+0",
        ),
    ],
)
def test_a_call_is_read(body: str, expected: str) -> None:
    assert lines(f"{CLASS} void App::Draw() {{ {body} }}") == [expected]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("m_list->DrawInstanced(3,1,0,0);", "unknown - - open"),
        ("m_list->Reset(m_allocator, nullptr); m_list->DrawInstanced(3,1,0,0);", "unset - - settled"),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->SetGraphicsRootConstantBufferView(1, a); m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs 1 settled",
        ),
        (
            "m_list->SetGraphicsRootSignature(m_rs.Get()); m_list->SetGraphicsRootConstantBufferView(1, a);"
            "m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs 1 open",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->SetGraphicsRootConstantBufferView(1, a); m_list->SetGraphicsRootSignature(m_other.Get());"
            "m_list->DrawInstanced(3,1,0,0);",
            "set App::m_other - settled",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->SetGraphicsRootConstantBufferView(1, a); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs 1 settled",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->SetGraphicsRootConstantBufferView(n, a); m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs - open",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); if (dark) m_list->SetGraphicsRootSignature(m_rs.Get());"
            "else m_list->SetGraphicsRootSignature(m_other.Get()); m_list->DrawInstanced(3,1,0,0);",
            "set - - settled",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); if (dark) m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->DrawInstanced(3,1,0,0);",
            "unknown - - open",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "for (int i = 0; i < n; i++) { m_list->SetGraphicsRootConstantBufferView(0, a);"
            "m_list->DrawInstanced(3,1,0,0); }",
            "set App::m_rs 0 settled",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "Elsewhere(m_list.Get()); m_list->DrawInstanced(3,1,0,0);",
            "unknown - - open",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "Elsewhere(m_size); m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs - settled",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "Init(); m_list->DrawInstanced(3,1,0,0);",
            "unknown - - open",
        ),
        (
            "m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->ExecuteBundle(b); m_list->DrawInstanced(3,1,0,0);",
            "unknown - - open",
        ),
        (
            "auto* cl = m_list.Get(); m_list->Reset(m_allocator, nullptr); cl->SetGraphicsRootSignature(m_rs.Get());"
            "m_list->RSSetViewports(1, &v); m_list->DrawInstanced(3,1,0,0);",
            "set App::m_rs - settled",
        ),
        (
            "m_device->CreateCommandList(0, type, m_allocator, nullptr, IID_PPV_ARGS(&m_list));"
            "m_list->DrawInstanced(3,1,0,0);",
            "unset - - settled",
        ),
    ],
)
def test_the_state_before_a_draw(body: str, expected: str) -> None:
    assert states(f"{CLASS} void App::Draw() {{ {body} }}") == [expected]


def test_another_interface_of_a_list_is_the_same_list() -> None:
    text = f"""{CLASS}
    void App::Init() {{ m_list.As(&m_newer); }}
    void App::Draw() {{ m_list->Reset(m_allocator, nullptr); m_newer->SetGraphicsRootSignature(m_rs.Get());
                       m_list->DrawInstanced(3, 1, 0, 0); }}
    """
    assert states(text) == ["set App::m_rs - settled"]


@pytest.mark.parametrize(
    "body",
    [
        "m_ray->SetComputeRootSignature(m_other.Get());",
        "Materials().Set(rayCmd, m_size);",
    ],
)
def test_what_may_be_another_interface_of_a_list_leaves_it_unknown(body: str) -> None:
    text = f"""{CLASS} void App::Draw() {{
        m_list->Reset(m_allocator, nullptr); m_list->SetComputeRootSignature(m_rs.Get()); {body}
        m_list->Dispatch(1, 1, 1); }}"""
    assert states(text, "Dispatch") == ["unknown - - open"]


def test_lists_that_are_both_reset_are_two() -> None:
    text = f"""{CLASS} void App::Draw() {{
        m_list->Reset(m_allocator, nullptr); m_second->Reset(m_allocator, nullptr);
        m_list->SetComputeRootSignature(m_rs.Get()); m_second->SetComputeRootSignature(m_other.Get());
        m_list->Dispatch(1, 1, 1); }}"""
    assert states(text, "Dispatch") == ["set App::m_rs - settled"]


def test_what_callers_set_counts_in_a_helper() -> None:
    text = f"""{CLASS}
    void Mesh(ID3D12GraphicsCommandList* cl) {{
        cl->SetGraphicsRootConstantBufferView(0, a); cl->DrawInstanced(3, 1, 0, 0); }}
    void App::Draw() {{ m_list->Reset(m_allocator, nullptr); m_list->SetGraphicsRootSignature(m_rs.Get());
                       Mesh(m_list.Get()); }}
    """
    assert states(text) == ["set App::m_rs 0 settled"]
    assert [call.function for call in read(text).calls if call.kind == "draw"] == ["Mesh"]


def test_a_wrapper_that_is_declared_here_is_followed() -> None:
    text = f"""{CLASS}
    struct Context {{ ID3D12GraphicsCommandList* m_inner;
        void SetGraphicsRootConstantBufferView(UINT i, UINT64 a) {{
            m_inner->SetGraphicsRootConstantBufferView(i + 1, a); }} }};
    struct User {{ Context m_context; void Go() {{ m_context.SetGraphicsRootConstantBufferView(2, 0); }} }};
    """
    assert lines(text) == ["SetGraphicsRootConstantBufferView [3]"]


SERIALIZED = """
CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(0);
CD3DX12_ROOT_SIGNATURE_DESC desc(1, p);
ComPtr<ID3DBlob> blob, error;
ThrowIfFailed(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error));
"""
CREATE = "m_device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), "


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (CREATE + "IID_PPV_ARGS(&m_rs));", {"App::m_rs"}),
        ("ThrowIfFailed(" + CREATE + "IID_PPV_ARGS(m_rs.ReleaseAndGetAddressOf())));", {"App::m_rs"}),
        (CREATE + "__uuidof(ID3D12RootSignature), (void**)&m_rs);", {"App::m_rs"}),
        (
            "ComPtr<ID3D12RootSignature> rs;" + CREATE + "IID_PPV_ARGS(&rs)); m_rs = rs;",
            {"App::Init()::rs", "App::m_rs"},
        ),
        ("m_device->Unknown(blob.Get());", set()),
    ],
)
def test_a_root_signature_has_the_keys_of_what_is_made_from_it(body: str, keys: set[str]) -> None:
    [signature] = read(f"{CLASS} void App::Init() {{ {SERIALIZED} {body} }}").signatures
    assert set(signature.keys) == keys


def test_a_helper_makes_the_signature_of_its_caller() -> None:
    text = f"""{CLASS}
    ComPtr<ID3D12RootSignature> Make(ID3D12Device* device, const D3D12_ROOT_SIGNATURE_DESC& desc) {{
        ComPtr<ID3DBlob> blob, error;
        D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
        ComPtr<ID3D12RootSignature> rs;
        device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&rs));
        return rs; }}
    void App::Init() {{
        CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(0);
        m_rs = Make(m_device.Get(), CD3DX12_ROOT_SIGNATURE_DESC(1, p));
        CD3DX12_ROOT_SIGNATURE_DESC other(0, nullptr);
        m_other = Make(m_device.Get(), other); }}
    """
    keys = {s.parameter_count: set(s.keys) for s in read(text).signatures}
    assert "App::m_rs" in keys[1]
    assert "App::m_other" in keys[0]


@pytest.mark.parametrize(("call", "count"), [("Count()", None), ("Base::Count()", 3), ("Own()", 5)])
def test_a_derived_class_may_give_another_number(call: str, count: int | None) -> None:
    text = """struct Base { virtual UINT Count() const { return 3; } UINT Own() { return 5; } void Init(); };
    void Base::Init() {
        D3D12_DESCRIPTOR_HEAP_DESC desc = {}; desc.NumDescriptors = %s;
        m_device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&m_heap)); }
    """
    [heap] = read(text % call).heaps
    assert heap.count == count


def test_an_inherited_member_has_the_key_of_the_class_that_declares_it() -> None:
    text = f"""{CLASS} struct Deep : App {{ }}; struct Derived : Deep {{ ComPtr<ID3D12RootSignature> m_other; }};
    void Derived::Draw() {{
        m_list->SetGraphicsRootSignature(m_rs.Get()); m_list->SetComputeRootSignature(m_other.Get()); }}
    """
    assert [call.target.key for call in read(text).calls] == ["App::m_rs", "Derived::m_other"]


def test_a_context_stays_the_same_when_a_method_that_is_not_read_may_have_changed_it() -> None:
    text = """class GraphicsContext;
    class CommandContext {
    public:
        GraphicsContext& GetGraphicsContext() { return reinterpret_cast<GraphicsContext&>(*this); }
        void CopyCounter(GpuResource& to, size_t offset, StructuredBuffer& from);
        void Flush() { m_count = 0; }
        UINT m_count;
    };
    class GraphicsContext : public CommandContext { public: void SetRootSignature(const RootSignature& rs); };
    void Draw(CommandContext& base) {
        GraphicsContext& context = base.GetGraphicsContext();
        base.Flush(); context.SetRootSignature(g_rs);
        context.CopyCounter(g_source, 0, g_counter); context.SetConstants(1, 2); }
    """
    first, second = read(text).calls
    assert first.receiver.key == second.receiver.key
    assert second.state.graphics.signature.key == "g_rs"


@pytest.mark.parametrize("name", ["SerializeAndCreateRootSignature", "MakeRootSignature", "CreateSerializedSignature"])
def test_a_helper_that_is_not_known_makes_the_signature_of_its_argument(name: str) -> None:
    text = f"""{CLASS}
    void App::Init() {{
        CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(0);
        CD3DX12_ROOT_SIGNATURE_DESC desc(1, p);
        {name}(m_device.Get(), desc, &m_rs, L"name"); }}
    """
    [signature] = read(text).signatures
    assert signature.keys == ("App::m_rs",)


def test_a_helper_gives_each_signature_the_key_of_its_argument() -> None:
    text = f"""{CLASS}
    void App::Make(D3D12_ROOT_SIGNATURE_DESC& desc, ComPtr<ID3D12RootSignature>* made) {{
        ComPtr<ID3DBlob> blob, error;
        D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error);
        m_device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&(*made))); }}
    void App::Init() {{
        CD3DX12_ROOT_PARAMETER p[1]; p[0].InitAsConstantBufferView(0);
        CD3DX12_ROOT_SIGNATURE_DESC desc(1, p);
        Make(desc, &m_rs);
        CD3DX12_ROOT_SIGNATURE_DESC other(0, nullptr);
        Make(other, &m_other);
        p[0].InitAsConstants(1, 0);
        D3D12_ROOT_PARAMETER both[] = {{ p[0], p[0] }};
        CD3DX12_ROOT_SIGNATURE_DESC third(2, both);
        Make(third, &m_pair[1]); }}
    """
    members = {s.parameter_count: {key for key in s.keys if "()" not in key} for s in read(text).signatures}
    assert members == {1: {"App::m_rs"}, 0: {"App::m_other"}, 2: {"App::m_pair[1]"}}


def test_signatures_of_miniengine_are_their_own_key() -> None:
    text = """struct Model { RootSignature m_sig; void Init() {
        m_sig.Reset(1, 0); m_sig[0].InitAsConstantBuffer(0); m_sig.Finalize(L"x"); } };"""
    [signature] = read(text).signatures
    assert signature.keys == ("Model::m_sig",)


HEAP = "m_device->CreateDescriptorHeap(&d, IID_PPV_ARGS(&m_heap));"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "D3D12_DESCRIPTOR_HEAP_DESC d = {}; d.NumDescriptors = 4; d.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV;" + HEAP,
            ("App::m_heap", "RTV", 4, False),
        ),
        (
            "D3D12_DESCRIPTOR_HEAP_DESC d = { D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 2,"
            "D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE };" + HEAP,
            ("App::m_heap", "SAMPLER", 2, True),
        ),
        (
            "D3D12_DESCRIPTOR_HEAP_DESC d = { .Type = D3D12_DESCRIPTOR_HEAP_TYPE_DSV, .NumDescriptors = n };" + HEAP,
            ("App::m_heap", "DSV", None, False),
        ),
        (
            "D3D12_DESCRIPTOR_HEAP_DESC d; d.Type = kind; d.NumDescriptors = 1; d.Flags = flags;"
            "m_device->CreateDescriptorHeap(&d, IID_PPV_ARGS(&m_heaps[1]));",
            ("App::m_heaps[1]", None, 1, None),
        ),
    ],
)
def test_heaps(body: str, expected: tuple[object, ...]) -> None:
    [heap] = read(f"{CLASS} void App::Init() {{ {body} }}").heaps
    assert (heap.key, heap.type, heap.count, heap.shader_visible) == expected


def test_a_class_of_heaps_makes_one_for_each_of_its_objects() -> None:
    text = """
    struct Heap { ComPtr<ID3D12DescriptorHeap> m_heap;
        void Create(ID3D12Device* device, D3D12_DESCRIPTOR_HEAP_TYPE type, UINT n) {
            D3D12_DESCRIPTOR_HEAP_DESC d = { type, n, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0 };
            device->CreateDescriptorHeap(&d, IID_PPV_ARGS(&m_heap)); } };
    struct App { Heap m_targets, m_views; ID3D12Device* m_device; void Init() {
        m_targets.Create(m_device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2);
        m_views.Create(m_device, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 9); } };
    """
    heaps = {heap.key: (heap.type, heap.count) for heap in read(text).heaps}
    assert heaps["App::m_targets.m_heap"] == ("RTV", 2)
    assert heaps["App::m_views.m_heap"] == ("CBV_SRV_UAV", 9)
    assert heaps["Heap::m_heap"] == (None, None)


def test_command_signatures() -> None:
    text = f"""{CLASS} void App::Init() {{
        D3D12_INDIRECT_ARGUMENT_DESC a[3] = {{}};
        a[0].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT; a[0].Constant.RootParameterIndex = 2;
        a[0].Constant.Num32BitValuesToSet = 4; a[0].Constant.DestOffsetIn32BitValues = 1;
        a[1].Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT_BUFFER_VIEW; a[1].ConstantBufferView.RootParameterIndex = 0;
        a[2].Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW;
        D3D12_COMMAND_SIGNATURE_DESC d = {{}};
        d.pArgumentDescs = a; d.NumArgumentDescs = _countof(a); d.ByteStride = 40;
        m_device->CreateCommandSignature(&d, m_rs.Get(), IID_PPV_ARGS(&m_commands));
        m_list->ExecuteIndirect(m_commands.Get(), 1, b, 0, nullptr, 0); }}"""
    file = read(text)
    [made] = file.command_signatures
    assert (made.key, made.stride, made.signature and made.signature.key) == ("App::m_commands", 40, "App::m_rs")
    assert [(a.kind, a.index, a.offset, a.count) for a in made.arguments or ()] == [
        ("constants", 2, 1, 4), ("cbv", 0, None, None), ("draw", None, None, None),
    ]  # fmt: skip
    assert [call.target.key for call in file.calls] == ["App::m_commands"]


def test_command_signatures_without_a_root_signature() -> None:
    text = f"""{CLASS} void App::Init() {{
        D3D12_INDIRECT_ARGUMENT_DESC a = {{}}; a.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
        D3D12_COMMAND_SIGNATURE_DESC d = {{ sizeof(D3D12_DISPATCH_ARGUMENTS), 1, &a }};
        m_device->CreateCommandSignature(&d, nullptr, IID_PPV_ARGS(&m_commands)); }}"""
    [made] = read(text).command_signatures
    assert made.signature is None
    assert [a.kind for a in made.arguments or ()] == ["dispatch"]


@pytest.mark.parametrize(
    ("body", "destinations", "sources", "kind"),
    [
        (
            "m_device->CopyDescriptorsSimple(3, to, from, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);",
            [("cpu App::m_heaps[0]+0", 3)],
            [("cpu App::m_heaps[1]+2", 3)],
            "CBV_SRV_UAV",
        ),
        (
            "D3D12_CPU_DESCRIPTOR_HANDLE s[] = { from, to }; UINT n[] = { 4 };"
            "m_device->CopyDescriptors(1, &to, n, 2, s, nullptr, D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER);",
            [("cpu App::m_heaps[0]+0", 4)],
            [("cpu App::m_heaps[1]+2", 1), ("cpu App::m_heaps[0]+0", 1)],
            "SAMPLER",
        ),
        ("m_device->CopyDescriptors(n, p, q, 1, &from, 0, kind);", None, [("cpu App::m_heaps[1]+2", 1)], None),
    ],
)
def test_copies(body: str, destinations: object, sources: object, kind: str | None) -> None:
    text = f"""{CLASS} void App::Init() {{
        auto to = m_heaps[0]->GetCPUDescriptorHandleForHeapStart();
        CD3DX12_CPU_DESCRIPTOR_HANDLE from(m_heaps[1]->GetCPUDescriptorHandleForHeapStart(), 2, m_size);
        {body} }}"""
    [call] = read(text).calls
    assert call.copy is not None
    for ranges, expected in ((call.copy.destinations, destinations), (call.copy.sources, sources)):
        found = None if ranges is None else [(handle_text(each.handle), each.count) for each in ranges]
        assert found == expected
    assert call.copy.type == kind


def test_a_call_in_a_loop_is_one_call_and_conditional_where_it_may_not_come() -> None:
    text = f"""{CLASS} void App::Draw() {{
        for (int i = 0; i < 3; i++) m_list->SetGraphicsRootConstantBufferView(i, a);
        if (dark) m_list->SetComputeRootConstantBufferView(1, a); }}"""
    first, second = read(text).calls
    assert (first.index, first.conditional) == (None, False)
    assert (second.index, second.conditional) == (1, True)


def test_long_rows_of_data_do_not_keep_calls_from_being_seen() -> None:
    text = f"""{CLASS} struct Data {{ float a[4]; }};
    void App::Draw() {{
        std::vector<Data> rows; rows.resize(3072); UINT8 bytes[4096]; std::array<float, 4096> numbers;
        for (UINT i = 0; i < n; i++) {{ rows[i].a[0] = Random(); bytes[i] = 1; numbers[i] = rows[i].a[0]; Fill(rows); }}
        m_list->SetGraphicsRootSignature(m_rs.Get()); }}
    """
    file = read(text)
    assert not file.problems
    assert [line(call) for call in file.calls] == ["SetGraphicsRootSignature App::m_rs"]


def test_files_without_calls_read_as_before() -> None:
    text = f"{CLASS} void App::Draw() {{ m_list->DrawInstanced(3, 1, 0, 0); }}"
    plain = HostReader(SourceStore(overlays={"main.cpp": text.encode()})).read("main.cpp")
    assert plain.calls == ()


def test_contexts_of_miniengine() -> None:
    text = """RootSignature s_sig; GraphicsPSO s_pso;
    void Draw(GraphicsContext& context, ComputeContext& compute) {
        context.SetRootSignature(s_sig); context.SetPipelineState(s_pso); context.SetConstants(0, a, b);
        context.TransitionResource(r, state); context.SetDynamicConstantBufferView(1, sizeof(x), &x);
        context.SetDynamicDescriptors(2, 0, 1, &handle); context.Draw(3); compute.SetBufferSRV(1, buffer);
        GraphicsContext& own = GraphicsContext::Begin(L"x"); own.SetConstantBuffer(4, a); }"""
    assert lines(text) == [
        "SetRootSignature s_sig", "SetPipelineState s_pso", "SetConstants [0] 2 at 0",
        "SetDynamicConstantBufferView [1]", "SetDynamicDescriptors [2] ? ?+?", "Draw", "SetBufferSRV [1]",
        "SetConstantBuffer [4]",
    ]  # fmt: skip
    assert states(text, "Draw") == ["set s_sig 0 1 2 open"]
    assert [call.bind_point for call in read(text).calls if call.name == "SetBufferSRV"] == ["compute"]


def test_what_loads_shaders_does_not_take_the_device_away() -> None:
    text = """bool Init(ID3D12Device* device) {
        if (!MakeShader(device, L"Mips.hlsl", "csmain", &s_pso)) return false;
        D3D12_DESCRIPTOR_HEAP_DESC d = { D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2 };
        device->CreateDescriptorHeap(&d, IID_PPV_ARGS(&s_heap)); return true; }"""
    assert [heap.key for heap in read(text).heaps] == ["s_heap"]


HEAP = """D3D12_DESCRIPTOR_HEAP_DESC d = {}; d.NumDescriptors = n;
    device->CreateDescriptorHeap(&d, IID_PPV_ARGS(&h)); return h;"""
FACTORY = (
    f"ComPtr<ID3D12DescriptorHeap> Make(ID3D12Device* device, UINT n) {{ ComPtr<ID3D12DescriptorHeap> h; {HEAP} }}"
)


def copied(text: str) -> list[tuple[str, ...]]:
    """The heaps of each copy, destination first."""
    copies = [call.copy for call in read(text).calls if call.copy is not None]
    return [tuple(r.handle.heap.key for r in (*(c.destinations or ()), *(c.sources or ()))) for c in copies]


def copy(to: str, source: str) -> str:
    start = "->GetCPUDescriptorHandleForHeapStart()"
    return f"device->CopyDescriptorsSimple(4, {to}{start}, {source}{start}, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);"


@pytest.mark.parametrize(
    "text",
    [
        f"{FACTORY} void F() {{ auto a = Make(device, 8); auto b = Make(device, 9); {copy('b', 'a')} }}",
        f"{FACTORY} void F() {{ {copy('Make(device, 8)', 'Make(device, 8)')} }}",
        f"{FACTORY} struct W {{ ComPtr<ID3D12DescriptorHeap> h; W(UINT n) : h(Make(device, n)) {{}} }};"
        f"void F() {{ W a(8), b(8); {copy('b.h', 'a.h')} }}",
        f"{FACTORY} struct W {{ ComPtr<ID3D12DescriptorHeap> h; W(ID3D12DescriptorHeap* x) : h(x) {{}} }};"
        f"void F() {{ W a(Make(device, 8).Get()), b(Make(device, 8).Get()); {copy('b.h', 'a.h')} }}",
        f"{FACTORY} struct S {{ ID3D12Device* device; ComPtr<ID3D12DescriptorHeap> a[2];"
        f"void F() {{ for (auto& each : a) each = Make(device, 8); {copy('a[0]', 'a[1]')} }} }};",
        f"void F() {{ auto make = [&](UINT n) {{ ComPtr<ID3D12DescriptorHeap> h; {HEAP} }};"
        f"auto a = make(8); auto b = make(8); {copy('b', 'a')} }}",
        "struct R { ComPtr<ID3D12DescriptorHeap> h; }; R Make(ID3D12Device* device, UINT n) { R r;"
        f"{HEAP.replace('&h', '&r.h').replace('return h', 'return r')} }}"
        f"void F() {{ R a = Make(device, 8); R b = Make(device, 8); {copy('b.h', 'a.h')} }}",
        "ComPtr<ID3D12DescriptorHeap> Make(Pool* pool) { ComPtr<ID3D12DescriptorHeap> h; pool->Add(&h); return h; }"
        f"void F() {{ auto a = Make(pool); auto b = Make(pool); {copy('b', 'a')} }}",
    ],
    ids=["locals", "temporaries", "members", "arguments", "elements", "lambda", "structure", "not-seen"],
)
def test_each_call_of_a_function_makes_an_object_of_its_own(text: str) -> None:
    ((to, source),) = copied(text)
    assert to != source or not to


def test_objects_of_one_function_are_each_what_its_call_makes_them() -> None:
    made = read(f"{FACTORY} void F() {{ auto a = Make(device, 8); auto b = Make(device, 9); {copy('b', 'a')} }}")
    assert {heap.key: heap.count for heap in made.heaps} == {"Make@1()::h": 8, "Make@2()::h": 9}


def test_a_local_that_calls_share_is_one() -> None:
    text = f"""ID3D12DescriptorHeap* Shared(UINT n) {{ static ComPtr<ID3D12DescriptorHeap> h; {HEAP} }}
    void F() {{ auto a = Shared(8); auto b = Shared(8); {copy("b", "a")} }}"""
    assert copied(text) == [("Shared()::h", "Shared()::h")]


def test_what_a_function_does_with_its_own_local_is_the_same_in_each_call() -> None:
    text = """void Draw(ID3D12GraphicsCommandList* list) { ComPtr<ID3D12RootSignature> own;
        device->CreateRootSignature(0, data, size, IID_PPV_ARGS(&own)); list->SetGraphicsRootSignature(own.Get()); }
    void F() { Draw(list); Draw(list); }"""
    assert lines(text) == ["SetGraphicsRootSignature Draw()::own"]


BUILD = """ID3D12RootSignature* Build(ID3D12Device* device, bool more) { CD3DX12_ROOT_PARAMETER p[2]; UINT n = 0;
    p[n++].InitAsConstantBufferView(0); if (more) p[n++].InitAsShaderResourceView(0);
    CD3DX12_ROOT_SIGNATURE_DESC desc(n, p); ID3DBlob* blob; ID3D12RootSignature* made;
    D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr);
    device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&made)); return made; }
"""


@pytest.mark.parametrize(
    "rest",
    [
        "struct S { bool more; ID3D12RootSignature* rs; void F() { rs = Build(device, more); } };",
        "struct S { bool more; ID3D12RootSignature* rs; S(bool m) : more(m) {}"
        "void F() { rs = Build(device, more); } };",
        "struct S { bool more = false; ID3D12RootSignature* rs; void Set(bool m) { more = m; }"
        "void F() { rs = Build(device, more); } };",
        "extern bool g_more; struct S { ID3D12RootSignature* rs; void F() { rs = Build(device, g_more); } };",
        "struct S { ID3D12RootSignature* rs; void F(bool more) { rs = Build(device, more); } };",
    ],
    ids=["member", "constructor", "setter", "extern", "argument"],
)
def test_ways_that_a_condition_may_turn_out_are_no_order(rest: str) -> None:
    """A signature that may be made in several ways is any of them for each of its keys."""
    made = read(BUILD + rest).signatures
    assert [(len(s.signature.parameters), "S::rs" in s.keys) for s in made] == [(2, True), (1, True)]


def test_signatures_of_one_function_go_to_the_variables_in_order() -> None:
    text = BUILD.replace("bool more", "UINT k").replace("if (more) p", "if (k == 2) p")
    text += """struct S { ID3D12RootSignature *one, *two;
        void F() { one = Build(device, 1); two = Build(device, 2); } };"""
    keys = {len(s.signature.parameters): s.keys for s in read(text).signatures}
    assert all(("S::one" in found, "S::two" in found) in ((n == 1, n == 2), (True, True)) for n, found in keys.items())


@pytest.mark.parametrize(
    ("turns", "body", "last"),
    [
        ("i <= 3", "device->CreateConstantBufferView(nullptr, at); at.ptr += size;", 3),
        ("i < 3", "device->CreateConstantBufferView(nullptr, at); at.Offset(1, size);", 2),
        ("i < 3", "if (i < count) device->CreateConstantBufferView(nullptr, at); at.ptr += size;", None),
        ("i < count", "device->CreateConstantBufferView(nullptr, at); at.ptr += size;", None),
    ],
)
def test_the_last_handle_of_a_loop(turns: str, body: str, last: int | None) -> None:
    text = f"""{CLASS} void App::Init() {{
        UINT size = m_device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
        CD3DX12_CPU_DESCRIPTOR_HANDLE at(m_heap->GetCPUDescriptorHandleForHeapStart());
        for (int i = 0; {turns}; ++i) {{ {body} }} }}"""
    views = [call for call in read(text).calls if call.kind == "view"]
    assert [(call.handles[0].index, call.handles[0].last) for call in views] == [(None, last)]
