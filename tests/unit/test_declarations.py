"""What text declares: each kind of declaration, its place, what stands around it, and what broken text leaves."""

from __future__ import annotations

import pytest
from bindlint.facts.declarations import read_declarations
from bindlint.facts.type_names import read_type, split_list
from bindlint.model.declarations import (
    Alias,
    ConstantBufferBlock,
    Enum,
    Function,
    Struct,
    Subobject,
    TemplateParameter,
    UsingNamespace,
    Variable,
)
from hypothesis import given
from hypothesis import strategies as st

WORDS = [
    "struct",
    "cbuffer",
    "A",
    "f",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ":",
    ",",
    ";",
    "=",
    "float4",
    "register(t0)",
    "operator",
    "1",
    '"',
    "enum",
]


def items(text: str):
    declarations = read_declarations(text.encode())
    assert declarations.unread == ()
    return declarations.items


def only(text: str):
    found = items(text)
    assert len(found) == 1
    return found[0]


def at(text: str, item) -> str:
    return text[item.start : item.end]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("float a, b[2]; int c;", ["a", "b", "c"]),
        ("struct S { int a; } s, t;", ["S", "s", "t"]),
        ("cbuffer A { float x; cbuffer B { float y; } struct Z { int q; }; void f() { } };", ["B", "Z", "f", "A"]),
        ("struct O { struct I { int a; } i; int b; };", ["I", "O"]),
        ("namespace N { int a; namespace M { int b; } } int c;", ["a", "b", "c"]),
        ("struct S; void f(); void f() { int local; }", ["f", "f"]),
        ("technique T { pass P { } } float x; ; }; float y;", ["x", "y"]),
        ("float f() { return 1; }; float g;", ["f", "g"]),
    ],
)
def test_order(text, names):
    assert [item.name for item in read_declarations(text.encode()).items] == names


@pytest.mark.parametrize(
    ("text", "name", "type_name", "dimensions"),
    [
        ("Texture2D<float4> t;", "t", "Texture2D<float4>", ()),
        ("Texture2D <float4 > t[3][];", "t", "Texture2D<float4>", ("3", "")),
        ("StructuredBuffer<vector<float, 4> > b[N * 2];", "b", "StructuredBuffer<vector<float, 4>>", ("N * 2",)),
        ("RWTexture2D<unorm float4>u[A[1]];", "u", "RWTexture2D<float4>", ("A[1]",)),
        ("const unsigned  int n;", "n", "unsigned int", ()),
        ("N::M::Foo<int, 3> x;", "x", "N::M::Foo<int, 3>", ()),
        ("ConstantBuffer<struct S> c;", "c", "ConstantBuffer<S>", ()),
        ("struct S s;", "s", "S", ()),
        ("::G g;", "g", "::G", ()),
        ("float sample;", "sample", "float", ()),
        ("Buffer<float> line : register(t0);", "line", "Buffer<float>", ()),
        ("float S::k[2] = { 1, 2 };", "k", "float", ("2",)),
    ],
)
def test_variables(text, name, type_name, dimensions):
    variable = only(text)
    assert isinstance(variable, Variable)
    assert (variable.name, str(variable.type), variable.dimensions) == (name, type_name, dimensions)
    assert at(text, variable) == name


def test_type_place_is_where_the_type_is_written():
    text = "static const Texture2D<float4>t;"
    variable = only(text)
    assert text[slice(*variable.type_place)] == "Texture2D<float4>"
    assert variable.storage == {"static", "const"}


def test_each_declarator_has_its_own_registers():
    a, b, c = items("Texture2D a : register(t1), b[2] : register(t4, space1) : register(ps, t5), c;")
    assert [(r.letter, r.number, r.space, r.profile) for r in a.registers] == [("t", 1, None, "")]
    assert [(r.letter, r.number, r.space, r.profile) for r in b.registers] == [("t", 4, 1, ""), ("t", 5, None, "ps")]
    assert c.registers == ()


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("RWBuffer<float> u : regsiter(u1);", "regsiter", "regsiter(u1)"),
        ("cbuffer A : registr(b0) { float x; }", "registr", "registr(b0)"),
        ("float x : packofset(c0.x);", "packofset", "packofset(c0.x)"),
    ],
)
def test_misspelt_annotations(text, name, written):
    (unknown,) = only(text).unknown
    assert (unknown.name, at(text, unknown)) == (name, written)


def test_payload_access_is_no_misspelling():
    (field,) = only("struct P { float a : read(caller) : write(miss, caller); };").fields
    assert (field.unknown, field.semantic) == ((), "")


@pytest.mark.parametrize(
    ("text", "initializer"),
    [
        ("static const int a = 3;", "3"),
        ("static float4 k[2] = { { 1, 2 }, { 3 } };", "{ { 1, 2 }, { 3 } }"),
        ("SamplerState s : register(s0) = sampler_state { Filter = F; };", "sampler_state { Filter = F; }"),
        ("static T t = Foo<a, b>(1, 2);", "Foo<a, b>(1, 2)"),
        ("static bool b = x < y ? true : false;", "x < y ? true : false"),
    ],
)
def test_initializers(text, initializer):
    assert text[slice(*only(text).initializer)] == initializer


def test_constant_buffer():
    text = """cbuffer Scene : register(b1, space2) {
        row_major float4x4 m : packoffset(c0); float a[2], b : packoffset(c6.y); };"""
    block = only(text)
    assert isinstance(block, ConstantBufferBlock)
    assert (block.kind, block.name, at(text, block)) == ("cbuffer", "Scene", "Scene")
    assert [(r.letter, r.number, r.space) for r in block.registers] == [("b", 1, 2)]
    assert [(m.name, m.dimensions, m.packoffset) for m in block.members] == [
        ("m", (), "c0"),
        ("a", ("2",), ""),
        ("b", (), "c6.y"),
    ]
    assert block.members[0].storage == {"row_major"}


def test_texture_buffer_and_scope_of_members():
    block = only("namespace N { tbuffer T { float x; } }")
    assert (block.kind, block.scope, block.members[0].scope) == ("tbuffer", ("N",), ("N",))


def test_a_buffer_is_no_array():
    text = b"cbuffer A[2] : register(b3) { float x; };"
    declarations = read_declarations(text)
    assert [text[start:end] for start, end in declarations.unread] == [b"A["]


def test_a_buffer_without_a_name_is_unread_and_its_members_are_there():
    text = b"cbuffer : register(b3) { float x; }; float y;"
    declarations = read_declarations(text)
    assert [text[start:end] for start, end in declarations.unread] == [b"cbuffer : register(b3) {"]
    assert [item.name for item in declarations.items] == ["x", "y"]


def test_struct():
    text = """template<typename T, int N = 4> struct S : public Base<T>, N::Other {
        Texture2D<T> a[N] : register(t3); static const int count = N; float b : SV_Depth, c;
        T get(uint i) { return a[i]; } static void reset();
        T operator[](uint i); bool operator ==(S o) { return true; } };"""
    struct = only(text)
    assert isinstance(struct, Struct)
    assert struct.template == (TemplateParameter("T", "typename"), TemplateParameter("N", "int", "4"))
    assert [str(base) for base in struct.bases] == ["Base<T>", "N::Other"]
    assert [field.name for field in struct.fields] == ["a", "count", "b", "c"]
    assert struct.fields[0].registers[0].number == 3
    assert struct.fields[1].storage == {"static", "const"}
    assert struct.fields[2].semantic == "SV_Depth"
    assert [method.name for method in struct.methods] == ["get", "reset", "operator[]", "operator=="]
    assert {method.owner for method in struct.methods} == {"S"}
    assert struct.methods[1].body is None


@pytest.mark.parametrize("keyword", ["struct", "class", "interface", "union"])
def test_struct_keywords(keyword):
    assert only(f"{keyword} K {{ float f(); }};").keyword == keyword


def test_nested_and_anonymous_structs():
    inner, outer, anonymous, variable = items(
        "namespace A { struct O { struct I { int a; } i; }; static struct { int b; } v[2]; }"
    )
    assert (inner.name, inner.scope) == ("I", ("A", "O"))
    assert (outer.name, outer.scope, str(outer.fields[0].type)) == ("O", ("A",), "I")
    assert (anonymous.name, str(variable.type)) == ("<anonymous@58>", "<anonymous@58>")
    assert (variable.scope, variable.dimensions) == (("A",), ("2",))


def test_struct_with_registers_on_its_variable():
    struct, variable = items("struct S { RWBuffer<float> b; } s : register(u3) : register(t5);")
    assert (struct.name, str(variable.type)) == ("S", "S")
    assert [(r.letter, r.number) for r in variable.registers] == [("u", 3), ("t", 5)]


def test_function():
    text = """[shader("pixel")] [RootSignature("CBV(b0)," "SRV(t0)")] [[vk::ext]] [numthreads(8, N(1, 2), 1)]
    export precise float4 main(in float4 p : SV_Position, inout Foo<int> q[2], point V v[1],
        uniform float line = f(1, 2), float) : SV_Target
    { if (a) { return "}"; } }"""
    function = only(text)
    assert isinstance(function, Function)
    assert (function.name, at(text, function), str(function.return_type)) == ("main", "main", "float4")
    assert (function.semantic, function.modifiers) == ("SV_Target", {"export", "precise"})
    assert [attribute.name for attribute in function.attributes] == ["shader", "RootSignature", "vk::ext", "numthreads"]
    assert [text[slice(*place)] for place in function.attributes[3].arguments] == ["8", "N(1, 2)", "1"]
    assert [text[slice(*place)] for place in function.attributes[1].arguments] == ['"CBV(b0)," "SRV(t0)"']
    assert [(p.name, str(p.type), p.dimensions, p.semantic) for p in function.parameters] == [
        ("p", "float4", (), "SV_Position"),
        ("q", "Foo<int>", ("2",), ""),
        ("v", "V", ("1",), ""),
        ("line", "float", (), ""),
        ("", "float", (), ""),
    ]
    assert [p.modifiers for p in function.parameters] == [{"in"}, {"inout"}, {"point"}, {"uniform"}, frozenset()]
    assert text[slice(*function.parameters[3].default)] == "f(1, 2)"
    assert text[slice(*function.body)] == '{ if (a) { return "}"; } }'


@pytest.mark.parametrize(
    ("text", "name", "owner", "scope"),
    [
        ("void f();", "f", "", ()),
        ("void f(void) { }", "f", "", ()),
        ("float S::f() const { return 1; }", "f", "S", ()),
        ("namespace N { float S::f() { } }", "f", "S", ("N",)),
        ("float N::S::f() { }", "f", "N::S", ()),
        ("template<class T> T S<T>::f(T x) { }", "f", "S", ()),
        ("template<> int f<int>(int x) { }", "f", "", ()),
        ("float S::operator +(float x) { }", "operator+", "S", ()),
        ("S::operator float4() { }", "operator float4", "S", ()),
        ("float f(float a[3])[3] { }", "f", "", ()),
        ("struct R { int a; }; struct R f() { }", "f", "", ()),
    ],
)
def test_names_of_functions(text, name, owner, scope):
    function = items(text)[-1]
    assert isinstance(function, Function)
    assert (function.name, function.owner, function.scope) == (name, owner, scope)
    assert (function.body is None) == (text.endswith(";"))


def test_no_parameters():
    assert only("void f(void) { }").parameters == ()


@pytest.mark.parametrize(
    ("text", "name", "type_name", "dimensions"),
    [
        ("typedef float4 F[4];", "F", "float4", ("4",)),
        ("typedef const Texture2D<float4> T;", "T", "Texture2D<float4>", ()),
        ("using U = N::Foo<int>;", "U", "N::Foo<int>", ()),
        ("template<typename T> using B = StructuredBuffer<T>;", "B", "StructuredBuffer<T>", ()),
        ("using A = float[3];", "A", "float", ("3",)),
    ],
)
def test_aliases(text, name, type_name, dimensions):
    alias = only(text)
    assert isinstance(alias, Alias)
    assert (alias.name, str(alias.type), alias.dimensions) == (name, type_name, dimensions)
    assert bool(alias.template) == text.startswith("template")


def test_typedef_of_a_struct():
    struct, alias = items("typedef struct Tag { int a; } Name;")
    assert (struct.name, alias.name, str(alias.type)) == ("Tag", "Name", "Tag")


def test_enums():
    plain, scoped = items("enum E { A, B = (1 << 2), C, }; enum class F : uint { D = N + 1 };")
    assert isinstance(plain, Enum)
    assert (plain.enumerators, plain.scoped) == ((("A", ""), ("B", "(1 << 2)"), ("C", "")), False)
    assert (scoped.name, scoped.enumerators, scoped.scoped) == ("F", (("D", "N + 1"),), True)


def test_namespaces_and_using():
    first, second, using = items("namespace A::B { int x; } namespace { int y; } using namespace A::B;")
    assert (first.scope, second.scope) == (("A", "B"), ())
    assert isinstance(using, UsingNamespace)
    assert using.name == "A::B"


def test_subobjects():
    text = 'GlobalRootSignature grs = { "CBV(b0)" ", SRV(t0)" }; SubobjectToExportsAssociation a = { "grs", "f;g" };'
    first, second = items(text)
    assert isinstance(first, Subobject)
    assert (first.kind, first.name) == ("GlobalRootSignature", "grs")
    assert [text[slice(*place)] for place in first.arguments] == ['"CBV(b0)" ", SRV(t0)"']
    assert [text[slice(*place)] for place in second.arguments] == ['"grs"', '"f;g"']


@pytest.mark.parametrize(
    ("broken", "unread"),
    [
        ("DECLARE(Texture2D, t, 0);", "DECLARE(Texture2D, t, 0);"),
        ("DECLARE(t)", "DECLARE(t)"),
        ("}", "}"),
        ("int x y z;", "y z"),
        ("Buffer<float> q : register(t0)(t1);", "("),
        ("Buffer<float> q : register(t0), register(t1);", "register("),
        ("float4 a[ ;", None),
        ("Texture2D t : register(t0", None),
        ("struct S { float };", None),
        ("void g() { if (x) {", None),
    ],
)
def test_unread_places(broken, unread):
    text = f"Texture2D a;\nvoid f() {{\n}}\n{broken}\nTexture2D b;\nvoid h() {{\n}}\nTexture2D c;".encode()
    declarations = read_declarations(text)
    names = [item.name for item in declarations.items]
    assert declarations.unread
    assert names[:2] == ["a", "f"]
    assert names[-1] == "c"
    if unread is not None:
        assert unread.encode() in [text[start:end] for start, end in declarations.unread]
        assert names[-3:] == ["b", "h", "c"]


def test_an_unclosed_block_keeps_what_is_in_it():
    declarations = read_declarations(b"cbuffer A { float x; Texture2D t : register(t1);")
    assert [item.name for item in declarations.items] == ["x", "t"]
    assert declarations.unread


@given(
    st.lists(
        st.sampled_from(
            [
                "struct",
                "cbuffer",
                "A",
                "f",
                "(",
                ")",
                "{",
                "}",
                "[",
                "]",
                "<",
                ">",
                ":",
                ",",
                ";",
                "=",
                "float4",
                "register(t0)",
                "operator",
                "1",
                '"',
                "enum",
            ]
        )
    )
)
def test_nothing_raises(words):
    text = " ".join(words).encode()
    for start, end in read_declarations(text).unread:
        assert 0 <= start < end <= len(text) + 1


@given(st.binary(max_size=200))
def test_no_bytes_raise(data):
    assert read_declarations(data).items is not None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  Texture2D < float4 >", "Texture2D<float4>"),
        ("A<B<int>, 3>", "A<B<int>, 3>"),
        ("A<B>::C", "A<B>::C"),
        ("const snorm float4", "float4"),
        ("float4 const", "float4"),
        ("F<(a > b)>", "F<(a > b)>"),
    ],
)
def test_read_type(text, shown):
    assert str(read_type(text.encode())) == shown


def test_split_list():
    text = b'a, f(b, c) , "d,e", {g, h},'
    assert [text[start:end] for start, end in split_list(text, 0, len(text))] == [b"a", b"f(b, c)", b'"d,e"', b"{g, h}"]
