# SPDX-License-Identifier: Apache-2.0
"""What tests of the report on mutants and of its runs stand on."""

from pathlib import Path

import pytest

from tests.mutation import toy


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy project, which is the current folder."""
    monkeypatch.chdir(tmp_path)
    toy.make(tmp_path)
    return tmp_path
