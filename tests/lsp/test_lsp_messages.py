"""Messages that are none, or come at the wrong time: each request is answered, and the server lives on."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio

INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}
PLACE = {"textDocument": {"uri": "file:///nowhere.hlsl"}, "position": {"line": 0, "character": 0}}
SHADER = "Texture2D A : register(t0);\nfloat4 main() : SV_Target { return A.Load(0); }\n"


class Server:
    """A server that is sent bytes; what it says is kept."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said: list[dict[str, Any]] = []
        self.number = 0

    async def send(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        await self.process.stdin.drain()

    async def tell(self, method: str, params: Any = None) -> None:
        await self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        header = await asyncio.wait_for(self.process.stdout.readuntil(b"\r\n\r\n"), 60)
        length = re.search(rb"Content-Length: (\d+)", header)
        assert length is not None
        message: dict[str, Any] = json.loads(await self.process.stdout.readexactly(int(length[1])))
        self.said.append(message)
        return message

    async def ask(self, method: str | int, /, **message: Any) -> dict[str, Any]:
        """The answer to a request, `params` and `jsonrpc` as given."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, **message}
        await self.send(json.dumps(request).encode())
        while (answer := await self.hear()).get("id") != self.number:
            pass
        return answer

    @property
    def shown(self) -> list[str]:
        """What the user has been told."""
        return [each["params"]["message"] for each in self.said if each.get("method") == "window/showMessage"]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    command = (sys.executable, "-m", "bindlint", "server")
    pipe = asyncio.subprocess.PIPE
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=quiet)
    yield Server(process)
    if process.returncode is None:
        process.kill()
    await process.wait()


WRONG: tuple[tuple[dict[str, Any], int], ...] = (
    ({}, -32602),
    ({"params": None}, -32602),
    ({"params": {}}, -32602),
    ({"params": PLACE | {"position": {"line": -1, "character": 0}}}, -32602),
    ({"params": PLACE, "jsonrpc": "1.0"}, -32600),
    ({"params": PLACE, "method": 5}, -32600),
    ({"params": PLACE, "method": "text/document"}, -32601),
)
BODIES = (b'{"a":', b"abc", b"[]", b"5", b"null", b'"x"', b"{}", b'\xff\xfe"', b"[" * 100_000)


async def test_requests_that_are_none_are_answered(server: Server) -> None:
    await server.ask("initialize", params=INITIALIZE)
    for message, code in WRONG:
        answer = await server.ask("textDocument/hover", **message)
        assert answer["error"]["code"] == code, message
    assert (await server.ask("textDocument/hover", params=PLACE))["result"] is None
    assert not server.shown


async def test_bodies_that_are_no_messages_end_nothing(server: Server) -> None:
    await server.ask("initialize", params=INITIALIZE)
    for body in BODIES:
        await server.send(body)
    assert (await server.ask("textDocument/hover", params=PLACE))["result"] is None
    faults = [each["error"]["code"] for each in server.said if each.get("id", 0) is None]
    assert faults and set(faults) == {-32700, -32600} and not server.shown


async def test_requests_come_between_hello_and_goodbye(server: Server) -> None:
    assert (await server.ask("textDocument/hover", params=PLACE))["error"]["code"] == -32002
    assert "result" in await server.ask("initialize", params=INITIALIZE)
    assert (await server.ask("initialize", params=INITIALIZE))["error"]["code"] == -32600
    assert (await server.ask("shutdown"))["result"] is None
    assert (await server.ask("textDocument/hover", params=PLACE))["error"]["code"] == -32600
    await server.tell("exit")
    assert await asyncio.wait_for(server.process.wait(), 60) == 0


@pytest.mark.parametrize("greeted", [False, True])
async def test_an_exit_without_goodbye_is_a_fault(server: Server, greeted: bool) -> None:
    if greeted:
        await server.ask("initialize", params=INITIALIZE)
    await server.tell("exit")
    assert await asyncio.wait_for(server.process.wait(), 60) == 1


SETTINGS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"configuration": "/nowhere/bindlint.toml"}, "cannot be read"),
    ({"configuration": __file__}, "test_lsp_messages.py"),
    ({"headerShaders": -1}, "headerShaders"),
    ({"debounce": -5}, "debounce"),
    ({"manifests": ["nowhere.cfg"]}, "there is no manifest"),
)


@pytest.mark.parametrize(("settings", "expected"), SETTINGS)
async def test_settings_that_are_none_are_told(server: Server, settings: dict[str, Any], expected: str) -> None:
    await server.ask("initialize", params=INITIALIZE | {"initializationOptions": settings})
    (told,) = server.shown
    assert told.startswith("bindlint: initializationOptions: ") and expected in told


async def test_a_document_that_is_too_large_is_told_and_holds_up_nobody(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    options = {"largestDocument": 100_000, "debounce": 1}
    params = INITIALIZE | {"rootUri": tmp_path.as_uri(), "initializationOptions": options}
    await server.ask("initialize", params=params)
    large, small = (tmp_path / "large.hlsl").as_uri(), (tmp_path / "small.hlsl").as_uri()
    for uri, text in ((large, "x" * 3_000_000), (small, SHADER)):
        item = {"uri": uri, "languageId": "hlsl", "version": 1, "text": text}
        await server.tell("textDocument/didOpen", {"textDocument": item})
    hovered = await server.ask(
        "textDocument/hover", params=PLACE | {"textDocument": {"uri": small}, "position": {"line": 0, "character": 10}}
    )
    assert "**A**" in hovered["result"]["contents"]["value"]
    told = [each["params"] for each in server.said if each.get("method") == "textDocument/publishDiagnostics"]
    (found,) = next(each["diagnostics"] for each in told if each["uri"] == large)
    assert "3000000 characters" in found["message"] and "bindlint check" in found["message"]


async def test_a_request_does_not_wait_for_what_is_said_of_another_document(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    await server.ask("initialize", params=INITIALIZE | {"rootUri": tmp_path.as_uri()})
    long, small = (tmp_path / "long.hlsl").as_uri(), (tmp_path / "small.hlsl").as_uri()
    adding = "if (v.x > 1) v += A.Load(0);\n" * 12_000
    many = SHADER.replace("main()", "main(float4 v : V)").replace("return A.Load(0)", f"{adding}return v")

    def published() -> list[int]:
        return [each["params"]["version"] for each in server.said if each.get("params", {}).get("uri") == long]

    for uri, text in ((small, SHADER), (long, many)):
        item = {"uri": uri, "languageId": "hlsl", "version": 1, "text": text}
        await server.tell("textDocument/didOpen", {"textDocument": item})
    while published() != [1]:
        await server.hear()
    document = {"uri": long, "version": 2}
    changed = many.replace("> 1", "> 2")
    await server.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": changed}]})
    place = {"textDocument": {"uri": small}, "position": {"line": 0, "character": 10}}
    hovered = await server.ask("textDocument/hover", params=place)
    assert "**A**" in hovered["result"]["contents"]["value"]
    assert published() == [1], "the answer comes before what is found in the other document"
    while published() != [1, 2]:
        await server.hear()
