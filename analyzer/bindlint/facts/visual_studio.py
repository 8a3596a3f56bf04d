"""How a Visual Studio project compiles its shaders: the entry point, the profile and the name of each result."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec

_LARGEST = 16 << 20
_STAGES = {
    "Pixel": "ps", "Vertex": "vs", "Geometry": "gs", "Hull": "hs", "Domain": "ds", "Compute": "cs", "Library": "lib",
    "Mesh": "ms", "Amplification": "as",
}  # fmt: skip
_OUTPUTS = ("ObjectFileOutput", "HeaderFileOutput")
_WHOLE = re.compile(r"%\((?:FullPath|Identity)\)|%\(Filename\)%\(Extension\)", re.IGNORECASE)
_FOLDER = re.compile(r"\$\(\w+\)")
_STEM = re.compile(r"%\(Filename\)", re.IGNORECASE)
_OPTION = re.compile(r"""(?:^|\s)[-/](Fo|Fh|T|E)\s*(?:"([^"]+)"|([^\s"]+))""")
_Item = dict[str, str | None]


class Build(msgspec.Struct, frozen=True):
    """One shader as it is compiled. `outputs` are the names of the results without folder and ending, in lower case.

    `stage` is the prefix of a profile. What differs between the configurations of the project is "".
    """

    file: str
    outputs: tuple[str, ...]
    stage: str = ""
    entry: str = ""
    profile: str = ""
    defines: tuple[tuple[str, str], ...] = ()


def read_project(path: str) -> tuple[Build, ...]:
    """The shaders of a .vcxproj; none where it cannot be read."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return ()
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError, ValueError):
        return ()
    items = [e for e in root.iter() if _tag(e) == "FxCompile"]
    common: _Item = {}
    for item in items:
        if item.get("Include") is None:
            _read(item, common)
    built = tuple(_build(item, common, path) for item in items if item.get("Include"))
    custom = (e for e in root.iter() if _tag(e) == "CustomBuild" and e.get("Include"))
    return built + tuple(build for item in custom for build in _commands(item, path))


def _commands(item: ElementTree.Element, project: str) -> Iterator[Build]:
    """What the commands of a custom build, one to a line, compile a shader to."""
    file = _file(item, project)
    base = os.path.basename(file)
    found: dict[str, set[Build]] = {}
    for command in (child.text or "" for child in item if _tag(child) == "Command"):
        for line in command.splitlines():
            told = {match[1]: match[2] or match[3] for match in _OPTION.finditer(line)}
            output = os.path.basename(_spelled(told.get("Fo") or told.get("Fh") or "", base).replace("\\", "/"))
            profile = told.get("T", "")
            if output and profile:
                name = os.path.splitext(output)[0].lower()
                build = Build(file, (name,), profile.partition("_")[0], told.get("E", "main"), profile)
                found.setdefault(name, set()).add(build)
    yield from (build for builds in found.values() if len(builds) == 1 for build in builds)


def _file(item: ElementTree.Element, project: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(project), (item.get("Include") or "").replace("\\", "/")))


def _spelled(name: str, base: str) -> str:
    """The name of a result with that of its source put in."""
    return _STEM.sub(os.path.splitext(base)[0], _WHOLE.sub(base, _FOLDER.sub("", name)))


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _read(item: ElementTree.Element, values: _Item, own: bool = False) -> None:
    """Adds the settings of an item; those for which conditions give different values become None."""
    seen: set[str] = set()
    for child in item:
        name, text = _tag(child), (child.text or "").strip()
        if name in values and values[name] != text and not (own and name not in seen):
            values[name] = None
        else:
            values[name] = text
        seen.add(name)


def _build(item: ElementTree.Element, common: _Item, project: str) -> Build:
    values = dict(common)
    _read(item, values, own=True)
    file = _file(item, project)
    stage = _STAGES.get(values.get("ShaderType") or "", "")
    model = (values.get("ShaderModel") or "").replace(".", "_")
    entry = values.get("EntryPointName", "main")
    return Build(
        file,
        tuple(dict.fromkeys(_outputs(values, os.path.basename(file)))),
        stage,
        "" if entry is None or stage == "lib" else entry or "main",
        f"{stage}_{model}" if stage and len(model) == 3 else "",
        tuple(_defines(values.get("PreprocessorDefinitions") or "")),
    )


def _outputs(values: _Item, base: str) -> Iterator[str]:
    named = [os.path.basename((values.get(key) or "").replace("\\", "/")) for key in _OUTPUTS]
    for name in (each for each in named if each):
        yield os.path.splitext(_spelled(name, base))[0].lower()
    if not any(named):
        yield os.path.splitext(base)[0].lower()


def _defines(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(";"):
        name, sign, value = part.strip().partition("=")
        if name and "%(" not in name:
            yield name, value if sign else "1"
