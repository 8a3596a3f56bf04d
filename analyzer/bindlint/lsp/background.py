"""Has host code and shaders joined by a process of its own whenever nothing has been edited for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread

import msgspec

from bindlint.discovery import is_host_file
from bindlint.lsp.documents import Documents
from bindlint.lsp.joiner import Task, work
from bindlint.lsp.joint import Joint, is_host
from bindlint.lsp.settings import Settings

_MOST_ENDS = 3
"""How often the process may end by itself before it is left at that."""


class Background:
    """Asks the process for what the newest documents come to, and hands that to `take`; None is that there is no more.

    Where a workspace holds no host code the process ends, and comes again with the first file of that.
    """

    def __init__(
        self,
        folders: list[str],
        settings: Settings,
        documents: Callable[[], Documents],
        take: Callable[[Joint | None], None],
        tell: Callable[[str], None],
    ) -> None:
        self._folders = folders
        self._settings = settings
        self._documents = documents
        self._take = take
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._sender = ThreadPoolExecutor(1, "bindlint-join")
        self._news = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._connection: Connection | None = None
        self._process: SpawnProcess | None = None
        self._ends = 0
        self._is_needed = settings.host_files > 0
        self._number = 0
        self._asked: dict[int, Documents] = {}
        self._sent: Documents = {}
        self._pending = Task(0)
        self._joined: Documents | None = None

    def changed(self, files: Iterable[str] = (), everywhere: bool = False, configured: bool = False) -> None:
        """Documents, files on disk or settings are not as they were: ask anew after a pause, and for nothing else."""
        paths = tuple(files)
        if not self._is_needed and self._settings.host_files and self._ends < _MOST_ENDS:
            opened = [document for document in self._documents().values() if is_host(document)]
            self._is_needed = any(map(is_host_file, paths)) or any(
                is_host_file(document.path, text=document.text.data) for document in opened
            )
        self._joined = None
        self._pending = msgspec.structs.replace(
            self._pending,
            files=(*self._pending.files, *paths),
            everywhere=self._pending.everywhere or everywhere,
            configured=self._pending.configured or configured,
        )
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_needed:
            if self._asked:
                self._asked.clear()
                self._send(Task(self._number, is_asked=False))
            self._timer = self._loop.call_later(self._settings.join_delay / 1000, self._ask)

    def waits(self, documents: Documents) -> bool:
        """Whether something is still to be said of these documents."""
        return self._is_needed and self._joined is not documents and self._joined != documents

    async def newest(self) -> None:
        """Wait until what is joined are the documents as they are."""
        while self.waits(self._documents()):
            self._news.clear()
            await self._news.wait()

    def stop(self) -> None:
        """Let the process end."""
        self._is_needed = False
        if self._process is not None:
            self._process.kill()
        self._process = self._connection = None
        self._sent = {}

    def _ask(self) -> None:
        self._timer = None
        documents = dict(self._documents())
        small = {p: d for p, d in documents.items() if len(d.text.text) <= self._settings.largest_document}
        if not documents:
            self._joined = documents
            return
        if self._connection is None and not self._start():
            return
        changed = [path for path in {**self._sent, **small} if small.get(path) is not self._sent.get(path)]
        self._number += 1
        self._asked = {self._number: documents}
        task = msgspec.structs.replace(
            self._pending,
            number=self._number,
            buffers={path: small[path].text.data if path in small else None for path in changed},
            opened=tuple(small),
            hosts=tuple(path for path, document in small.items() if is_host(document)),
        )
        self._sent, self._pending = small, Task(0)
        self._send(task)

    def _start(self) -> bool:
        """Start the process, where the system has one to give."""
        context = get_context("spawn")
        try:
            ours, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs, self._folders, self._settings), daemon=True)
            self._process.start()
        except OSError as error:
            self._give_up(f"no process can be had for host code: {error}")
            return False
        theirs.close()
        self._connection = ours
        Thread(target=self._listen, args=(ours,), daemon=True).start()
        return True

    def _give_up(self, why: str) -> None:
        self.stop()
        self._tell(why)
        self._take(None)
        self._news.set()

    def _send(self, task: Task) -> None:
        if self._connection is not None:
            self._sender.submit(_send, self._connection, task)

    def _listen(self, connection: Connection) -> None:
        """What a thread of its own does: hand on what comes until the process is gone."""
        while True:
            try:
                number, joint = connection.recv()
            except (EOFError, OSError):
                if connection is self._connection:
                    self._loop.call_soon_threadsafe(self._ended, connection)
                return
            self._loop.call_soon_threadsafe(self._came, number, joint)

    def _came(self, number: int, joint: Joint) -> None:
        documents = self._asked.pop(number, None)
        if documents is None:
            return
        self._joined = documents
        if joint.hosts:
            if joint.left_out:
                self._tell(
                    f"{joint.left_out} files of host code are left to `bindlint check`: `hostFiles` is {joint.hosts}"
                )
            self._take(msgspec.structs.replace(joint, documents=documents))
        else:
            self.stop()
            self._take(None)
        self._news.set()

    def _ended(self, connection: Connection) -> None:
        if connection is not self._connection:
            return
        self._ends += 1
        self._give_up("the process that joins host code and shaders ended by itself")
        if self._ends < _MOST_ENDS:
            self._is_needed = True
            self.changed()


def _send(connection: Connection, task: Task) -> None:
    try:
        connection.send(task)
    except OSError:
        return  # the process has ended, which the listening thread tells
