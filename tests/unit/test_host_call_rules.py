"""The rules about host calls on values that no page shows: what is not known, and what comes close."""

from __future__ import annotations

from typing import Any

import pytest
from bindlint.facts.host.signatures import HostReader
from bindlint.model.device import HostAddress, HostCall, HostCommandSignature, HostRef, IndirectArgument, ListState
from bindlint.model.host import HostSignature
from bindlint.model.root_signature import DescriptorRange
from bindlint_grammars.hlsl.source_files import SourceStore
from host_values import (
    argument,
    at,
    bound,
    call,
    cbv,
    constants,
    found,
    graphics,
    project,
    ref,
    signature,
    srv,
    table,
)

TEXTURES = table(DescriptorRange("t", 2, count=4))
SET = "set-root-signature"


@pytest.mark.parametrize(
    ("made", "kind", "index", "message"),
    [
        (signature("s", cbv(), cbv(1)), "cbv", 2, "has only 0-1; DWORD 2 is where parameter 1 begins"),
        (signature("s", cbv(), cbv(1)), "srv", 2, "sets root parameter 2, but `s` has only 0-1"),
        (signature("s", cbv(), TEXTURES), "table", 2, "; t2-t5 (HLSL slot) is root parameter 1 (API slot)"),
        (signature("s", constants(4), TEXTURES), "table", 4, "; DWORD 4 is where parameter 1 begins"),
        (signature("s", constants(4)), "constants", 7, "but `s` has only 0"),
        (signature("s"), "cbv", 0, "but `s` has none"),
        (signature("s", cbv(), cbv(1)), "cbv", 1, None),
        (signature("s", cbv(), complete=False), "cbv", 5, None),
        (signature("s", cbv()), "cbv", None, None),
    ],
)
def test_indices(made: HostSignature, kind: str, index: int | None, message: str | None) -> None:
    said = found("BL601", project(argument(kind, index, graphics("s")), signatures=(made,)))
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]


@pytest.mark.parametrize("state", [graphics("?"), graphics("unknown"), graphics("unset"), graphics("other")])
def test_signatures_that_are_not_known(state: ListState) -> None:
    whole = project(argument("srv", 9, state), signatures=(signature("s", cbv()),))
    assert not found("BL601", whole) and not found("BL602", whole) and not found("BL603", whole)


@pytest.mark.parametrize(
    ("made", "kind", "index", "message"),
    [
        (signature("s", cbv(), srv(1)), "srv", 0, "takes `SetGraphicsRootConstantBufferView`; t1 is root parameter 1"),
        (signature("s", cbv(), srv(0), srv(1)), "srv", 0, "; t0 (HLSL slot) is root parameter 1 (API slot)"),
        (signature("s", cbv(), srv(5), srv(6)), "srv", 0, "takes `SetGraphicsRootConstantBufferView`"),
        (signature("s", cbv(unknown=("register",))), "srv", 0, "parameter 0 (root CBV b?)"),
        (signature("s", srv(0), complete=False), "table", 0, "sets a descriptor table"),
        (signature("s", cbv()), "cbv", 0, None),
        (signature("s", cbv()), None, 0, None),
        (signature("s", cbv(), complete=False), "srv", 1, None),
    ],
)
def test_kinds(made: HostSignature, kind: str | None, index: int, message: str | None) -> None:
    said = found("BL602", project(argument(kind, index, graphics("s")), signatures=(made,)))
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]


@pytest.mark.parametrize(
    ("made", "count", "offset", "message"),
    [
        (constants(4), 5, 0, "sets constants 0-4"),
        (constants(4), 1, 4, "sets constant 4,"),
        (constants(4), None, 4, "sets constant 4,"),
        (constants(4), 5, None, "sets 5 constants"),
        (constants(4), 16, 0, "; the count is in 32-bit values, not in bytes"),
        (constants(4), 4, 0, None),
        (constants(4), 4, None, None),
        (constants(4), None, 3, None),
        (constants(4), 0, 9, None),
        (constants(4, unknown=("count",)), 5, 0, None),
        (cbv(), 5, 0, None),
    ],
)
def test_constants(made: object, count: int | None, offset: int | None, message: str | None) -> None:
    calls = argument("constants", 0, graphics("s"), count=count, offset=offset)
    said = found("BL603", project(calls, signatures=(signature("s", made),)))  # type: ignore[arg-type]
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]


def sets(name: str, state: ListState | None = None, line: int = 20, **more: object) -> HostCall:
    return call("SetGraphicsRootSignature", SET, line, state=state, target=ref(name), **more)  # type: ignore[arg-type]


def draws(state: ListState, line: int = 30) -> HostCall:
    return call("DrawInstanced", "draw", line, state=state)


UNSET = graphics("unset")
COMPUTE_SET = ListState(graphics=bound("unset"), compute=bound("c"))
COMPUTE_KNOWN = ListState(graphics=bound("unknown"), compute=bound("c"))


@pytest.mark.parametrize(
    ("calls", "lines"),
    [
        ((argument("cbv", 0, UNSET), argument("cbv", 1, UNSET, 11), draws(UNSET)), [10]),
        ((draws(UNSET),), [30]),
        ((call("DispatchRays", "draw", point="compute", state=ListState(compute=bound("unset"))),), []),
        ((draws(graphics("unknown")), argument("cbv", 0, graphics("s"))), []),
        ((draws(COMPUTE_SET),), []),
        ((sets("s", UNSET),), []),
    ],
)
def test_nothing_set(calls: tuple[HostCall, ...], lines: list[int]) -> None:
    assert [line for line, _ in found("BL604", project(*calls))] == lines


def test_what_comes_later_is_named() -> None:
    early = argument("cbv", 0, UNSET)
    assert "`SetGraphicsRootSignature(s)` has to come first" in found("BL604", project(early, sets("s", UNSET)))[0][1]
    between = found("BL604", project(early, draws(UNSET, 15), sets("s", UNSET)))[0][1]
    assert between.endswith("call `SetGraphicsRootSignature` first")


DISPATCH = call("Dispatch", "draw", 12, "compute", COMPUTE_KNOWN)


@pytest.mark.parametrize(
    ("calls", "lines"),
    [
        ((argument("cbv", 0, COMPUTE_SET),), [10]),
        ((draws(COMPUTE_SET),), [30]),
        ((argument("cbv", 0, COMPUTE_KNOWN), DISPATCH), [10]),
        ((argument("srv", 0, COMPUTE_KNOWN), DISPATCH), []),
        ((argument("cbv", 0, COMPUTE_KNOWN),), []),
        ((argument("cbv", 0, COMPUTE_KNOWN), DISPATCH, draws(COMPUTE_KNOWN)), []),
        ((argument("cbv", 0, ListState(graphics=bound("g"), compute=bound("c"))),), []),
        ((argument("cbv", 0, UNSET),), []),
    ],
)
def test_bind_points(calls: tuple[HostCall, ...], lines: list[int]) -> None:
    assert [line for line, _ in found("BL605", project(*calls, signatures=(signature("c", cbv()),)))] == lines


FRESH = {"arguments": (0,), "drawn": False}


@pytest.mark.parametrize(
    ("first", "later", "lost"),
    [
        (argument("cbv", 0), sets("other", graphics("s", **FRESH)), True),
        (argument("cbv", 0), sets("other", graphics("unknown", **FRESH)), True),
        (argument("cbv", 0), sets("other", graphics("s", arguments=(0,))), False),
        (argument("cbv", 0), sets("same", graphics("s", **FRESH)), False),
        (argument("cbv", 0), sets("s", graphics("s", **FRESH)), False),
        (argument("cbv", 0), sets("?", graphics("s", **FRESH)), False),
        (argument("cbv", 0, conditional=True), sets("other", graphics("s", **FRESH)), False),
        (argument("cbv", 0), sets("other", graphics("s", **FRESH), conditional=True), False),
        (argument("cbv", 0, point="compute"), sets("other", graphics("s", **FRESH)), False),
        (argument("cbv", 0, function="Elsewhere"), sets("other", graphics("s", **FRESH)), False),
    ],
)
def test_lost_arguments(first: HostCall, later: HostCall, lost: bool) -> None:
    made = (signature("s", cbv()), signature("same", cbv()), signature("other", cbv(), cbv(1)))
    assert bool(found("BL606", project(first, later, signatures=made))) is lost


def command(*arguments: IndirectArgument, root: HostRef | None = None) -> HostCommandSignature:
    return HostCommandSignature("command", "command", "Load", at(40), arguments, None, root)


def indirect(kind: str | None, line: int, *numbers: int | None) -> IndirectArgument:
    return IndirectArgument(kind, at(line), *numbers)  # type: ignore[arg-type]


DRAW = indirect("draw", 49)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ((indirect("cbv", 41, 1), indirect("constants", 42, 0, 0, 1), DRAW), [42]),
        ((indirect("cbv", 41, 1), indirect("srv", 42, 1), DRAW), [42]),
        ((indirect("constants", 41, 0, 4, 1), indirect("constants", 42, 0, 0, 1), DRAW), [42]),
        ((indirect("constants", 41, 0, 0, 2), indirect("constants", 42, 0, 2, 1), DRAW), []),
        ((indirect("constants", 41, 0, 0, None), indirect("constants", 42, 0, 2, 1), DRAW), []),
        ((indirect("constants", 41, 0), indirect("constants", 42, 0), DRAW), []),
        ((indirect("cbv", 41, None), indirect("cbv", 42, 0), DRAW), []),
        ((DRAW, indirect("dispatch", 42)), [42]),
        ((DRAW, indirect("cbv", 42, 0)), [49]),
        ((indirect("cbv", 42, 0),), [40]),
        ((indirect(None, 41), indirect("cbv", 42, 0)), []),
        ((), []),
    ],
)
def test_order_of_indirect_arguments(arguments: tuple[IndirectArgument, ...], lines: list[int]) -> None:
    assert [line for line, _ in found("BL609", project(commands=(command(*arguments),)))] == lines


@pytest.mark.parametrize(
    ("argument_", "message"),
    [
        (indirect("cbv", 41, 0), "sets a root CBV, but there is parameter 0 (root constants b0)"),
        (indirect("srv", 41, 1), "which no indirect argument changes"),
        (indirect("cbv", 41, 3), "out of range: `s` has only 0-2"),
        (indirect("constants", 41, 0, 3, 2), "sets constants 3-4"),
        (indirect("incrementing-constant", 41, 0, 4), "sets constants 4-4"),
        (indirect("constants", 41, 0, 0, 4), None),
        (indirect("constants", 41, 0, None, None), None),
        (indirect("cbv", 41, None), None),
        (indirect("vertex-buffer", 41, 7), None),
    ],
)
def test_kinds_of_indirect_arguments(argument_: IndirectArgument, message: str | None) -> None:
    made = signature("s", constants(4), TEXTURES, cbv())
    said = found("BL610", project(commands=(command(argument_, root=ref("s")),), signatures=(made,)))
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]
    assert not found("BL610", project(commands=(command(argument_),), signatures=(made,)))


@pytest.mark.parametrize(
    ("stride", "arguments", "message"),
    [
        (
            16,
            (indirect("cbv", 41, 0), DRAW),
            "its arguments take 24 (CONSTANT_BUFFER_VIEW 8, DRAW 16)",
        ),
        (16, (indirect("constants", 41, 0, 0, None), DRAW), None),
        (12, (indirect(None, 41), DRAW), "take 16 or more"),
        (18, (DRAW,), "no multiple of 4"),
        (18, None, "no multiple of 4"),
        (None, (DRAW,), None),
        (24, (indirect("cbv", 41, 0), DRAW), None),
        (103, (indirect("dispatch-rays", 41),), "take 104"),
    ],
)
def test_strides(stride: int | None, arguments: tuple[IndirectArgument, ...] | None, message: str | None) -> None:
    made = HostCommandSignature("command", "command", "Load", at(40), arguments, stride)
    said = found("BL611", project(commands=(made,)))
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]


@pytest.mark.parametrize(
    ("arguments", "root", "wrong"),
    [
        ((indirect("cbv", 41, 0), DRAW), None, True),
        ((DRAW,), ref("s"), True),
        ((DRAW,), HostRef(), True),
        ((indirect(None, 41), DRAW), ref("s"), False),
        ((indirect("cbv", 41, 0), DRAW), HostRef(), False),
        ((indirect("vertex-buffer", 41), DRAW), None, False),
        ((), ref("s"), False),
    ],
)
def test_need_of_a_root_signature(arguments: tuple[IndirectArgument, ...], root: HostRef | None, wrong: bool) -> None:
    assert bool(found("BL612", project(commands=(command(*arguments, root=root),)))) is wrong


@pytest.mark.parametrize(
    ("state", "wrong"),
    [
        (graphics("s"), False),
        (graphics("same"), False),
        (graphics("other"), True),
        (graphics("open"), False),
        (graphics("unset"), True),
        (graphics("unknown"), False),
        (ListState(graphics=bound("s"), compute=bound("unset")), False),
    ],
)
def test_indirect_draws(state: ListState, wrong: bool) -> None:
    made = command(indirect("cbv", 41, 0), DRAW, root=ref("s"))
    execute = call("ExecuteIndirect", "execute-indirect", point=None, state=state, target=ref("command"))
    signatures = (
        signature("s", cbv()),
        signature("same", cbv()),
        signature("other", srv()),
        signature("open", srv(), complete=False),
    )
    assert bool(found("BL613", project(execute, commands=(made,), signatures=signatures))) is wrong


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (HostAddress(64), "begins 64 bytes after the start of the resource"),
        (
            HostAddress(0, 144),
            "that are 144 bytes apart; a constant buffer begins at a multiple of 256 bytes",
        ),
        (HostAddress(512, 768), None),
        (None, None),
    ],
)
def test_addresses(address: HostAddress | None, message: str | None) -> None:
    said = found("BL614", project(argument("cbv", 0, address=address)))
    assert bool(said) is (message is not None)
    assert message is None or message in said[0][1]
    assert not found("BL614", project(argument("srv", 0, address=address)))


@pytest.mark.parametrize(("view", "size", "wrong"), [("cbv", 80, True), ("cbv", 512, False), ("cbv", None, False)])
def test_sizes(view: Any, size: int | None, wrong: bool) -> None:
    made = call("CreateConstantBufferView", "view", point=None, view=view, size=size)
    assert bool(found("BL614", project(made))) is wrong


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("b->GetGPUVirtualAddress()", HostAddress()),
        ("b->GetGPUVirtualAddress() + 64", HostAddress(64)),
        ("(64 + b->GetGPUVirtualAddress()) + 2 * sizeof(Row)", HostAddress(96)),
        ("b->GetGPUVirtualAddress() + i * sizeof(Row)", HostAddress(0, 16)),
        ("b->GetGPUVirtualAddress() + SIZE * (i + 1)", HostAddress(0, 96)),
        ("b->GetGPUVirtualAddress() + i * SIZE + i * 256", HostAddress(0, 32)),
        ("b->GetGPUVirtualAddress() + i", None),
        ("b->GetGPUVirtualAddress() + i++ * j", None),
        ("b->GetGPUVirtualAddress() - 64", None),
        ("address + 64", None),
    ],
)
def test_addresses_in_host_code(text: str, address: HostAddress | None) -> None:
    head = "struct Row { float v[4]; };\nconst UINT SIZE = 96;\n"
    body = f"list->SetGraphicsRootConstantBufferView(0, {text});"
    code = f"{head}void Draw(ID3D12GraphicsCommandList* list, ID3D12Resource* b, UINT i) {{ {body} }}\n"
    host = HostReader(SourceStore(overlays={"main.cpp": code.encode()})).read("main.cpp", calls=True)
    assert [seen.address for seen in host.calls] == [address]
