"""Linking: no text raises, however deep or broken, and the order of declarations changes nothing but free registers."""

from __future__ import annotations

from random import Random

import pytest
from cases.usage import CASES, PRELUDE, Case, analysed
from hypothesis import given, settings
from hypothesis import strategies as st

TOKENS = """\
A B S U k n sum f main p one x . , ; ; ( ) ( ) [ ] { } { } < > = == + - * / ? : :: & && || ! ~ ++ -- 0 1u 2.5
if else for while do switch case default break continue return discard struct static const in out inout
float4 uint bool Texture2D<float4> Pair template typename namespace using typedef cbuffer groupshared this
A.Load( LOAD(A) ResourceDescriptorHeap[ InterlockedAdd( operator[] [unroll] register(t0) # ' "
"""
MAIN = "float4 main(uint n : N) : SV_Target {{ float4 sum = 0; {body} return sum; }}\n"
DEPTHS = (30, 119, 121, 400, 3000)
TEXTURE = "Texture2D A : register(t0);\n"
soup = st.lists(st.sampled_from(TOKENS.split()), max_size=60).map(" ".join)


@settings(max_examples=250)
@given(soup)
def test_no_body_raises(text: str) -> None:
    analysed(PRELUDE + MAIN.format(body=text), "-T ps_6_6 -E main")


@settings(max_examples=150)
@given(soup, soup)
def test_no_text_around_an_entry_point_raises(before: str, after: str) -> None:
    analysed(f"{PRELUDE}{before}\n{MAIN.format(body='sum = LOAD(A) + f(sum);')}{after}", "-T ps_6_6 -E main")


@settings(max_examples=80)
@given(soup)
def test_no_library_raises(text: str) -> None:
    analysed(f'{PRELUDE}[shader("raygeneration")] void main() {{ {text} }} {text}', "-T lib_6_6")


NESTED = {
    "parentheses": lambda n: "sum = " + "(" * n + "A.Load(0)" + ")" * n + ";",
    "blocks": lambda n: "{" * n + "sum = A.Load(0);" + "}" * n,
    "branches": lambda n: "if (n) " * n + "sum = A.Load(0);",
    "conditions": lambda n: "if (" + "(" * n + "1" + ")" * n + ") sum = A.Load(0);",
    "ternaries": lambda n: "sum = " + "n ? 1 : " * n + "A.Load(0);",
    "assignments": lambda n: "float4 x; " + "x = " * n + "A.Load(0); sum = x;",
    "calls": lambda n: "sum = " + "saturate(" * n + "A.Load(0)" + ")" * n + ";",
    "methods": lambda n: "sum = A.Load(0)" + ".f()" * n + ";",
    "signs": lambda n: "sum = " + "- " * n + "A.Load(0);",
    "members": lambda n: "sum = A.Load(0)" + ".xyzw" * n + ";",
}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("shape", NESTED)
def test_absurd_nesting_loses_no_name_without_arguments(shape: str, depth: int) -> None:
    analysis = analysed(TEXTURE + MAIN.format(body=NESTED[shape](depth)), "-T ps_6_6 -E main")
    assert [b.name for b in analysis.bindings if b.used] == ["A"]


@pytest.mark.parametrize("depth", (30, 41, 200, 1000))
def test_deep_chains_of_calls(depth: int) -> None:
    chain = "".join(f"float4 f{i}(bool b) {{ return f{i - 1}(b); }}\n" for i in range(1, depth))
    text = f"{TEXTURE}float4 f0(bool b) {{ return A.Load(0); }}\n{chain}" + MAIN.format(
        body=f"sum = f{depth - 1}(true);"
    )
    analysis = analysed(text, "-T ps_6_6 -E main")
    assert [b.name for b in analysis.bindings if b.used] == ["A"]
    assert len(analysis.entries[0].uses[0].chain) == depth + 1


@pytest.mark.parametrize("distance", (1, 37))
def test_functions_that_call_each_other_in_circles(distance: int) -> None:
    functions = "".join(f"float4 f{i}(uint n) {{ return f{(i + distance) % 60}(n) + A.Load(0); }}\n" for i in range(60))
    analysis = analysed(TEXTURE + functions + MAIN.format(body="sum = f0(n);"), "-T ps_6_6 -E main")
    assert [b.name for b in analysis.bindings if b.used] == ["A"]


def test_what_nests_beyond_the_limit_is_said() -> None:
    body = f"sum = {'f(' * 1200}sum{')' * 1200};"
    text = f"{TEXTURE}float4 f(float4 x) {{ return x + A.Load(0); }}\n" + MAIN.format(body=body)
    analysis = analysed(text, "-T ps_6_6 -E main")
    assert analysis.status == "partial"
    assert [p.kind for p in analysis.problems] == ["analysis-limit"]


@settings(max_examples=60)
@given(st.sampled_from([case for case in CASES if case.arguments == Case("", "", "").arguments]), st.randoms())
def test_order_of_declarations_changes_no_use(case: Case, random: Random) -> None:
    """All resources of the prelude have registers, so that nothing moves."""
    lines = PRELUDE.splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if ": register(" in line)
    resources = lines[first:]
    random.shuffle(resources)
    analysis = analysed("".join(lines[:first] + resources) + case.source, case.arguments)
    assert sorted(b.name for b in analysis.bindings if b.used) == case.bound.split()
