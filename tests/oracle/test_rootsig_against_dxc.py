"""Root signatures and compiled shaders: what the real compiler writes we read, and what we write it takes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from bindlint.arguments import parse_arguments
from bindlint.bindings.analyse import Analyser
from bindlint.facts.container import read_container
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_bytes import from_rts0, to_rts0
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.source import NOWHERE
from bindlint.rootsig.convert import convert
from bindlint.rootsig.hlsl import hlsl_macro
from bindlint.rootsig.suggest import Wishes, suggest
from oracle.shaders import GeneratedShader, generate
from oracle.worker import Oracle, Verdict
from properties.root_signature_strategies import SignatureWriter

pytestmark = pytest.mark.dxc

WISHES = (Wishes(), Wishes(budget=64), Wishes(budget=7, static_samplers=True, deny=True))


def ask(generated: GeneratedShader, oracle: Oracle, extra: str = "", options: tuple[str, ...] = ()) -> Verdict:
    verdict = oracle.ask((extra + generated.source).encode(), [*generated.arguments, *options])
    assert verdict is not None, "the compiler crashed"
    return verdict


def analysed(generated: GeneratedShader, folder: Path) -> ShaderAnalysis:
    path = folder / "generated.hlsl"
    path.write_text(generated.source)
    shader = parse_arguments(generated.arguments, str(folder)).shader
    return Analyser().analyse(msgspec.structs.replace(shader, file=str(path)))


@pytest.mark.parametrize("seed", range(1000, 1100))
def test_a_container_says_what_its_source_says(seed: int, oracle: Oracle, tmp_path: Path) -> None:
    generated = generate(seed)
    verdict = ask(generated, oracle)
    if not verdict.accepted:
        return
    read = read_container(verdict.container)
    assert read.problems == ()
    analysis = analysed(generated, tmp_path)
    ours = {(b.name, str(b.registers), b.view) for b in read.bindings}
    assert ours == {(b.name, str(b.registers), b.view) for b in analysis.bindings if b.used}
    sizes = {b.name: b.resource.size for b in read.bindings if b.view == "cbuffer" and b.resource.size}
    for binding in analysis.bindings:
        # Loose constants may have offsets of their own, which count for the size of `$Globals`.
        if binding.used and binding.name in sizes and binding.resource.size and binding.name != "$Globals":
            assert binding.resource.size == sizes[binding.name]
    if read.profile is not None:
        assert analysis.shader.profile == read.profile


@pytest.mark.parametrize("seed", range(1000, 1100))
def test_the_compiler_takes_what_is_suggested(seed: int, oracle: Oracle, tmp_path: Path) -> None:
    generated = generate(seed)
    analysis = analysed(generated, tmp_path)
    library = analysis.shader.profile is None or analysis.shader.profile.is_library
    if library or not ask(generated, oracle).accepted:
        return
    for wishes in WISHES:
        macro = hlsl_macro(suggest([analysis], wishes).signature, "SUGGESTED")
        verdict = ask(generated, oracle, macro, ("-rootsig-define", "SUGGESTED"))
        assert verdict.accepted, f"{macro}\n{verdict.errors}"


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("seed", range(100))
def test_every_form_leads_to_the_compilers_bytes(seed: int, version: str, oracle: Oracle) -> None:
    text = SignatureWriter(Random(f"forms {seed}"), 0.0).signature()
    signature = read_root_signature(text, lambda _start, _end: NOWHERE, origin="macro")
    if to_rts0(signature) is None:
        return
    macro = convert(signature, "hlsl", version, "WRITTEN").data
    profile = f"rootsig_{version.replace('.', '_')}"
    verdict = oracle.ask(macro, ["-T", profile, "-E", "WRITTEN"])
    assert verdict is not None and verdict.accepted, macro
    data = convert(signature, "rts0", version).data
    assert data.hex() == verdict.root_signature.hex()
    assert convert(from_rts0(data), "rts0").data == data
    assert read_container(verdict.container).signatures == read_container(data).signatures
