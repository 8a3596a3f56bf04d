"""Which files of host code make one program: those that share headers."""

from __future__ import annotations

from collections.abc import Iterable

from bindlint.model.host import HostFile


def programs_of(hosts: Iterable[HostFile]) -> dict[str, int]:
    """A number for each file and each header: the same where files include each other, or the same header."""
    parents: dict[str, str] = {}

    def root(file: str) -> str:
        while parents.setdefault(file, file) != file:
            parents[file] = file = parents[parents[file]]
        return file

    for host in hosts:
        for file in host.files:
            parents[root(file)] = root(host.path)
    numbers: dict[str, int] = {}
    return {file: numbers.setdefault(root(file), len(numbers)) for file in parents}
