"""Worker processes start without compiled kernels: a few cases do not pay for loading them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTIO_KERNELS", "plain")
