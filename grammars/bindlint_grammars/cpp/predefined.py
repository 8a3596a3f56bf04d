"""The macros and the headers that host code is read with: a Windows compiler's, without what its headers declare."""

from __future__ import annotations

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
)
"""What MSVC defines for a 64-bit release build, as far as host code asks for it."""

SYSTEM_HEADERS = frozenset(
    (
        "windows.h", "d3d12.h", "d3d12_1.h", "d3d12video.h", "d3d12sdklayers.h", "d3d12shader.h", "d3dcommon.h",
        "d3dcompiler.h", "d3dx12.h", "d3dx12_root_signature.h", "d3dx12_core.h", "dxgi1_6.h", "dxgiformat.h",
        "directxmath.h", "directxcollision.h", "directxpackedvector.h", "simplemath.h", "wrl.h", "pix3.h",
        "directx/d3d12.h", "directx/d3dx12.h", "vulkan.h", "vulkan_core.h", "glm.hpp", "imgui.h", "imgui_internal.h",
    )
)  # fmt: skip
"""Headers whose contents are known or tell nothing about bindings; copies of them in a project are not expanded."""
