"""Arrays whose size cannot be told: what hangs on the size is never called certain, and nothing is guessed silently."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.plugins import load_rules
from bindlint.report.tables import show_shader
from bindlint.report.terminal import Paint
from bindlint.rootsig.needs import needs_of
from bindlint.testing import Block, find
from cases.usage import analysed

COMPUTE = "-T cs_6_6 -E main"
OPEN = "Texture2D<float4> Maps[LAYERS] : register(t0);\nRWBuffer<float4> Out : register(u0);\n"
SIGNATURE = '[RootSignature("{}, DescriptorTable(UAV(u0))")]\n'
USE = "[numthreads(1, 1, 1)] void main() {{ Out[0] = Maps[0].Load(0) + {}; }}\n"
NEXT = "Texture2D<float4> Next{};\n"


def found(text: str, folder: Path, configuration: str = "") -> dict[str, set[str]]:
    """The certainties of the findings of each rule, but of that about the size."""
    files = (("shader.hlsl", text.encode()),)
    block = Block(1, tuple(COMPUTE.split()), files, (), configuration=configuration)
    findings: dict[str, set[str]] = {}
    for finding in find(block, load_rules(), folder):
        if finding.name != "array-size":
            findings.setdefault(finding.name, set()).add(finding.violation.certainty)
    return findings


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (OPEN + NEXT.format(" : register(t0)") + USE.format("Next.Load(0)"), "register-overlap"),
        (OPEN + NEXT.format(" : register(t3)") + USE.format("Next.Load(0)"), ""),
        (OPEN + NEXT.format(" : register(t0)") + USE.format("0"), "latent-overlap"),
        (OPEN + NEXT.format("") + SIGNATURE.format("SRV(t9)") + USE.format("Next.Load(0)"), "unbound-resource"),
        (OPEN + SIGNATURE.format("DescriptorTable(SRV(t9))") + USE.format("0"), "unbound-resource"),
        (OPEN + SIGNATURE.format("DescriptorTable(SRV(t0, numDescriptors = 9))") + USE.format("0"), ""),
        (OPEN + SIGNATURE.format("DescriptorTable(SRV(t0)), DescriptorTable(SRV(t5))") + USE.format("0"), ""),
        (OPEN + USE.format("Maps[7].Load(0)"), ""),
        (
            "struct Pack { Texture2D<float4> maps[LAYERS]; Texture2D<float4> last; };\n"
            "Pack All : register(t0);\nTexture2D<float4> Maps[1] : register(t1);\n"
            "RWBuffer<float4> Out : register(u0);\n" + USE.format("All.last.Load(0)"),
            "register-overlap",
        ),
        ("cbuffer K : register(b0) { float4 all[LAYERS]; float4 k; };\n" + OPEN + USE.format("k"), ""),
    ],
)
def test_nothing_about_it_is_certain(text: str, names: str, tmp_path: Path) -> None:
    findings = found(text, tmp_path)
    assert " ".join(name for name, said in findings.items() if said == {"unknown"}) == names
    assert all("certain" not in said for said in findings.values())


def test_descriptors_are_counted_as_at_least_so_many(tmp_path: Path) -> None:
    text = OPEN + "Texture2D<float4> More[128] : register(t1);\n" + USE.format("More[9].Load(0)")
    assert found(text, tmp_path, "[target]\ntier = 1\n")["shader-limit"] == {"unknown"}


def test_it_is_shown() -> None:
    analysis = analysed(OPEN + NEXT.format("") + USE.format("Next.Load(0)"), COMPUTE)
    shown = "\n".join(show_shader("shader.hlsl", analysis, Paint(False)))
    assert "t0, size not known" in shown
    assert "t1?" in shown
    _, notes = needs_of([analysis])
    assert notes == ("the size `LAYERS` of `Maps` is not known: its first register alone is covered",)


def test_layouts_do_not_guess() -> None:
    text = "cbuffer K : register(b0) { float4 a; float4 all[LAYERS]; float4 k; };\n"
    resources = analysed(text + "float4 main() : SV_Target { return k; }", "-T ps_6_6 -E main").resources
    assert [r.size for r in resources if r.name == "K"] == [0]
