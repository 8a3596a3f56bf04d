"""Compiled shaders: what their containers say, and bytes that nobody wrote."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from benchmarks.mutated_containers import containers, mutants
from bindlint.facts.container import CompiledShader, is_container, read_container
from bindlint_grammars.container.parts import read_parts
from bindlint_grammars.container.psv0 import read_psv0
from bindlint_grammars.container.rdat import read_rdat

FOLDER = Path(__file__).parent / "containers"
PIXEL, LIBRARY, VERTEX = ((FOLDER / f"{name}.cso").read_bytes() for name in ("pixel", "library", "vertex"))


def table(read: CompiledShader) -> list[tuple[str, str, str, str]]:
    return [(b.name, str(b.registers), b.resource.type.name, b.view) for b in read.bindings]


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def container(**parts: bytes) -> bytes:
    """A container with these parts."""
    place = 32 + 4 * len(parts)
    offsets, body = b"", b""
    for name, data in parts.items():
        offsets += words(place + len(body))
        body += name.encode() + words(len(data)) + data
    size = place + len(body)
    return b"DXBC" + bytes(16) + struct.pack("<2HII", 1, 0, size, len(parts)) + offsets + body


def test_pixel_shader() -> None:
    read = read_container(PIXEL, "pixel.cso")
    assert (read.stage, str(read.profile), read.problems) == ("ps", "ps_6_6", ())
    assert table(read) == [
        ("PerFrame", "b0", "cbuffer", "cbuffer"),
        ("Linear", "s0", "SamplerState", "sampler"),
        ("Albedo", "t0", "Texture2D", "typed"),
        ("Lights", "t1", "StructuredBuffer", "structured"),
        ("Raw", "t2", "ByteAddressBuffer", "raw"),
        ("Bindless", "t3-unbounded, space2", "Texture2D", "typed"),
        ("Counts", "u1", "RWStructuredBuffer", "structured+counter"),
    ]
    assert read.bindings[0].resource.size == 80
    (signature,) = read.signatures
    assert [parameter.kind for parameter in signature.parameters] == ["cbv", "table", "table"]
    assert signature.span.file == signature.parameters[1].ranges[0].span.file == "pixel.cso"
    (entry,) = read.entries
    assert (entry.name, entry.render_targets, len(entry.uses)) == ("main", 2, 7)


def test_stripped_vertex_shader() -> None:
    read = read_container(VERTEX)
    assert table(read) == [("", "b3, space1", "cbuffer", "cbuffer")]
    assert read.signatures == ()
    assert read.entries[0].needs_input_assembler


def test_library() -> None:
    read = read_container(LIBRARY)
    assert (read.stage, str(read.profile)) == ("lib", "lib_6_3")
    assert table(read) == [
        ("Material", "b1", "cbuffer", "cbuffer"),
        ("Scene", "t0", "RaytracingAccelerationStructure", "raw"),
        ("Unassigned", "None", "Texture2D", "typed"),
        ("Output", "u0", "RWTexture2D", "typed"),
    ]
    assert [(entry.name, entry.stage) for entry in read.entries] == [("Generate", "raygeneration"), ("Miss", "miss")]
    assert [use.resource.name for use in read.entries[1].uses] == ["Material"]
    assert [(s.origin, s.name, s.is_local) for s in read.signatures] == [
        ("global-subobject", "Global", False),
        ("local-subobject", "Local", True),
    ]


def test_bare_root_signature() -> None:
    bytes_of = read_parts(PIXEL).parts["RTS0"]
    for data in (bytes_of, container(RTS0=bytes_of)):
        read = read_container(data)
        assert (read.stage, read.problems) == ("rootsig", ())
        assert read.signatures == read_container(PIXEL).signatures


def definitions(major: int, minor: int, program: int, stride: int, rows: list[tuple[int, ...]], names: bytes) -> bytes:
    """An RDEF part whose rows begin at 60 and whose names follow on the one constant buffer's row."""
    buffer_start = 60 + stride * len(rows)
    head = words(1, buffer_start, len(rows), 60) + struct.pack("<2BH2I", minor, major, program, 0, 0)
    sizes = words(0x31314452, 60, 24, stride, 40, 36, 12, 0)
    name_start = buffer_start + 24
    table = b"".join(words(name_start + row[0], *row[1:]) for row in rows)
    return head + sizes + table + words(name_start, 1, 0, 12, 0, 0) + names


def test_fxc_shader_model_5_0() -> None:
    rows = [(0, 0, 0, 0, 0, 2, 1, 1), (5, 2, 5, 4, 0xFFFFFFFF, 3, 4, 0xC), (9, 8, 0, 1, 0, 1, 1, 0)]
    read = read_container(container(RDEF=definitions(5, 0, 0xFFFF, 32, rows, b"Once\0Tex\0Out\0")))
    assert (str(read.profile), read.problems) == ("ps_5_0", ())
    assert table(read) == [
        ("Once", "b2", "cbuffer", "cbuffer"),
        ("Tex", "t3-t6", "Texture2D", "typed"),
        ("Out", "u1", "RWByteAddressBuffer", "raw"),
    ]
    assert read.bindings[0].resource.size == 12


def test_fxc_shader_model_5_1_has_spaces_and_unbounded_arrays() -> None:
    rows = [(0, 5, 0, 1, 16, 7, 0, 0, 3, 0)]
    read = read_container(container(RDEF=definitions(5, 1, 0x4353, 40, rows, b"All\0")))
    assert str(read.profile) == "cs_5_1"
    assert table(read) == [("All", "t7-unbounded, space3", "StructuredBuffer", "structured")]


def code(version: int, *tokens: tuple[int, ...]) -> bytes:
    """A SHEX part: each token is an opcode with its length, and its operands."""
    body = [number for opcode, *operands in tokens for number in (opcode | len(operands) + 1 << 24, *operands)]
    return words(version, len(body) + 2, *body)


def test_stripped_fxc_shaders_are_read_from_their_declarations() -> None:
    model_5_0 = code(
        0x50,
        (89, 0x00208E46, 1, 4),
        (90 | 1 << 11, 0x00106000, 2),
        (88 | 3 << 11, 0x00107000, 5, 0x5555),
        (162, 0x00107000, 6, 16),
        (158, 0x0011E000, 3, 4),
        (178, 0x00100012, 0, 0x0011E000, 3),
    )
    read = read_container(container(SHEX=model_5_0))
    assert (str(read.profile), read.problems) == ("ps_5_0", ())
    assert table(read) == [
        ("", "b1", "cbuffer", "cbuffer"),
        ("", "s2", "SamplerComparisonState", "sampler"),
        ("", "t5", "Texture2D", "typed"),
        ("", "t6", "StructuredBuffer", "structured"),
        ("", "u3", "RWStructuredBuffer", "structured+counter"),
    ]
    assert read.bindings[0].resource.size == 64


def test_stripped_fxc_shaders_of_model_5_1_declare_ranges_in_spaces() -> None:
    model_5_1 = code(
        0x50051,
        (161, 0x00307E46, 0, 4, 0xFFFFFFFF, 2),
        (158, 0x0031EE46, 1, 2, 5, 4, 1),
        (179, 0x00100012, 0, 0x8621E000, 0x20001, 1, 2),
    )
    assert table(read_container(container(SHEX=model_5_1))) == [
        ("", "t4-unbounded, space2", "ByteAddressBuffer", "raw"),
        ("", "u2-u5, space1", "RWStructuredBuffer", "structured+counter"),
    ]
    broken = read_container(container(SHEX=model_5_1[:-4]))
    assert "breaks off" in broken.problems[0].message


def test_validation_data_of_the_oldest_version() -> None:
    data = words(24, *[0] * 6, 2, 16, 4, 0, 1, 1, 9, 1, 0, 0xFFFFFFFF)
    read = read_psv0(data)
    assert (read.stage, read.faults) == ("", ())
    assert [resource[:4] for resource in read.resources] == [(4, 0, 1, 1), (9, 1, 0, 0xFFFFFFFF)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it does not begin with DXBC"),
        (b"DXBC", "it does not begin with DXBC"),
        (container(HASH=b"1234"), "no PSV0, RDAT, RDEF or SHEX part"),
        (PIXEL[:-100], "bytes long by its header"),
        (container(PSV0=b"\1"), "(PSV0) is cut off"),
        (container(PSV0=words(24, *[0] * 6, 9, 16)), "no room for its 9 bindings"),
        (container(PSV0=words(24, *[0] * 6, 1, 16, 77, 0, 0, 0)), "unknown type 77"),
        (container(RDAT=b""), "(RDAT) is cut off"),
        (container(RDEF=b""), "(RDEF) are cut off"),
        (container(SHEX=b""), "the bytecode is cut off"),
    ],
)
def test_what_cannot_be_read_is_a_problem(data: bytes, message: str) -> None:
    problems = read_container(data, "x.cso").problems
    assert any(message in problem.message for problem in problems)
    assert all(problem.kind == "unreadable-file" and problem.span.file == "x.cso" for problem in problems)


def test_parts_that_share_their_bytes_are_read_once() -> None:
    part = b"PSV0" + words(1000) + bytes(1000)
    offsets = words(*[32 + 4 * 200] * 200)
    head = b"DXBC" + bytes(16) + struct.pack("<2HII", 1, 0, 32 + 800 + len(part), 200)
    read = read_parts(head + offsets + part)
    assert list(read.parts) == ["PSV0"]
    assert len(read.faults) == 199


def test_lists_that_overlap_are_not_multiplied() -> None:
    count = 2000
    indices = words(*range(count, 0, -1))
    functions = b"".join(words(0, 0, place, 0xFFFFFFFF, 7, 0, 0, 0) for place in range(count))
    tables = [(2, indices), (4, words(count, 32) + functions)]
    place, offsets, body = 8 + 4 * len(tables), [], b""
    for kind, data in tables:
        offsets.append(place + len(body))
        body += words(kind, len(data)) + data
    read = read_rdat(words(0x10, len(tables), *offsets) + body)
    assert sum(len(function.resources) for function in read.functions) <= count
    assert read.faults


@pytest.mark.parametrize("data", [PIXEL, LIBRARY, VERTEX], ids=["pixel", "library", "vertex"])
def test_no_length_raises(data: bytes) -> None:
    whole = read_container(data)
    for size in range(0, len(data), 41):
        read = read_container(data[:size])
        assert read.problems
        assert len(read.bindings) <= len(whole.bindings)


def test_no_damage_raises_or_takes_long() -> None:
    rows = [(0, 0, 0, 0, 0, 2, 1, 1), (5, 2, 5, 4, 0xFFFFFFFF, 3, 4, 0xC)]
    elements = words(1, 8, 32, 0, 0, 3, 0, 7) + b"A\0\0\0"
    reflected = container(ISGN=elements, RDEF=definitions(5, 0, 0xFFFE, 32, rows, b"Once\0Tex\0"), OSGN=elements)
    stripped = container(
        ISGN=elements, SHEX=code(0x10051, (161, 0x00307E46, 0, 4, 5, 2), (158, 0x0031EE46, 1, 2, 5, 4, 1))
    )
    seeds = [*containers(FOLDER), reflected, stripped]
    for data in mutants(seeds, 4000, seed=11):
        read = read_container(data, "x.cso")
        assert isinstance(read, CompiledShader)


@pytest.mark.parametrize(
    ("path", "expected"), [("a.cso", True), ("A.CSO", True), ("b.dxil", True), ("b.rts0", True), ("c.hlsl", False)]
)
def test_containers_are_known_by_their_suffix(path: str, expected: bool) -> None:
    assert is_container(path) == expected
