"""State objects in C++ host code: libraries, hit groups, root signatures and their associations."""

from __future__ import annotations

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.model.device import HostStateObject
from bindlint_grammars.hlsl.source_files import SourceStore

CLASS = """
#include "CompiledShaders/Raytracing.hlsl.h"
class App {
    ComPtr<ID3D12Device5> m_device; ComPtr<ID3D12RootSignature> m_global, m_local; ComPtr<ID3D12StateObject> m_object;
    static const wchar_t* c_raygen; static const wchar_t* c_hitGroups[2]; ComPtr<IDxcBlob> m_library;
    void Init(); void AddLocal(CD3DX12_STATE_OBJECT_DESC* desc);
};
const wchar_t* App::c_raygen = L"RayGen";
const wchar_t* App::c_hitGroups[] = { L"Triangles", L"Boxes" };
"""
CREATE = "m_device->CreateStateObject({}, IID_PPV_ARGS(&m_object));"
HELPED = """
CD3DX12_STATE_OBJECT_DESC desc{ D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE };
auto lib = desc.CreateSubobject<CD3DX12_DXIL_LIBRARY_SUBOBJECT>();
D3D12_SHADER_BYTECODE code = CD3DX12_SHADER_BYTECODE((void*)g_pRaytracing, ARRAYSIZE(g_pRaytracing));
lib->SetDXILLibrary(&code);
lib->DefineExport(c_raygen); lib->DefineExport(L"Hit", L"ClosestHit");
auto group = desc.CreateSubobject<CD3DX12_HIT_GROUP_SUBOBJECT>();
group->SetClosestHitShaderImport(L"Hit"); group->SetHitGroupExport(c_hitGroups[1]);
group->SetHitGroupType(D3D12_HIT_GROUP_TYPE_TRIANGLES);
auto config = desc.CreateSubobject<CD3DX12_RAYTRACING_SHADER_CONFIG_SUBOBJECT>(); config->Config(16, 8);
auto global = desc.CreateSubobject<CD3DX12_GLOBAL_ROOT_SIGNATURE_SUBOBJECT>();
global->SetRootSignature(m_global.Get());
"""
LOCAL = """
auto local = desc.CreateSubobject<CD3DX12_LOCAL_ROOT_SIGNATURE_SUBOBJECT>(); local->SetRootSignature(m_local.Get());
auto association = desc.CreateSubobject<CD3DX12_SUBOBJECT_TO_EXPORTS_ASSOCIATION_SUBOBJECT>();
association->SetSubobjectToAssociate(*local);
"""
RAW = """
D3D12_STATE_SUBOBJECT subobjects[6]; D3D12_STATE_OBJECT_DESC desc = {};
desc.NumSubobjects = 6; desc.pSubobjects = subobjects;
D3D12_EXPORT_DESC exports[] = { { L"RayGen", nullptr, 0 }, { L"Hit", L"ClosestHit", 0 } };
D3D12_DXIL_LIBRARY_DESC lib = {}; lib.DXILLibrary.pShaderBytecode = g_pRaytracing; lib.NumExports = 2;
lib.pExports = exports; subobjects[0].Type = D3D12_STATE_SUBOBJECT_TYPE_DXIL_LIBRARY; subobjects[0].pDesc = &lib;
D3D12_HIT_GROUP_DESC group = {}; group.HitGroupExport = L"Boxes"; group.ClosestHitShaderImport = L"Hit";
subobjects[1] = { D3D12_STATE_SUBOBJECT_TYPE_HIT_GROUP, &group };
D3D12_RAYTRACING_SHADER_CONFIG config = { 16, 8 };
subobjects[2] = { D3D12_STATE_SUBOBJECT_TYPE_RAYTRACING_SHADER_CONFIG, &config };
D3D12_GLOBAL_ROOT_SIGNATURE global = { m_global.Get() };
subobjects[3] = { D3D12_STATE_SUBOBJECT_TYPE_GLOBAL_ROOT_SIGNATURE, &global };
ID3D12RootSignature* local = m_local.Get();
subobjects[4] = { D3D12_STATE_SUBOBJECT_TYPE_LOCAL_ROOT_SIGNATURE, &local };
LPCWSTR names[] = { L"Boxes" }; D3D12_SUBOBJECT_TO_EXPORTS_ASSOCIATION association = { &subobjects[4], 1, names };
subobjects[5] = { D3D12_STATE_SUBOBJECT_TYPE_SUBOBJECT_TO_EXPORTS_ASSOCIATION, &association };
"""


def one(body: str, more: str = "", create: str = CREATE.format("desc")) -> HostStateObject:
    text = f"{CLASS}{more}\nvoid App::Init() {{ {body} {create} }}"
    found = HostReader(SourceStore(overlays={"main.cpp": text.encode()})).read("main.cpp", calls=True).state_objects
    assert len(found) == 1, found
    return found[0]


def described(made: HostStateObject) -> list[str]:
    lines = []
    for library in made.libraries:
        names = ", ".join(f"{e.original}={e.name}" if e.original else e.name for e in library.exports)
        lines.append(f"library {library.source.file}: {names}")
    for group in made.hit_groups:
        lines.append(f"group {group.name}: {group.closest_hit}/{group.any_hit}/{group.intersection}")
    for association in made.associations:
        kind = "local" if association.local else "global"
        lines.append(f"{kind} {association.signature.key}: {', '.join(association.exports)}")
    return lines


LIBRARY = "library Raytracing.hlsl.h: RayGen, ClosestHit=Hit"
GROUP = "group Boxes: Hit//"
GLOBAL = "global App::m_global: "


def test_the_helpers_of_d3dx12() -> None:
    made = one(HELPED + LOCAL + "association->AddExport(c_hitGroups[1]);")
    assert described(made) == [LIBRARY, GROUP, GLOBAL, "local App::m_local: Boxes"]
    assert (made.key, made.function, made.unread) == ("App::m_object", "App::Init", "")


def test_raw_subobjects() -> None:
    made = one(RAW, create=CREATE.format("&desc"))
    assert described(made) == [LIBRARY, GROUP, GLOBAL, "local App::m_local: Boxes"]
    assert made.unread == ""


@pytest.mark.parametrize(
    ("body", "exports"),
    [
        ("association->AddExports(c_hitGroups);", "Triangles, Boxes"),
        ("association->AddExports(c_hitGroups, 1);", "Triangles"),
        ("for (auto name : c_hitGroups) association->AddExport(name);", "Triangles, Boxes"),
    ],
)
def test_associations_of_several_exports(body: str, exports: str) -> None:
    assert described(one(HELPED + LOCAL + body))[-1] == f"local App::m_local: {exports}"


def test_a_function_that_adds_subobjects_is_followed() -> None:
    helper = f"void App::AddLocal(CD3DX12_STATE_OBJECT_DESC* d) {{ {LOCAL.replace('desc.', 'd->')} }}"
    made = one(HELPED + "AddLocal(&desc);", helper)
    assert described(made) == [LIBRARY, GROUP, GLOBAL, "local App::m_local: "]


def test_a_library_that_is_compiled_or_loaded_elsewhere() -> None:
    body = """
    CD3DX12_STATE_OBJECT_DESC desc(D3D12_STATE_OBJECT_TYPE_RAYTRACING_PIPELINE);
    auto lib = desc.CreateSubobject<CD3DX12_DXIL_LIBRARY_SUBOBJECT>();
    auto code = CD3DX12_SHADER_BYTECODE(m_library->GetBufferPointer(), m_library->GetBufferSize());
    lib->SetDXILLibrary(&code);
    """
    load = 'void App::Load() { m_library = CompileLibrary(L"Rays.hlsl", L"lib_6_3"); }'
    made = one(body, load)
    assert (described(made), made.unread) == (["library Rays.hlsl: "], "")
    assert made.libraries[0].source.profile == "lib_6_3"
    made = one(body)
    assert described(made) == ["library : "]
    assert "`m_library` is set elsewhere" in made.unread


@pytest.mark.parametrize(
    ("body", "create", "why"),
    [
        (HELPED + "lib->DefineExport(name);", CREATE.format("desc"), "the name of an export is not known"),
        (
            HELPED + "Elsewhere(&desc);",
            CREATE.format("desc"),
            "the description is not known: `Elsewhere` may change it",
        ),
        (HELPED + 'if (dark) { group->SetHitGroupExport(L"Dark"); }', CREATE.format("desc"), "condition `dark`"),
        (
            HELPED + "if (dark) { desc.CreateSubobject<CD3DX12_HIT_GROUP_SUBOBJECT>(); }",
            CREATE.format("desc"),
            "not all of its subobjects are known",
        ),
        (RAW + "desc.NumSubobjects = count;", CREATE.format("&desc"), "the number of subobjects is not known"),
        (
            HELPED,
            "m_device->AddToStateObject(desc, m_old.Get(), IID_PPV_ARGS(&m_object));",
            "it is added to another state object",
        ),
        (
            HELPED + "auto old = desc.CreateSubobject<CD3DX12_EXISTING_COLLECTION_SUBOBJECT>();",
            CREATE.format("desc"),
            "a part of it comes from an existing collection",
        ),
    ],
)
def test_what_is_not_known_is_said(body: str, create: str, why: str) -> None:
    assert why in one(body, create=create).unread
