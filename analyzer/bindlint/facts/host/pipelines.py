"""Pipeline states that host code creates: descriptions, streams of subobjects, and MiniEngine's pipeline classes."""

from __future__ import annotations

import re

from tree_sitter import Node

from bindlint.facts.host.bytecode import Maker, Shaders
from bindlint.facts.host.descriptions import (
    BYTECODE,
    COMPUTE,
    COMPUTE_PSO,
    GRAPHICS_PSO,
    RECORDS,
    RT_FORMATS,
    STREAM_DESC,
)
from bindlint.facts.host.device import MethodCall
from bindlint.facts.host.objects import BLOB
from bindlint.facts.host.parts import value_of
from bindlint.facts.host.shader_values import shader_of
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.texts import literal
from bindlint.facts.host.values import IDENTITY, Array, Cell, Pointer, Record, Unknown, Unset, Value
from bindlint.model.device import BindPoint, HostPipeline, HostRef, HostStage, ShaderSignature
from bindlint.model.source import Span

STAGES = ("vs", "hs", "ds", "gs", "as", "ms", "ps", "cs")
_MEMBER = re.compile(r"PIPELINE_STATE_(?:STREAM|SUBOBJECT_TYPE)_(\w+)\b[^;{}]*?\s(\w+)\s*;")
_SETTERS = {
    "SetVertexShader": "VS",
    "SetPixelShader": "PS",
    "SetGeometryShader": "GS",
    "SetHullShader": "HS",
    "SetDomainShader": "DS",
    "SetComputeShader": "CS",
}
_KINDS = {"ROOT_SIGNATURE": "pRootSignature", "RootSignature": "pRootSignature"}
_IID = re.compile(r"IID\w*_ARGS|PPV")
_DECLARED = re.compile(r"is declared elsewhere$")


class OpenStage(HostStage, frozen=True):
    """A stage whose bytecode is in a variable that is set elsewhere: its key, and its name."""

    key: str = ""
    variable: str = ""


def create_pipeline(device: Shaders, call: MethodCall) -> Value | None:
    """`CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&x))`, and those for compute and for streams."""
    if not makes_object(call.arguments, 1):
        return None
    value = device.evaluate(call.arguments[0])
    record = value.cell.value if isinstance(value, Pointer) and value.cell is not None else value
    point: BindPoint | None = None if call.name == "CreatePipelineState" else "graphics"
    if call.name == "CreateComputePipelineState":
        point = "compute"
    key = device.create(call.arguments[-1], call.node)
    pipeline = Reader(device, call.node).read(record, point, key)
    if pipeline is not None:
        device.sight(pipeline)
    return device.unknown("is an HRESULT", call.node)


def create_signature(device: Shaders, call: MethodCall) -> Value | None:
    """`CreateRootSignature` of a shader's bytecode; None for that of a serialized description."""
    if len(call.arguments) not in (4, 5):
        return None
    code = device.evaluate(call.arguments[1])
    if isinstance(code, Record) and BLOB in code.fields:
        return None
    source = Reader(device, call.node).stage("", code, device.span(call.node))
    if source is None:
        return None
    key = device.create(call.arguments[-1], call.node)
    name = key.rpartition("::")[2]
    device.sight(ShaderSignature(key, name, device.function, device.span(call.node), source))
    return 0


def makes_object(arguments: list[Node], before: int) -> bool:
    """Whether a call ends in the IID of what it makes and where to put it: D3D12's do, those of engines do not."""
    if len(arguments) == before + 1 and arguments[-1].type == "call_expression":
        return _IID.search(text_of(arguments[-1].child_by_field_name("function"))) is not None
    return len(arguments) == before + 2


class Reader:
    """Reads one description; `why` collects what keeps stages from being known.

    `told` leads from the members of a stream to what they are, where its structure is declared here.
    """

    def __init__(self, device: Shaders, node: Node) -> None:
        self.device = device
        self.node = node
        self.why: list[str] = []
        self.told: dict[str, str] = {}

    def read(self, value: Value, point: BindPoint | None, key: str) -> HostPipeline | None:
        names: dict[str, str] = {}
        if isinstance(value, Record) and value.type == STREAM_DESC:
            pointer = value_of(value, "pPipelineStateSubobjectStream")
            value = pointer.cell.value if isinstance(pointer, Pointer) and pointer.cell is not None else pointer
        if isinstance(value, Record):
            names = self._members(value)
        known = value if isinstance(value, Record) else None
        stages = self._stages(known, names) if known is not None else []
        if known is None or (not stages and isinstance(known.fill, Unknown)):
            self.why.insert(0, f"the description {reason(value)}")
        if point is None:
            point = "compute" if known is not None and any(stage.stage == "cs" for stage in stages) else "graphics"
        name = key.rpartition("::")[2]
        return HostPipeline(
            key=key,
            name=name,
            function=self.device.function,
            span=self.device.span(self.node),
            bind_point=point,
            signature=self._signature(known, names),
            stages=tuple(stages),
            render_targets=self._render_targets(known, names),
            unread="; ".join(dict.fromkeys(self.why)),
        )

    def _members(self, record: Record) -> dict[str, str]:
        """The fields of a description by what they are: `VS`, `pRootSignature`; those of a stream by their types."""
        struct = self.device.struct_named(record.type) if record.type else None
        text = self.device.frame.body if struct is None else (struct.node.text or b"").decode("utf-8", "replace")
        self.told = {name: kind for kind, name in _MEMBER.findall(text)} if record.type not in RECORDS else {}
        names: dict[str, str] = {}
        for name, cell in record.fields.items():
            kind = self.told.get(name, name if record.type in RECORDS else name.removeprefix("m_").removeprefix("p"))
            if isinstance(cell.value, Record) and cell.value.type == RT_FORMATS:
                kind = "RTVFormats"
            names.setdefault(_KINDS.get(kind, kind), name)
        return names

    def _stages(self, record: Record, names: dict[str, str]) -> list[HostStage]:
        found: list[HostStage] = []
        absent = 0
        for stage in STAGES:
            name = names.get(stage.upper())
            if name is None:
                absent += 1
                continue
            cell = record.fields[name]
            if cell.place is None and isinstance(cell.value, Record) and not _written(cell.value):
                absent += 1
                continue
            made = self.stage(stage, cell.value, self.span(cell))
            if made is not None:
                found.append(made)
        if found and isinstance(record.fill, Unknown) and not self._starts_here(record):
            self.why.append(f"the rest of the description {reason(record)}")
        return found

    def _starts_here(self, record: Record) -> bool:
        """Whether what is not written in a description is known not to be set."""
        assert isinstance(record.fill, Unknown)
        if record.type in (GRAPHICS_PSO, COMPUTE_PSO):
            return "pRootSignature" in record.fields
        return bool(self.told) and _DECLARED.search(record.fill.why) is not None

    def stage(self, stage: str, value: Value, span: Span) -> HostStage | None:
        """The stage whose bytecode a value is; None where it is not there or not known."""
        shader = shader_of(value)
        if shader is not None:
            made, why = from_shader(stage, shader, span)
            self.why += why
            return made if made.file else None
        held = value
        if isinstance(value, Record) and value.type == BYTECODE and "pShaderBytecode" in value.fields:
            held = value.fields["pShaderBytecode"].value
        if isinstance(held, Record) and held.type == BYTECODE and not isinstance(held.fill, Unknown):
            held = held.fill
        if isinstance(held, Unset | int | float):
            return None
        key, name = self._origin(held)
        if key or name:
            return OpenStage(stage, span, key=key, variable=name)
        self.why.append(f"the bytecode of the {stage.upper()} stage {reason(held)}")
        return None

    def _origin(self, value: Value) -> tuple[str, str]:
        if isinstance(value, Pointer):
            cell = value.cell
            key = self.device._key_held(value.array)
            if cell is not None and not key and isinstance(cell.value, Record | Array):
                return self._origin(cell.value)
            return key, value.array.name
        if isinstance(value, Array):
            return self.device._key_held(value), value.name
        if isinstance(value, Record):
            identity = value.fields.get(IDENTITY)
            key = identity.value if identity is not None and isinstance(identity.value, str) else ""
            return key, value.name
        return "", value.name if isinstance(value, Unknown) and value.name.startswith("g_") else ""

    def _signature(self, record: Record | None, names: dict[str, str]) -> HostRef | None:
        if record is None:
            return HostRef()
        name = names.get("pRootSignature")
        if name is None:
            return HostRef() if isinstance(record.fill, Unknown) and not self._starts_here(record) else None
        cell = record.fields[name]
        return self.reference(cell)

    def reference(self, cell: Cell) -> HostRef | None:
        value = cell.value
        if isinstance(value, Unset) or (isinstance(value, int) and value == 0):
            return None
        key = self.device._key_held(value)
        if not key and isinstance(value, Pointer) and value.cell is not None:
            key = self.device._key_held(value.cell.value)
        return HostRef(key, _right_of(cell), self.span(cell))

    def _render_targets(self, record: Record | None, names: dict[str, str]) -> int | None:
        if record is None:
            return None
        holder = record
        formats = record.fields[names["RTVFormats"]].value if "RTVFormats" in names else None
        if isinstance(formats, Record) and formats.type == RT_FORMATS:
            holder = formats
        value = value_of(holder, "NumRenderTargets")
        if record.type == COMPUTE:
            return None
        return value if isinstance(value, int) else None

    def span(self, cell: Cell) -> Span:
        return self.device.span(self.node) if cell.place is None else cell.place[0].span(cell.place[1], cell.place[2])


def from_shader(stage: str, shader: Record, span: Span) -> tuple[HostStage, list[str]]:
    """The stage that bytecode is for, and what of it is not known."""
    why = []
    texts: dict[str, str] = {}
    for field in ("file", "entry", "profile", "defines"):
        value = value_of(shader, field)
        text = literal(value)
        if text is None or (field == "file" and not text):
            told = reason(value).replace("is", "are", 1) if field == "defines" else reason(value)
            why.append(f"the {field} of the {stage.upper()} stage {told}")
        texts[field] = text or ""
    lines = texts["defines"].split("\n")
    defines = tuple((name, value) for name, equals, value in (line.partition("=") for line in lines) if equals)
    return HostStage(stage, span, texts["file"], texts["entry"], texts["profile"], defines), why


def reason(value: Value) -> str:
    """Why a value is not known, as the end of a sentence."""
    inner = value.fill if isinstance(value, Record) else value
    return f"is not known: {inner.why}" if isinstance(inner, Unknown) else "is not read"


def _written(record: Record) -> bool:
    return any(cell.place is not None or isinstance(cell.value, Record) for cell in record.fields.values())


def _right_of(cell: Cell) -> str:
    """The text of what was assigned to a field."""
    if cell.place is None:
        return ""
    source, start, end = cell.place
    text = source.unit.text[start:end].decode("utf-8", "replace")
    return " ".join(re.sub(r"^[^=;(]*?(?<![=!<>])=(?!=)", "", text).strip(" ;").split())[:80]


# MiniEngine.


def set_shader(device: Shaders, call: MethodCall) -> Value | None:
    """`SetVertexShader(g_pFoo, sizeof(g_pFoo))` of a pipeline of MiniEngine."""
    record = _pso(device, call)
    if record is None or len(call.arguments) not in (1, 2):
        return None
    made = Record(BYTECODE, 0, device.place(call.node))
    value = device.evaluate(call.arguments[0])
    if isinstance(value, Array):
        value = Pointer(value)
    device.write(device.field(made, "pShaderBytecode"), value, call.node)
    device.write(device.field(record, _SETTERS[call.name]), made, call.node)
    return 0


def set_signature(device: Shaders, call: MethodCall) -> Value | None:
    record = _pso(device, call)
    if record is None or len(call.arguments) != 1:
        return None
    ref = device.ref(call.arguments[0])
    value = device.object(ref.key, device.unknown("is a root signature", call.node))
    device.write(device.field(record, "pRootSignature"), value, call.arguments[0])
    return 0


def set_targets(device: Shaders, call: MethodCall) -> Value | None:
    record = _pso(device, call)
    if record is None or not call.arguments:
        return None
    several = call.name == "SetRenderTargetFormats"
    count = device.evaluate(call.arguments[0]) if several else 1
    if call.name == "SetDepthTargetFormat":
        count = 0
    device.write(device.field(record, "NumRenderTargets"), count, call.node)
    return 0


def finalize(device: Shaders, call: MethodCall) -> Value | None:
    record = _pso(device, call)
    if record is None or call.arguments:
        return None
    key = device.key_of_variable(call.target, call.receiver)
    point: BindPoint = "compute" if record.type == COMPUTE_PSO else "graphics"
    pipeline = Reader(device, call.node).read(record, point, key)
    if pipeline is not None:
        device.sight(pipeline)
    return 0


def sets_other_state(device: Shaders, call: MethodCall) -> Value | None:
    """Blend states and the like, which change nothing that is read here."""
    return 0


def _pso(device: Shaders, call: MethodCall) -> Record | None:
    value = call.target.cells[0].value if call.target.certain else None
    if isinstance(value, Pointer) and value.cell is not None:
        value = value.cell.value
    return value if isinstance(value, Record) and value.type in (GRAPHICS_PSO, COMPUTE_PSO) else None


MAKERS: dict[str, Maker] = {
    "CreateRootSignature": create_signature,
    **dict.fromkeys(
        ("CreateGraphicsPipelineState", "CreateComputePipelineState", "CreatePipelineState"), create_pipeline
    ),
    **{
        f"{kind}.{name}": method
        for kind in (GRAPHICS_PSO, COMPUTE_PSO)
        for name, method in {
            **dict.fromkeys(_SETTERS, set_shader),
            "SetRootSignature": set_signature,
            "SetRenderTargetFormat": set_targets,
            "SetRenderTargetFormats": set_targets,
            "SetDepthTargetFormat": set_targets,
            "Finalize": finalize,
            "*": sets_other_state,
        }.items()
    },
}
