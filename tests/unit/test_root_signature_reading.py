"""Root signatures from strings: the model's values, their places, and the text of joined literals."""

from __future__ import annotations

import pytest
from bindlint.facts.root_signature import joined_literals, macro_text, read_root_signature
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature, StaticSampler
from bindlint.model.source import NOWHERE, Span
from bindlint.plugins import load_rules


def place(start: int, end: int) -> Span:
    return Span("a.hlsl", 1, start + 1, 1, end + 1, start, end)


def read(text: str, **options: str) -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE, **options)


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("CBV(b3, space = 1)", RootParameter(0, "cbv", register=3, space=1)),
        ("SRV(t0, visibility = SHADER_VISIBILITY_PIXEL)", RootParameter(0, "srv", visibility="PIXEL")),
        ("UAV(u0, flags = DATA_VOLATILE)", RootParameter(0, "uav", flags=2)),
        ("RootConstants(b1, num32BitConstants = 5)", RootParameter(0, "constants", register=1, count=5)),
        (
            "DescriptorTable(SRV(t1, numDescriptors = 4), Sampler(s0, numDescriptors = unbounded, offset = 7))",
            RootParameter(
                0,
                "table",
                ranges=(DescriptorRange("t", 1, count=4), DescriptorRange("s", 0, count=None, offset=7)),
            ),
        ),
        (
            "DescriptorTable(UAV(u0, numDescriptors = 4294967295, offset = 4294967295, flags = DESCRIPTORS_VOLATILE))",
            RootParameter(0, "table", ranges=(DescriptorRange("u", 0, count=None, offset=None, flags=1),)),
        ),
    ],
)
def test_parameter(text: str, parameter: RootParameter) -> None:
    assert read(text).parameters == (parameter,)


def test_static_sampler() -> None:
    sampler = read(
        "StaticSampler(s2, space = 3, filter = FILTER_COMPARISON_MIN_MAG_MIP_LINEAR, mipLODBias = -1, "
        "addressV = TEXTURE_ADDRESS_BORDER, maxAnisotropy = 4, comparisonFunc = COMPARISON_LESS, "
        "minLOD = 1, maxLOD = 2.5, borderColor = STATIC_BORDER_COLOR_OPAQUE_BLACK, "
        "visibility = SHADER_VISIBILITY_PIXEL)"
    ).static_samplers[0]
    assert sampler == StaticSampler(
        2, 3, 0x95, 1, 4, 1, mip_lod_bias=-1.0, max_anisotropy=4, comparison=2, border_color=1, min_lod=1.0,
        max_lod=2.5, visibility="PIXEL",
    )  # fmt: skip
    assert read("StaticSampler(s0)").static_samplers == (StaticSampler(0),)


def test_indices_count_parameters_only() -> None:
    signature = read("StaticSampler(s0), CBV(b0), RootFlags(ALLOW_STREAM_OUTPUT), StaticSampler(s1), CBV(b1)")
    assert [parameter.index for parameter in signature.parameters] == [0, 1]
    assert signature.flags == 0x40
    assert signature.cost == 4


def test_claims_in_order() -> None:
    signature = read("StaticSampler(s0), DescriptorTable(SRV(t0, numDescriptors = 2), UAV(u0)), CBV(b0, space = 1)")
    assert [(claim.place, str(claim.registers)) for claim in signature.claims] == [
        ("parameter 0, range 0", "t0-t1"),
        ("parameter 0, range 1", "u0"),
        ("parameter 1", "b0, space1"),
        ("static sampler 0", "s0"),
    ]
    assert signature.claims[2].registers == RegisterRange("b", 1, 0, 0)


@pytest.mark.parametrize(
    ("origin", "flags"), [("attribute", 0), ("global-subobject", 0), ("macro", 0), ("local-subobject", 0x80)]
)
def test_local_subobjects_are_local(origin: str, flags: int) -> None:
    signature = read("CBV(b0)", origin=origin)
    assert signature.flags == flags
    assert signature.is_local == bool(flags)


def test_version_1_0_has_no_flags() -> None:
    text = "RootFlags(0), CBV(b0, flags = 0), DescriptorTable(SRV(t0, flags = DATA_STATIC))"
    signature = read_root_signature(text, place, version="1.0")
    assert [text[fault.span.start : fault.span.end] for fault in signature.faults] == [
        "flags = 0",
        "flags = DATA_STATIC",
    ]
    assert read(text, version="1.1").faults == ()


@pytest.mark.parametrize(("version", "flags", "faults"), [("1.0", 0, 1), ("1.1", 0, 1), ("1.2", 3, 0)])
def test_static_samplers_have_flags_from_version_1_2_on(version: str, flags: int, faults: int) -> None:
    text = "StaticSampler(s0, flags = UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)"
    signature = read_root_signature(text, place, version=version)
    assert [sampler.flags for sampler in signature.static_samplers] == [flags]
    assert [text[f.span.start : f.span.end] for f in signature.faults] == [text[18:-1]] * faults


def test_every_part_has_its_place() -> None:
    text = "RootFlags(0), CBV(b0), DescriptorTable(SRV(t0)), StaticSampler(s0), UAV(x)"
    signature = read_root_signature(text, place)
    places = [
        signature.flags_span,
        *(parameter.span for parameter in signature.parameters),
        signature.parameters[1].ranges[0].span,
        signature.static_samplers[0].span,
        signature.faults[0].span,
    ]
    assert [text[span.start : span.end] for span in places] == [
        "RootFlags(0)",
        "CBV(b0)",
        "DescriptorTable(SRV(t0))",
        "SRV(t0)",
        "StaticSampler(s0)",
        "x",
    ]
    assert (signature.span.start, signature.span.end) == (0, len(text))


@pytest.mark.parametrize(
    ("expanded", "text", "offsets"),
    [
        (b'"CBV(b0)"', "CBV(b0)", (1, 2, 3, 4, 5, 6, 7, 8)),
        (b'"a" "b"', "ab", (1, 5, 6)),
        (b' "a"\n\t"b" ', "ab", (2, 7, 8)),
        (b'"a" ""', "a", (1, 5)),
        (b'""', "", (1,)),
        (rb'"a\"b"', 'a"b', (1, 2, 4, 5)),
        (rb'"\x2c\54\n\\"', ",,\n\\", (1, 5, 8, 10, 12)),
        (rb'"\8"', "8", (1, 3)),
        ('"é,"'.encode(), "é,", (1, 3, 4)),
    ],
)
def test_joined_literals(expanded: bytes, text: str, offsets: tuple[int, ...]) -> None:
    assert joined_literals(expanded) == (text, offsets)


@pytest.mark.parametrize("expanded", [b"", b"  ", b"RS", b'"a" RS', b'"a', b'("a")', b'"a", "b"'])
def test_no_string_literals(expanded: bytes) -> None:
    assert joined_literals(expanded) is None


@pytest.mark.parametrize(
    ("expanded", "text", "offsets"),
    [
        (b'"ab"', "ab", (1, 2, 4)),
        (b"b0", "b0", (0, 1, 2)),
        (b"a \n\tb", "a b", (0, 1, 4, 5)),
        (b'"a," b', "a,b", (1, 2, 5, 6)),
        (b'a "b"', "a b", (0, 1, 3, 5)),
        (b'"CBV(b" "0)"', "CBV(b0)", (1, 2, 3, 4, 5, 9, 10, 12)),
        (rb'"a\n"', r"a\n", (1, 2, 3, 5)),
        (b'L"a"', "a", (2, 4)),
        (b"L(a)", "L(a)", (0, 1, 2, 3, 4)),
        (b"", "", (0,)),
    ],
)
def test_text_of_a_macro(expanded: bytes, text: str, offsets: tuple[int, ...]) -> None:
    assert macro_text(expanded) == (text, offsets)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("DescriptorTable(SRV(t0, numDescriptors = 4294967296), UAV(u0))", ["u0"]),
        ("DescriptorTable(SRV(t0, numDescriptors = 4294967296)), CBV(b1)", ["b1"]),
        ("CBV(b0), CBV(b4294967296)", ["b0"]),
        ("CBV(b0), DescriptorTable(CBV(space = 1), CBV(numDescriptors = 2), CBV(b1))", ["b0", "b1"]),
        ("StaticSampler(s0), StaticSampler(s0, filter = FILTER_NONE), StaticSampler(s1)", ["s0", "s1"]),
    ],
)
def test_what_has_a_fault_binds_nothing(text: str, left: list[str]) -> None:
    signature = read(text)
    assert [str(claim.registers) for claim in signature.claims] == left
    assert {r.code for r in load_rules() if r.scope == "root-signature" and r.run(signature)} == {"BL201"}


def test_a_root_signature_that_is_too_long_is_not_read() -> None:
    text = ", ".join(f"CBV(b{number})" for number in range(30_000))
    signature = read(text)
    assert [fault.message for fault in signature.faults] == [
        f"{len(text)} characters are more than are read of a root signature, 262144"
    ]
    assert not signature.claims
