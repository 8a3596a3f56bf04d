"""The C++ grammar, and what is read otherwise than it reads it."""

from __future__ import annotations

import pytest
from bindlint_grammars.cpp.parser import as_arguments, as_statements, parse
from bindlint_grammars.cpp.predefined import PREDEFINED, SYSTEM_HEADERS


@pytest.mark.parametrize("text", [b"", b"void f() {", b"\x00\xff", b"((((" * 200, "描述 x;".encode()])
def test_nothing_raises(text: bytes) -> None:
    assert parse(text).root_node.end_byte == len(text)


@pytest.mark.parametrize("arguments", ["(n, p)", "(std::size(p), p)", "(N::A, x)"])
def test_parameters_as_arguments(arguments: str) -> None:
    text = f"void f() {{ T x{arguments}; }}".encode()
    start = text.index(arguments.encode())
    node = parse(text).root_node.descendant_for_byte_range(start, start + len(arguments))
    assert node is not None and node.type == "parameter_list"
    found = as_arguments(node)
    assert found is not None
    parsed, shift = found
    first = parsed.named_children[0]
    assert text[first.start_byte + shift : first.end_byte + shift] == first.text


def test_statements_out_of_prose() -> None:
    found = as_statements(b"T x[2]; x[0] = 1;")
    assert found is not None
    body, head = found
    assert [c.start_byte - head for c in body.named_children] == [0, 8]


def test_host_macros_and_headers() -> None:
    assert ("_WIN32", "1") in PREDEFINED
    assert {"d3d12.h", "d3dx12.h", "windows.h"} <= SYSTEM_HEADERS
    assert all(name == name.lower() for name in SYSTEM_HEADERS)
