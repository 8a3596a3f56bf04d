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
        ("main.cpp:irst", [], "`irst` builds no root signature in main.cpp; these do: Renderer::First, Second"),
        ("none.cpp", [], "there is no file none.cpp"),
        ("empty.cpp:F", [], "no root signature is built in empty.cpp"),
    ],
)
def test_what_a_source_names(text: str, names: list[str], message: str) -> None:
    store = SourceStore(overlays={"main.cpp": TEXT.encode(), "empty.cpp": b"void F() {}"})
    found = read_source(text, HostReader(store))
    assert found is not None
    assert ([s.name for s in found.signatures], found.message) == (names, message)
