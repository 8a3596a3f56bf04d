"""Processes that take tasks and are ended when one takes too long; the rest goes on."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

import msgspec

from bindlint.audit.worker import READY, STEP, Setup, Task, serve

_AHEAD = 4
"""Tasks that wait in a process, so that it need not wait for the next."""
_START_SECONDS = 120.0
_STEPS = 10
"""A task that says that it goes on may take so many times as long as one that does not."""
_BYTES_AHEAD = 16 << 10
"""A pipe holds 64 KiB: beyond that a task is sent only to a process that is waiting for one."""

_Item = TypeVar("_Item")


class Lost(msgspec.Struct, frozen=True):
    """A task that ended with its process. `kind`: "time" or "crashed"."""

    kind: str
    why: str


class _Process(Generic[_Item]):
    def __init__(self, setup: bytes) -> None:
        context = get_context("spawn")
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=serve, args=(theirs, setup), daemon=True)
        self.process.start()
        theirs.close()
        self.under_way: deque[tuple[_Item, int]] = deque()
        self.waiting = 0
        self.began = self.since = time.monotonic()
        self.limit = _START_SECONDS

    def ready(self, seconds: float) -> None:
        """It has started: from now on it has `seconds` for each task."""
        self.limit = seconds
        self._begin()

    def _begin(self) -> None:
        self.began = self.since = time.monotonic()

    def goes_on(self) -> None:
        """The task is under way: its next step has as much time again, all of them together `_STEPS` times."""
        self.since = time.monotonic()

    @property
    def left(self) -> float:
        return min(self.since + self.limit, self.began + _STEPS * self.limit) - time.monotonic()

    @property
    def too_long(self) -> str:
        what = "it took" if self.began == self.since else "one step of it took"
        if self.began + _STEPS * self.limit <= self.since + self.limit:
            return f"it took more than {_STEPS * self.limit:g} s and was ended"
        return f"{what} more than {self.limit:g} s and was ended"

    def send(self, item: _Item, data: bytes) -> bool:
        """Hand over a task, where that cannot block."""
        if self.under_way and (len(self.under_way) >= _AHEAD or self.waiting + len(data) > _BYTES_AHEAD):
            return False
        if not self.under_way:
            self._begin()
        self.under_way.append((item, len(data)))
        self.waiting += len(data)
        with contextlib.suppress(OSError):  # where it has just ended, as will be seen when it should answer
            self.connection.send_bytes(data)
        return True

    def answered(self) -> _Item:
        item, size = self.under_way.popleft()
        self.waiting -= size
        self._begin()
        return item

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def run_tasks(
    shares: list[list[_Item]], task_of: Callable[[_Item], Task | None], setup: Setup, seconds: float
) -> Iterator[tuple[_Item, bytes | Lost]]:
    """Each item with the bytes that its task gave, in the order in which they are done.

    Each process works off one share, and then takes from the end of the longest that is left. An item for which
    `task_of` gives None is left out. A task, or one step of it, that takes more than `seconds` is lost, and its process
    ended.
    """
    packed = msgspec.msgpack.encode(setup)
    queues = [deque(share) for share in shares]
    processes: list[_Process[_Item] | None] = [None] * len(shares)
    try:
        while True:
            for number, queue in enumerate(queues):
                _feed(number, queue, queues, processes, task_of, packed)
            busy = [process for process in processes if process is not None and process.under_way]
            if not busy:
                return
            left = max(0.0, min(process.left for process in busy))
            ready = wait([process.connection for process in busy], timeout=left)
            for number, process in enumerate(processes):
                if process is None or not process.under_way:
                    continue
                lost: Lost | None = None
                if process.connection in ready:
                    try:
                        data = process.connection.recv_bytes()
                        if data == READY:
                            process.ready(seconds)
                            continue
                        if data == STEP:
                            process.goes_on()
                            continue
                        yield process.answered(), data
                        continue
                    except (EOFError, OSError):
                        process.process.join(5)
                        if process.process.exitcode == 0:  # it made room for another one, as it does without memory
                            _end(process, queues[number])
                            processes[number] = None
                            continue
                        lost = Lost("crashed", f"its process ended by itself ({_ending(process.process.exitcode)})")
                elif process.left <= 0:
                    lost = Lost("time", process.too_long)
                if lost is not None:
                    item = process.answered()
                    _end(process, queues[number])
                    processes[number] = None
                    yield item, lost
    finally:
        for process in processes:
            if process is not None:
                process.end()


def _end(process: _Process[_Item], queue: deque[_Item]) -> None:
    """End a process, and give what waited in it back to its queue."""
    process.end()
    queue.extendleft(item for item, _ in reversed(process.under_way))


def _feed(
    number: int,
    queue: deque[_Item],
    queues: list[deque[_Item]],
    processes: list[_Process[_Item] | None],
    task_of: Callable[[_Item], Task | None],
    setup: bytes,
) -> None:
    """Give a process what it has room for."""
    while True:
        if not queue:
            longest = max(queues, key=len)
            process = processes[number]
            if not longest or (process is not None and process.under_way):
                return
            queue.append(longest.pop())
        task = task_of(queue[0])
        if task is None:
            queue.popleft()
            continue
        process = processes[number]
        if process is None:
            process = processes[number] = _Process(setup)
        if not process.send(queue[0], msgspec.msgpack.encode(task)):
            return
        queue.popleft()


def _ending(code: int | None) -> str:
    return "no exit status" if code is None else f"signal {-code}" if code < 0 else f"exit status {code}"


def shared_out(items: list[_Item], weight: Callable[[_Item], int], number: int) -> list[list[_Item]]:
    """The items in `number` stretches of about the same weight: what stands together stays together."""
    total = sum(map(weight, items)) or 1
    shares: list[list[_Item]] = [[] for _ in range(number)]
    before = 0
    for item in items:
        shares[min(number - 1, before * number // total)].append(item)
        before += weight(item)
    return shares
