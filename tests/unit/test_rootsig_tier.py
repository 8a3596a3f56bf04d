"""The resource binding tier that a root signature needs, and what is said for the reason."""

from __future__ import annotations

import json

import msgspec
import pytest
from bindlint.cli import group
from bindlint.cli.rootsig_text import budget_of, hardware_of
from bindlint.facts.root_signature import read_root_signature
from bindlint.model.root_signature import RootSignature, SyntaxFault
from bindlint.model.source import NOWHERE
from bindlint.rootsig.table import table_of
from bindlint.tiers.need import TableCount
from bindlint.tiers.signature import tier_need
from click.testing import CliRunner

COMPLETED = (
    "RootConstants(num32BitConstants = 3, b2), "
    "DescriptorTable(SRV(t2, numDescriptors = 6), UAV(u0, numDescriptors = 4)), "
    "CBV(b0), DescriptorTable(Sampler(s0, numDescriptors = 2)), "
    "DescriptorTable(SRV(t8, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
    "DescriptorTable(SRV(t0, space = 1, numDescriptors = unbounded, flags = DESCRIPTORS_VOLATILE)), "
    "DescriptorTable(CBV(b1)), StaticSampler(s3)"
)
"""The signature of the Resource Binding specification's example."""

ENDLESS = "-unbounded (parameter 0, range 0): unbounded"


def read(text: str) -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE, version="1.1", origin="macro")


def table(kind: str, count: int | str, register: str = "", visibility: str = "ALL") -> str:
    first = register or {"CBV": "b0", "SRV": "t0", "UAV": "u0", "Sampler": "s0"}[kind]
    seen = f", visibility = SHADER_VISIBILITY_{visibility}"
    return f"DescriptorTable({kind}({first}, numDescriptors = {count}){seen})"


@pytest.mark.parametrize(
    ("text", "tier", "level", "reasons"),
    [
        ("", 1, "11_0", []),
        (table("CBV", 14), 1, "11_0", []),
        (table("CBV", 15), 3, "11_1", ["15 CBVs in tables for every stage, tier 2 allows 14"]),
        (table("SRV", 128), 1, "11_0", []),
        (table("SRV", 129), 2, "11_0", ["129 SRVs in tables for every stage, tier 1 allows 128"]),
        (table("SRV", 1000001), 3, "11_1", ["1000001 SRVs in tables for every stage, tier 2 allows 1000000"]),
        (table("Sampler", 16), 1, "11_0", []),
        (table("Sampler", 17), 2, "11_0", ["17 samplers in tables for every stage, tier 1 allows 16"]),
        (table("Sampler", 2049), None, "", ["2049 samplers in tables for every stage, tier 3 allows 2048"]),
        (table("UAV", 8), 1, "11_0", []),
        (
            table("UAV", 9),
            1,
            "11_1",
            ["9 UAVs in tables for all stages together, tier 1 on feature level 11_0 allows 8"],
        ),
        (table("UAV", 65), 3, "11_1", ["65 UAVs in tables for all stages together, tier 2 allows 64"]),
        (table("SRV", "unbounded"), 2, "11_0", [f"t0{ENDLESS} SRVs need tier 2"]),
        (table("Sampler", "unbounded"), 2, "11_0", [f"s0{ENDLESS} samplers need tier 2"]),
        (table("CBV", "unbounded"), 3, "11_1", [f"b0{ENDLESS} CBVs need tier 3"]),
        (table("UAV", "unbounded"), 3, "11_1", [f"u0{ENDLESS} UAVs need tier 3"]),
        (
            "RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED | SAMPLER_HEAP_DIRECTLY_INDEXED)",
            3,
            "11_1",
            ["CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED needs tier 3", "SAMPLER_HEAP_DIRECTLY_INDEXED needs tier 3"],
        ),
        (
            COMPLETED,
            2,
            "11_0",
            [
                "t8-unbounded (parameter 4, range 0), t0-unbounded, space1 (parameter 5, range 0): "
                "unbounded SRVs need tier 2"
            ],
        ),
    ],
)
def test_the_tier_and_why(text: str, tier: int | None, level: str, reasons: list[str]) -> None:
    need = tier_need(read(text))
    assert (need.tier, need.feature_level, [r.text for r in need.reasons]) == (tier, level, reasons)


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        (f"{table('SRV', 100, 't0', 'PIXEL')}, {table('SRV', 100, 't0', 'VERTEX')}", 1),
        (f"{table('SRV', 100, 't0')}, {table('SRV', 100, 't100', 'VERTEX')}", 2),
        (f"{table('UAV', 5, 'u0', 'PIXEL')}, {table('UAV', 60, 'u0', 'VERTEX')}", 3),
        ("CBV(b0), SRV(t0), UAV(u0), " + ", ".join(f"CBV(b{n})" for n in range(1, 20)), 1),
        (", ".join(f"StaticSampler(s{n})" for n in range(20)), 1),
    ],
)
def test_tables_count_by_visibility_and_nothing_else_counts(text: str, tier: int) -> None:
    assert tier_need(read(text)).tier == tier


def test_descriptors_are_counted_for_each_stage() -> None:
    text = f"{table('SRV', 4)}, {table('SRV', 'unbounded', 't4', 'PIXEL')}, {table('UAV', 3, 'u0', 'VERTEX')}"
    assert tier_need(read(text)).counts == (
        TableCount("SRVs", "every stage", 4, False),
        TableCount("SRVs", "the pixel shader", 4, True),
        TableCount("UAVs", "all stages together", 3, False),
    )


def test_a_denied_stage_is_counted_and_that_is_said() -> None:
    text = f"RootFlags(DENY_PIXEL_SHADER_ROOT_ACCESS), {table('CBV', 15, visibility='PIXEL')}"
    (reason,) = tier_need(read(text)).reasons
    assert reason.text.startswith("15 CBVs in tables for the pixel shader")
    assert reason.text.endswith("stages with a DENY flag are counted too")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("CBV(b0)", "needs resource binding tier 1"),
        (table("UAV", 9), "needs resource binding tier 1, feature level 11_1:"),
        (table("Sampler", 2049), "no resource binding tier takes it:"),
        ("CBV(b0), CBV(", "needs at least resource binding tier 1"),
    ],
)
def test_in_words(text: str, first: str) -> None:
    assert next(hardware_of(table_of(read(text)))) == first


def test_show_tells_it_in_both_formats() -> None:
    def shown(*words: str) -> str:
        return CliRunner().invoke(group, ["rootsig", "show", "--isolated", *words, COMPLETED]).stdout

    assert "  needs resource binding tier 2, feature level 11_0:\n    t8-unbounded (parameter 4" in shown()
    (entry,) = json.loads(shown("--format", "json"))["root_signatures"]
    assert (entry["cost"], entry["hardware"]["tier"]) == (10, 2)
    assert entry["hardware"]["counts"][0] == {
        "what": "CBVs", "seen_by": "every stage", "descriptors": 1, "unbounded": False,
    }  # fmt: skip


def test_what_is_not_wholly_read_costs_at_least_what_is_known() -> None:
    whole = read_root_signature("CBV(b0)", lambda start, end: NOWHERE)
    partly = msgspec.structs.replace(whole, faults=(SyntaxFault("the count is not known", NOWHERE),))
    assert budget_of(table_of(whole)) == "2 of 64 DWORDs"
    assert budget_of(table_of(partly)) == "at least 2 of 64 DWORDs"
