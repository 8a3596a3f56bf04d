"""A real client over stdio, in a folder of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsp_editor import Editor
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import make_test_lsp_client


@pytest_lsp.fixture(
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "bindlint", "server"],
        client_factory=make_test_lsp_client,
    )
)
async def client(lsp_client: LanguageClient) -> Any:
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Editor:
    """An editor whose workspace is an empty folder; `start` it first."""
    (tmp_path / ".git").mkdir()
    return Editor(client, tmp_path)
