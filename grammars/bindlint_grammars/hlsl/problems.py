"""What can go wrong while source text is read and expanded: values, never exceptions."""

from __future__ import annotations

from typing import Literal

import msgspec

ProblemKind = Literal[
    "missing-include",
    "include-case",
    "include-cycle",
    "include-outside",
    "unreadable-file",
    "file-too-large",
    "invalid-encoding",
    "byte-order-mark",
    "unbalanced-conditional",
    "bad-condition",
    "bad-directive",
    "bad-paste",
    "error-directive",
    "warning-directive",
    "macro-limit",
    "macro-arguments",
    "include-in-macro-arguments",
    "unterminated-comment",
    "nesting-limit",
]


class SourceProblem(msgspec.Struct, frozen=True):
    """One thing that was wrong in a file.

    `start` and `end` are byte offsets into the file's decoded text, the end exclusive. `partial` says that some of the
    shader was not seen because of it, so that an answer about the shader may lack something.
    """

    kind: ProblemKind
    message: str
    file: str
    start: int = 0
    end: int = 0
    partial: bool = False
