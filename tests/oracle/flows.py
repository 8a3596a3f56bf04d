"""Shaders made from a seed, of which much is never needed: dead branches, stores that die, results that nobody reads.

Every resource has a register of its own, so that one that is wrongly called used moves no other.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from oracle.shaders import GeneratedShader

PRELUDE = """\
#define ON 1
#define OFF 0
#define READ(texture) texture.Load(int3(at, 0, 0))
#define TWICE(x) ((x) + (x))
enum Level { Low, High = 3 };
enum class Mode { Plain, Rich = 2 };
static const bool No = false;
static const uint Two = 1 + 1;
static const float Small = 0.5;
template<int N> static const int Next = N + 1;
Texture2D<float4> A : register(t0);
Texture2D<float4> B : register(t1);
Texture2D<float4> C : register(t2);
Texture2D<float4> Many[4] : register(t3);
Buffer<float4> D : register(t7);
StructuredBuffer<float4> E : register(t8);
ByteAddressBuffer F : register(t9);
SamplerState S : register(s0);
SamplerState Z : register(s1);
RWBuffer<float4> U : register(u1);
RWStructuredBuffer<float4> V : register(u2);
RWByteAddressBuffer W : register(u3);
RWTexture2D<float4> X : register(u4);
cbuffer First : register(b0) { float4 k; uint n; float4 list[4]; };
cbuffer Second : register(b1) { float4 q; uint m; };
struct View { float4 value; uint count; };
ConstantBuffer<View> G : register(b2);
static float4 Kept = 0;
groupshared float4 Scratch[4];
struct Pair
{
    float4 one, two;
    float4 first() { return one; }
    void second(float4 v) { two = v; }
    static float4 other(uint at) { return READ(C); }
};
struct Deep : Pair { Pair inner; float4 rest[2]; };
struct Bound { Texture2D<float4> texture; SamplerState state; float4 scale; };
namespace Inner { float4 B(uint at) { return D[at]; } }
"""
MAINS = {
    "ps": "float4 main(uint at : AT, float4 v : V) : SV_Target\n{{\n    float4 sum = v;\n{body}    return sum;\n}}\n",
    "vs": "float4 main(uint at : AT, float4 v : V) : SV_Position\n{{\n    float4 sum = v;\n{body}    return sum;\n}}\n",
    "cs": "RWBuffer<float4> Result : register(u0);\n[numthreads(4, 1, 1)] void main(uint at : SV_GroupIndex)\n{{\n"
    "    float4 v = at, sum = v;\n{body}    Result[at] = sum;\n}}\n",
}  # fmt: skip
NEVER = (
    "false", "OFF", "No", "Two > 3", "High == 2", "!ON", "ON && OFF", "n > 1 && No", "Next<2> != 3",
    "sizeof(float) == 8", "Mode::Plain == Mode::Rich", "(int)Mode::Rich < 2", "Two % 2", "defined_off", "!(Two - 1)",
)  # fmt: skip
ALWAYS = ("true", "ON", "!No", "Two == 2", "n > 1 || ON", "Low < High", "Next<4> == 5", "(1 << Two) == 4")
PERHAPS = ("n > 1", "at > 2", "sum.x > Small", "m == Two", "G.count > 3", "at & 1", "READ(B).x > 0", "any(q > v)")


def generate(seed: int) -> GeneratedShader:
    """The shader of that seed. Nearly all are accepted."""
    return _Writer(random.Random(f"flows {seed}")).shader()


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.functions: list[str] = []
        self.callable: list[Callable[[], str]] = []
        self.locals = ["sum", "v"]
        self.pairs: list[str] = []
        self.count = 0

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def name(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def shader(self) -> GeneratedShader:
        stage = self.rng.choice(tuple(MAINS))
        for _ in range(self.rng.randint(1, 6)):
            self.function()
        self.locals, self.pairs = ["sum", "v"], []
        body = self.block(self.rng.randint(4, 10), 1)
        text = PRELUDE + "".join(self.functions) + MAINS[stage].format(body=body)
        if stage != "cs":
            text = text.replace("groupshared", "static")
        arguments = [
            "-T",
            f"{stage}_6_{self.rng.choice((0, 2, 6))}",
            "-E",
            "main",
            "-D",
            "defined_off=0",
            "-HV",
            "2021",
        ]
        return GeneratedShader(text, arguments)

    # -- functions

    def function(self) -> None:
        name = f"f{len(self.functions)}"
        kind = self.rng.choice(
            ("value", "value", "out", "template", "texture", "pair", "store", "void", "option", "state")
        )
        self.locals, self.pairs = ["sum", "v"], []
        inner = self.block(self.rng.randint(1, 4), 1)
        value = self.value()
        heads = {
            "value": "float4 {}(float4 v, uint at, float4 spare = float4(1, 2, 3, 4))",
            "out": "void {}(float4 v, uint at, out float4 given, inout float4 sum2)",
            "template": "template<int N> float4 {}(float4 v, uint at)",
            "texture": "float4 {}(Texture2D<float4> t, SamplerState s, float4 v, uint at)",
            "pair": "Pair {}(float4 v, uint at)",
            "store": "void {}(RWBuffer<float4> u, float4 v, uint at)",
            "void": "void {}(float4 v, uint at)",
            "option": "float4 {}(float4 v, uint at, bool on, Mode mode)",
            "state": "void {}(inout Pair p, float4 v, uint at)",
        }
        ends = {
            "value": f"return {value};",
            "out": f"given = {value}; sum2 += {self.value()};",
            "template": f"if (N > 2) sum += {value}; else sum += {self.value()}; return sum;",
            "texture": f"return t.SampleLevel(s, v.xy, 0) + {value} * v;",
            "pair": f"Pair p; p.one = {value}; p.two = {self.value()}; return p;",
            "store": f"u[at] = {value};",
            "void": self.effect(),
            "option": f"if (on) return {value}; if (mode == Mode::Rich) sum += {self.value()}; return sum;",
            "state": f"p.one = {value}; p.second(p.first() + {self.value()});",
        }
        loaded = f"    float4 sum = v;\n{inner}    {ends[kind]}\n"
        self.functions.append(f"{heads[kind].format(name)}\n{{\n{loaded}}}\n")
        self.callable.append(lambda: self.use(name, kind))

    def use(self, name: str, kind: str) -> str:
        """Statements that call the function; the value that they give stands at the end, after a bar."""
        rng = self.rng
        v, x = rng.choice(self.locals), self.name()
        on = rng.choice((*NEVER[:6], *ALWAYS[:4], *PERHAPS[:3]))
        texture, state = (
            rng.choice(("A", "B", "C", "Many[1]", f"Many[{rng.choice(('at', 'Two', 'n'))}]")),
            rng.choice("SZ"),
        )
        return {
            "value": f"|{name}({v}, at)",
            "out": f"float4 {x}; {name}({v}, at, {x}, {rng.choice(self.locals)});|{x}",
            "template": f"|{name}<{rng.choice(('1', '3', 'Two', '(Next<2>)'))}>({v}, at)",
            "texture": f"|{name}({texture}, {state}, {v}, at)",
            "pair": f"|{name}({v}, at).{rng.choice(('one', 'two', 'first()'))}",
            "store": f"{name}(U, {v}, at);|{v}",
            "void": f"{name}({v}, at);|{v}",
            "option": f"|{name}({v}, at, {on}, Mode::{rng.choice(('Plain', 'Rich'))})",
            "state": f"Pair {x} = (Pair)0; {name}({x}, {v}, at);|{x}.{rng.choice(('one', 'two'))}",
        }[kind]

    # -- expressions

    def value(self, depth: int = 0) -> str:
        rng = self.rng
        form = rng.random()
        if form < 0.4:
            return self.read()
        if form < 0.55 or depth > 2:
            return rng.choice(self.locals)
        if form < 0.65 and self.pairs:
            return f"{rng.choice(self.pairs)}.{rng.choice(('one', 'two', 'first()', 'one.xyzw'))}"
        if form < 0.72:
            return f"({self.condition()} ? {self.value(depth + 1)} : {self.value(depth + 1)})"
        if form < 0.9:
            operator = rng.choice(("+", "*", "-"))
            return f"({self.value(depth + 1)} {operator} {self.value(depth + 1)})"
        return rng.choice(
            ("float4({}.xyz, 1)", "TWICE({})", "max({}, 0)", "-{}", "{}.wzyx", "lerp({}, 1, 0.5)")
        ).format(self.value(depth + 1))

    def read(self) -> str:
        return self.rng.choice((
            "READ(A)", "READ(B)", "READ(C)", "READ(Many[2])", "READ(Many[at])", "D[at]", "E[at]", "Inner::B(at)",
            "asfloat(F.Load4(16))", "A.SampleLevel(S, v.xy, 0)", "B.SampleLevel(Z, v.xy, 0)", "X[uint2(at, 0)]",
            "k", "q", "list[at & 3]", "G.value", "Kept", "Pair::other(at)", "U[at]", "float4(W.Load(4), 0, 0, 1)",
            "float4(1, 2, 3, 4)",
        ))  # fmt: skip

    def condition(self) -> str:
        return self.rng.choice(self.rng.choice((NEVER, ALWAYS, PERHAPS)))

    def effect(self) -> str:
        place = self.rng.choice(("U[at]", "V[at]", "X[uint2(at, 1)]", "Scratch[at & 3]"))
        return self.rng.choice((f"{place} = {self.value()};", f"W.Store4(0, asuint({self.value()}));"))

    # -- statements

    def block(self, count: int, depth: int) -> str:
        names, pairs = list(self.locals), list(self.pairs)
        lines = [self.statement(depth) for _ in range(count)]
        self.locals, self.pairs = names, pairs
        return "".join(f"{'    ' * depth}{line}\n" for line in lines)

    def nested(self, depth: int) -> str:
        return "{\n" + self.block(self.rng.randint(1, 3), depth + 1) + "    " * depth + "}"

    def statement(self, depth: int) -> str:
        rng = self.rng
        forms = [
            self.declare,
            self.declare,
            self.assign,
            self.assign,
            self.accumulate,
            self.pair,
            self.call,
            self.call,
            self.keep,
        ]
        if depth < 3:
            forms += [lambda: self.branch(depth), lambda: self.branch(depth), lambda: self.loop(depth)]
        if rng.random() < 0.12:
            return self.effect()
        return rng.choice(forms)()

    def declare(self) -> str:
        value, name = self.value(), self.name()
        self.locals.append(name)
        if self.chance(0.15):
            return (
                f"Texture2D<float4> t{name} = {self.rng.choice(('A', 'B', 'Many[3]'))}; float4 {name} = READ(t{name});"
            )
        if self.chance(0.1):
            return (
                f"Bound b{name}; b{name}.texture = {self.rng.choice('ABC')}; b{name}.state = {self.rng.choice('SZ')}; "
                f"b{name}.scale = {value}; float4 {name} = b{name}.texture.SampleLevel(b{name}.state, v.xy, 0);"
            )
        return f"float4 {name} = {value};"

    def assign(self) -> str:
        target = self.rng.choice(self.locals)
        return f"{target}{self.rng.choice(('', '', '.xyzw'))} = {self.value()};"

    def accumulate(self) -> str:
        return f"{self.rng.choice((*self.locals, 'sum', 'sum'))} {self.rng.choice(('+=', '*=', '-='))} {self.value()};"

    def pair(self) -> str:
        if self.pairs and self.chance(0.7):
            target, value = self.rng.choice(self.pairs), self.value()
            if self.chance(0.3):
                return f"{target}.second({value});"
            return f"{target}.{self.rng.choice(('one', 'two'))} = {value};"
        name, value = self.name(), self.value()
        if self.chance(0.3):
            text = f"Deep d{name} = (Deep)0; d{name}.inner.one = {value}; d{name}.rest[1] = {self.value()}; "
            self.pairs.append(name)
            return f"{text}Pair {name} = d{name}.inner; {name}.two = d{name}.rest[{self.rng.choice('01')}];"
        self.pairs.append(name)
        return f"Pair {name} = {{ {value}, {self.value()} }};"

    def call(self) -> str:
        if not self.callable:
            return self.accumulate()
        before, _, value = self.rng.choice(self.callable)().partition("|")
        if self.chance(0.25):
            return f"{{ {before} {value}; }}"
        target = self.rng.choice((*self.locals, "sum"))
        return f"{{ {before} {target} {self.rng.choice(('=', '+='))} {value}; }}"

    def keep(self) -> str:
        return self.rng.choice(("Kept = {};", "Kept += {};", "Kept.xy = (float2)({});")).format(self.value())

    def branch(self, depth: int) -> str:
        form = self.rng.random()
        if form < 0.12:
            cases = "".join(f"case {i}: {self.accumulate()} break; " for i in range(2))
            return f"switch ({self.rng.choice(('n', 'at', 'Two', '1'))}) {{ {cases}default: {self.assign()} }}"
        text = f"if ({self.condition()}) {self.nested(depth)}"
        return text + (f" else {self.nested(depth)}" if self.chance(0.4) else "")

    def loop(self, depth: int) -> str:
        i = self.name()
        bound = self.rng.choice(("n", "4", "0", "Two", "at"))
        head = f"for (uint {i} = 0; {i} < {bound}; ++{i})"
        if self.chance(0.2):
            head = f"while ({self.rng.choice(('false', 'No', 'sum.x > 100 && n > 3'))})"
        return f"{head} {self.nested(depth)}"
