"""What an editor holds open: one frozen value a version, so that an analysis works on what it was given."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from lsprotocol import types

from bindlint.lsp.convert import Text, path_of


class Document(msgspec.Struct, frozen=True):
    """One version of an open document; `uri` is spelled as the editor spells it."""

    uri: str
    path: str
    version: int
    text: Text
    language: str = ""

    def changed(self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> Document:
        """The version after some changes, each made to what the one before left."""
        text = self.text
        for change in changes:
            text = text.changed(change)
        return Document(self.uri, self.path, version, text, self.language)


Documents = dict[str, Document]
"""Open documents by path."""


def opened(item: types.TextDocumentItem) -> Document:
    return Document(item.uri, path_of(item.uri), item.version, Text(item.text), item.language_id)
