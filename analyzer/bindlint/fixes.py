"""Edits of files: put together, turned into bytes in a file's own encoding, shown as a diff, written in one step."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from difflib import diff_bytes, unified_diff
from io import BytesIO

from bindlint_grammars.hlsl.source_files import decode

from bindlint.model.finding import Edit, Fix

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def by_file(edits: Iterable[Edit]) -> dict[str, tuple[Edit, ...]]:
    """The edits of each file, in the order of their places."""
    found: dict[str, list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        found.setdefault(edit.span.file, []).append(edit)
    return {file: tuple(sorted(those, key=_place)) for file, those in found.items()}


def _place(edit: Edit) -> tuple[int, int]:
    return edit.span.start, edit.span.end


def conflict(fix: Fix, others: Iterable[Fix]) -> Fix | None:
    """The first of the others that touches what `fix` touches, in another way; insertions at one place do, too."""
    for other in others:
        for edit in fix.edits:
            for theirs in other.edits:
                if edit != theirs and edit.span.file == theirs.span.file and _touch(_place(edit), _place(theirs)):
                    return other
    return None


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one == other or (one[0] < other[1] and other[0] < one[1])


def edited(text: bytes, edits: Iterable[Edit]) -> bytes | None:
    """The text, in UTF-8 without byte order mark, after edits in order; None where one does not fit the text."""
    pieces: list[bytes] = []
    at = 0
    for edit in edits:
        start, end = _place(edit)
        there = text[start:end]
        fits = not edit.replaces or b"".join(there.split()) == "".join(edit.replaces.split()).encode()
        if not (fits and at <= start <= end <= len(text)):
            return None
        pieces += (text[at:start], edit.text.encode())
        at = end
    return b"".join((*pieces, text[at:]))


def reencoded(path: str, data: bytes, text: bytes, before: bytes) -> bytes | None:
    """`text` (UTF-8 without byte order mark) as the file with the bytes `data` would hold it: its encoding, its mark.

    None where the file does not hold just the text `before`: it has changed, or was not read to the last byte.
    """
    source = decode(path, data)
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if source.problems or source.text != before or mark + source.text.decode().encode(codec) != data:
        return None
    return mark + text.decode().encode(codec)


def diff(path: str, before: bytes, after: bytes) -> Iterator[bytes]:
    """The lines of a unified diff as `git apply` reads it: the bytes of the file in its encoding, up to each LF.

    A line without an end is followed by git's remark.
    """
    old, new = (BytesIO(data).readlines() for data in (before, after))
    name = path.replace(os.sep, "/").lstrip("/")
    for line in diff_bytes(unified_diff, old, new, _patch_name(f"a/{name}"), _patch_name(f"b/{name}")):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _patch_name(name: str) -> bytes:
    """A name as git writes it in a patch: quoted where needed; a tab ends one with spaces."""
    quoted = re.sub(rb'[\0-\x1f\x7f"\\]', lambda c: b"\\%03o" % ord(c[0]), name.encode("utf-8", "surrogateescape"))
    if b"\\" in quoted:
        return b'"%s"' % quoted
    return quoted + b"\t" * (b" " in quoted)


def replace_file(path: str, data: bytes) -> None:
    """Give the file new content in one step: whoever reads it sees the old or the new. Raises `OSError`.

    What a link leads to is replaced, not the link; permissions and the owner stay. A file that has several names, or
    whose owner cannot be given to another one, is written in place.
    """
    real = os.path.realpath(path)
    if _names(real) > 1:
        _write_in_place(real, data)
        return
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".bindlint-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if _takes_owner(temporary, real):
            os.chmod(temporary, _mode(real))
            os.replace(temporary, real)
        else:
            _write_in_place(real, data)
            os.unlink(temporary)
    except BaseException:  # whatever ends the write, Ctrl-C too, leaves no file behind, and goes on its way
        os.unlink(temporary)
        raise


def _write_in_place(path: str, data: bytes) -> None:
    with open(path, "r+b") as stream:
        stream.write(data)
        stream.truncate()
        stream.flush()
        os.fsync(stream.fileno())


def _names(path: str) -> int:
    try:
        return os.stat(path).st_nlink
    except FileNotFoundError:
        return 0


def _takes_owner(new: str, old: str) -> bool:
    """Whether the new file belongs to whom the old one does, or could be given to them."""
    if not os.path.exists(old):
        return True
    own, wanted = os.stat(new), os.stat(old)
    if (own.st_uid, own.st_gid) == (wanted.st_uid, wanted.st_gid):
        return True
    try:
        os.chown(new, wanted.st_uid, wanted.st_gid)
    except OSError:
        return False
    return True


def _mode(path: str) -> int:
    """The permissions of the file, or those that a new one would get."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
