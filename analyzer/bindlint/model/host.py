"""What C++ host code says about bindings: root signatures that it builds, and the layout of its structures."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from bindlint.model.device import (
    HostCall,
    HostCommandSignature,
    HostHeap,
    HostPipeline,
    HostStateObject,
    ShaderSignature,
)
from bindlint.model.root_signature import DescriptorRange, RootSignature
from bindlint.model.source import NOWHERE, Span

UnknownKind = Literal["run-time", "unset", "not-read"]
RemarkKind = Literal["unknown-name", "declared-twice", "out-of-bounds", "unset"]
HostConstruct = Literal["d3dx12", "raw", "miniengine", "wrapper"]


class UnknownPart(msgspec.Struct, frozen=True):
    """A part of a root signature that the host code does not settle where it is read.

    `what` names the part (`parameter 2`, `parameter 0, range 1`, `static sampler 0`, `flags`), `why` is the reason as
    the end of a sentence. "unset" parts are never written before the signature is made; "run-time" ones depend on a
    value that is not a constant; "not-read" ones come from code that was not read. A part of which something is known
    stands in the signature all the same, and names what is not.
    """

    span: Span
    what: str
    why: str
    kind: UnknownKind = "run-time"


class HostRemark(msgspec.Struct, frozen=True):
    """Something wrong that a compiler of the host code would refuse or not notice; `nearest` is the right name."""

    span: Span
    kind: RemarkKind
    message: str
    nearest: str = ""


class HostSignature(msgspec.Struct, frozen=True):
    """One root signature that host code builds.

    `name` is the variable that holds it, `function` the function that builds it ("" at file level), and `completed` the
    call that takes it. `when` lists the conditions of the host code under which it is so (`!x` where x does not hold),
    where it could be settled for each way they may turn out. `signature` holds what is known; a parameter keeps its
    index where others are missing. `fully`, `partly` and `not_read` count its root parameters, `parameter_count` is
    None where even their number is unknown. `loose_ranges` stand in the arrays that its tables use and belong to no
    table.
    """

    name: str
    function: str
    span: Span
    signature: RootSignature
    construct: HostConstruct = "d3dx12"
    completed: Span = NOWHERE
    when: tuple[str, ...] = ()
    parameter_count: int | None = 0
    fully: int = 0
    partly: int = 0
    not_read: int = 0
    unknown: tuple[UnknownPart, ...] = ()
    remarks: tuple[HostRemark, ...] = ()
    loose_ranges: tuple[DescriptorRange, ...] = ()
    keys: tuple[str, ...] = ()
    """The keys (`bindlint.model.device.HostRef`) of the objects that are created from it."""

    @property
    def version(self) -> str:
        return self.signature.version

    @property
    def is_complete(self) -> bool:
        """Whether `signature` is all there is to it."""
        return not self.unknown

    @property
    def is_placed(self) -> bool:
        """Whether all that it binds is known; the state of static samplers may not be."""
        if self.is_complete:
            return True
        whole = self.fully == self.parameter_count == len(self.signature.parameters)
        samplers = all(part.what.startswith("static sampler") for part in self.unknown)
        return whole and samplers and self.signature.is_placed

    @property
    def least_cost(self) -> int:
        """DWORDs of what is known of the parameters; the cost where all of it is."""
        return self.signature.cost


class HostMember(msgspec.Struct, frozen=True):
    """A member of a C++ structure: `offset` and `size` in bytes, the size with all elements of an array."""

    name: str
    type: str
    offset: int
    size: int
    span: Span = NOWHERE


class HostStruct(msgspec.Struct, frozen=True):
    """A C++ structure as a 64-bit MSVC lays it out; bytes. Inherited members come first."""

    name: str
    size: int
    alignment: int
    members: tuple[HostMember, ...]
    span: Span = NOWHERE


class HostProblem(msgspec.Struct, frozen=True):
    """Why a part of a host file was not read; `kind` is one of those of `bindlint.model.finding.Problem`."""

    message: str
    span: Span
    kind: str = "analysis-limit"


class HostFile(msgspec.Struct, frozen=True):
    """One file of host code. `missing_includes` counts headers that were not there, or not read because they include
    each other without end; that is normal, since what is there depends on a build that is not known.

    `run_time` are functions that build a root signature of which nothing is known.
    """

    path: str
    signatures: tuple[HostSignature, ...] = ()
    structs: dict[str, HostStruct] = {}
    problems: tuple[HostProblem, ...] = ()
    files: tuple[str, ...] = ()
    missing_includes: int = 0
    heaps: tuple[HostHeap, ...] = ()
    pipelines: tuple[HostPipeline, ...] = ()
    command_signatures: tuple[HostCommandSignature, ...] = ()
    state_objects: tuple[HostStateObject, ...] = ()
    calls: tuple[HostCall, ...] = ()
    run_time: tuple[str, ...] = ()
    shader_signatures: tuple[ShaderSignature, ...] = ()


_LAST_VALUES = {"visibility": 7, "type": 3}
"""D3D12_SHADER_VISIBILITY_MESH and D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER of d3d12.h."""


class WrapperDescription(msgspec.Struct, frozen=True):
    """What a function or method of a project's own makes of a root signature.

    `gives` is what it makes; `arguments` says which argument (from 0) is what: `register`, `space`, `count`,
    `visibility`, `flags`, `type`, `ranges`, `offset`, `parameters`, `parameter_count`, `samplers`, `sampler_count`.
    `values` fixes those that are no argument, and defaults of those left out; space, visibility, flags and offset are
    else as in d3dx12, and all others are not known. `target` is what it is made in: what the
    function returns, the object that the method is called on, or a new last element of that object; "signature" marks
    the call that completes the signature.
    """

    function: Annotated[str, msgspec.Meta(pattern=r"^\w+(::\w+)*$")]
    gives: Literal["constants", "cbv", "srv", "uav", "table", "range", "signature"]
    arguments: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = {}
    values: dict[str, Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]] = {}
    target: Literal["result", "receiver", "append"] = "result"

    def __post_init__(self) -> None:
        for word, last in _LAST_VALUES.items():
            if self.values.get(word, 0) > last:
                raise ValueError(f"`{word}` of wrapper `{self.function}` is {self.values[word]}, above {last}")


class HostSettings(msgspec.Struct, frozen=True):
    """What a configuration says of a project's host code: its wrappers, and where structures of constants are.

    `files` and `include_dirs` are absolute. `structs` leads from the name of a constant buffer to that of the structure
    which feeds it, where the two differ.
    """

    wrappers: tuple[WrapperDescription, ...] = ()
    files: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    structs: dict[str, str] = {}
