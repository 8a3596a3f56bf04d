"""Rules about root signatures: what they find and where, from the text alone."""

from __future__ import annotations

import pytest
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_bytes import from_rts0, to_rts0
from bindlint.model.finding import Violation
from bindlint.model.root_signature import RootParameter, RootSignature
from bindlint.model.source import Span
from bindlint_rules import RULES

FAMILY = [rule for rule in RULES if rule.scope == "root-signature"]

UNBOUNDED = "numDescriptors=unbounded, flags=DESCRIPTORS_VOLATILE"


def found(signature: RootSignature) -> list[tuple[str, Violation]]:
    return [(rule.code, violation) for rule in FAMILY for violation in rule.run(signature)]


def judge(text: str, origin: str = "macro") -> list[tuple[str, Violation]]:
    def place(start: int, end: int) -> Span:
        return Span("a.hlsl", 1, start + 1, 1, end + 1, start, end)

    return found(read_root_signature(text, place, origin=origin))


@pytest.mark.parametrize(
    ("text", "code", "at", "message"),
    [
        ("CBV(b0", "BL201", "", "found the end of the string"),
        (
            "CBV(b0, visibility=SHADER_VISIBILITY_HULL), CBV(b0, visibility=SHADER_VISIBILITY_MESH), CBV(b0)",
            "BL202",
            "CBV(b0)",
            "b0 in parameter 2 overlaps b0 in parameter 0; visibility ALL includes HULL; 3 parts",
        ),
        ("CBV(b0), SRV(t1), CBV(b0)", "BL202", "CBV(b0)", "b0 in parameter 2 overlaps b0 in parameter 0"),
        (
            "DescriptorTable(SRV(t0, numDescriptors=4)), DescriptorTable(SRV(t1, numDescriptors=5))",
            "BL202",
            "SRV(t1, numDescriptors=5)",
            "t1-t5 in parameter 1, range 0 overlaps t0-t3 in parameter 0, range 0: both bind t1-t3",
        ),
        (
            "RootConstants(num32BitConstants=60, b0), CBV(b1), CBV(b2), SRV(t0)",
            "BL203",
            "SRV(t0)",
            "costs 66 of 64 DWORDs (60+2+2+2); moving b1 and b2 into a descriptor table saves 3",
        ),
        (
            "RootConstants(num32BitConstants=63, b0), CBV(b1), CBV(b2)",
            "BL203",
            "CBV(b1)",
            "costs 67 of 64 DWORDs (63+2+2); moving b1 and b2 into a descriptor table saves 3",
        ),
        ("RootConstants(num32BitConstants=65, b0)", "BL203", "", "in place of the constants at b0 saves 63"),
        ("DescriptorTable(SRV(t0), Sampler(s0))", "BL204", "Sampler(s0)", "cannot share a table with SRV t0"),
        ("DescriptorTable(SRV(t0, numDescriptors=0))", "BL205", "SRV(t0, numDescriptors=0)", "numDescriptors is 0"),
        ("DescriptorTable(SRV(t4294967294, numDescriptors=3))", "BL206", "", "only 2 registers are left"),
        (f"DescriptorTable(SRV(t0, {UNBOUNDED}), UAV(u0))", "BL207", "UAV(u0)", "cannot be appended"),
        ("StaticSampler(s0, space=4294967295)", "BL208", "", "s0, space4294967295 in static sampler 0"),
        ("CBV(b0, flags=DATA_STATIC|DATA_VOLATILE)", "BL209", "", "one DATA_ flag only"),
        ("StaticSampler(s0, mipLODBias=16)", "BL210", "", "outside of -16 to 15.99"),
        ("DescriptorTable(SRV(t0, numDescriptors=4), UAV(u0, offset=3))", "BL212", "UAV(u0, offset=3)", "from 3 on"),
        ("DescriptorTable(SRV(t0, offset=3), CBV(b0), UAV(u0, offset=3))", "BL212", "UAV(u0, offset=3)", "SRV t0"),
        (
            "RootFlags(DENY_HULL_SHADER_ROOT_ACCESS), CBV(b0, visibility=SHADER_VISIBILITY_HULL)",
            "BL211",
            "CBV(b0, visibility=SHADER_VISIBILITY_HULL)",
            "parameter 0 (CBV b0) is visible to HULL only",
        ),
    ],
)
def test_one_finding(text: str, code: str, at: str, message: str) -> None:
    ((found_code, violation),) = judge(text)
    assert found_code == code
    assert message in violation.message
    if at:
        assert text[violation.span.start : violation.span.end] == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RootConstants(num32BitConstants=64, b0)",
        "CBV(b0, visibility=SHADER_VISIBILITY_PIXEL), CBV(b0, visibility=SHADER_VISIBILITY_VERTEX)",
        "DescriptorTable(SRV(t0), SRV(t0, space=1)), StaticSampler(s0), DescriptorTable(Sampler(s1))",
        "RootFlags(DENY_HULL_SHADER_ROOT_ACCESS), CBV(b0)",
        "DescriptorTable(UAV(u4, offset=1), UAV(u5, offset=1), SRV(t0, offset=0), CBV(b0, offset=2))",
    ],
)
def test_nothing_found(text: str) -> None:
    assert judge(text) == []


@pytest.mark.parametrize(
    ("tables", "constants", "way_out"),
    [
        (62, "RootConstants(num32BitConstants=3, b0)", "a root CBV in place of the constants at b0 saves 1"),
        (63, "RootConstants(num32BitConstants=2, b0)", ""),
        (64, "DescriptorTable(SRV(t0, space=1))", ""),
    ],
)
def test_ways_out_of_a_costly_signature(tables: int, constants: str, way_out: str) -> None:
    others = ", ".join(f"DescriptorTable(SRV(t{register}))" for register in range(tables))
    ((code, violation),) = judge(f"{constants}, {others}")
    assert code == "BL203"
    assert violation.message.rpartition("+1+...)")[2] == (f"; {way_out}" if way_out else "")


def test_an_overlap_names_both_places() -> None:
    ((_, violation),) = judge("CBV(b0), CBV(b0)")
    assert violation.span.start == 9
    assert [(related.message, related.span.start) for related in violation.related] == [("b0 in parameter 0", 0)]


def test_fifty_on_one_register_are_one_finding() -> None:
    ((_, violation),) = [each for each in judge(", ".join(["SRV(t0)"] * 50)) if each[0] == "BL202"]
    assert "50 parts of the root signature overlap here" in violation.message
    assert len(violation.related) == 49


@pytest.mark.parametrize(("count", "codes"), [(1016, []), (1017, ["BL203"])])
def test_local_size_in_bytes(count: int, codes: list[str]) -> None:
    text = f"RootConstants(num32BitConstants={count}, b0)"
    assert [code for code, _ in judge(text, "local-subobject")] == codes


def test_addresses_in_a_record_are_aligned() -> None:
    text = "RootConstants(num32BitConstants=1013, b0), CBV(b1), DescriptorTable(SRV(t0))"
    ((_, violation),) = judge(text, "local-subobject")
    assert "take 4072 bytes" in violation.message


@pytest.mark.parametrize(
    ("second", "severity"),
    [
        ("SRV(t0, space=1, offset=3)", "info"),
        ("UAV(u0, offset=0)", "warning"),
        (f"UAV(u0, {UNBOUNDED}, offset=0)", "info"),
        ("UAV(u0)", None),
    ],
)
def test_gravity_of_what_follows_an_unbounded_range(second: str, severity: str | None) -> None:
    ((code, violation),) = judge(f"DescriptorTable(SRV(t0, {UNBOUNDED}), {second})")
    assert (code, violation.severity) == ("BL207", severity)


@pytest.mark.parametrize(
    ("ranges", "severity"),
    [
        ("SRV(t0, numDescriptors=4), UAV(u0, offset=3)", None),
        (f"CBV(b0, numDescriptors=2), SRV(t0, {UNBOUNDED}, offset=0)", "warning"),
    ],
)
def test_gravity_of_aliased_descriptors(ranges: str, severity: str | None) -> None:
    ((code, violation),) = judge(f"DescriptorTable({ranges})")
    assert (code, violation.severity) == ("BL212", severity)


@pytest.mark.parametrize(("value", "severity"), [("mipLODBias=16", None), ("minLOD=2, maxLOD=1", "warning")])
def test_gravity_of_sampler_values(value: str, severity: str | None) -> None:
    ((code, violation),) = judge(f"StaticSampler(s0, {value})")
    assert (code, violation.severity) == ("BL210", severity)


def test_root_flags_that_no_text_can_say() -> None:
    whole = Span("a.cso", 1, 1, 1, 1, 0, 0)
    ((code, violation),) = found(RootSignature(flags=0x40000000, span=whole))
    assert (code, violation.span) == ("BL211", whole)
    assert "bits that D3D12 does not know" in violation.message


@pytest.mark.parametrize(
    ("origin", "codes"),
    [("attribute", ["BL211"]), ("define", ["BL211"]), ("global-subobject", ["BL211"]), ("macro", [])],
)
def test_local_flag(origin: str, codes: list[str]) -> None:
    assert [code for code, _ in judge("RootFlags(LOCAL_ROOT_SIGNATURE), CBV(b0)", origin)] == codes


def test_findings_on_bytes() -> None:
    parameters = (RootParameter(0, "cbv"), RootParameter(1, "constants", register=1, count=70))
    data = to_rts0(RootSignature(parameters=parameters, origin="macro"))
    assert data is not None
    assert [code for code, _ in found(from_rts0(data))] == ["BL203"]
    assert {code for code, _ in found(from_rts0(data[:40]))} == {"BL201"}
