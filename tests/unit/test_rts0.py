"""Serialized root signatures: the bytes that DXC writes, and what is read of bytes that nobody wrote."""

from __future__ import annotations

import struct

import pytest
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_bytes import from_rts0, to_rts0
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import NOWHERE
from bindlint_grammars.container.rts0 import read_rts0

TEXT = (
    "RootFlags(ALLOW_STREAM_OUTPUT), CBV(b0), DescriptorTable(SRV(t0), UAV(u1, numDescriptors = 3)), StaticSampler(s0)"
)


def read(text: str, version: str = "1.1", origin: str = "macro") -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE, version=version, origin=origin)


def blob(text: str, version: str = "1.1") -> bytes:
    data = to_rts0(read(text, version))
    assert data is not None
    return data


def words(data: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def test_layout_of_version_1_1() -> None:
    data = words(blob(TEXT))
    assert data[:6] == [2, 2, 24, 1, 116, 0x40]
    assert data[6:12] == [2, 0, 48, 0, 0, 60]
    assert data[12:15] == [0, 0, 0]
    assert data[15:17] == [2, 68]
    assert data[17:29] == [0, 1, 0, 0, 0, 0xFFFFFFFF, 1, 3, 1, 0, 0, 0xFFFFFFFF]
    assert data[29:] == [0x55, 1, 1, 1, 0, 16, 4, 2, 0, 0x7F7FFFFF, 0, 0, 0]


def test_layout_of_version_1_0() -> None:
    data = words(blob(TEXT, "1.0"))
    assert data[:6] == [1, 2, 24, 1, 104, 0x40]
    assert data[6:12] == [2, 0, 48, 0, 0, 56]
    assert data[12:14] == [0, 0]
    assert data[14:16] == [2, 64]
    assert data[16:26] == [0, 1, 0, 0, 0xFFFFFFFF, 1, 3, 1, 0, 0xFFFFFFFF]
    assert len(data) * 4 == 156


def test_constants_end_with_their_count() -> None:
    assert words(blob("RootConstants(num32BitConstants = 7, b1, space = 2)"))[9:] == [1, 2, 7]


def test_empty_signature() -> None:
    assert words(blob("")) == [2, 0, 24, 0, 24, 0]


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT,
        "UAV(u3, space = 7, visibility = SHADER_VISIBILITY_MESH), RootConstants(num32BitConstants = 3, b9)",
        "DescriptorTable(Sampler(s0, numDescriptors = unbounded), visibility = SHADER_VISIBILITY_VERTEX)",
        "StaticSampler(s1, mipLODBias = 0.1, minLOD = -2, filter = FILTER_MAXIMUM_ANISOTROPIC)",
    ],
)
def test_there_and_back(text: str, version: str) -> None:
    data = blob(text, version)
    back = from_rts0(data)
    assert back.faults == ()
    assert back.version == version
    assert back.parameters == read(text, version).parameters
    assert back.static_samplers == read(text, version).static_samplers
    assert to_rts0(back) == data


@pytest.mark.parametrize(
    "text",
    [
        "CBV(b0), CBV(b0)",
        "CBV(b0, space = 4294967280)",
        "DescriptorTable(SRV(t0), Sampler(s0))",
        "DescriptorTable(SRV(t0, numDescriptors = 0))",
        "DescriptorTable(SRV(t4294967295, numDescriptors = 2))",
        "DescriptorTable(SRV(t0, numDescriptors = unbounded), SRV(t0, space = 1))",
        "DescriptorTable(SRV(t0, flags = DATA_STATIC | DESCRIPTORS_VOLATILE))",
        "CBV(b0, flags = DATA_STATIC | DATA_VOLATILE)",
        "StaticSampler(s0, mipLODBias = 16)",
        "StaticSampler(s0, maxAnisotropy = 17)",
        "DescriptorTable(visibility = SHADER_VISIBILITY_ALL)",
        "CBV(",
    ],
)
def test_no_bytes_for_what_dxc_refuses(text: str) -> None:
    assert to_rts0(read(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "RootConstants(num32BitConstants = 65, b0)",
        "DescriptorTable(SRV(t0, numDescriptors = unbounded), SRV(t0, space = 1, offset = 0))",
        "DescriptorTable(visibility = SHADER_VISIBILITY_ALL), CBV(b0), CBV(b1), CBV(b2)",
        "RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS), CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)",
        "StaticSampler(s0, minLOD = 3, maxLOD = 2)",
    ],
)
def test_bytes_for_what_dxc_lets_pass(text: str) -> None:
    assert to_rts0(read(text)) is not None


def test_a_local_signature_cannot_be_an_attribute() -> None:
    text = "RootFlags(LOCAL_ROOT_SIGNATURE), CBV(b0)"
    assert to_rts0(read(text, origin="macro")) is not None
    assert to_rts0(read(text, origin="attribute")) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({}, ""),
        ({0: 9}, "unknown root signature version 9"),
        ({1: 0x10000000}, "parameters end at byte"),
        ({4: 0xFFFFFFFF}, "static samplers end at byte"),
        ({6: 5}, "root parameter 0 has the unknown type 5"),
        ({7: 8}, "root parameter 0 has the unknown shader visibility 8"),
        ({8: 0xFFFFFFF0}, "root parameter 0 end at byte"),
        ({15: 0x7FFFFFFF}, "the ranges of root parameter 1 end at byte"),
        ({17: 4}, "root parameter 1 has the unknown range type 4"),
        ({41: 77}, "static sampler 0 has the unknown shader visibility 77"),
    ],
)
def test_hostile_bytes(change: dict[int, int], fault: str) -> None:
    data = words(blob(TEXT))
    for place, value in change.items():
        data[place] = value
    faults = from_rts0(struct.pack(f"<{len(data)}I", *data)).faults
    assert [fault] == [each.message[: len(fault)] for each in faults] if fault else faults == ()


@pytest.mark.parametrize("length", [0, 3, 23])
def test_too_short(length: int) -> None:
    assert from_rts0(bytes(length)).faults[0].message == f"{length} bytes are too few for a root signature"


def test_tables_that_share_their_ranges_do_not_multiply() -> None:
    count = 2000
    table = 24 + 12 * count
    header = struct.pack("<6I", 2, count, 24, 0, 24, 0)
    parameters = struct.pack("<3I", 0, 0, table) * count
    data = header + parameters + struct.pack("<2I", count // 2, 24)
    read_back = read_rts0(data)
    assert read_back.faults == ("tables share their ranges",)
    assert sum(len(parameter.ranges) for parameter in read_back.parameters) * 24 <= len(data)


def test_sampler_flags_of_version_1_2() -> None:
    signature = read("StaticSampler(s0, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT)", "1.2")
    data = to_rts0(signature)
    assert data is not None
    assert len(data) == 24 + 56
    assert from_rts0(data[:-4] + struct.pack("<I", 1)).static_samplers[0].flags == 1
