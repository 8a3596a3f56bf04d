"""What all tests share: `--update`, which rewrites stored output, and the real compiler where it can be had."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).resolve().parent
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from oracle.library import NoLibraryError, find_library  # noqa: E402
from oracle.worker import Oracle  # noqa: E402

BLOCK = 100
"""Seeds of one test."""

# The same examples everywhere, and no clock: a busy machine is no failure.
settings.register_profile("bindlint", deadline=None, derandomize=True)
settings.load_profile("bindlint")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the command line keeps between runs is kept apart from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BINDLINT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--generated", type=int, default=2000, metavar="COUNT",
        help="how many inputs each test generates that takes `seeds`; millions may be asked for",
    )  # fmt: skip
    parser.addoption("--update", action="store_true", help="rewrite stored output instead of comparing with it")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Blocks of seeds, so that millions are no more tests than a run can hold."""
    if "seeds" in metafunc.fixturenames:
        count = metafunc.config.getoption("--generated")
        blocks = [range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
        metafunc.parametrize("seeds", blocks, ids=[f"{block.start}-{block.stop - 1}" for block in blocks])


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether stored output is to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """DXC in a process of its own. Skips with the reason where there is none, fails where BINDLINT_REQUIRE_DXC=1."""
    try:
        library = find_library()
    except NoLibraryError as why:
        if os.environ.get("BINDLINT_REQUIRE_DXC") == "1":
            pytest.fail(f"the real DXC is required and cannot be had: {why}")
        pytest.skip(f"the real DXC cannot be had: {why}")
    with Oracle(library) as compiler:
        yield compiler
