"""Root signatures written in any form read back as the same signature, and no signature differs from itself."""

from __future__ import annotations

import struct
from collections.abc import Callable

import msgspec
import pytest
from bindlint.facts.document_places import places
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_bytes import from_rts0, to_rts0
from bindlint.facts.root_signature_document import DocumentError, read_document, single_text
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.model.source import NOWHERE
from bindlint.rootsig.convert import convert
from bindlint.rootsig.cpp import to_cpp
from bindlint.rootsig.diff import difference
from bindlint.rootsig.document import to_json, to_toml
from bindlint.rootsig.hlsl import hlsl_text
from bindlint.rootsig.table import table_of
from bindlint.rootsig.versions import in_version
from hypothesis import assume, given
from hypothesis import strategies as st
from properties.root_signature_strategies import signature_texts

FORMS: dict[str, Callable[[RootSignature], RootSignature]] = {
    "hlsl": lambda signature: read(hlsl_text(signature), signature.version),
    "json": lambda signature: read_document(to_json(signature), "a.json")[0],
    "toml": lambda signature: read_document(to_toml(signature), "a.toml")[0],
}


def read(text: str, version: str = "1.1") -> RootSignature:
    return read_root_signature(text, lambda _start, _end: NOWHERE, version=version, origin="macro")


def bare(signature: RootSignature) -> RootSignature:
    """Without the places where its parts stand."""
    replace = msgspec.structs.replace
    return RootSignature(
        signature.version,
        signature.flags,
        tuple(
            replace(p, span=NOWHERE, ranges=tuple(replace(r, span=NOWHERE) for r in p.ranges))
            for p in signature.parameters
        ),
        tuple(replace(s, span=NOWHERE) for s in signature.static_samplers),
    )


def signatures(oddity: float = 0.02) -> st.SearchStrategy[RootSignature]:
    """Signatures without faults."""
    return signature_texts(oddity).map(read).filter(lambda signature: not signature.faults).map(bare)


@pytest.mark.parametrize("form", FORMS)
@given(signature=signatures(), version=st.sampled_from(["1.0", "1.1"]))
def test_what_is_written_reads_back(form: str, signature: RootSignature, version: str) -> None:
    signature = in_version(signature, version)[0]
    back = bare(FORMS[form](signature))
    assert back == signature
    assert to_rts0(back) == to_rts0(signature)
    assert not difference(signature, back)


@given(signatures(), st.integers(1, 7), st.sampled_from([0, 1, 2, 3]))
def test_sampler_flags_and_unnamed_values_survive_in_documents(
    signature: RootSignature, value: int, flags: int
) -> None:
    sampler = StaticSampler(
        1, 2, flags=flags, filter=0x54, address_v=value, mip_lod_bias=-0.0, min_lod=float("inf"), visibility="MESH"
    )
    odd = msgspec.structs.replace(signature, version="1.2", flags=0x80000001, static_samplers=(sampler,))
    for form in ("json", "toml"):
        back = bare(FORMS[form](odd))
        assert back == odd
        assert str(back.static_samplers[0].mip_lod_bias) == "-0.0"


@given(signatures())
def test_bytes_read_back_and_write_the_same(signature: RootSignature) -> None:
    data = to_rts0(signature)
    assume(data is not None)
    assert data is not None
    assert bare(from_rts0(data)) == signature
    assert convert(from_rts0(data), "rts0").data == data


@given(signatures())
def test_down_and_up_again_keeps_registers(signature: RootSignature) -> None:
    plain, _ = in_version(signature, "1.0")
    again, lost = in_version(plain, "1.1")
    assert lost == ()
    assert in_version(again, "1.0") == (plain, ())
    assert [claim.registers for claim in again.claims] == [claim.registers for claim in signature.claims]
    assert again.cost == signature.cost


@given(signatures(), signatures())
def test_differences_are_symmetric_and_none_to_itself(one: RootSignature, other: RootSignature) -> None:
    assert not difference(one, one)
    assert bool(difference(one, other)) == bool(difference(other, one))
    table_of(one)
    assert to_cpp(one, "A").count("\n") > 4
    assert "parameters" in to_cpp(one, "A", raw=True) or not one.parameters


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_shortest_text_of_a_number_reads_back(value: float) -> None:
    text = single_text(value)
    assert struct.pack("<f", float(text)) == struct.pack("<f", value)


@given(st.text("[]{}=\"'#,. \nabro_t0-12") | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_no_document_raises_anything_else(text: str) -> None:
    for path in ("a.toml", "a.json", "bindlint.toml"):
        try:
            assert read_document(text, path, alone=path != "bindlint.toml") is not None
        except DocumentError as error:
            assert path in str(error)
    assert all(0 <= start <= end <= len(text) for start, end in places(text, {"a": [1, {"b": "c"}]}).values())
