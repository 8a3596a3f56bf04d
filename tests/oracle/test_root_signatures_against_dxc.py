"""Generated root signatures: the compiler accepts exactly those that we do, and writes the same bytes."""

from __future__ import annotations

from random import Random

import pytest
from bindlint.facts.root_signature import read_root_signature
from bindlint.facts.root_signature_bytes import to_rts0
from bindlint.model.source import NOWHERE
from oracle.worker import Oracle
from properties.root_signature_strategies import SignatureWriter

pytestmark = pytest.mark.dxc


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("form", ["signature", "broken"])
@pytest.mark.parametrize("seed", range(100))
def test_same_bytes(seed: int, form: str, version: str, oracle: Oracle) -> None:
    text = getattr(SignatureWriter(Random(f"{seed} {form} {version}")), form)()
    verdict = oracle.ask(
        f'#define SIGNATURE "{text}"\n'.encode(), ["-T", f"rootsig_{version.replace('.', '_')}", "-E", "SIGNATURE"]
    )
    assert verdict is not None, "the compiler crashed"
    ours = to_rts0(read_root_signature(text, lambda _s, _e: NOWHERE, version=version, origin="macro", name="SIGNATURE"))
    assert (ours is not None) == verdict.accepted, f"{text!r}: {verdict.errors}"
    if ours is not None:
        assert ours.hex() == verdict.root_signature.hex(), text
