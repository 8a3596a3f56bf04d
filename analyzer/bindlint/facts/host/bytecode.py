"""Where the bytecode of shaders comes from in host code: files, and what compiles or reads them."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from tree_sitter import Node

from bindlint.facts.host.descriptions import BYTECODE, SHADER
from bindlint.facts.host.device import Device, FunctionOf, Method, MethodCall
from bindlint.facts.host.index import Function, Index, Variable
from bindlint.facts.host.places import Target
from bindlint.facts.host.shader_values import (
    fields_of,
    file_of,
    file_within,
    is_empty,
    quoted_defines,
    shader_of,
    texts_of,
)
from bindlint.facts.host.syntax import Declared, Path, path_of, text_of
from bindlint.facts.host.texts import entry_and_profile, literal, options, quoted, shader_file
from bindlint.facts.host.values import IDENTITY, Cell, Pointer, Record, Unknown, Value
from bindlint.model.host import WrapperDescription


class _Compiler(msgspec.Struct, frozen=True):
    """Which argument (from 0) of a compiling function is what; `code` is the one that it writes the bytecode to."""

    file: int
    code: int
    defines: int | None = None
    entry: int | None = None
    profile: int | None = None


_COMPILERS = {
    "D3DCompileFromFile": _Compiler(0, 7, 1, 3, 4),
    "D3DCompile": _Compiler(2, 9, 3, 5, 6),
    "D3DCompile2": _Compiler(2, 12, 3, 5, 6),
    "D3DReadFileToBlob": _Compiler(0, 1),
}
SHADER_CALLS = re.compile(r"\bD3DCompile|\bD3DReadFileToBlob|(?i:\.(?:hlsli?|fxh?|cso|dxil|dxbc|[vpcghdam]sh))\"")
"""What may fill a variable with bytecode."""
_SAME_TEXT = ("c_str", "data", "str", "string", "wstring", "native", "generic_string", "generic_wstring", "u8string")
_OUTPUTS = ("IID_PPV_ARGS", "IID_GRAPHICS_PPV_ARGS")
_NO_OUTPUT = re.compile(r"ID3D12(?:Device|\w*CommandList|CommandQueue|RootSignature|DescriptorHeap)")
_ADDRESSES = ("GetAddressOf", "ReleaseAndGetAddressOf", "put", "put_void")
_SAYS_ONLY = re.compile(r"(?i)log|print|assert|exist|error|warn|debug|check|verify|name$")
_DEFINES = re.compile(r"(?i)define|macro|permutation|variant|opts|options$")
_BYTES = re.compile(r"(?i)^(?:get)?(?:shader)?(?:byte_?code|buffer_?pointer|blob)$")
_PLACE_OF_FILES = re.compile(r"(?i)path|dir|folder|root|base")
_COMPLETE_TAIL = re.compile(r"[^\\/.][^\\/]*\.\w+$")
_CONSTANT_TEXT = re.compile(r"(?:static |inline )*L?PC\w*STR\b")
_TELLS_TEXT = re.compile(r'"|\.(?:c_str|data)\(\)|[Pp]ath')
_LITERALS = ("string_literal", "concatenated_string", "raw_string_literal")
_READ_TWICE = (
    *_LITERALS, "identifier", "qualified_identifier", "field_expression", "subscript_expression", "pointer_expression",
    "binary_expression", "null", "nullptr",
)  # fmt: skip


class Shaders(Device):
    """Follows bytecode from shader files to where it is used.

    `makers` hold what knows a method that makes pipelines and state objects, by its name or by `type.name`. `shaders`
    are those that named variables get.
    """

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, same: dict[str, str],
        methods: dict[str, Method], functions: dict[str, FunctionOf], makers: dict[str, Maker],
    ) -> None:  # fmt: skip
        super().__init__(index, wrappers, steps, same, methods, functions)
        self._makers = makers
        self.shaders: dict[str, list[Record]] = {}

    def combine(self, symbol: str, left: Value, right: Value, node: Node) -> Value:
        if symbol in "+/" and isinstance(right, str):
            before, after = literal(left), literal(right)
            if after is not None and before is not None:
                return quoted(before + after if symbol == "+" else f"{before}/{after}")
            if symbol == "/" and shader_file(right):
                return right  # `path / "x.hlsl"`
            if after is not None and shader_file(right) and _COMPLETE_TAIL.search(after):
                place = text_of(node.child_by_field_name("left"))
                if after[0] in "/\\" or _PLACE_OF_FILES.search(place):
                    return quoted(after.lstrip("/\\"))
        return super().combine(symbol, left, right, node)

    def _outside(self, path: Path, node: Node) -> Cell:
        variables = self.index.variables.find(path, self.frame.path)
        texts = [v for v in variables if _is_text(v)]
        if not variables or path[-1] in self.index.constants.by_name or self._member_of_class(path) is not None:
            return super()._outside(path, node)
        if len(texts) != 1:
            defined = [v for v in variables if not text_of(v.node).startswith("extern")]
            again = len(variables) > len(defined) == 1 and len({v.path for v in variables}) == 1
            return self._variable(defined[0]) if again else super()._outside(path, node)
        cell = self.shared.get(texts[0].path)
        if cell is None:
            value = texts[0].declarator.child_by_field_name("value")
            assert value is not None
            sizes = Declared(texts[0].declarator).sizes
            made: Value = text_of(value) if value.type in _LITERALS else self.initialise("", sizes, value)
            cell = self.shared[texts[0].path] = Cell(made, constant=True)
        return cell

    def field(self, record: Record, name: str, node: Node | None = None) -> Cell:
        if record.type == SHADER and name not in record.fields:
            return Cell(record, constant=True)  # The bytes, their number and each byte stand for the whole.
        return super().field(record, name, node)

    def _hold(self, value: Value, key: str) -> None:
        if isinstance(value, Record) and value.type == BYTECODE and isinstance(value.fill, Unknown):
            value.fields.setdefault(IDENTITY, Cell(key))
        super()._hold(value, key)

    def _converted(self, known: str, value: Record, node: Node) -> Value:
        return self._as_bytecode(value, node) if known == BYTECODE else super()._converted(known, value, node)

    def _as_bytecode(self, value: Record, node: Node) -> Record:
        """The structure that describes a shader, or what may be one."""
        if value.type not in (SHADER, ""):
            copied = self.copy(value)
            assert isinstance(copied, Record)
            return copied
        record = Record(BYTECODE, 0, self.place(node))
        record.fields["pShaderBytecode"] = Cell(self.copy(value), self.place(node))
        return record

    def write(self, cell: Cell, value: Value, node: Node) -> None:
        if isinstance(value, Record) and isinstance(cell.value, Record) and cell.value.type == BYTECODE:
            value = self._as_bytecode(value, node)
        super().write(cell, value, node)
        key = self._names.get(cell, "")
        shader = shader_of(value) if key else None
        if shader is not None:
            self.shaders.setdefault(key, []).append(shader)

    def device_method(
        self, node: Node, argument: Node, receiver: Target, name: str, nodes: list[Node]
    ) -> Target | Value | None:
        value = receiver.cells[0].value if receiver.certain else None
        if isinstance(value, Pointer) and value.cell is not None:
            value = value.cell.value
        kind = value.type if isinstance(value, Record) else ""
        maker = self._makers.get(f"{kind}.{name}") or self._makers.get(f"{kind}.*")
        if maker is None and not self.is_followed(receiver, name):
            maker = self._makers.get(name)
        done = maker(self, MethodCall(node, argument, receiver, name, nodes)) if maker is not None else None
        if done is None and value is not None:
            done = self._of_shader(node, receiver, argument, value, name, nodes)
        return done if done is not None else super().device_method(node, argument, receiver, name, nodes)

    def _elsewhere(self, node: Node, name: str, nodes: list[Node]) -> Value:
        name = name.rpartition("::")[2]
        shader = self.shader_from(name, nodes, node) if nodes else None
        kept = [(cell, cell.value) for n in nodes for cell in self._kept(n, shader is not None)]
        result = super()._elsewhere(node, name, nodes)
        for cell, value in kept:
            if cell.value is not value:
                self.write(cell, value, node)
        return result if shader is None else self.deliver(name, shader, nodes, result, node)

    def _kept(self, node: Node, compiles: bool) -> list[Cell]:
        """What a function is given and leaves as it is: bytecode, and what says how to compile."""
        cell = self.local(text_of(node)) if node.type == "identifier" else None
        value = cell.value if cell is not None else None
        kept = isinstance(value, Record) and (value.type == SHADER or (compiles and bool(value.fields)))
        return [cell] if kept and cell is not None else []

    def inline(
        self, function: Function, arguments: list[Node], values: list[Value] | None, this: Record | None
    ) -> Value:
        result = super().inline(function, arguments, values, this)
        call = arguments[0].parent.parent if arguments and arguments[0].parent is not None else None
        if call is None or not (is_empty(result) or isinstance(result, int)):
            return result
        shader = self.shader_from(function.path[-1], arguments, call)
        return result if shader is None else self.deliver(function.path[-1], shader, arguments, result, call)

    def _of_shader(
        self, node: Node, receiver: Target, argument: Node, value: Value, name: str, nodes: list[Node]
    ) -> Value | None:
        """A method of a text, of bytecode or of a blob; None for every other."""
        if isinstance(value, str):
            return value if name in _SAME_TEXT and not nodes else None
        if isinstance(value, Record) and value.type == SHADER:
            for cell in (self.written_to(n) for n in nodes):
                if cell is not None and is_empty(cell.value):
                    self.write(cell, self.copy(value), node)
            return value
        unknown = value.fill if isinstance(value, Record) else value
        if nodes or not _BYTES.search(name) or not isinstance(unknown, Unknown):
            return None
        if isinstance(value, Record) and not value.type:
            return value
        key = self.key_of(receiver, argument)
        return self.object(key, self.unknown(f"`{text_of(argument)[:60]}` is set elsewhere", argument)) if key else None

    def shader_from(self, name: str, nodes: list[Node], node: Node) -> Record | None:
        """What a call of an unknown function makes that is told a shader file; None where it is told none."""
        known = _COMPILERS.get(name)
        if known is not None and len(nodes) > known.code:
            values = [self.evaluate(n) for n in nodes[: known.code]]
            return self._compiled(known, values, node)
        if name == "Compile" and len(nodes) in (5, 10):
            return self._by_dxc(nodes, node)
        if _SAYS_ONLY.search(name):
            return None
        self.silent += 1  # The call is evaluated on its own as well; what its arguments do is reported there.
        values = [self.evaluate(n) if n.type in _READ_TWICE or _names_text(n) else 0 for n in nodes]
        self.silent -= 1
        if any(file_of(value) is not None for value in values):
            told = list(zip(map(text_of, nodes), values, strict=True))
        else:
            told = [said for value in values for said in fields_of(value)]
        files = [file for _, value in told if (file := file_of(value)) is not None]
        if len(files) != 1:
            return None
        entry, profile = entry_and_profile([text for _, value in told if (text := literal(value)) is not None])
        defines: Value = quoted("")
        for said, value in told:
            if _DEFINES.search(said) and value != 0 and literal(value) is None:
                defines = self._defines(value, node)
        return self._shader(files[0], quoted(entry), quoted(profile), defines, node)

    def deliver(self, name: str, shader: Record, nodes: list[Node], result: Value, node: Node) -> Value:
        """Write bytecode to where a call puts it; the value of the call."""
        known = _COMPILERS.get(name)
        for given in nodes if known is None else nodes[known.code : known.code + 1]:
            cell = self.written_to(given)
            if cell is not None and (known is not None or is_empty(cell.value)):
                self.write(cell, self.copy(shader), node)
        return shader if known is None else result

    def written_to(self, node: Node) -> Cell | None:
        """The variable whose address an argument is."""
        pointed = output_of(node)
        if pointed is not None:
            target = self.locate(pointed)
            return target.cells[0] if target.certain and not target.cells[0].constant else None
        if node.type not in ("identifier", "field_expression"):
            return None
        value = self.evaluate(node)
        return value.cell if isinstance(value, Pointer) and not _NO_OUTPUT.search(value.array.element) else None

    def _compiled(self, known: _Compiler, values: list[Value], node: Node) -> Record:
        def argument(index: int | None) -> Value:
            return quoted("") if index is None else values[index]

        file = file_of(argument(known.file)) or file_of(values[0])
        unknown = self.unknown("it is compiled from memory", node)
        defines = self._defines(argument(known.defines), node)
        return self._shader(
            file if file is not None else unknown, argument(known.entry), argument(known.profile), defines, node
        )

    def _by_dxc(self, nodes: list[Node], node: Node) -> Record | None:
        """`Compile(source, arguments, ...)`, or of older dxc `Compile(source, name, entry, profile, ...)`."""
        values = [self.evaluate(n) for n in nodes]
        source = next((file for value in values[:2] if (file := file_within(value)) is not None), None)
        if len(nodes) == 10:
            if source is None and not any(literal(value) for value in values[1:4]):
                return None
            file = source if source is not None else self.unknown("it is compiled from memory", node)
            return self._shader(file, values[2], values[3], self._defines(values[6], node), node)
        texts = texts_of(values[1])
        if not texts:
            return None
        entry, profile, defines = options(texts)
        named = next((quoted(text) for text in texts if shader_file(quoted(text))), None)
        file = source or named or self.unknown("it is compiled from memory", node)
        return self._shader(file, quoted(entry), quoted(profile), quoted_defines(defines), node)

    def _shader(self, file: Value, entry: Value, profile: Value, defines: Value, node: Node) -> Record:
        record = Record(SHADER, self.unknown("is bytecode", node), self.place(node))
        for field, value in (("file", file), ("entry", entry), ("profile", profile), ("defines", defines)):
            record.fields[field] = Cell(value, self.place(node))
        return record

    def _defines(self, value: Value, node: Node) -> Value:
        """Defines as one text, one a line: an array of names and values that ends with a null, or none."""
        if value == 0 or literal(value) == "":
            return quoted("")
        texts = texts_of(value)
        if texts and all(text.startswith(("-", "/")) for text in texts):
            return quoted_defines(options(texts)[2])
        if texts is not None and len(texts) % 2 == 0:
            return quoted_defines(tuple(zip(texts[::2], texts[1::2], strict=True)))
        return self.unknown("they are not constant", node)


Maker = Callable[[Shaders, MethodCall], Target | Value | None]


def output_of(node: Node) -> Node | None:
    """`x` of `&x`, `IID_PPV_ARGS(&x)`, `x.GetAddressOf()` and the like: what a call writes to."""
    if node.type == "cast_expression":
        value = node.child_by_field_name("value")
        return output_of(value) if value is not None else None
    if node.type == "pointer_expression" and node.children[0].type == "&":
        return node.child_by_field_name("argument")
    if node.type != "call_expression":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    if function.type == "field_expression":
        named = text_of(function.child_by_field_name("field"))
        return function.child_by_field_name("argument") if named in _ADDRESSES else None
    given = [c for c in arguments.named_children if c.type != "comment"]
    name = path_of(function)[-1]
    if len(given) == 1 and (name in _OUTPUTS or name.endswith("_cast")):
        return output_of(given[0])
    return None


def _is_text(variable: Variable) -> bool:
    """Whether a variable holds a text, or texts, and is not meant to change."""
    value = variable.declarator.child_by_field_name("value")
    constant = variable.constant or _CONSTANT_TEXT.match(text_of(variable.node)) is not None
    return value is not None and constant and _says_text(value)


def _says_text(node: Node) -> bool:
    items = [item for item in node.named_children if item.type != "comment"]
    return node.type in _LITERALS or (node.type == "initializer_list" and bool(items) and all(map(_says_text, items)))


def _names_text(node: Node) -> bool:
    """Whether a call may give a text that it is told: `Path(L"x.hlsl")`, `s.c_str()`."""
    return node.type == "call_expression" and _TELLS_TEXT.search(text_of(node)) is not None
