"""Files that promise more than they hold are refused before memory is made for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import csr_array

from reactio.cli.arguments.constraint_files import read_groups, read_matrix
from reactio.errors import ModelError, ReactioError
from reactio.model.values.yaml_tree import parse_nodes
from reactio.structures.matrix_files import sparse_matrix

HEAD = "%%MatrixMarket matrix coordinate real general\n"
DENSE = "%%MatrixMarket matrix array real general\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "0 0 0\n", "empty"),
        (HEAD + "0 0\n", "line of sizes"),
        (DENSE + "0 0\n", "empty"),
        (HEAD + "800000000 3 1\n1 1 1.0\n", "too many rows"),
        (HEAD + "3 3 99999999999\n1 1 1.0\n", "promises"),
        (DENSE + "30000 30000\n1.0\n", "promises"),
        (HEAD + "3 3 -1\n", "line of sizes"),
        (HEAD + "3 3 1" + 5000 * "0" + "\n", "line of sizes"),
        (HEAD + "³ 3 1\n1 1 1\n", "line of sizes"),
        (HEAD, "line of sizes"),
        ("", "first line"),
        ("%%MatrixMarket vector\n", "first line"),
        (HEAD + "2 2 2\n1 1 1\x000\n2 2 1\n", "C.mtx"),  # ends the process inside SciPy's reader
        (HEAD + "2 2 3\r1 1 1\r2 2 1\r", "promises 3 entries and holds 2"),  # so does this
        (HEAD + "2 2 1\n% no entry\n\n", "promises 1 entries and holds 0"),  # without a warning of NumPy
        (HEAD + "2 2 1\n1 2.0\n", "2 numbers each"),  # SciPy reads it as 0 in row 1, column 2
        (HEAD + "2 2 2\n1 1 1 7\n2 2 1 7\n", "4 numbers each"),
        (HEAD + "2 2 1\n1 3 1\n", "column 3"),
        (HEAD + "2 2 1\n1.5 1 1\n", "row 1.5"),
        (HEAD + "2 2 1\nnan 1 1\n", "row nan"),
        (HEAD.replace("real", "complex") + "2 2 1\n1 1 1 0\n", "'complex'"),
        (HEAD.replace("general", "symmetric") + "2 3 1\n1 1 1\n", "as many rows as columns"),
        (DENSE.replace("real", "pattern") + "2 2\n1\n1\n1\n1\n", "an array has values"),
    ],
)
def test_matrix_market_sizes(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "C.mtx").write_text(text, encoding="utf-8")
    with pytest.raises(ReactioError, match=words):
        read_matrix(tmp_path / "C.mtx")


@pytest.mark.parametrize("words", ["", " real", " integer", " integer general"])
def test_words_that_a_first_line_may_leave_out(tmp_path: Path, words: str) -> None:
    (tmp_path / "C.mtx").write_text(f"%%MatrixMarket matrix coordinate{words}\n2 2 1\n1 2 3\n")
    assert read_matrix(tmp_path / "C.mtx").toarray().tolist() == [[0, 3], [0, 0]]


def test_matrix_market_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "C.mtx").write_text(HEAD + "% a comment\n\n2 3 2\n1 1 1.5\n2 3 2.5\n")
    assert read_matrix(tmp_path / "C.mtx").toarray().tolist() == [[1.5, 0, 0], [0, 0, 2.5]]
    (tmp_path / "D.mtx").write_text(DENSE + "2 2\n1\n2\n3\n4\n")
    assert read_matrix(tmp_path / "D.mtx").tolist() == [[1, 3], [2, 4]]
    (tmp_path / "S.mtx").write_text(DENSE.replace("general", "symmetric") + "2 2\n1\n2\n3\n")
    assert read_matrix(tmp_path / "S.mtx").tolist() == [[1, 2], [2, 3]]


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
@pytest.mark.parametrize("made", [csr_array, np.asarray])
def test_matrix_market_files_of_scipy_come_back(tmp_path: Path, symmetry: Any, made: Any) -> None:
    """What SciPy writes is read as it was, bit for bit."""
    A = np.array([[0.0, 1 / 3, -2e-310], [4.0, 5e300, 0.0], [7.0, 8.0, 9.0]])
    A = {"general": A, "symmetric": A + A.T, "skew-symmetric": A - A.T}[symmetry]
    mmwrite(tmp_path / "A.mtx", made(A), symmetry=symmetry, precision=17)
    found = read_matrix(tmp_path / "A.mtx")
    assert (found.toarray() if made is csr_array else found).tolist() == A.tolist()


@pytest.mark.parametrize("text", [HEAD + "0 0 0\n", DENSE + "0 0\n", HEAD + "2 2 2\n1 1 1\x000\n2 2 1\n"])
def test_matrices_of_structures_are_read_with_the_same_care(tmp_path: Path, text: str) -> None:
    """A size of 0 × 0 and a zero byte ended the process."""
    (tmp_path / "K.mtx").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"K\.mtx"):
        sparse_matrix(str(tmp_path / "K.mtx"), "stiffness", ())


def test_cut_and_structured_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "C.npy", np.eye(3))
    whole = (tmp_path / "C.npy").read_bytes()
    for size in (0, 5, 8, 11, 40, len(whole) - 1):
        (tmp_path / "cut.npy").write_bytes(whole[:size])
        with pytest.raises(ReactioError, match=r"cut\.npy"):
            read_matrix(tmp_path / "cut.npy")
    np.save(tmp_path / "records.npy", np.zeros((2, 2), dtype=[("a", float), ("b", int)]))
    with pytest.raises(ReactioError, match="not numbers"):
        read_matrix(tmp_path / "records.npy")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
@pytest.mark.parametrize("suffix", ["npy", "mtx", "csv"])
def test_pipes_and_devices(tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / f"zero.{suffix}").symlink_to("/dev/zero")
    for name in ("pipe", "zero"):
        with pytest.raises(ReactioError, match="not an ordinary file"):
            read_matrix(tmp_path / f"{name}.{suffix}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: ²\n", "not a row number"),
        (f"a: {'9' * 5000}\n", "not a row number"),
        (f"a: 0-{'9' * 5000}\n", "not a row number"),
        ("".join(f"g{k}: 0-999999\n" for k in range(60)), "more than 5,000,000 rows"),
        (f"{'x' * 300}: 0\n", "cannot be the name"),
    ],
)
def test_bad_groups_of_rows_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "groups.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=words):
        read_groups(tmp_path / "groups.yaml")


def test_merges_are_bounded() -> None:
    """Each mapping that takes in another copies its keys: 1 MB of text would fill 5 GB."""
    base = "a: &a {" + ", ".join(f"k{k}: 1" for k in range(20_000)) + "}\n"
    copies = "b: [" + ", ".join("{<<: *a}" for _ in range(100)) + "]\n"
    with pytest.raises(ModelError, match="takes in more than"):
        parse_nodes(base + copies)
    again = "b: {<<: [" + ", ".join("*a" for _ in range(100)) + "]}\n"
    with pytest.raises(ModelError, match="takes in more than"):
        parse_nodes(base + again)
    assert len(parse_nodes("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n").mapping("it")["b"].mapping("b")) == 2
