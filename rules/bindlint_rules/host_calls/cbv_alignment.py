"""BL614: A constant buffer that begins or ends off the multiples of 256 bytes."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import HostAddress, HostCall
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

ALIGNMENT = 256
"""Bytes; D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT (d3d12.h)."""


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call in host.calls:
        if call.parameter == "cbv" and call.address is not None:
            yield from _begins(call, call.address)
        if call.view == "cbv" and call.size is not None and call.size % ALIGNMENT:
            message = f"`{call.name}` is given {call.size} bytes; the size of a CBV is a multiple of {ALIGNMENT}"
            yield _violation(call, f"{message}, here {_rounded(call.size)}")


def _begins(call: HostCall, address: HostAddress) -> Iterator[Violation]:
    where = f"a constant buffer begins at a multiple of {ALIGNMENT} bytes"
    if address.offset % ALIGNMENT:
        yield _violation(call, f"`{call.name}` begins {address.offset} bytes after the start of the resource; {where}")
    elif address.step % ALIGNMENT:
        apart = f"`{call.name}` takes constant buffers that are {address.step} bytes apart"
        yield _violation(call, f"{apart}; {where}, so leave {_rounded(address.step)} for each", likely=True)


def _rounded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _violation(call: HostCall, message: str, likely: bool = False) -> Violation:
    symbols = (call.function, call.name, call.index_text)
    return Violation(message, call.span, certainty="likely" if likely else "certain", symbols=symbols)


RULE = Rule(
    "BL614",
    "cbv-alignment",
    "error",
    "host",
    "A constant buffer that begins or ends off the multiples of 256 bytes",
    check,
)
