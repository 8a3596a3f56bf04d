"""The root-signature string language: what is read, and what is said about what is not."""

from __future__ import annotations

import pytest
from bindlint_grammars.root_signature.parser import parse


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "CBV(b0),",
        "cbv ( B0 )".replace("B0", "b0"),
        "ROOTFLAGS(0)",
        "RootFlags(+00)",
        "RootFlags(DENY_HULL_SHADER_ROOT_ACCESS|deny_hull_shader_root_access)",
        "RootConstants(b0, visibility = SHADER_VISIBILITY_MESH, num32BitConstants = +3)",
        "DescriptorTable(visibility = SHADER_VISIBILITY_ALL)",
        "DescriptorTable(SRV(space = 1, t0, flags = 0), visibility = SHADER_VISIBILITY_ALL, UAV(u0))",
        "StaticSampler(s0, mipLODBias = .5f, minLOD = 5., maxLOD = +1.5e-2F)",
        "StaticSampler(s0, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT)",
        f"CBV(b{'0' * 125}1)",
    ],
)
def test_read_without_fault(text: str) -> None:
    assert parse(text).faults == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("CBV(b12)", 12),
        ("CBV(b007)", 7),
        ("CBV(b0x1)", 0),
        ("CBV(b4294967295)", 4294967295),
        ("DescriptorTable(Sampler(s3_ignored))", 3),
    ],
)
def test_registers(text: str, value: int) -> None:
    (clause,) = parse(text).clauses
    assert (clause.ranges[0] if clause.ranges else clause).values["register"] == value


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("3", 3.0),
        ("-3", -3.0),
        ("5.", 5.0),
        (".5f", 0.5),
        ("-1.5e1", -15.0),
        ("0.1", 0.10000000149011612),
        ("3.402823466e+38f", 3.4028234663852886e38),
        ("0e999", 0.0),
    ],
)
def test_numbers_are_single_precision(number: str, value: float) -> None:
    (clause,) = parse(f"StaticSampler(s0, maxLOD = {number})").clauses
    assert clause.faults == ()
    assert clause.values["maxlod"] == value


@pytest.mark.parametrize(
    ("text", "start", "end", "message"),
    [
        ("CBV()", 4, 5, "expected a `b` register, `space`, `visibility` or `flags`, found `)`"),
        (",CBV(b0)", 0, 1, "found `,`"),
        ("CBV(b0),,CBV(b1)", 8, 9, "found `,`"),
        ("CBV(b0) SRV(t0)", 8, 11, "expected the end or `,`, found `SRV`"),
        ("CBV(b0", 6, 6, "expected `,` or `)`, found the end of the string"),
        ("CBV(b0))", 7, 8, "expected the end or `,`, found `)`"),
        ("CBV(b0);", 7, 8, "found `;`"),
        ("CBV(B0)", 4, 6, "registers are written in lower case: `b0`"),
        ("CBV(b)", 4, 5, "found `b`"),
        ("CBV(t0)", 4, 6, "expected a `b` register, `space`, `visibility` or `flags`, found `t0`"),
        ("CBV(b0,\tspace=1)", 7, 8, "found a tab; only spaces may stand between"),
        ("CBV(b0,\nspace=1)", 7, 8, "found a line break"),
        ("CBV(b0, space=-1)", 14, 16, "expected a whole number from 0 to 4294967295, found `-1`"),
        ("CBV(b0, space=0x1)", 15, 17, "found `x1`"),
        ("CBV(b0, space=4294967296)", 14, 24, "does not fit into 32 bits"),
        ("CBV(b4294967296)", 4, 15, "the last register is b4294967295"),
        ("CBV(b0, numDescriptors=2)", 8, 22, "found `numDescriptors`"),
        ("CBV(b0, b1)", 8, 10, "the register of CBV is given twice"),
        ("CBV(space=1)", 0, 12, "CBV has no `b` register"),
        ("RootConstants(b0)", 0, 17, "RootConstants has no num32BitConstants"),
        ("StaticSampler(space=1)", 0, 22, "StaticSampler has no `s` register"),
        ("DescriptorTable()", 16, 17, "expected `CBV`"),
        ("DescriptorTable(SRV(t0, numDescriptor=3))", 24, 37, "did you mean `numDescriptors`?"),
        ("DescriptorTable(SRV(t0, visibility=SHADER_VISIBILITY_ALL))", 24, 34, "found `visibility`"),
        ("DescriptorTable(StaticSampler(s0))", 16, 29, "found `StaticSampler`"),
        ("Sampler(s0)", 0, 7, "found `Sampler`"),
        ("RootFlags()", 10, 11, "expected a root signature flag or `0`, found `)`"),
        ("RootFlags(5)", 10, 11, "found `5`"),
        ("RootFlags(0|LOCAL_ROOT_SIGNATURE)", 11, 12, "expected `)`, found `|`"),
        ("RootFlags(DENY_ALL)", 10, 18, "`DENY_ALL` is not a root signature flag"),
        ("RootFlags(0), RootFlags(0)", 14, 26, "only once"),
        ("CBV(b0, flags=DESCRIPTORS_VOLATILE)", 14, 34, "is not a root descriptor flag"),
        ("SRV(t0, flags=DATA_STATIC|)", 26, 27, "expected a flag"),
        ("StaticSampler(s0, filter=FILTER_MIN_MAG_MIP_LINEA)", 25, 49, "did you mean `FILTER_MIN_MAG_MIP_LINEAR`?"),
        ("StaticSampler(s0, addressU=CLAMP)", 27, 32, "is not a texture address mode"),
        ("StaticSampler(s0, maxLOD=1e)", 25, 27, "expected a number, found `1e`"),
        ("StaticSampler(s0, maxLOD=nan)", 25, 28, "expected a number, found `nan`"),
        ("StaticSampler(s0, maxLOD=1e400)", 25, 30, "no number in single precision"),
        ("StaticSampler(s0, maxLOD=1e-310)", 25, 31, "no number in single precision"),
        ("StaticSampler(s0, flags=UINT)", 24, 28, "is not a static sampler flag"),
        (f"CBV(b{'0' * 126}1)", 4, 131, "expected a `b` register"),
        ("é", 0, 1, "found `é`"),
    ],
)
def test_fault(text: str, start: int, end: int, message: str) -> None:
    fault = parse(text).faults[0]
    assert message in fault.message
    assert (fault.start, fault.end) == (start, end)


def test_clauses_before_a_fault_are_kept() -> None:
    parsed = parse("CBV(b0), DescriptorTable(SRV(t0), UAV(u0)), StaticSampler(s0, filter=FILTER_X, maxLOD=), CBV(b1)")
    assert [clause.kind for clause in parsed.clauses] == ["cbv", "descriptortable"]
    assert [fault.message.split(",")[0] for fault in parsed.faults] == [
        "`FILTER_X` is not a filter (`FILTER_...`)",
        "expected a number",
    ]


def test_faults_come_by_place() -> None:
    parsed = parse("CBV(b0, space=1, space=2), SRV(space=1), UAV(u0, visibility=ALL)")
    assert [fault.start for fault in parsed.faults] == sorted(fault.start for fault in parsed.faults)
    assert len(parsed.faults) == 3


def test_spans_of_clauses_and_ranges() -> None:
    text = "CBV(b0), DescriptorTable(SRV(t0), UAV(u1, space = 2) )"
    cbv, table = parse(text).clauses
    assert text[cbv.start : cbv.end] == "CBV(b0)"
    assert text[table.start : table.end] == "DescriptorTable(SRV(t0), UAV(u1, space = 2) )"
    assert [text[part.start : part.end] for part in table.ranges] == ["SRV(t0)", "UAV(u1, space = 2)"]
    space = table.ranges[1].arguments[1]
    assert text[space.start : space.end] == "space = 2"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("CBX(b0), SRV(b0), CBV(b1), UAV()", [0, 13, 31]),
        ("DescriptorTable(SRV(x0), UAV(y0)), CBV(z1)", [20, 39]),
        ("DescriptorTable(SRV(t0), RootFlags(X), CBV(z0)", [25, 35, 43]),
        ("CBV(b0) CBV(b1, b2)", [8, 16]),
        ("SRV(t0,, CBV(b0), UAV(u0)", [7]),
        (",,", [0]),
    ],
)
def test_clauses_behind_a_syntax_error_are_read_for_faults(text: str, starts: list[int]) -> None:
    assert [fault.start for fault in parse(text).faults] == starts


def test_syntax_errors_are_told_up_to_a_limit() -> None:
    assert len(parse("CBV(z), " * 500).faults) == 20


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("0", 0),
        ("UINT_BORDER_COLOR", 1),
        ("sampler_flag_uint_border_color | NON_NORMALIZED_COORDINATES", 3),
    ],
)
def test_static_sampler_flags(text: str, flags: int) -> None:
    (clause,) = parse(f"StaticSampler(s0, flags = {text})").clauses
    assert clause.values["flags"] == flags
