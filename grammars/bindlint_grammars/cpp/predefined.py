"""The macros and the headers that host code is read with: a Windows compiler's, without what its headers declare."""

from __future__ import annotations

_ANNOTATIONS = (
    "_Use_decl_annotations_ _In_ _In_opt_ _In_z_ _In_opt_z_ _Out_ _Out_opt_ _Inout_ _Inout_opt_ _Outptr_ _Outptr_opt_ "
    "_Outptr_result_maybenull_ _COM_Outptr_ _COM_Outptr_opt_ _COM_Outptr_opt_result_maybenull_ _Ret_maybenull_ "
    "_Check_return_ _Must_inspect_result_ _In_reads_(x) _In_reads_opt_(x) _In_reads_bytes_(x) _In_reads_bytes_opt_(x) "
    "_In_range_(a,b) _Out_writes_(x) _Out_writes_opt_(x) _Out_writes_bytes_(x) _Out_writes_to_(a,b) _Inout_updates_(x) "
    "_Inout_updates_opt_(x) _Inout_updates_bytes_(x) _Success_(x) _When_(a,b) _Ret_range_(a,b) _Field_size_(x) "
    "WINAPI CALLBACK APIENTRY STDMETHODCALLTYPE XM_CALLCONV __stdcall __cdecl __fastcall __vectorcall __forceinline"
)

PREDEFINED: tuple[tuple[str, str], ...] = (
    ("_WIN32", "1"),
    ("_WIN64", "1"),
    ("WIN32", "1"),
    ("_MSC_VER", "1940"),
    ("_M_X64", "100"),
    ("_M_AMD64", "100"),
    ("__cplusplus", "202002L"),
    ("_UNICODE", "1"),
    ("UNICODE", "1"),
    ("NDEBUG", "1"),
    ("__d3d12_h__", "1"),
    ("__D3DX12_H__", "1"),
    *((name, "") for name in _ANNOTATIONS.split()),
)
"""What MSVC defines for a 64-bit release build, as far as host code asks for it, with the guards of the headers that
are not expanded; annotations and calling conventions, which say nothing here and which the grammar does not know, are
empty."""

SYSTEM_HEADERS = frozenset(
    (
        "windows.h", "d3d12.h", "d3d12_1.h", "d3d12video.h", "d3d12sdklayers.h", "d3d12shader.h", "d3dcommon.h",
        "d3dcompiler.h", "d3dx12.h", "d3dx12_root_signature.h", "d3dx12_core.h", "dxgi1_6.h", "dxgiformat.h",
        "directxmath.h", "directxcollision.h", "directxcolors.h", "directxpackedvector.h", "simplemath.h",
        "wrl.h", "pix3.h",
        "directx/d3d12.h", "directx/d3dx12.h", "vulkan.h", "vulkan_core.h", "glm.hpp", "imgui.h", "imgui_internal.h",
    )
)  # fmt: skip
"""Headers whose contents are known or tell nothing about bindings; copies of them in a project are not expanded."""
