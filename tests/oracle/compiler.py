"""DXC through its COM interface; as a program it answers one JSON request a line, so that its crashes stay its own."""

from __future__ import annotations

import ctypes
import json
import sys
import uuid
from ctypes import POINTER, byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p, c_wchar_p
from typing import Any


class Guid(ctypes.Structure):
    _fields_ = (("data", ctypes.c_ubyte * 16),)

    @classmethod
    def of(cls, text: str) -> Guid:
        return cls.from_buffer_copy(uuid.UUID(text).bytes_le)


class DxcBuffer(ctypes.Structure):
    _fields_ = (("pointer", c_void_p), ("size", c_size_t), ("encoding", c_uint32))


UTF8 = 65001
CLSID_COMPILER = Guid.of("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0")
CLSID_UTILS = Guid.of("6245d6af-66e0-48fd-80b4-4d271796748c")
IID_COMPILER3 = Guid.of("228b4687-5a6a-4730-900c-9702b2203f54")
IID_UTILS = Guid.of("4605c4cb-2019-492a-ada4-65f20bb7d67f")
IID_RESULT = Guid.of("58346cda-dde7-4497-9461-6f87af5e0659")

# Places in the interfaces' method tables, counted from IUnknown's three (dxcapi.h).
RELEASE = 2
COMPILE = 3
BLOB_POINTER, BLOB_SIZE = 3, 4
CREATE_DEFAULT_INCLUDE_HANDLER = 9
RESULT_STATUS, RESULT_OBJECT, RESULT_ERRORS = 3, 4, 5

UNSIGNED = ("DXIL signing library", "DXIL.dll not found")
"""Notes about a missing signature are no failure."""


def method(instance: c_void_p, index: int, result: Any, *argument_types: Any) -> Any:
    """A COM method, bound to its object."""
    table = ctypes.cast(instance, POINTER(POINTER(c_void_p)))[0]
    function = ctypes.CFUNCTYPE(result, c_void_p, *argument_types)(table[index])
    return lambda *arguments: function(instance, *arguments)


class Compiler:
    """IDxcCompiler3 of the library at `path`."""

    def __init__(self, path: str) -> None:
        create = ctypes.CDLL(path).DxcCreateInstance
        create.argtypes = [POINTER(Guid), POINTER(Guid), POINTER(c_void_p)]
        self.compiler, utils, self.includes = c_void_p(), c_void_p(), c_void_p()
        if create(CLSID_COMPILER, IID_COMPILER3, self.compiler) or create(CLSID_UTILS, IID_UTILS, utils):
            raise OSError(f"{path} gives no DXC compiler")
        method(utils, CREATE_DEFAULT_INCLUDE_HANDLER, c_int32, POINTER(c_void_p))(byref(self.includes))

    def compile(self, source: bytes, arguments: list[str]) -> tuple[bool, bytes, str]:
        """Whether the source was accepted, the container, and what the compiler printed."""
        buffer = DxcBuffer(ctypes.cast(c_char_p(source), c_void_p), len(source), UTF8)
        array, result = (c_wchar_p * len(arguments))(*arguments), c_void_p()
        call = method(
            self.compiler, COMPILE, c_int32,
            POINTER(DxcBuffer), POINTER(c_wchar_p), c_uint32, c_void_p, POINTER(Guid), POINTER(c_void_p),
        )  # fmt: skip
        code = call(byref(buffer), array, len(arguments), self.includes, byref(IID_RESULT), byref(result))
        if code:
            return False, b"", f"HRESULT {code & 0xFFFFFFFF:#010x}"
        status = c_int32()
        method(result, RESULT_STATUS, c_int32, POINTER(c_int32))(byref(status))
        container, printed = self._blob(result, RESULT_OBJECT), self._blob(result, RESULT_ERRORS)
        method(result, RELEASE, c_uint32)()
        return status.value == 0, container, printed.decode("utf-8", "replace").replace("\0", "")

    @staticmethod
    def _blob(result: c_void_p, slot: int) -> bytes:
        blob = c_void_p()
        method(result, slot, c_int32, POINTER(c_void_p))(byref(blob))
        if not blob.value:
            return b""
        pointer, size = method(blob, BLOB_POINTER, c_void_p)(), method(blob, BLOB_SIZE, c_size_t)()
        data = ctypes.string_at(pointer, size) if pointer and size else b""
        method(blob, RELEASE, c_uint32)()
        return data


def serve(library: str) -> None:
    """Answer requests `{"source", "arguments"}` from standard input until it ends."""
    compiler = Compiler(library)
    for line in sys.stdin:
        request = json.loads(line)
        accepted, container, printed = compiler.compile(request["source"].encode("latin-1"), request["arguments"])
        errors = "\n".join(text for text in printed.splitlines() if text and not any(note in text for note in UNSIGNED))
        answer = {"accepted": accepted, "container": container.hex() if accepted else "", "errors": errors}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
