"""The server on a port: of this machine only."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sys

import pytest

pytestmark = pytest.mark.asyncio

HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}


def framed(message: object) -> bytes:
    data = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)


async def test_it_listens_on_loopback_and_answers() -> None:
    command = (sys.executable, "-m", "bindlint", "server", "--tcp", "0")
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        assert process.stderr is not None
        line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        place = re.search(r"127\.0\.0\.1:(\d+)", line)
        assert place is not None, line
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place[1]))
        writer.write(framed(HELLO))
        header = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        length = re.search(rb"Content-Length: (\d+)", header)
        assert length is not None
        answer = json.loads(await reader.readexactly(int(length[1])))
        assert answer["result"]["serverInfo"]["name"] == "bindlint"
        assert answer["result"]["capabilities"]["positionEncoding"] == "utf-16"
        others = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
        for address in others:
            with pytest.raises(OSError):
                await asyncio.wait_for(asyncio.open_connection(address, int(place[1])), 5)
        writer.close()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
