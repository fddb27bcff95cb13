# SPDX-License-Identifier: Apache-2.0
"""A folder for programs that do not see the system's temporary folder."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.report import ROOT


@pytest.fixture
def work() -> Iterator[Path]:
    """A new folder inside the project, gone afterwards."""
    (ROOT / "out").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="test-rtl-", dir=ROOT / "out"))
    yield folder
    shutil.rmtree(folder)
