"""Matrices in the files of other programs: all of them give the structure they were written from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_array, csc_array, save_npz

import reactio
from reactio.errors import ReactioError
from reactio.model.structure import structure
from reactio.structures.material import Material
from reactio.structures.matrix_files import sparse_matrix
from reactio.structures.solids import assemble_solids, brick

Floats = np.ndarray
STEEL = Material(E=2.1e11, nu=0.3, density=7800.0)


def block() -> tuple[Any, Any, Floats]:
    """K, M and nodes of a bar of 2 × 1 × 1 linear bricks."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 0.3, 0], [0, 0.3, 0]])
    grid, table = brick(np.vstack([corners, corners + np.array([0, 0, 0.2])]), (2, 1, 1))
    used = sorted({int(n) for row in table[:, :8] for n in row})
    place = {n: k for k, n in enumerate(used)}
    whole = assemble_solids(grid[used], [("hex8", np.array([[place[n] for n in r[:8]] for r in table]), STEEL)])
    return whole.K, whole.M, whole.nodes


def npz(path: Path, A: Any) -> None:
    save_npz(path, A)


def market(path: Path, A: Any) -> None:
    mmwrite(str(path), A, symmetry="symmetric")


def calculix(path: Path, A: Any) -> None:
    """Row, column, value of the upper triangle."""
    B = coo_array(A)
    lines = (f"{i + 1} {j + 1} {v!r}" for i, j, v in zip(B.row, B.col, B.data.tolist(), strict=True) if i <= j)
    path.write_text("\n".join(lines))


def abaqus(path: Path, A: Any) -> None:
    """Node, dof, node, dof, value of the lower triangle."""
    B = coo_array(A)
    lines = (
        f"{10 + i // 3}, {i % 3 + 1}, {10 + j // 3}, {j % 3 + 1}, {v!r}"
        for i, j, v in zip(B.row, B.col, B.data.tolist(), strict=True)
        if i >= j
    )
    path.write_text("** matrix\n" + "\n".join(lines))


def op4(path: Path, A: Any, strings: str = "") -> None:
    """Columns of numbers, five characters in front; dense, or in long or short strings of non-zero rows."""
    D = A.toarray()
    m, n = D.shape
    lines = [f"{n:8}{-m if strings == 'long' else m:8}{6:8}{2:8}{'KAA':8}1P,3E24.16"]
    for k in range(n):
        rows = np.flatnonzero(D[:, k])
        first, last = int(rows[0]), int(rows[-1])
        values = D[first : last + 1, k]
        words = 2 * len(values)
        if not strings:
            lines.append(f"{k + 1:8}{first + 1:8}{len(values):8}")
        elif strings == "long":
            lines += [f"{k + 1:8}{0:8}{words + 2:8}", f"{words + 1:8}{first + 1:8}"]
        else:
            lines += [f"{k + 1:8}{0:8}{words + 1:8}", f"{(words + 1) * 65536 + first + 1:12}"]
        lines += ["".join(f"{x:24.16E}" for x in values[i : i + 3]) for i in range(0, len(values), 3)]
    lines += [f"{n + 1:8}{1:8}{1:8}", f"{1.0:24.16E}"]
    path.write_text("\n".join(lines))


WRITERS: dict[str, tuple[str, str, Callable[[Path, Any], None]]] = {
    "npz": ("K.npz", "M.npz", npz),
    "npy": ("K.npy", "M.npy", lambda path, A: np.save(path, A.toarray())),
    "Matrix Market": ("K.mtx", "M.mtx", market),
    "CalculiX": ("bar.sti", "bar.mas", calculix),
    "Abaqus": ("K.mtx", "M.mtx", abaqus),
    "OP4": ("K.op4", "M.op4", op4),
    "OP4, long strings": ("K.op4", "M.op4", lambda path, A: op4(path, A, "long")),
    "OP4, short strings": ("K.op4", "M.op4", lambda path, A: op4(path, A, "short")),
    "table": ("K.csv", "M.csv", lambda path, A: np.savetxt(path, A.toarray(), delimiter=",", fmt="%.17g")),
}
MODEL = """
space: spatial
bodies:
  bar: {{points: {{l: [0, 0.15, 0.1], r: [1, 0.15, 0.1]}}, flexible: {{
    matrices: {{K: {K}, M: {M}, nodes: nodes.csv{more}}},
    interfaces: {{l: {{nodes: {left}}}, r: {{nodes: {right}, as: mean}}}}}}}}
joints:
  a: {{type: fixed, a: {{body: ground, point: [0, 0.15, 0.1]}}, b: bar.l}}
  b: {{type: fixed, a: {{body: ground, point: [1, 0.15, 0.1]}}, b: bar.r}}
"""


def model(folder: Path, K: str, M: str, more: str = "", shift: int = 10) -> reactio.Model:
    """The bar held at its ends by the numbers of its nodes, from 10 on."""
    _, _, nodes = block()
    np.savetxt(
        folder / "nodes.csv", np.column_stack([shift + np.arange(len(nodes)), nodes]), delimiter=",", fmt="%.17g"
    )
    left, right = (str((shift + np.flatnonzero(nodes[:, 0] == x)).tolist()) for x in (0.0, 1.0))
    return reactio.parse_model(MODEL.format(K=K, M=M, more=more, left=left, right=right), folder=folder)


def condensed(given: reactio.Model) -> Floats:
    made = structure(given, given.bodies[0])
    assert made is not None
    assert made.K is not None
    return made.K


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    K, M, _ = block()
    stiff, mass, write = WRITERS[name]
    for file, A in ((stiff, K), (mass, M)):
        write(tmp_path / file, csc_array(A))
        assert abs(sparse_matrix(str(tmp_path / file), "", ()) - A).max() <= 1e-12 * abs(A).max()
    found = model(tmp_path, stiff, mass)
    assert found.bodies[0].mass == pytest.approx(7800 * 0.06, rel=1e-12)
    assert condensed(found)[0, 0] == pytest.approx(-condensed(found)[0, 6], rel=1e-6)


def test_rows_in_the_order_of_a_list(tmp_path: Path) -> None:
    """CalculiX numbers its equations as it likes and says so in a .dof file."""
    K, M, nodes = block()
    order = np.random.default_rng(1).permutation(K.shape[0])
    for file, A in (("bar.sti", K), ("bar.mas", M)):
        calculix(tmp_path / file, csc_array(A.tocsr()[order][:, order]))
        npz(tmp_path / file.replace("bar.", "").replace("sti", "K.npz").replace("mas", "M.npz"), csc_array(A))
    (tmp_path / "bar.dof").write_text("\n".join(f"{10 + i // 3}.{i % 3 + 1}" for i in order))
    listed = model(tmp_path, "bar.sti", "bar.mas", ", dofs: bar.dof")
    assert condensed(listed) == pytest.approx(condensed(model(tmp_path, "K.npz", "M.npz")), rel=1e-8, abs=1e-2)
    with pytest.raises(ReactioError, match="rigid motions meet stiffness"):
        model(tmp_path, "bar.sti", "bar.mas")
    (tmp_path / "bar.dof").write_text("\n".join(f"{11 + i // 3}.{i % 3 + 1}" for i in order))
    with pytest.raises(ReactioError, match="no direction 1 of node 10"):
        model(tmp_path, "bar.sti", "bar.mas", ", dofs: bar.dof")
    assert len(nodes) == 12


def _supported(K: Any) -> Any:
    A = K.toarray()
    A[:3, :3] += 1e9 * np.eye(3)
    return A


def _lopsided(K: Any) -> Any:
    A = K.toarray()
    A[0, 5] += 0.01 * np.abs(A).max()
    return A


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_lopsided, r"K is not symmetric, by 0\.01 of its largest"),
        (_supported, "it is supported, or the nodes are not in the order or the unit of K"),
        (lambda K: K.toarray()[:-3, :-3], r"K is 33 × 33, M 36 × 36, and there are 12 nodes"),
    ],
)
def test_matrices_that_no_free_body_has(change: Callable[[Any], Floats], words: str, tmp_path: Path) -> None:
    K, M, _ = block()
    np.save(tmp_path / "K.npy", change(K))
    npz(tmp_path / "M.npz", M)
    with pytest.raises(ReactioError, match=words):
        model(tmp_path, "K.npy", "M.npz")


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("K.op4", "       2       2       6       4KAA     1P,3E24.16\n", "of type 4; real ones"),
        ("K.sti", "1 2\n", "lines have 2 numbers"),
        ("K.csv", "1, 2\nx, 3\n", "cannot be read as a matrix"),
        ("K.npz", "nothing", "cannot be read as a matrix"),
    ],
)
def test_files_without_a_matrix(file: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    with pytest.raises(ReactioError, match=words):
        sparse_matrix(str(tmp_path / file), "K", ())
