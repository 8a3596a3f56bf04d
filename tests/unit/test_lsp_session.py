"""What the server knows of open documents, without a protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint.includers import Includers
from bindlint.lsp.convert import Text
from bindlint.lsp.documents import Document
from bindlint.lsp.session import Session, Settings
from bindlint.plugins import load_rules
from bindlint.rule import Rule

FILES = {
    "shared/h.hlsli": "Texture2D<float4> Shared : register(t0);\n",
    "shared/deep.hlsli": '#include "h.hlsli"\n',
    "a.hlsl": '#include "shared/h.hlsli"\nTexture2D<float4> A : register(t0);\n'
    "float4 main() : SV_Target { return Shared.Load(0) + A.Load(0); }\n",
    "b.hlsl": '#include <shared/deep.hlsli>\n# include "shared\\\\h.hlsli"\nfloat4 main() : SV_Target { return 0; }\n',
    "other/h.hlsli": "// another header of the same name\n",
    "other/c.hlsl": '#include "h.hlsli"\nfloat4 main() : SV_Target { return 0; }\n',
}


@pytest.fixture(scope="module")
def rules() -> tuple[Rule, ...]:
    return load_rules()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def document(folder: Path, name: str, text: str | None = None) -> tuple[str, Document]:
    path = str(folder / name)
    return path, Document(f"file://{path}", path, 1, Text((folder / name).read_text() if text is None else text))


@pytest.mark.parametrize(
    ("header", "roots"),
    [
        ("shared/h.hlsli", ["a.hlsl", "b.hlsl"]),
        ("shared/deep.hlsli", ["b.hlsl"]),
        ("other/h.hlsli", ["other/c.hlsl"]),
        ("a.hlsl", []),
    ],
)
def test_who_includes_a_header(folder: Path, header: str, roots: list[str]) -> None:
    found = Includers([str(folder)]).roots(str(folder / header), {})
    assert [Path(root).relative_to(folder).as_posix() for root in found] == roots


def test_buffers_count_before_they_are_saved(folder: Path) -> None:
    includers = Includers([str(folder)])
    header, other = str(folder / "other/h.hlsli"), str(folder / "a.hlsl")
    assert len(includers.roots(header, {})) == 1
    assert len(includers.roots(header, {other: b'#include "other/h.hlsli"\n'})) == 2
    assert len(includers.roots(header, {})) == 1


def test_an_analysis_that_is_not_wanted_any_more_ends(folder: Path, rules: tuple[Rule, ...]) -> None:
    session = Session([str(folder)], rules)
    documents = dict([document(folder, "shared/h.hlsli")])
    asked: list[bool] = []

    def is_current() -> bool:
        asked.append(True)
        return len(asked) < 2

    assert session.analyse(documents, is_current) is None
    assert len(asked) == 2
    state = session.analyse(documents)
    assert state is not None and len(state.reads) == 2


def test_no_more_shaders_than_are_wanted_for_a_header(folder: Path, rules: tuple[Rule, ...]) -> None:
    session = Session([str(folder)], rules, Settings(header_shaders=1))
    state = session.analyse(dict([document(folder, "shared/h.hlsli"), document(folder, "b.hlsl")]))
    assert state is not None
    assert [Path(read.file).name for read in state.reads] == ["b.hlsl"], "open shaders go first"


def test_a_shader_that_only_seems_to_include_a_header_is_no_reader_of_it(folder: Path, rules: tuple[Rule, ...]) -> None:
    (folder / "seems.hlsl").write_text(
        '#if 0\n#include "shared/h.hlsli"\n#endif\n' + "float4 main() : SV_Target { return 0; }\n"
    )
    session = Session([str(folder)], rules, Settings(header_shaders=2))
    state = session.analyse(dict([document(folder, "shared/h.hlsli")]))
    assert state is not None
    assert sorted(Path(read.file).name for read in state.reads) == ["a.hlsl", "b.hlsl"]


def test_a_document_outside_the_workspace_brings_its_repository(folder: Path, rules: tuple[Rule, ...]) -> None:
    session = Session([], rules)
    path, opened = document(folder, "shared/h.hlsli", FILES["shared/h.hlsli"].replace("t0", "u0"))
    state = session.analyse({path: opened})
    assert state is not None and len(state.reads) == 2
    assert {(each.finding.code, each.shaders) for each in state.seen[path]} >= {("BL102", 2)}


def test_documents_of_other_languages_are_left_alone(folder: Path, rules: tuple[Rule, ...]) -> None:
    (folder / "a.cpp").write_text("int x;\n")
    state = Session([str(folder)], rules).analyse(dict([document(folder, "a.cpp")]))
    assert state is not None and not state.reads
