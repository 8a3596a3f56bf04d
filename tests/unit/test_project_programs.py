"""Which files of host code make one program."""

from __future__ import annotations

import pytest
from bindlint.model.host import HostFile
from bindlint.project.programs import programs_of

HOSTS = (
    HostFile("a/one.cpp", files=("a/one.cpp", "a/shared.h")),
    HostFile("a/two.cpp", files=("a/two.cpp", "a/shared.h")),
    HostFile("b/one.cpp", files=("b/one.cpp", "b/own.h")),
    HostFile("b/own.h", files=("b/own.h",)),
    HostFile("c/lone.cpp", files=("c/lone.cpp",)),
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a/one.cpp", "a/two.cpp", True),
        ("a/one.cpp", "a/shared.h", True),
        ("b/one.cpp", "b/own.h", True),
        ("a/one.cpp", "b/one.cpp", False),
        ("b/one.cpp", "c/lone.cpp", False),
    ],
)
def test_files_that_share_a_header_make_one_program(one: str, other: str, same: bool) -> None:
    programs = programs_of(HOSTS)
    assert (programs[one] == programs[other]) is same


def test_the_order_of_files_makes_no_difference() -> None:
    there, back = programs_of(HOSTS), programs_of(reversed(HOSTS))
    pairs = [(one, other) for one in there for other in there]
    assert [there[a] == there[b] for a, b in pairs] == [back[a] == back[b] for a, b in pairs]
