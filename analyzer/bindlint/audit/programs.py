"""Which files of host code a repository holds, and which of them are one program."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from bindlint.audit.tree import LARGEST_READ, Tree, nearest
from bindlint.audit.values import Program
from bindlint.cache import digest
from bindlint.discovery import beginning, is_host_file
from bindlint.includers import includes_in
from bindlint.paths import HOST_SUFFIXES, SHADER_SUFFIXES, ending_of

MOST_HOSTS = 2_000
"""Files of host code of one program that are read."""
_PROJECT = ".vcxproj"
_LED_TO = HOST_SUFFIXES | SHADER_SUFFIXES | {_PROJECT, ".cso", ".dxil", ".dxbc", ".bin", ".fxo", ".inc"}
"""What host code includes or names, and what says how its shaders are compiled."""


def host_files(tree: Tree) -> list[str]:
    """The files of host code, as `check` finds them."""
    return [path for path in tree.files if ending_of(path) in HOST_SUFFIXES and is_host_file(path)]


def programs(tree: Tree, hosts: list[str]) -> Iterator[Program]:
    """The programs, by folder: files that lie below the same project file, or under none, and those that share headers.

    A header of host code that is not beside a file is looked for by its name: which directories a build searches is not
    known.
    """
    projects = [path for path in tree.files if ending_of(path) == _PROJECT]
    around = digest(*(path.encode() for path in tree.files if ending_of(path) in _LED_TO))
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while parents.setdefault(name, name) != name:
            parents[name] = name = parents[parents[name]]
        return name

    folders = {posixpath.dirname(path) for path in projects}
    for host in hosts:
        parents[root(host)] = root(f"{_project_folder(host, folders)}/")
    weights = dict.fromkeys(hosts, 0)
    queue, known = [*hosts], set(hosts)
    while queue:
        path = queue.pop()
        data = beginning(path, LARGEST_READ)
        if path in weights:
            weights[path] = len(data)
        for spelling in includes_in(data):
            folder = posixpath.dirname(path)
            found = tree.at(folder, spelling)
            if not found:
                found = nearest([each for each in tree.ending(spelling) if each in weights], folder)
            if ending_of(found) not in HOST_SUFFIXES:
                continue
            parents[root(found)] = root(path)
            if found not in known:
                known.add(found)
                queue.append(found)
    together: dict[str, list[str]] = {}
    for host in hosts:
        together.setdefault(root(host), []).append(host)
    for files in together.values():
        beside = {parent for file in files for parent in _parents(file)}
        yield Program(
            posixpath.commonpath([posixpath.dirname(file) for file in files]),
            tuple(files),
            tuple(path for path in projects if posixpath.dirname(path) in beside),
            around,
            sum(weights[file] for file in files),
        )


def _project_folder(path: str, folders: Iterable[str]) -> str:
    return next((folder for folder in _parents(path) if folder in folders), "")


def _parents(path: str) -> Iterator[str]:
    """The folders that a file is in, from the nearest up; "" is the repository."""
    while path:
        path = posixpath.dirname(path)
        yield path
