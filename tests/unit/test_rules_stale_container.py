"""Compiled shaders that are, or are not, made of their source: what is said of each difference, and where."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from bindlint.cli import group
from bindlint.model.binding import Binding, Resource, ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.shader import Profile, Shader
from bindlint.model.source import NOWHERE
from bindlint_rules.shader_signature import stale_container
from click.testing import CliRunner, Result

CONTAINERS = Path(__file__).parent / "containers"
PROFILES = {"pixel": "ps_6_6", "library": "lib_6_3", "vertex": "vs_6_0"}
START = " is not made of this source: "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the sources and the compiled shaders."""
    monkeypatch.chdir(tmp_path)
    for name in PROFILES:
        shutil.copy(CONTAINERS / f"{name}.cso", tmp_path)
        shutil.copy(CONTAINERS / f"{name}.hlsl", tmp_path)
    return tmp_path


def check(*words: str) -> Result:
    return CliRunner().invoke(group, ["check", "--isolated", "--format", "concise", *words])


def stale(name: str, *options: str) -> list[tuple[int, str]]:
    """Line and message of each finding of the rule on a source and the compiled shader of its name."""
    options = options or ("-T", PROFILES[name])
    result = check(f"{name}.hlsl", *options, "--select", "BL316", "--against", f"{name}.cso")
    assert result.exit_code in (0, 1), result.output
    lines = [line for line in result.stdout.splitlines() if START in line]
    return [(int(line.split(":")[1]), line.split(START)[1].partition(" (stale-container")[0]) for line in lines]


@pytest.mark.parametrize("name", PROFILES)
def test_what_is_made_of_its_source_is_clean(folder: Path, name: str) -> None:
    assert stale(name) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        ("pixel", "Albedo : register(t0)", "Albedo : register(t5)", [(4, "`Albedo` (t5) is at t0 in it")]),
        ("pixel", "Raw : register(t2)", "Raw : register(t2, space1)", [(6, "`Raw` (t2, space1) is at t2 in it")]),
        ("pixel", "Bindless[]", "Bindless[8]", [(8, "`Bindless` (t3-t10, space2) is at t3-unbounded, space2 in it")]),
        ("pixel", "Albedo", "Colour", [(4, "`Colour` (t0) is called `Albedo` in it")]),
        (
            "pixel",
            "Texture2D Albedo",
            "Texture3D Albedo",
            [(4, "`Albedo` (t0) is now a Texture3D and was a Texture2D")],
        ),
        (
            "pixel",
            "    Counts.IncrementCounter();",
            "    Counts[0] = 1;",
            [(7, "`Counts` (u1) is now structured and was structured+counter")],
        ),
        ("pixel", "float4 Tint; };", "float4 Tint, More; };", [(3, "`PerFrame` (b0) has 96 bytes and had 80")]),
        ("pixel", " + Raw.Load(i)", "", [(12, "it binds `Raw` (t2), which is not used here")]),
        (
            "pixel",
            "return Albedo",
            "return Texture2D(ResourceDescriptorHeap[0]).Load(0) + Albedo",
            [],
        ),
        ("pixel", "SamplerState Linear", "Texture2D New : register(t9); SamplerState Linear", []),
        (
            "pixel",
            "UAV(u1))",
            "UAV(u1, numDescriptors = 2))",
            [(2, "since then the root signature has changed: u1 becomes u1-u2")],
        ),
        ("pixel", "[RootSignature(SIGNATURE)]", "", [(12, "it holds a root signature, which this source does not")]),
        ("vertex", "b3, space1", "b4, space1", [(2, "it does not bind `PerObject` (b4, space1)")]),
        (
            "vertex",
            "float4x4 World",
            "float4x4 World, More",
            [(2, "`PerObject` (b3, space1) has 128 bytes and had 64")],
        ),
        ("library", "Scene : register(t0)", "Scene : register(t1)", [(4, "`Scene` (t1) is at t0 in it")]),
        ("library", "Unassigned", "Named", [(7, "it does not bind `Named`")]),
        (
            "library",
            "num32BitConstants = 4",
            "num32BitConstants = 8",
            [(3, "since then the root signature `Local` has changed")],
        ),
        (
            "library",
            "GlobalRootSignature Global",
            "GlobalRootSignature World",
            [(2, "it holds no root signature `World`"), (1, "it holds a root signature `Global`, which this source")],
        ),
    ],
)
def test_each_difference(folder: Path, name: str, old: str, new: str, found: list[tuple[int, str]]) -> None:
    path = folder / f"{name}.hlsl"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    said = stale(name)
    for line, message in found:
        assert any(at == line and told.startswith(message) for at, told in said), said
    assert bool(said) == bool(found), said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-T", "ps_6_5"), "it is compiled for ps_6_6, not for ps_6_5"),
        (("-T", "cs_6_6"), "it is compiled for ps_6_6, not for cs_6_6"),
    ],
)
def test_another_profile(folder: Path, options: Sequence[str], message: str) -> None:
    assert [told for _, told in stale("pixel", *options)] == [message]


def test_another_entry_point(folder: Path) -> None:
    text = (folder / "pixel.hlsl").read_text(encoding="utf-8")
    (folder / "pixel.hlsl").write_text(text.replace("float4 main(", "float4 Sky("), encoding="utf-8")
    assert stale("pixel", "-T", "ps_6_6", "-E", "Sky") == []  # a container may go by `main` for want of a name


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["pixel.hlsl", "-T", "ps_6_6", "--against", "gone.cso"], 2, "there is no compiled shader `gone.cso`"),
        (["pixel.hlsl", "--against", "pixel.cso"], 2, "--against needs one file and -T"),
        ([".", "-T", "ps_6_6", "--against", "pixel.cso"], 2, "--against needs one file and -T"),
        (["--manifest", "m.jsonl", "--against", "pixel.cso"], 2, "--manifest"),
        (["pixel.hlsl", "-T", "ps_6_6", "--against", "broken.cso"], 1, "it does not begin with DXBC"),
    ],
)
def test_what_cannot_be_compared(folder: Path, words: list[str], status: int, message: str) -> None:
    (folder / "broken.cso").write_bytes(b"nothing")
    result = check(*words)
    assert (result.exit_code, message in result.output) == (status, True), result.output


def binding(name: str, lower: int, count: int = 1) -> Binding:
    resource = Resource(name, RESOURCE_TYPES["Texture2D"], NOWHERE, count=count)
    return Binding(resource, RegisterRange("t", 0, lower, lower + count - 1), True, True, "typed")


@pytest.mark.parametrize(
    ("ours", "theirs", "messages"),
    [
        ([binding("a", 0, 4)], [binding("a[1]", 1), binding("a[3]", 3)], []),
        ([binding("a", 0, 4), binding("b", 4)], [binding("a[1]", 1), binding("b", 4)], []),
        ([binding("a", 0, 4)], [binding("a[1]", 5)], ["it does not bind `a` (t0-t3)", "it binds `a[1]` (t5), which"]),
        ([binding("a", 0), binding("b", 1)], [binding("a", 1), binding("b", 0)], ["`a` (t0) is at t1", "`b` (t1) is"]),
    ],
)
def test_fxc_lists_elements_of_arrays(ours: list[Binding], theirs: list[Binding], messages: list[str]) -> None:
    profile = Profile("ps", 5, 0)
    shipped = ShaderAnalysis(Shader("a.cso", "", profile, dialect="fxc"), "ok", bindings=tuple(theirs))
    analysis = ShaderAnalysis(Shader("a.hlsl", "main", profile), "ok", bindings=tuple(ours), shipped=shipped)
    found: list[Violation] = list(stale_container.check(analysis))
    assert len(found) == len(messages)
    for violation, message in zip(found, messages, strict=True):
        assert message in violation.message
    unsure = msgspec.structs.replace(analysis, status="partial")
    assert {violation.certainty for violation in stale_container.check(unsure)} <= {"unknown"}
