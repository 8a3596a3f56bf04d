"""What names come to: types through aliases, templates and scopes; constants; overloads."""

from __future__ import annotations

import pytest
from bindlint.bindings.analyse import Analyser
from bindlint.facts.module import ModuleReader
from bindlint.model.declarations import TypeName
from bindlint.model.shader import Shader
from bindlint.usage.link import Linker
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol, StructSymbol, VariableSymbol

TEXT = """
typedef Texture2D<float4> Map; typedef Map Four[4]; using Again = Map;
template<typename T> using Buffers = StructuredBuffer<T>;
typedef Loop2 Loop1; typedef Loop1 Loop2;
struct Base { Map map; static const uint Own = 5; float4 get() { return 0; } };
struct Derived : Base { float4 other; float4 get(uint i); };
float4 Derived::get(uint i) { return i; }
template<typename T> struct Box { T held; T many[3]; };
namespace N { struct Inner { float x; }; static const uint Size = 3; Inner made; namespace M { Inner deep; } }
namespace O { struct Inner { float y; }; Inner made; }
using namespace O;
enum Plain { Zero, One, Ten = 10, Eleven, Next = Eleven * 2 };
enum class Scoped : uint { A = 3, B };
static const uint Two = One + 1; static const int Negative = -Two; const uint NotStatic = 4; static uint NotConst = 4;
static const uint Circle1 = Circle2; static const uint Circle2 = Circle1;
static const float Half = 0.5; static const uint Listed[2] = { 1, 2 };
void f(uint a) {} void f(uint a, uint b) {} void f(float a); void g(uint a, uint b = 1); void g(uint a, uint b) {}
"""


@pytest.fixture(scope="module")
def table() -> SymbolTable:
    analyser = Analyser()
    analyser.overlay("/project/shader.hlsl", TEXT.encode())
    module = ModuleReader(analyser.store, analyser.limits).read(Shader("/project/shader.hlsl", directory="/project"))
    return Linker().table(module)


@pytest.mark.parametrize(
    ("written", "scope", "resource", "struct", "dimensions"),
    [
        ("Texture2D<float4>", (), "Texture2D", "", ()),
        ("Map", (), "Texture2D", "", ()),
        ("Again", (), "Texture2D", "", ()),
        ("Four", (), "Texture2D", "", ("4",)),
        ("Buffers<Base>", (), "StructuredBuffer", "", ()),
        ("Loop1", (), "", "", ()),
        ("Derived", (), "", "Derived", ()),
        ("Box<Map>", (), "", "Box", ()),
        ("N::Inner", (), "", "Inner", ()),
        ("float4", (), "", "", ()),
        ("Unknown<float>", (), "", "", ()),
    ],
)
def test_types(
    table: SymbolTable, written: str, scope: tuple[str, ...], resource: str, struct: str, dimensions: tuple[str, ...]
) -> None:
    resolved = table.resolve_written_type(written, scope)
    assert (resolved.resource.name if resolved.resource else "") == resource
    assert (resolved.struct.struct.name if resolved.struct else "") == struct
    assert resolved.dimensions == dimensions


@pytest.mark.parametrize(
    ("name", "scope", "field"),
    [
        ("N::Inner", (), "x"),
        ("O::Inner", (), "y"),
        ("Inner", ("N",), "x"),
        ("Inner", ("N", "M"), "x"),
        ("Inner", (), "y"),
    ],
)
def test_scopes(table: SymbolTable, name: str, scope: tuple[str, ...], field: str) -> None:
    struct = table.resolve_type(TypeName(name), scope).struct
    assert struct is not None
    assert [f.name for f in struct.struct.fields] == [field]


@pytest.mark.parametrize(
    ("name", "scope", "found"),
    [("made", (), ("O",)), ("made", ("N",), ("N",)), ("N::made", (), ("N",)), ("deep", ("N", "M"), ("N", "M"))],
)
def test_variables(table: SymbolTable, name: str, scope: tuple[str, ...], found: tuple[str, ...]) -> None:
    assert {s.scope for s in table.visible(name, scope) if isinstance(s, VariableSymbol)} == {found}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Zero", 0), ("One", 1), ("Ten", 10), ("Eleven", 11), ("Next", 22), ("A", 3), ("B", 4), ("Scoped::B", 4),
        ("Two", 2), ("Negative", -2), ("N::Size", 3), ("Size", 3), ("NotStatic", None), ("NotConst", None),
        ("Circle1", None), ("Half", None), ("Listed", None), ("nothing", None), ("f", None),
    ],
)  # fmt: skip
def test_constants(table: SymbolTable, name: str, value: int | None) -> None:
    assert table.constant(name) == value


def test_members_of_a_template_take_its_arguments(table: SymbolTable) -> None:
    box = table.resolve_written_type("Box<Map>")
    assert box.struct is not None
    held = table.field(box.struct, "held")
    assert held is not None
    resolved = table.member_type(box, held.type)
    assert resolved.resource is not None
    assert resolved.resource.name == "Texture2D"


def methods(table: SymbolTable, struct: str, name: str) -> list[FunctionSymbol]:
    (symbol,) = (s for s in table.names[struct] if isinstance(s, StructSymbol))
    return table.methods(symbol, name)


def test_methods_outside_their_struct_and_of_bases(table: SymbolTable) -> None:
    declared, outside = methods(table, "Derived", "get")
    assert declared.function.body is None
    assert outside.function.body is not None
    (inherited,) = methods(table, "Base", "get")
    assert inherited.function.owner == "Base"
    assert methods(table, "Derived", "nothing") == []
