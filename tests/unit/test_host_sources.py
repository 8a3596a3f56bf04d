"""Root signatures named by the file of host code that builds them."""

from __future__ import annotations

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.facts.root_signature_sources import read_source, split_source
from bindlint_grammars.hlsl.source_files import SourceStore

TEXT = """
void Renderer::First() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(1, 2); CD3DX12_ROOT_SIGNATURE_DESC one(1, &p); }
void Second() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(3, 4); CD3DX12_ROOT_SIGNATURE_DESC two(1, &p); }
"""
AT_RUN_TIME = """
void R::Make(const D3D12_ROOT_SIGNATURE_DESC* desc) { D3D12SerializeRootSignature(desc, V, &blob, &error); }
void R::Other() { Make(Find()); }
"""
OPEN = "`R::Make` builds its root signature at run time; nothing of it is known here"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.cpp", ("a.cpp", "")),
        ("a.cpp:F", ("a.cpp", "F")),
        ("a.cpp:N::F", ("a.cpp", "N::F")),
        ("C:/src/a.h:F", ("C:/src/a.h", "F")),
        ("C:\\src\\a.cc", ("C:\\src\\a.cc", "")),
        ("a.hlsl:MACRO", None),
        ("CBV(b0)", None),
        ("", None),
    ],
)
def test_a_source_taken_apart(text: str, expected: tuple[str, str] | None) -> None:
    assert split_source(text) == expected


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        ("main.cpp", ["one", "two"], ""),
        ("main.cpp:First", ["one"], ""),
        ("main.cpp:Renderer::First", ["one"], ""),
        ("main.cpp:two", ["two"], ""),
        ("main.cpp:irst", [], "`irst` builds no root signature here; these do: Renderer::First, Second"),
        ("none.cpp", [], "there is no such file"),
        ("empty.cpp:F", [], "no root signature is built here"),
        ("open.cpp", [], OPEN),
        ("open.cpp:Make", [], OPEN),
        ("open.cpp:Other", [], "no root signature is built here"),
        ("both.cpp", ["one", "two"], ""),
        ("both.cpp:Make", [], OPEN),
    ],
)
def test_what_a_source_names(text: str, names: list[str], message: str) -> None:
    files = {"main.cpp": TEXT, "empty.cpp": "void F() {}", "open.cpp": AT_RUN_TIME, "both.cpp": TEXT + AT_RUN_TIME}
    store = SourceStore(overlays={name: text.encode() for name, text in files.items()})
    found = read_source(text, HostReader(store))
    assert found is not None
    assert ([s.name for s in found.signatures], found.message) == (names, message)


@pytest.mark.parametrize("header", ["DirectXSlots.h", "slots.h", "d3d12_slots.h"])
def test_headers_of_the_project_are_read_whatever_they_are_called(header: str) -> None:
    text = f'#include "{header}"\nvoid F() {{ CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(COUNT, 2);'
    text += " CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); }"
    store = SourceStore(overlays={"/p/a.cpp": text.encode(), f"/p/{header}": b"#define COUNT 7"})
    (signature,) = HostReader(store).read("/p/a.cpp").signatures
    assert signature.is_complete
    assert signature.signature.parameters[0].count == 7


def test_what_asks_for_the_guard_of_a_system_header() -> None:
    text = "#if defined(__d3d12_h__)\nvoid F() { CD3DX12_ROOT_PARAMETER p; p.InitAsConstants(3, 2);"
    text += " CD3DX12_ROOT_SIGNATURE_DESC d(1, &p); }\n#endif"
    store = SourceStore(overlays={"/p/a.cpp": text.encode()})
    assert [s.is_complete for s in HostReader(store).read("/p/a.cpp").signatures] == [True]
