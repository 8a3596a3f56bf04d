"""MSBuild projects, as far as the items of a type need them: properties, imports, conditions, definitions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from bindlint.arguments import native_path
from bindlint.config import repository_root
from bindlint.errors import UsageError
from bindlint.manifests.conditions import holds
from bindlint.manifests.reading import LARGEST
from bindlint.manifests.xml_tree import Element, parse_xml

_REFERENCE = re.compile(r"\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_PLAIN_REFERENCE = re.compile(r"\$\(\s*[\w-]+\s*\)")
_METADATA = re.compile(r"%\((?:\w+\.)?(\w+)\)")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_WILD = re.compile(r"[*?\[]")
_MOST_IMPORTS = 200
_DEEPEST = 400
"""Elements, those of imported files within those of the file that imports them."""
_LONGEST_VALUE = 1 << 16
"""Characters of a property or of metadata; what doubles itself over and over ends here."""
_MOST_ITEMS = 1 << 14

_Metadata = dict[str, str]


class Item(msgspec.Struct):
    """One item: its type in lower case, its path as written, its metadata by names in lower case, where it stands."""

    kind: str
    include: str
    metadata: _Metadata
    file: str
    line: int


class _Found(msgspec.Struct):
    """A part of a project that is read when all properties are known, and the file that it stands in."""

    element: Element
    file: str


class Project:
    """A project as one configuration has it, with the items of some types; the platform may be left out of its name.

    Imports are followed inside the repository only, and nothing of Visual Studio itself is needed. Properties that
    nobody sets are empty, as in MSBuild; functions of properties are not evaluated and give nothing.
    Raises `UsageError` where a file that it imports is no project.
    """

    def __init__(self, path: str, root: Element, kinds: tuple[str, ...], configuration: str = "") -> None:
        self.path = path
        self._folder = os.path.dirname(path)
        self.configurations = configurations_of(root)
        asked = configuration.lower()
        matching = (
            each for each in self.configurations if each.lower() == asked or each.lower().startswith(f"{asked}|")
        )
        first = next(iter(self.configurations), "Debug|x64")
        self.configuration = next(matching, configuration) if configuration else first
        name, _, platform = self.configuration.partition("|")
        self._fixed = {"configuration", "platform"}
        self._properties = {"configuration": name, "platform": platform, **_places(path)}
        place = Path(os.path.realpath(self._folder or os.curdir))
        self._root = repository_root(place) or place
        self._definitions: list[_Found] = []
        self._groups: list[_Found] = []
        self._imported: set[str] = set()
        self.outside: dict[str, None] = {}
        """Files that are there and asked for, and lie outside the repository."""
        self.unread: dict[str, None] = {}
        """Conditions that are not understood, or hang on a function that is not evaluated."""
        self._depth = 0
        self._import(_above(place, "Directory.Build.props", self._root), path)
        self._walk(root, path)
        self._import(_above(place, "Directory.Build.targets", self._root), path)
        self._defaults: dict[str, _Metadata] = {kind.lower(): {} for kind in kinds}
        for found in self._definitions:
            self._define(found)
        self.items: list[Item] = []
        for found in self._groups:
            self._items(found)

    def _walk(self, parent: Element, file: str) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UsageError(f"{file}: its imports are nested too deeply")
        for element in parent.children:
            if not self._true(element, file):
                continue
            match element.tag:
                case "PropertyGroup":
                    for each in element.children:
                        name = each.tag.lower()
                        if name not in self._fixed and self._true(each, file):
                            self._properties[name] = self._expanded(each.text, file)
                case "Import":
                    self._import(unescaped(self._expanded(element.get("Project"), file)), file)
                case "ImportGroup":
                    self._walk(element, file)
                case "Choose":
                    chosen = next((each for each in element.children if self._true(each, file)), None)
                    if chosen is not None:
                        self._walk(chosen, file)
                case "ItemDefinitionGroup":
                    self._definitions.append(_Found(element, file))
                case "ItemGroup":
                    self._groups.append(_Found(element, file))
        self._depth -= 1

    def _import(self, name: str, file: str) -> None:
        path = os.path.realpath(os.path.join(os.path.dirname(file), native_path(name)))
        if not name or path in self._imported or len(self._imported) == _MOST_IMPORTS:
            return
        if not Path(path).is_relative_to(self._root):
            if os.path.isfile(path):
                self.outside[name] = None
            return
        self._imported.add(path)
        try:
            with open(path, "rb") as stream:
                data = stream.read(LARGEST)
        except (OSError, ValueError):
            return
        self._walk(parse_xml(path, data), path)

    def _define(self, found: _Found) -> None:
        for element in found.element.children:
            kind = element.tag.lower()
            if kind in self._defaults and self._true(element, found.file):
                self._read(element, found.file, self._defaults[kind])

    def _items(self, found: _Found) -> None:
        for element in found.element.children:
            kind = element.tag.lower()
            if kind not in self._defaults or not self._true(element, found.file):
                continue
            if removed := set(self._names(element.get("Remove"), found.file)):
                self.items = [item for item in self.items if item.kind != kind or item.include not in removed]
            excluded = set(self._names(element.get("Exclude"), found.file))
            for name in self._names(element.get("Include"), found.file):
                if name not in excluded and len(self.items) < _MOST_ITEMS:
                    item = Item(kind, name, dict(self._defaults[kind]), found.file, element.line)
                    self._read(element, found.file, item.metadata)
                    self.items.append(item)
            updated = set(self._names(element.get("Update"), found.file))
            for item in self.items if updated else ():
                if item.kind == kind and item.include in updated:
                    self._read(element, found.file, item.metadata)

    def _names(self, text: str, file: str) -> list[str]:
        """The paths that a list names, relative to the project; patterns are looked for in its repository."""
        names: list[str] = []
        if not text:
            return names
        for name in (native_path(part.strip()) for part in self._expanded(text, file).split(";")):
            if "*" not in name and "?" not in name:
                names += [native_path(unescaped(name))] if name else []
                continue
            found = islice(self._matching(os.path.join(self._folder, unescaped(name))), _MOST_ITEMS)
            names += (os.path.relpath(path, self._folder or os.curdir) for path in found)
        return names

    def _matching(self, pattern: str) -> Iterator[Path]:
        """The files of the repository that match; neither links nor `..` lead the search elsewhere."""
        start = os.path.dirname(_WILD.split(pattern)[0])
        rest = pattern[len(start) :].lstrip("/\\")
        if not Path(os.path.realpath(start)).is_relative_to(self._root) or ".." in Path(rest).parts:
            return
        try:
            for path in Path(start).glob(f"{rest}/*" if rest.endswith("**") else rest):
                if path.is_file() and Path(os.path.realpath(path)).is_relative_to(self._root):
                    yield path
        except (OSError, ValueError):  # a name that is too long, `**` beside other characters
            return

    def _read(self, element: Element, file: str, values: _Metadata) -> None:
        """Adds the metadata of an element to `values`; `%(Name)` in it is what they held before."""
        own = {name: text for name, text in element.attributes.items() if name.lower() not in _ITEM_ATTRIBUTES}
        settings = [Element(name, {}, element.line, [], text) for name, text in own.items()]
        for setting in (*settings, *element.children):
            if self._true(setting, file):
                name = setting.tag.lower()
                text = self._expanded(setting.text, file)
                if "%(" in text:
                    inherited = re.compile(rf"%\((?:\w+\.)?{re.escape(name)}\)", re.IGNORECASE)
                    text = values.get(name, "").join(inherited.split(text))
                values[name] = text[:_LONGEST_VALUE]

    def _true(self, element: Element, file: str) -> bool:
        condition = element.get("Condition")
        if not condition:
            return True
        folder = os.path.dirname(file)

        def exists(path: str) -> bool:
            place = os.path.realpath(os.path.join(folder, native_path(unescaped(path))))
            return bool(path) and Path(place).is_relative_to(self._root) and os.path.exists(place)

        value = holds(self._expanded(condition, file), exists)
        if value is None or "$(" in _PLAIN_REFERENCE.sub("", condition):
            self.unread[condition] = None
        return bool(value)

    def _expanded(self, text: str, file: str) -> str:
        """The text with the values of its properties."""
        if "$(" not in text:
            return text
        folder = os.path.abspath(os.path.dirname(file))
        here = {
            "msbuildthisfiledirectory": os.path.join(folder, ""),
            "msbuildthisfilefullpath": os.path.abspath(file),
            "msbuildthisfile": os.path.basename(file),
        }

        def value(match: re.Match[str]) -> str:
            name = match[1].strip().lower()
            return here.get(name) or self._properties.get(name, "")

        return _REFERENCE.sub(value, text)[:_LONGEST_VALUE]


_ITEM_ATTRIBUTES = frozenset(("include", "exclude", "remove", "update", "condition", "label"))


def unescaped(text: str) -> str:
    """The text with the characters that `%2E` and its like stand for."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def well_known(text: str, item: Item) -> str:
    """The text with what `%(Filename)` and its like stand for."""
    folder, name = os.path.split(item.include)
    stem, ending = os.path.splitext(name)
    known = {
        "filename": stem,
        "extension": ending,
        "relativedir": os.path.join(folder, "") if folder else "",
        "identity": item.include,
        "fullpath": item.include,
    }
    return _METADATA.sub(lambda match: known.get(match[1].lower(), item.metadata.get(match[1].lower(), "")), text)


def configurations_of(root: Element) -> tuple[str, ...]:
    """The names of a project's configurations, such as `Debug|x64`, in their order."""
    groups = (group for group in root.children if group.tag == "ItemGroup")
    named = (each.get("Include") for group in groups for each in group.children if each.tag == "ProjectConfiguration")
    return tuple(dict.fromkeys(name for name in named if name))


def _places(path: str) -> dict[str, str]:
    """The properties that tell where a project is. The solution's folder is the nearest that holds a solution."""
    whole = os.path.abspath(path)
    folder, name = os.path.split(whole)
    stem, ending = os.path.splitext(name)
    above = (folder, *map(str, Path(folder).parents))
    solution = next((place for place in above if _holds_solution(place)), folder)
    return {
        "projectdir": os.path.join(folder, ""),
        "msbuildprojectdirectory": folder,
        "projectname": stem,
        "msbuildprojectname": stem,
        "projectpath": whole,
        "msbuildprojectfullpath": whole,
        "projectext": ending,
        "solutiondir": os.path.join(solution, ""),
    }


def _holds_solution(folder: str) -> bool:
    try:
        return any(name.lower().endswith((".sln", ".slnx")) for name in os.listdir(folder))
    except OSError:
        return False


def _above(start: Path, name: str, root: Path) -> str:
    """The nearest file of that name from a folder up to the root of the repository, "" where there is none."""
    for folder in (start, *start.parents):
        if (folder / name).is_file():
            return str(folder / name)
        if folder == root:
            break
    return ""
