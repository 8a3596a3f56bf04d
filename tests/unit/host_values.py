"""Hand-made values of host code for tests of the rules about it."""

from __future__ import annotations

from typing import Any

import msgspec
from bindlint.model.device import (
    BindPoint,
    BoundSignature,
    CallKind,
    HostCall,
    HostCommandSignature,
    HostHandle,
    HostHeap,
    HostRef,
    ListState,
)
from bindlint.model.host import HostFile, HostSignature, UnknownPart
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature
from bindlint.model.source import Span
from bindlint.project.values import Pipeline, Project
from bindlint_rules import RULES

FILE = "host.cpp"
LIST = HostRef("Draw()::list", "list")


def at(line: int) -> Span:
    return Span(FILE, line, 1, line, 2)


def ref(name: str) -> HostRef:
    """The object of that name; "?" is one that is not followed."""
    return HostRef("" if name == "?" else name, name, at(1))


def constants(count: int, register: int = 0, **more: Any) -> RootParameter:
    return RootParameter(0, "constants", register, count=count, span=at(90), **more)


def cbv(register: int = 0, **more: Any) -> RootParameter:
    return RootParameter(0, "cbv", register, span=at(91), **more)


def srv(register: int = 0, **more: Any) -> RootParameter:
    return RootParameter(0, "srv", register, span=at(92), **more)


def table(*ranges: DescriptorRange, **more: Any) -> RootParameter:
    return RootParameter(0, "table", ranges=ranges, span=at(93), **more)


def signature(name: str, *parameters: RootParameter, complete: bool = True, **more: Any) -> HostSignature:
    """A root signature with the key `name`; one that is not complete may have more parameters than are given."""
    numbered = tuple(msgspec.structs.replace(p, index=index) for index, p in enumerate(parameters))
    return HostSignature(
        name,
        "Load",
        at(80),
        RootSignature(parameters=numbered, origin="cpp", **more),
        parameter_count=len(numbered) if complete else None,
        unknown=() if complete else (UnknownPart(at(80), "the number of root parameters", "is not known"),),
        keys=(name,),
    )


def bound(name: str = "", **more: Any) -> BoundSignature:
    """The signature `name` is set; "unset" and "unknown" are none."""
    if name in ("unset", "unknown"):
        return BoundSignature(name, **more)  # type: ignore[arg-type]
    return BoundSignature("set", ref(name), at(70), **more)


def heap(name: str, kind: Any = "CBV_SRV_UAV", count: int | None = 8, visible: bool | None = True) -> HostHeap:
    return HostHeap(name, name, "Load", Span(FILE, 60, len(name), 60, 99), kind, count, visible)


def handle(name: str, index: int | None = 0, side: Any = "gpu") -> HostHandle:
    return HostHandle(ref(name), index, side, at(50))


def call(
    name: str, kind: CallKind, line: int = 10, point: BindPoint | None = "graphics", state: ListState | None = None,
    function: str = "Draw", **more: Any,
) -> HostCall:  # fmt: skip
    """A call of that line on the list of the function."""
    return HostCall(
        name, kind, at(line), function, LIST, state or ListState(), point, index_span=at(line), **more
    )  # fmt: skip


def argument(kind: Any, index: int | None, state: ListState | None = None, line: int = 10, **more: Any) -> HostCall:
    names = {"table": "DescriptorTable", "constants": "32BitConstants", "cbv": "ConstantBufferView"}
    name = f"Set{more.get('point', 'graphics').capitalize()}Root{names.get(kind, 'ShaderResourceView')}"
    text = "" if index is None else str(index)
    return call(name, "set-root-argument", line, state=state, parameter=kind, index=index, index_text=text, **more)


def graphics(name: str, **more: Any) -> ListState:
    """A list on which that graphics root signature is set."""
    return ListState(graphics=bound(name, **more))


def project(
    *calls: HostCall,
    signatures: tuple[HostSignature, ...] = (),
    heaps: tuple[HostHeap, ...] = (),
    commands: tuple[HostCommandSignature, ...] = (),
    pipelines: tuple[Pipeline, ...] = (),
) -> Project:
    """A project of one file."""
    host = HostFile(FILE, signatures, heaps=heaps, command_signatures=commands, calls=calls)
    return Project(
        (host,),
        pipelines,
        heaps_by_key={each.key: each for each in heaps},
        signatures_by_key={key: each for each in signatures for key in each.keys},
        pipelines_by_key={each.name: each for each in pipelines},
        command_signatures_by_key={each.key: each for each in commands},
    )


def found(code: str, whole: Project) -> list[tuple[int, str]]:
    """The line and the message of each violation of the rule."""
    rule = next(rule for rule in RULES if rule.code == code)
    return [(v.span.line, v.message) for v in rule.run(whole.hosts[0], whole)]
