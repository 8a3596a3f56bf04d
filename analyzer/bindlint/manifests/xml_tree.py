"""XML out of strangers' files: no document type, so no entities; bounded in depth; every element knows its line."""

from __future__ import annotations

from xml.parsers import expat

import msgspec

from bindlint.errors import UsageError

_DEEPEST = 64


class Element(msgspec.Struct):
    """An element without its namespace; `text` is what stands before its first child, trimmed."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element]
    text: str = ""

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")


def parse_xml(path: str, data: bytes) -> Element:
    """The root element. Raises `UsageError` with the place for what is no XML, or has a document type."""
    top = Element("", {}, 0, [])
    open_elements = [top]
    texts: list[list[str]] = [[]]
    parser = expat.ParserCreate()

    def fail(what: str) -> UsageError:
        return UsageError(f"{path}:{parser.CurrentLineNumber}: {what}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > _DEEPEST:
            raise fail(f"elements are nested more than {_DEEPEST} deep")
        element = Element(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber, [])
        open_elements[-1].children.append(element)
        open_elements.append(element)
        texts.append([])

    def end(_: str) -> None:
        open_elements.pop().text = "".join(texts.pop()).strip()

    def text(piece: str) -> None:
        if not open_elements[-1].children:
            texts[-1].append(piece)

    def document_type(*_: object) -> None:
        raise fail("has a document type, which projects do not need and which is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = document_type
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UsageError(f"{path}:{error.lineno}: is no XML: {expat.ErrorString(error.code)}") from error
    except (LookupError, ValueError) as error:
        raise fail(f"its encoding is not read: {error}") from error
    return top.children[0]
