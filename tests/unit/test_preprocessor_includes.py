"""Includes: where they are searched, `#pragma once`, what is missing, and the same headers shared by many shaders."""

from __future__ import annotations

from pathlib import Path

import pytest
from bindlint_grammars.hlsl.preprocessor import Expansion, Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import SourceStore


def lay(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run(root: Path, main: str, *include_dirs: str) -> Expansion:
    settings = Settings(include_dirs=tuple(str(root / folder) for folder in include_dirs))
    return Preprocessor(SourceStore()).run(f"{root}/{main}", settings)


def words(expansion: Expansion) -> str:
    return " ".join(b" ".join(unit.text for unit in expansion.units).decode().split())


FILES = {
    "m/h.h": "m_h;",
    "m/sub/deep.h": 'deep; #\n#include "up.h"\n',
    "m/up.h": "m_up;",
    "inc/up.h": "inc_up;",
    "inc/only.h": "only;",
    "inc/both.h": "inc_both;",
    "inc2/both.h": "inc2_both;",
    "m/guarded.h": "#ifndef G\n#define G\nguarded;\n#endif\n",
    "m/once.h": "#pragma once\nonce;",
    "m/macro.h": "NAME;",
}
SEARCHES = [
    ('#include "h.h"', "m_h;"),
    ("#include <h.h>", "missing"),
    ("#include <only.h>", "only;"),
    ('#include "only.h"', "only;"),
    ('#include "both.h"', "inc_both;"),
    ('#include "sub/deep.h"', "deep; # m_up;"),
    ('#include "sub\\deep.h"', "deep; # m_up;"),
    ('#include "./h.h" x', "m_h;"),
    ('#include "../inc/only.h"', "only;"),
    ('#define I "h.h"\n#include I', "m_h;"),
    ("#define I <only.h>\n#include I", "only;"),
    ("#define I <only.h\n#include I>", "only;"),
    ("#define N only\n#define I <N.h>\n#include I", "only;"),
    ("#define S(x) #x\n#include S(h.h)", "m_h;"),
    ("#define L h.h\n#include <L>", "missing"),
    ('#include "m"', "missing"),
    ('#include "guarded.h"\n#include "guarded.h"', "guarded;"),
    ('#include "once.h"\n#include "once.h"', "once;"),
    ('#include "once.h"\n#include "./once.h"', "once; once;"),
    ('#define NAME x\n#include "macro.h"\n#undef NAME\n#define NAME y\n#include "macro.h"', "x ; y ;"),
    ('#if 0\n#include "absent.h"\n#endif\nz', "z"),
    ('a\n#include "h.h"\nb', "a m_h; b"),
]


@pytest.mark.parametrize(("source", "expected"), SEARCHES)
def test_where_an_include_is_searched(tmp_path: Path, source: str, expected: str) -> None:
    lay(tmp_path, {**FILES, "m/a.hlsl": source})
    expansion = run(tmp_path, "m/a.hlsl", "inc", "inc2")
    if expected == "missing":
        assert [(problem.kind, problem.partial) for problem in expansion.problems] == [("missing-include", True)]
    else:
        assert words(expansion) == expected
        assert not expansion.problems


def test_absolute_paths_and_the_order_of_reading(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"x/b.h": "b;", "c.h": "c;", "a.hlsl": f'#include "{tmp_path}/x/b.h"\n#include "c.h"\n#include "x/b.h"\n'},
    )
    expansion = run(tmp_path, "a.hlsl")
    assert words(expansion) == "b; c; b;"
    assert expansion.files == tuple(f"{tmp_path}/{name}" for name in ("a.hlsl", "x/b.h", "c.h"))


def test_a_missing_include_names_its_place_and_the_rest_is_read(tmp_path: Path) -> None:
    lay(tmp_path, {"a.hlsl": 'x;\n  #include "gone.h" // c\ny;'})
    expansion = run(tmp_path, "a.hlsl")
    (problem,) = expansion.problems
    assert (tmp_path / "a.hlsl").read_text()[problem.start : problem.end] == '#include "gone.h"'
    assert "gone.h" in problem.message
    assert words(expansion) == "x; y;"


def test_a_main_file_that_is_not_there(tmp_path: Path) -> None:
    expansion = run(tmp_path, "a.hlsl")
    assert [(problem.kind, problem.partial) for problem in expansion.problems] == [("unreadable-file", True)]
    assert expansion.units == ()


def test_case_and_confinement(tmp_path: Path) -> None:
    lay(tmp_path, {"in/Head.h": "head;", "out.h": "out;", "in/a.hlsl": '#include "head.h"\n#include "../out.h"\nz;'})
    store, roots = SourceStore(), (str(tmp_path / "in"),)
    expansion = Preprocessor(store).run(f"{tmp_path}/in/a.hlsl", Settings(roots=roots))
    assert words(expansion) == "head; z;"
    assert [(problem.kind, problem.partial) for problem in expansion.problems] == [
        ("include-case", False),
        ("include-outside", True),
    ]
    assert expansion.files == (f"{tmp_path}/in/a.hlsl", f"{tmp_path}/in/Head.h")


def test_file_level_and_names_in_includes(tmp_path: Path) -> None:
    where = "__FILE__ __INCLUDE_LEVEL__ __LINE__\n"
    lay(
        tmp_path, {"h.h": where, "s/h.h": '#include "../h.h"\n', "a.hlsl": f'#include "h.h"\n#include "s/h.h"\n{where}'}
    )
    expected = f'"{tmp_path}/h.h" 1 1 "{tmp_path}/s/../h.h" 2 1 "{tmp_path}/a.hlsl" 0 3'
    assert words(run(tmp_path, "a.hlsl")) == expected


def test_line_directives_end_with_their_file(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"h.h": '#line 90 "gen"\n__LINE__ __FILE__\n', "a.hlsl": '#line 7\n__LINE__\n#include "h.h"\n__LINE__\n'},
    )
    assert words(run(tmp_path, "a.hlsl")) == '7 90 "gen" 9'


SHARED = {
    "common.h": "struct S { float a; };\nTexture2D shared : register(t0);\n",
    "config.h": "#ifdef BIG\nstatic const int size = 8;\n#else\nstatic const int size = 4;\n#endif\n",
    "x/a.hlsl": '#include "../common.h"\n#include "../config.h"\nfloat4 a;\n',
    "y/b.hlsl": '#include "../config.h"\n#include "../common.h"\nfloat4 b;\n',
}


def test_shaders_share_the_units_of_their_headers(tmp_path: Path) -> None:
    lay(tmp_path, SHARED)
    preprocessor = Preprocessor(SourceStore())
    plain = preprocessor.run(f"{tmp_path}/x/a.hlsl", Settings()).units
    again = preprocessor.run(f"{tmp_path}/x/a.hlsl", Settings()).units
    big = preprocessor.run(f"{tmp_path}/x/a.hlsl", Settings(defines=(("BIG", "1"),))).units
    other = preprocessor.run(f"{tmp_path}/y/b.hlsl", Settings(defines=(("UNREAD", "1"),))).units
    assert all(first is second for first, second in zip(plain, again, strict=True))
    assert [first is second for first, second in zip(plain, big, strict=True)] == [True, False, True]
    assert other[0] is plain[1]
    assert other[1] is plain[0]
    assert len({unit.key for unit in (*plain, *big, *other)}) == 5


def test_a_changed_file_is_read_anew_and_only_that(tmp_path: Path) -> None:
    lay(tmp_path, SHARED)
    store = SourceStore()
    preprocessor = Preprocessor(store)
    before = preprocessor.run(f"{tmp_path}/x/a.hlsl", Settings()).units
    store.overlay(f"{tmp_path}/config.h", b"static const int size = 16;\n")
    after = preprocessor.run(f"{tmp_path}/x/a.hlsl", Settings()).units
    assert [first is second for first, second in zip(before, after, strict=True)] == [True, False, True]
    assert b"16" in after[1].text


def test_a_file_created_later_is_noticed(tmp_path: Path) -> None:
    lay(tmp_path, {"a.hlsl": '#include "late.h"\n'})
    store = SourceStore()
    preprocessor = Preprocessor(store)
    assert preprocessor.run(f"{tmp_path}/a.hlsl", Settings()).problems
    lay(tmp_path, {"late.h": "late;"})
    store.forget(f"{tmp_path}/late.h")
    assert words(preprocessor.run(f"{tmp_path}/a.hlsl", Settings())) == "late;"


SEAMS = [
    ('struct S {\n#include "h.h"\n};\nfloat b;', "float a;", 1),
    ('float x;\n#include "h.h"\nfloat b;', "float a;", 3),
    ('float x;\n#include "h.h"\nfloat b;', "float a", 2),
    ('float x =\n#include "h.h"\n;float b;', "1", 1),
    ('#include "h.h"\nfloat b; }\nfloat c;', "namespace n {", 1),
    ('#include "h.h"\n\n', "float a;", 1),
    ('float x;\n#include "h.h"\nfloat b;', "", 2),
    ('float x; // {\nstatic const int s = "{";\n#include "h.h"\nfloat b;', "float a;", 3),
    ('}\n#include "h.h"\nfloat b;', "float a;", 3),
]


@pytest.mark.parametrize(("source", "header", "count"), SEAMS)
def test_texts_are_joined_where_a_seam_is_not_clean(tmp_path: Path, source: str, header: str, count: int) -> None:
    lay(tmp_path, {"a.hlsl": source, "h.h": header})
    preprocessor = Preprocessor(SourceStore())
    units = preprocessor.run(f"{tmp_path}/a.hlsl", Settings()).units
    assert len(units) == count
    assert all(
        one is two for one, two in zip(units, preprocessor.run(f"{tmp_path}/a.hlsl", Settings()).units, strict=True)
    )
    for unit in units:
        for word in (b"float a", b"float b"):
            if word in unit.text:
                origin = unit.origin(unit.text.index(word))
                assert Path(origin.file).read_bytes()[origin.offset :].startswith(word)
