"""Shaders with a root signature that fits, of which then one thing is edited: a register, count, space or flag."""

from __future__ import annotations

from random import Random

import msgspec

STAGES = {"ps": "PIXEL", "vs": "VERTEX", "cs": ""}
HEADS = {
    "ps": "float4 main() : SV_Target",
    "vs": "float4 main() : SV_Position",
    "cs": "[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID)",
}
KEYWORDS = {"b": "CBV", "t": "SRV", "u": "UAV", "s": "Sampler"}
DATA_FLAGS = ("DATA_VOLATILE", "DATA_STATIC", "DATA_STATIC_WHILE_SET_AT_EXECUTE")
RANGE_FLAGS = (*DATA_FLAGS, "DESCRIPTORS_VOLATILE", "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS")
VISIBILITIES = ("ALL", "VERTEX", "HULL", "DOMAIN", "GEOMETRY", "PIXEL", "AMPLIFICATION", "MESH")

# Declaration, what reads one element, and whether a root descriptor may hold it.
TYPES: dict[str, tuple[tuple[str, str, bool], ...]] = {
    "b": (("ConstantBuffer<Constants>", "{}.value", True),),
    "t": (
        ("Texture2D<float4>", "{}.Load(0)", False),
        ("Buffer<float4>", "{}[0]", False),
        ("StructuredBuffer<float4>", "{}[1]", True),
        ("ByteAddressBuffer", "{}.Load(0)", True),
    ),
    "u": (
        ("RWTexture2D<float4>", "{}[uint2(0, 0)]", False),
        ("RWStructuredBuffer<float4>", "{}[2]", True),
        ("RWByteAddressBuffer", "{}.Load(4)", True),
    ),
    "s": (("SamplerState", "Map.SampleLevel({}, 0.5, 0)", False),),
}


class Range:
    """Registers of a root signature: a range of a table, or with `keyword` a root parameter or static sampler."""

    def __init__(self, cls: str, register: int, space: int, count: int = 1) -> None:
        self.cls, self.register, self.space, self.count = cls, register, space, count
        self.flags: list[str] = []
        self.offset: int | None = None

    def arguments(self, more: tuple[str, ...] = ()) -> str:
        parts = [f"{self.cls}{self.register}", f"space = {self.space}", *more]
        if self.flags:
            parts.append(f"flags = {' | '.join(self.flags)}")
        return ", ".join(parts)

    def text(self) -> str:
        more = [f"numDescriptors = {'unbounded' if self.count < 0 else self.count}"]
        if self.offset is not None:
            more.append(f"offset = {self.offset}")
        return f"{KEYWORDS[self.cls]}({self.arguments(tuple(more))})"


class Parameter:
    """One clause. `kind` is "table", "descriptor", "constants" or "static"."""

    def __init__(self, kind: str, ranges: list[Range], visibility: str) -> None:
        self.kind, self.ranges, self.visibility = kind, ranges, visibility
        self.values: list[str] = ["num32BitConstants = 4"] if kind == "constants" else []

    def text(self) -> str:
        shown = f"visibility = SHADER_VISIBILITY_{self.visibility}"
        if self.kind == "table":
            return f"DescriptorTable({', '.join(part.text() for part in self.ranges)}, {shown})"
        (only,) = self.ranges
        keyword = {"constants": "RootConstants", "static": "StaticSampler"}.get(self.kind, KEYWORDS[only.cls])
        return f"{keyword}({only.arguments((*self.values, shown))})"


class Mutant(msgspec.Struct, frozen=True):
    """A shader, what was edited in its root signature, and the 1-based line of the edited clause."""

    source: str
    arguments: list[str]
    edit: str
    line: int


def generate(seed: int) -> Mutant:
    """The mutant of that seed; every eighth is left as it was."""
    random = Random(f"signature mutant {seed}")
    stage = random.choice(sorted(STAGES))
    declarations, reads, parameters = _shader(random, STAGES[stage])
    flags = ["ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"] if random.random() < 0.3 else []
    edited_kind, edited = ("none", 0) if seed % 8 == 7 else edit(random, parameters, flags)
    clauses = [f"RootFlags({' | '.join(flags) or '0'})", *(parameter.text() for parameter in parameters)]
    lines = ["struct Constants { float4 value; };", "Texture2D<float4> Map : register(t0, space9);", *declarations]
    line = len(lines) + 1 + edited
    quoted = [f'"{clause}{", " if clause is not clauses[-1] else ""}"' for clause in clauses]
    lines += [f"[RootSignature({quoted[0]}", *quoted[1:]]
    lines[-1] += ")]"
    total = " + ".join(["Map.Load(0)", *reads])
    body = f"{{ Output[0] = {total}; }}" if stage == "cs" else f"{{ return {total}; }}"
    if stage == "cs":
        lines.insert(0, "RWStructuredBuffer<float4> Output : register(u0, space9);")
        line += 1
    lines += [HEADS[stage], body, ""]
    return Mutant("\n".join(lines), ["-T", f"{stage}_6_0", "-E", "main"], edited_kind, line)


def _shader(random: Random, own: str) -> tuple[list[str], list[str], list[Parameter]]:
    """Declarations, expressions that read them, and a root signature in which each has its place."""
    declarations, reads = [], []
    tables: dict[bool, list[Range]] = {False: [Range("t", 0, 9)] + [Range("u", 0, 9)] * (not own), True: []}
    parameters: list[Parameter] = []
    next_register: dict[tuple[str, int], int] = {}

    def shown() -> str:
        return own if own and random.random() < 0.4 else "ALL"

    for number in range(random.randint(2, 6)):
        cls, space = random.choice("bttus"), random.choice((0, 0, 1, 2))
        type_name, read, on_root = random.choice(TYPES[cls])
        count = random.choice((1, 1, 1, 3))
        register = next_register.get((cls, space), 0) + random.choice((0, 0, 1))
        next_register[cls, space] = register + count
        name = f"R{number}"
        array, element = (f"[{count}]", f"{name}[{count - 1}]") if count > 1 else ("", name)
        declarations.append(f"{type_name} {name}{array} : register({cls}{register}, space{space});")
        reads.append(read.format(element))
        part = Range(cls, register, space, count)
        if count == 1 and cls == "s" and random.random() < 0.5:
            parameters.append(Parameter("static", [part], shown()))
        elif count == 1 and on_root and random.random() < 0.5:
            kind = "constants" if cls == "b" and random.random() < 0.5 else "descriptor"
            parameters.append(Parameter(kind, [part], shown()))
        else:
            tables[cls == "s"].append(part)
    for ranges in tables.values():
        while ranges:
            size = random.randint(1, 3)
            parameters.append(Parameter("table", ranges[:size], shown()))
            del ranges[:size]
    random.shuffle(parameters)
    return declarations, reads, parameters


def edit(random: Random, parameters: list[Parameter], flags: list[str]) -> tuple[str, int]:
    """Edit one thing; returns what it was and the number of the clause (0: the root flags)."""
    number = random.randrange(len(parameters))
    parameter = parameters[number]
    part = random.choice(parameter.ranges)
    kind = random.choice(("register", "space", "count", "visibility", "flags", "class", "offset", "root-flag", "drop",
                          "copy", "value"))  # fmt: skip
    if kind == "root-flag":
        flags.append(random.choice([f"DENY_{stage}_SHADER_ROOT_ACCESS" for stage in VISIBILITIES[1:]]
                                   + ["LOCAL_ROOT_SIGNATURE", "ALLOW_STREAM_OUTPUT"]))  # fmt: skip
        return f"{kind} {flags[-1]}", 0
    if kind == "drop" and len(parameters) > 1:
        del parameters[number]
        return kind, min(number, len(parameters) - 1) + 1
    if kind == "copy":
        place = random.randint(0, len(parameters))
        parameters.insert(place, parameter)
        return kind, place + 1
    if kind == "space":
        part.space = random.choice((part.space + 1, 0, 0xFFFFFFEF, 0xFFFFFFF0))
    elif kind == "visibility":
        parameter.visibility = random.choice(VISIBILITIES)
    elif kind == "class" and parameter.kind != "static" and parameter.kind != "constants":
        part.cls = random.choice([cls for cls in "btu" if cls != part.cls])
    elif kind == "flags" and parameter.kind in ("table", "descriptor"):
        known = RANGE_FLAGS if parameter.kind == "table" else (*DATA_FLAGS, "DESCRIPTORS_VOLATILE")
        part.flags = random.sample(known, random.randint(1, 2))
    elif kind == "value" and parameter.kind == "static":
        parameter.values.append(random.choice(("mipLODBias = 16", "maxAnisotropy = 17", "minLOD = 5, maxLOD = 1",
                                               "comparisonFunc = COMPARISON_ALWAYS", "mipLODBias = -16")))  # fmt: skip
    elif parameter.kind == "table" and kind == "offset":
        part.offset = random.choice((0, 7, 0xFFFFFFFE))
    elif parameter.kind == "table" and kind == "count":
        part.count = random.choice((part.count + 1, part.count - 1, 0, -1))
    else:
        kind = "register"
        part.register = random.choice((part.register + 1, max(part.register - 1, 0), part.register + 40, 0xFFFFFFFE))
    return kind, number + 1
