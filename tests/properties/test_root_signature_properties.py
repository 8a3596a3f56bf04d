"""Root signatures: no text and no bytes raise, what is written reads back, and the order of clauses decides nothing."""

from __future__ import annotations

from random import Random

import pytest
from bindlint.facts.root_signature import joined_literals, macro_text, read_root_signature
from bindlint.facts.root_signature_bytes import from_rts0, to_rts0
from bindlint.model.root_signature import RootSignature
from bindlint.model.root_signature_checks import dxc_accepts
from bindlint.model.source import Span
from hypothesis import given
from hypothesis import strategies as st
from properties.root_signature_strategies import SignatureWriter, broken_signature_texts, signature_texts


def read(text: str) -> RootSignature:
    return read_root_signature(text, lambda start, end: Span("a", 1, 1, 1, 1, start, end), origin="macro")


@given(st.text() | st.text("CBVSRUAbtus0123()=,| \t\"'x") | broken_signature_texts())
def test_no_text_raises(text: str) -> None:
    signature = read(text)
    assert all(0 <= fault.span.start <= fault.span.end <= len(text) for fault in signature.faults)
    assert to_rts0(signature) is None or signature.faults == ()


@given(st.binary() | st.text('"\\x01 L\nab').map(str.encode))
def test_no_expanded_text_raises(expanded: bytes) -> None:
    joined = joined_literals(expanded)
    for text, offsets in filter(None, (joined, macro_text(expanded))):
        assert len(offsets) == len(text) + 1
        assert list(offsets) == sorted(offsets)


@given(st.binary(max_size=200), st.integers(0, 3))
def test_no_bytes_raise(data: bytes, version: int) -> None:
    for each in (data, bytes([version, 0, 0, 0]) + data):
        signature = from_rts0(each)
        assert signature.faults or isinstance(dxc_accepts(signature), bool)


@given(signature_texts(oddity=0.0), st.integers(0), st.integers(0, 255))
def test_no_damaged_bytes_raise(text: str, place: int, value: int) -> None:
    data = to_rts0(read(text))
    if data is not None:
        damaged = bytearray(data)
        damaged[place % len(data)] = value
        assert isinstance(from_rts0(bytes(damaged)), RootSignature)


@given(signature_texts())
def test_bytes_round_trip(text: str) -> None:
    data = to_rts0(read(text))
    if data is not None:
        assert to_rts0(from_rts0(data)) == data


@pytest.mark.parametrize("seed", range(50))
def test_order_of_parameters_decides_nothing(seed: int) -> None:
    random = Random(seed)
    writer = SignatureWriter(random, oddity=0.0)
    clauses = [random.choice((writer.root_descriptor, writer.table, writer.sampler))() for _ in range(4)]
    there = read(", ".join(clauses))
    back = read(", ".join(reversed(clauses)))
    assert there.faults == back.faults == ()
    assert dxc_accepts(there) == dxc_accepts(back)
