"""import, audit and export as a user runs them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_out_and_in_again(run: Run, tmp_path: Path) -> None:
    out = run("export", "four-bar-spatial", "-o", "a.urdf", "--json")
    assert out.returncode == 0, out.stderr
    assert json.loads(out.stdout)["written"] == ["a.urdf", "a.yaml"]
    done = run("import", "a.urdf", "-o", "b.yaml", "--json")
    data = json.loads(done.stdout)
    assert data["schema"] == "reactio.import/1"
    assert data["read"]["loop closures"] == 1
    assert run("check", "b.yaml", "--json").returncode == 0


def test_bad_files_end_with_code_2_and_no_traceback(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text("<robot name='a'><link", encoding="utf-8")
    for command in (("import", "a.urdf"), ("check", "a.urdf"), ("audit", "a.urdf"), ("import", "none.sdf")):
        done = run(*command)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert "Traceback" not in done.stderr
