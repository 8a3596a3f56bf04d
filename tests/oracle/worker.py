"""The real DXC as tests ask it: in a worker process that is started anew whenever the compiler takes it down."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from oracle.containers import CompiledBinding, bindings, parts

TIMEOUT = 60.0
"""Seconds for one shader; the slowest of thousands of real ones takes two."""


class Verdict(NamedTuple):
    """What DXC made of one source."""

    accepted: bool
    errors: str
    bindings: tuple[CompiledBinding, ...]
    root_signature: bytes
    container: bytes


class Oracle:
    """Asks DXC; a crash or a hang of the compiler is no verdict (None)."""

    def __init__(self, library: Path) -> None:
        self._command = [sys.executable, str(Path(__file__).with_name("compiler.py")), str(library)]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def ask(self, source: bytes, arguments: list[str], name: str = "shader.hlsl") -> Verdict | None:
        """Compile `source` as the file `name` with dxc's `arguments`; None where the compiler fell over."""
        process = self._process or self._start()
        assert process.stdin is not None
        request = {"source": source.decode("latin-1"), "arguments": [name, *arguments]}
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._read(process)
        except BrokenPipeError:
            line = ""
        if not line:
            self._stop()
            return None
        answer = json.loads(line)
        container = bytes.fromhex(answer["container"])
        signature = parts(container).get("RTS0", b"")
        return Verdict(answer["accepted"], answer["errors"], tuple(bindings(container)), signature, container)

    def _start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        return self._process

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @staticmethod
    def _read(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            return process.stdout.readline() if selector.select(TIMEOUT) else ""
