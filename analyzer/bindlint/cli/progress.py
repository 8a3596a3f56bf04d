"""The progress bar of long runs, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def progress_bar(count: int | None) -> Iterator[Callable[[], None]]:
    """Gives what to call after each shader; `count` None is a number not known beforehand."""
    columns = (TextColumn("shaders"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=count)
        yield lambda: progress.advance(task)
