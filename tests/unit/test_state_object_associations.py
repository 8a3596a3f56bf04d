"""Which root signatures the shaders of a library get, by explicit associations, defaults and hit groups."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.shader import Profile, Shader
from bindlint_rules.pipelines.associations import Chosen, library_exports

SHADERS = """
struct Hit { float4 color; };
LocalRootSignature A = { "CBV(b0, space = 1)" };
LocalRootSignature B = { "CBV(b1, space = 1)" };
GlobalRootSignature G = { "CBV(b0)" };
%s
[shader("closesthit")] void Shade(inout Hit hit, BuiltInTriangleIntersectionAttributes at) { hit.color = 1; }
[shader("miss")] void Miss(inout Hit hit) { hit.color = 0; }
"""


def library(text: str, folder: Path) -> ShaderAnalysis:
    file = folder / "rays.hlsl"
    file.write_text(SHADERS % text)
    return Analyser().analyse(Shader(str(file), profile=Profile("lib", 6, 3)))


def shown(chosen: Chosen) -> str:
    if not chosen.told:
        return "?"
    return chosen.association.name if chosen.association is not None else "-"


@pytest.mark.parametrize(
    ("text", "shade", "miss"),
    [
        # Two that nothing names are both defaults, of which none is told.
        ("", "?", "?"),
        ('SubobjectToExportsAssociation X = { "A", "Shade" };', "A", "B"),
        ('SubobjectToExportsAssociation X = { "A", "Shade;Miss" };', "A", "A"),
        ('SubobjectToExportsAssociation X = { "A", "" };', "?", "?"),
        (
            'SubobjectToExportsAssociation X = { "A", "Shade" }; SubobjectToExportsAssociation Y = { "B", "Miss" };',
            "A",
            "B",
        ),
        (
            'SubobjectToExportsAssociation X = { "A", "Shade" }; SubobjectToExportsAssociation Y = { "B", "Shade" };',
            "?",
            "-",
        ),
        (
            'TriangleHitGroup T = { "", "Shade" }; SubobjectToExportsAssociation X = { "A", "T" };'
            'SubobjectToExportsAssociation Y = { "B", "Other" };',
            "A",
            "-",
        ),
        (
            'SubobjectToExportsAssociation X = { "A", "Shade" }; SubobjectToExportsAssociation D = { "A", ";" };'
            'SubobjectToExportsAssociation Y = { "B", "Other" };',
            "A",
            "A",
        ),
    ],
)
def test_the_local_root_signatures(text: str, shade: str, miss: str, tmp_path: Path) -> None:
    found = {export.name: shown(export.local) for export in library_exports(library(text, tmp_path))}
    assert found == {"Shade": shade, "Miss": miss}


def test_the_global_root_signature_is_the_default_of_all(tmp_path: Path) -> None:
    assert {shown(export.globally) for export in library_exports(library("", tmp_path))} == {"G"}


def test_a_shader_is_there_once_for_each_hit_group(tmp_path: Path) -> None:
    text = """
    TriangleHitGroup T = { "", "Shade" }; TriangleHitGroup U = { "", "Shade" };
    SubobjectToExportsAssociation X = { "A", "T" }; SubobjectToExportsAssociation Y = { "B", "U;Miss" };
    """
    found = [(each.name, shown(each.local)) for each in library_exports(library(text, tmp_path))]
    assert found == [("Shade", "A"), ("Shade", "B"), ("Miss", "B")]


@pytest.mark.parametrize("text", ['static string S = "A"; SubobjectToExportsAssociation X = { S, "Shade" };'])
def test_what_is_no_literal_is_not_guessed(text: str, tmp_path: Path) -> None:
    analysis = library(text, tmp_path)
    assert analysis.subobjects is not None and analysis.subobjects.unread is not None
    assert library_exports(analysis) == []
