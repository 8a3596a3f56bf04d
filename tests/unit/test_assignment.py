"""Register assignment: every case has been tried with DXC (tests/oracle/test_assignment_against_dxc.py)."""

from __future__ import annotations

import msgspec
import pytest
from bindlint.bindings.assign import assign
from bindlint.bindings.binding_table import parse_binding_table
from bindlint.model.binding import Resource
from bindlint.model.registers import RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE
from cases.assignment import CASES, TABLE_FAULTS, Assignment
from cases.usage import analysed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_registers(case: Assignment) -> None:
    analysis = analysed(case.text, case.arguments)
    assert analysis.problems == ()
    if case.bound:
        bound = (f"{b.name} {'-' if b.registers is None else b.registers}" for b in analysis.bindings if b.used)
        assert ", ".join(bound) == case.bound
    assert [f"{f.kind} {f.resource.name}" for f in analysis.allocation_faults] == [case.fault] * bool(case.fault)


def resource(name: str, type_name: str = "Texture2D", **fields: object) -> Resource:
    return msgspec.structs.replace(Resource(name, RESOURCE_TYPES[type_name], NOWHERE), **fields)


def test_unused_explicit_ones_come_last_and_are_marked() -> None:
    unused, used = resource("A", lower=0, space=0), resource("B")
    bindings, faults = assign([unused, used], {used: frozenset(("read",))}, Shader("a.hlsl"), {})
    assert [(b.name, b.used, b.registers) for b in bindings] == [
        ("B", True, RegisterRange("t", 0, 0, 0)),
        ("A", False, RegisterRange("t", 0, 0, 0)),
    ]
    assert faults == ()


def test_a_range_that_ends_at_the_last_register() -> None:
    last = resource("A", lower=0xFFFFFFFE, space=0, count=2)
    (binding,), _ = assign([last], {last: frozenset(("read",))}, Shader("a.hlsl"), {})
    assert binding.registers == RegisterRange("t", 0, 0xFFFFFFFE, 0xFFFFFFFF)


@pytest.mark.parametrize(
    ("type_name", "kinds", "view"),
    [
        ("RWStructuredBuffer", ("write",), "structured"),
        ("RWStructuredBuffer", ("read", "counter"), "structured+counter"),
        ("AppendStructuredBuffer", ("query",), "structured"),
        ("AppendStructuredBuffer", ("counter",), "structured+counter"),
        ("RWBuffer", ("write",), "typed"),
        ("RWByteAddressBuffer", ("write",), "raw"),
        ("StructuredBuffer", ("read",), "structured"),
        ("RaytracingAccelerationStructure", ("read",), "raw"),
        ("SamplerState", ("sample",), "sampler"),
        ("tbuffer", ("read",), "typed"),
        ("cbuffer", ("read",), "cbuffer"),
        ("FeedbackTexture2D", ("write",), "typed"),
    ],
)
def test_kind_of_view(type_name: str, kinds: tuple[str, ...], view: str) -> None:
    one = resource("A", type_name)
    (binding,), _ = assign([one], {one: frozenset(kinds)}, Shader("a.hlsl"), {})  # type: ignore[dict-item]
    assert binding.view == view


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", {}),
        ("ResourceName,Binding,Space\nA,t5,2", {("A", "t"): (5, 2)}),
        ("ResourceName,Binding,Space;A,t5,2;A,b1,0", {("A", "t"): (5, 2), ("A", "b"): (1, 0)}),
        ("space , RESOURCENAME, binding\n3, A , U7", {("A", "u"): (7, 3)}),
        ('"ResourceName","Binding","Space"\n"A","t5","0x10"', {("A", "t"): (5, 16)}),
        ("ResourceName,Binding,Space,\nA,t5,2,", {("A", "t"): (5, 2)}),
        (
            " ResourceName, Binding,  space  \n  \n A, t5, 2,\n B, u1, 30 ,  \n",
            {("A", "t"): (5, 2), ("B", "u"): (1, 30)},
        ),
        ("ResourceName,Binding\nA,t5", {}),
        ("ResourceName,Binding,Space\nA,x5,2\nB,t,2\nC,t1,far\nD,t1", {}),
        ("ResourceName,Binding,Space\r\nA,t5,2\r\n\r\n", {("A", "t"): (5, 2)}),
    ],
)
def test_binding_tables(text: str, rows: dict[tuple[str, str], tuple[int, int]]) -> None:
    assert parse_binding_table(text)[0] == rows


@pytest.mark.parametrize(("text", "fault"), TABLE_FAULTS)
def test_faults_of_binding_tables(text: str, fault: str) -> None:
    assert parse_binding_table(text)[1] == fault
