"""The root-signature classes of MiniEngine, the sample engine of DirectX-Graphics-Samples, as host code uses them."""

from __future__ import annotations

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.containers import Containers
from bindlint.facts.host.machine import MAX_ELEMENTS
from bindlint.facts.host.values import UNSET, Array, Cell, Pointer, Record, Unknown, Value

_MINIENGINE = (
    "Reset",
    "InitStaticSampler",
    "Finalize",
    "InitAsDescriptorRange",
    "InitAsDescriptorTable",
    "SetTableRange",
)


class MiniEngine(Containers):
    """Methods of `RootSignature` and `RootParameter`."""

    def completed(self, record: Record, node: Node) -> None:
        raise NotImplementedError

    def miniengine(self, node: Node, record: Record, name: str, nodes: list[Node]) -> Value | None:
        values = [self.argument(n) for n in nodes] if name in _MINIENGINE else []
        if record.type == api.MINIENGINE:
            if name == "Reset":
                self.reset(record, values, node)
            elif name == "InitStaticSampler" and len(values) >= 2:
                self._static_sampler(record, values, node)
            elif name == "Finalize":
                # The first versions take no name before the flags.
                flags = values[1:] if nodes and "string" in nodes[0].type else values[-1:]
                self.write(self.field(record, "Flags"), flags[0] if flags else 0, node)
                self.completed(record, node)
            else:
                return None
            return 0
        if name == "InitAsDescriptorRange" and 3 <= len(values) <= 5:
            kind, register, count = values[:3]
            visibility = values[3] if len(values) > 3 else 0
            space = values[4] if len(values) > 4 else 0
            self._table(record, 1, visibility, node)
            self._table_range(record, [0, kind, register, count, space], node)
        elif name == "InitAsDescriptorTable" and 1 <= len(values) <= 2:
            self._table(record, values[0], values[1] if len(values) > 1 else 0, node)
        elif name == "SetTableRange" and 4 <= len(values) <= 5:
            self._table_range(record, [*values, *[0] * (5 - len(values))], node)
        else:
            return None
        return 0

    def _table(self, record: Record, count: Value, visibility: Value, node: Node) -> None:
        ranges: Value = self.unknown("the number of ranges is not known", node)
        if isinstance(count, int) and 0 <= count <= MAX_ELEMENTS:
            cells = [Cell(Record("D3D12_DESCRIPTOR_RANGE", UNSET, self.place(node))) for _ in range(count)]
            ranges = Pointer(Array("D3D12_DESCRIPTOR_RANGE", cells, False, self.place(node)))
        table = Record("D3D12_ROOT_DESCRIPTOR_TABLE", UNSET, self.place(node))
        for name, value in (("NumDescriptorRanges", count), ("pDescriptorRanges", ranges)):
            self.write(self.field(table, name), value, node)
        for name, value in (("ParameterType", 0), ("ShaderVisibility", visibility), ("DescriptorTable", table)):
            self.write(self.field(record, name), value, node)

    def _table_range(self, record: Record, values: list[Value], node: Node) -> None:
        table = self.field(record, "DescriptorTable").value
        pointer = self.field(table, "pDescriptorRanges").value if isinstance(table, Record) else None
        if not isinstance(pointer, Pointer):
            return
        found, sure = self.element(pointer, values[0], node)
        for cell in found:
            target = cell.value
            if not sure or not isinstance(target, Record):
                self.spoil(cell, self.unknown("it is not known which range this is", node), node)
                continue
            fields = ("RangeType", "BaseShaderRegister", "NumDescriptors", "RegisterSpace")
            for field, value in zip(fields, values[1:], strict=True):
                self.write(self.field(target, field), value, node)
            self.write(self.field(target, "OffsetInDescriptorsFromTableStart"), api.APPEND, node)

    def _static_sampler(self, record: Record, values: list[Value], node: Node) -> None:
        samplers = self.field(record, "samplers").value
        if not isinstance(samplers, Array):
            return
        sampler = Record("D3D12_STATIC_SAMPLER_DESC", UNSET, self.place(node))
        state = values[1]
        for field in api.RECORDS["D3D12_SAMPLER_DESC"]:
            value: Value = self.unknown("its state is set elsewhere", node, unread=True)
            if isinstance(state, Record):
                value = self.field(state, field).value
            if field == "BorderColor" and not isinstance(value, Unknown):
                value = self._border(state, node)
            self.write(self.field(sampler, field), value, node)
        self.write(self.field(sampler, "ShaderRegister"), values[0], node)
        self.write(self.field(sampler, "RegisterSpace"), 0, node)
        self.write(self.field(sampler, "ShaderVisibility"), values[2] if len(values) > 2 else 0, node)
        self.journal.write(samplers, ((*samplers.cells, Cell(sampler, self.place(node))), samplers.complete))

    def _border(self, state: Value, node: Node) -> Value:
        """MiniEngine's border colour: opaque white unless an address mode is BORDER."""
        modes = [self.field(state, f"Address{axis}").value for axis in "UVW"] if isinstance(state, Record) else []
        if modes and all(isinstance(mode, int) and mode != 4 for mode in modes):
            return 2
        for mode in modes:
            if not isinstance(mode, int):
                return mode
        return self.unknown("the border colour is set elsewhere", node)

    def reset(self, record: Record, arguments: list[Value], node: Node) -> None:
        """MiniEngine's `Reset(parameters, samplers)`."""
        count = arguments[0] if arguments else 0
        samplers = arguments[1] if len(arguments) > 1 else 0
        parameters: Value
        if isinstance(count, int) and 0 <= count <= MAX_ELEMENTS:
            cells = [Cell(Record(api.MINIENGINE_PARAMETER, UNSET, self.place(node))) for _ in range(count)]
            parameters = Array(api.MINIENGINE_PARAMETER, cells, False, self.place(node))
        else:
            parameters = Array(api.MINIENGINE_PARAMETER, (), False, self.place(node), complete=False)
        self.write(self.field(record, "parameters"), parameters, node)
        self.write(self.field(record, "samplers"), Array("D3D12_STATIC_SAMPLER_DESC", (), True, self.place(node)), node)
        self.write(self.field(record, "sampler_count"), samplers, node)
