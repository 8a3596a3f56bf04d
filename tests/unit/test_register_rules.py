"""What notes about registers say and when they keep silent: pages ask for marks on warnings and errors only."""

from __future__ import annotations

import pytest
from judged import pixel, violations


@pytest.mark.parametrize(
    ("declarations", "used", "said"),
    [
        ("Buffer<float4> kept : register(t0); Buffer<float4> live;", "live[0]", "t0, because `kept`"),
        ("Buffer<float4> kept : register(t0); Buffer<float4> live;", "live[0] + kept[0]", ""),
        ("Buffer<float4> kept : register(t0); Buffer<float4> live : register(t0);", "live[0]", ""),
        ("Buffer<float4> live; Buffer<float4> later;", "live[0]", ""),
        ("Buffer<float4> kept : register(t0, space1); Buffer<float4> live;", "live[0]", ""),
        ("RWBuffer<float4> kept : register(u0); Buffer<float4> live;", "live[0]", ""),
        ("Buffer<float4> far : register(t5); Buffer<float4> kept; Buffer<float4> live;", "live[0]", "because `kept`"),
        (
            "Buffer<float4> low : register(t0), here : register(t1), high : register(t2), live[2];",
            "live[0][0] + here[0]",
            "t2-t3, because `high` is not used; where it is used, `live` is at t3-t4",
        ),
        ("float gain; cbuffer live { float x; };", "x", "b0, because `$Globals`"),
        # Not what is used and moves as well, nor what would take nothing.
        ("Buffer<float4> kept : register(t0), live, next;", "live[0] + next[0]", "because `kept`"),
        ("Buffer<float4> seen : register(t1), kept : register(t0), live;", "live[0] + seen[0]", "because `kept`"),
        ("Buffer<float4> none[0] : register(t1), kept : register(t0), live;", "live[0]", "because `kept`"),
        ("struct S { Buffer<float4> leaf; }; S s; Buffer<float4> kept;", "s.leaf[0]", ""),
    ],
)
def test_registers_that_depend_on_use(declarations: str, used: str, said: str) -> None:
    found = violations("use-dependent-register", pixel(declarations, used), "-T", "ps_6_0")
    assert len(found) == bool(said)
    assert all(said in violation.message for violation in found)


@pytest.mark.parametrize(
    ("type_name", "body", "plain"),
    [
        ("RWBuffer<float4>", "return r[0];", "a Buffer"),
        ("RWByteAddressBuffer", "uint n; r.GetDimensions(n); return r.Load(0) + n;", "a ByteAddressBuffer"),
        ("RWByteAddressBuffer", "uint n; r.GetDimensions(n); return n;", ""),
        ("RWBuffer<float4>", "r[0] = 1; return 1;", ""),
        ("RWBuffer<float4>", "r[0] = 1; return r[1];", ""),
        ("RWStructuredBuffer<uint>", "return r.IncrementCounter();", ""),
        ("RasterizerOrderedBuffer<float4>", "return r[0];", ""),
        ("Buffer<float4>", "return r[0];", ""),
    ],
)
def test_uavs_that_are_only_read(type_name: str, body: str, plain: str) -> None:
    found = violations("read-only-uav", f"{type_name} r; float4 main() : SV_Target {{ {body} }}", "-T", "ps_6_0")
    assert len(found) == bool(plain)
    assert all(f"{plain} at a t register" in violation.message for violation in found)


@pytest.mark.parametrize(
    ("used", "said", "others"),
    [
        ("1", "", 0),
        ("a", "`a` stands outside every cbuffer and so in the hidden buffer `$Globals`, which takes b1", 0),
        ("c + a", "`a` and 1 more stand", 1),
    ],
)
def test_the_hidden_buffer(used: str, said: str, others: int) -> None:
    source = pixel("cbuffer B : register(b0) { float b; }; float a; float c; static float d = 1;", f"b + d + {used}")
    found = violations("implicit-globals-buffer", source, "-T", "ps_6_0")
    assert len(found) == bool(said)
    assert all(said in violation.message and len(violation.related) == others for violation in found)


TWO = "float4 VS() : SV_Position {{ return {}; }} float4 PS() : SV_Target {{ return {}; }}"


@pytest.mark.parametrize(
    ("declarations", "vertex", "pixel_uses", "said"),
    [
        ("cbuffer A { float a; }; cbuffer B { float b; };", "a", "b", "give `B` a register"),
        ("cbuffer A { float a; }; cbuffer B : register(b0) { float b; };", "a", "b", "give `A` a register"),
        ("cbuffer A : register(b0) { float a; }; cbuffer B { float b; };", "a", "b", "give `B` a register"),
        ("cbuffer A : register(b0) { float a; }; cbuffer B : register(b0) { float b; };", "a", "b", ""),
        ("cbuffer A { float a; };", "a", "a", ""),
        ("cbuffer A { float a; }; Buffer<float> b;", "a", "b[0]", ""),
        ("cbuffer A { float a; }; cbuffer B : register(b1) { float b; };", "a", "b", ""),
        ("cbuffer A : register(b0) { float a; }; cbuffer B { float b; };", "b", "b", ""),
    ],
)
def test_registers_that_stages_share(declarations: str, vertex: str, pixel_uses: str, said: str) -> None:
    found = violations("register-shared-by-stages", declarations + TWO.format(vertex, pixel_uses))
    assert len(found) == bool(said)
    for violation in found:
        assert said in violation.message
        (related,) = violation.related
        assert related.span != violation.span


def test_two_entry_points_of_one_stage_share_nothing() -> None:
    source = "cbuffer A { float a; }; cbuffer B { float b; }; float4 xPS() : SV_Target { return a; }"
    assert not violations("register-shared-by-stages", source + "float4 yPS() : SV_Target { return b; }")


def test_the_hidden_buffer_at_two_registers() -> None:
    source = "cbuffer A : register(b0) { float a; }; float g;" + TWO.format("a + g", "g")
    (violation,) = violations("entry-dependent-register", source)
    assert "`$Globals` has no register and is at b1 in VS, b0 in PS" in violation.message
    assert "put its members into a cbuffer" in violation.message
    assert [related.message for related in violation.related] == ["VS has it at b1", "PS has it at b0"]


@pytest.mark.parametrize(
    ("declarations", "used", "names"),
    [
        ("Buffer<float4> a; Buffer<float4> b; Buffer<float4> c : register(t5);", "a[0] + c[0]", ("a",)),
        ("Buffer<float4> a; Buffer<float4> b;", "b[0] + a[0]", ("a", "b")),
        ("float a;", "a", ()),
        ("Buffer<float4> a : register(t0);", "a[0]", ()),
    ],
)
def test_resources_without_registers(declarations: str, used: str, names: tuple[str, ...]) -> None:
    found = violations("implicit-binding", pixel(declarations, used), "-T", "ps_6_0")
    assert [violation.symbols for violation in found] == ([names] if names else [])


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("const float a = 1;", "const static float a = 1;"),
        ("const row_major float2x2 a = {1, 2, 3, 4};", "const row_major static float2x2 a = {1, 2, 3, 4};"),
        ("uniform const float3 a = 1;", None),
        ("extern const int a = 3;", None),
        ("const float a = 2, b;", None),
        ("const float b, a = 2;", None),
        ("const float a : register(c3) = 2;", None),
        ("float a = 1;", None),
        ("#define KIND float\nconst KIND a = 1;", None),
    ],
)
def test_the_fix_of_a_constant_without_static(written: str, mended: str | None) -> None:
    source = f"{written}\nfloat4 main() : SV_Target {{ return a.x; }}"
    (violation,) = violations("constant-not-static", source, "-T", "ps_6_0")
    if mended is None:
        assert violation.fix is None
        return
    assert violation.fix is not None and violation.fix.safe
    (edit,) = violation.fix.edits
    after = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert after.splitlines()[0] == mended
    assert not violations("constant-not-static", after, "-T", "ps_6_0")


@pytest.mark.parametrize(
    ("others", "safe"),
    [
        ("const float3 c = 1;", True),
        ("float4 c;", False),
        ("float c = 1;", False),
        ("extern const float c = 1;", False),
    ],
)
def test_the_fix_of_a_constant_that_moves_others_is_unsafe(others: str, safe: bool) -> None:
    source = f"const float a = 1;\n{others}\nfloat4 main() : SV_Target {{ return a; }}"
    (violation,) = violations("constant-not-static", source, "-T", "ps_6_0")
    assert violation.fix is not None and violation.fix.safe is safe
