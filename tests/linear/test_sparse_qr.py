"""Sparse QR against dense SVD, exact rank and the laws of an orthogonal projector."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import flint
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array, vstack

from reactio.errors import ReactioError
from reactio.linear.sparse.fronts import front_tree
from reactio.linear.sparse.ordering import block_graph, dissection
from reactio.linear.sparse.sparse_qr import SparseQR, project, sparse_qr

Floats = npt.NDArray[np.float64]


def load_families() -> ModuleType:
    """The mechanisms of the benchmark."""
    file = Path(__file__).parents[2] / "benchmarks" / "sparse_qr.py"
    spec = importlib.util.spec_from_file_location("benchmark_sparse_qr", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


families = load_families()


def by_svd(A: Floats) -> tuple[int, float, Floats]:
    """Rank, smallest kept singular value and left null space N."""
    U, sigma, _ = np.linalg.svd(A)
    rank = int((sigma > 1e-10 * max(sigma.max(initial=0.0), 1e-300)).sum())
    return rank, float(sigma[rank - 1]) if rank else 1.0, U[:, rank:]


def agrees(C: csr_array, block_ptr: npt.NDArray[np.int64] | None = None) -> SparseQR:
    """Rank and projector of the factorisation are those of the SVD."""
    rank, sigma, N = by_svd(C.toarray())
    qr = sparse_qr(C, block_ptr)
    assert qr.rank == rank
    P = project(qr, np.eye(C.shape[0]))
    # Rounding u ‖C‖ turns null(Cᵀ) by u ‖C‖/σ; 100 covers both methods and the entries' number.
    assert np.abs(P - N @ N.T).max(initial=0.0) <= 1e-13 + 100 * 2.2e-16 * np.linalg.norm(C.toarray()) / sigma
    # Backward stable whatever σ is: a few hundred roundings of entries of order one at most.
    assert np.abs(C.T @ P).max(initial=0.0) <= 1e-12 * max(1.0, np.abs(C.data).max(initial=0.0))
    assert qr.smallest_kept > 1e3 * qr.largest_dropped
    return qr


def redundant(seed: int) -> csr_array:
    """A random sparse matrix with rows that repeat or combine others, and empty rows and columns."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 50, 2)
    C = csr_array(random_array((m, n), density=rng.uniform(0.02, 0.3), rng=rng, data_sampler=rng.standard_normal))
    mix = csr_array(random_array((m // 2 + 1, m), density=2.0 / m, rng=rng, data_sampler=rng.standard_normal))
    rows = csr_array(vstack([C, mix @ C, C[:1]]))
    return csr_array(rows[rng.permutation(rows.shape[0])])


def mechanism(seed: int) -> tuple[csr_array, int]:
    """Random pins between random bodies, some joints doubled at the same place."""
    rng = np.random.default_rng(seed)
    bodies = int(rng.integers(1, 15))
    joints = int(rng.integers(1, 2 * bodies + 2))
    i = rng.integers(0, bodies, joints)
    j = np.where(rng.random(joints) < 0.2, families.GROUND, rng.integers(0, bodies, joints))
    s_i, s_j = rng.uniform(-1, 1, (2, joints, 2))
    twice = np.concatenate([np.arange(joints), np.flatnonzero(rng.random(joints) < 0.2)])
    spatial = bool(rng.random() < 0.5)
    build = families.spatial if spatial else families.planar
    return build(i[twice], s_i[twice], j[twice], s_j[twice], bodies), 6 if spatial else 3


@pytest.mark.parametrize("seed", range(20))
def test_random_matrices(seed: int) -> None:
    for k in range(10):
        agrees(redundant(100 * seed + k))


@pytest.mark.parametrize("seed", range(20))
def test_random_mechanisms(seed: int) -> None:
    for k in range(10):
        C, width = mechanism(100 * seed + k)
        agrees(C, np.arange(0, C.shape[1] + 1, width))
        agrees(C)


@given(st.integers(0, 10**9), st.integers(1, 25), st.integers(1, 25), st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_rank_of_integer_matrices_is_exact(seed: int, m: int, n: int, inner: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.integers(-3, 4, (m, inner)) @ rng.integers(-2, 3, (inner, n))
    A = np.where(rng.random(n) < 0.3, rng.integers(-3, 4, (m, n)) * (rng.random((m, n)) < 0.2), A)
    assert sparse_qr(csr_array(A)).rank == flint.fmpz_mat(A.tolist()).rank()


def test_ill_conditioned_strip() -> None:
    """A strip of 300 scissors has σ_min ≈ 1e-5 and full rank; held at one corner only it can move."""
    C = families.planar(*families.scissor(300, 1))
    blocks = np.arange(0, C.shape[1] + 1, 3)
    assert sparse_qr(C, blocks).rank == by_svd(C.toarray())[0] == 1800
    assert sparse_qr(C[:-2], blocks).rank == 1798
    # the last pin twice: one redundant pair of rows, whatever the conditioning
    twice = csr_array(vstack([C, C[-2:]]))
    qr = sparse_qr(twice, blocks)
    assert qr.rank == 1800
    P = project(qr, np.eye(1802)[:, -2:])
    # only the doubled pin can carry self-stress: P e = (e − e')/2 for its two copies e, e'
    expected = np.zeros((1802, 2))
    expected[[1800, 1801], [0, 1]] = 0.5
    expected[[1798, 1799], [0, 1]] = -0.5
    assert pytest.approx(expected, abs=1e-10) == P  # u/σ_min = 2e-11


@pytest.mark.parametrize("angle", [1e-4, 1e-6, 1e-8])
def test_near_singular_chain_works_with_kappa_not_its_square(angle: float) -> None:
    """σ_min falls to 2e-10 with the crank angle; its square would be lost in rounding."""
    C = families.spatial(*families.four_bars(60, angle))
    qr = sparse_qr(C, np.arange(0, C.shape[1] + 1, 6))
    assert C.shape[0] - qr.rank == 180
    assert qr.residual <= 1e-14  # some tens of roundings: the projector is backward stable
    flat = families.spatial(*families.four_bars(60, 0.0))
    assert flat.shape[0] - sparse_qr(flat).rank == 240


def test_wide_fronts() -> None:
    """Panels, merged fronts and several children at once: a lattice with over a hundred columns in its widest front."""
    C = families.planar(*families.scissor(16, 16))
    blocks = np.arange(0, C.shape[1] + 1, 3)
    qr = sparse_qr(C, blocks)
    assert qr.rank == C.shape[1]
    W = np.random.default_rng(0).standard_normal((C.shape[0], 3))
    X = project(qr, W)
    # least squares by an independent method: W − C x is the same projection
    expected = W - C @ np.linalg.lstsq(C.toarray(), W, rcond=None)[0]
    assert pytest.approx(expected, abs=1e-10) == X  # u/σ_min with σ_min = 6e-4 is 4e-13
    assert project(qr, X) == pytest.approx(X, abs=1e-13)  # idempotent to rounding
    free = sparse_qr(C[:-4], blocks)
    assert free.rank == C.shape[1] - 4  # three rigid motions and the opening of the scissors
    assert free.largest_dropped < 1e-12 < 1e-3 < free.smallest_kept


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (4, 3), (1, 1)])
def test_matrices_without_entries(shape: tuple[int, int]) -> None:
    qr = sparse_qr(csr_array(shape))
    assert (qr.rank, qr.smallest_kept, qr.largest_dropped, qr.residual) == (0, np.inf, 0.0, 0.0)
    W = np.ones((shape[0], 2))
    assert project(qr, W).tolist() == W.tolist()


def test_full_dense_matrix_and_wide_and_tall() -> None:
    rng = np.random.default_rng(1)
    for shape in [(70, 40), (40, 70), (50, 50)]:
        A = rng.standard_normal((shape[0], 30)) @ rng.standard_normal((30, shape[1])) / 30
        assert agrees(csr_array(A), np.array([0, 5, 5, shape[1]])).rank == 30
        assert agrees(csr_array(A)).rank == 30  # every column touches every other: no cut exists


def test_tolerance_is_the_border_between_kept_and_dropped() -> None:
    C = csr_array(np.diag([1.0, 1e-5, 1e-12]))
    qr = sparse_qr(C)
    assert (qr.rank, qr.smallest_kept, qr.largest_dropped) == (2, 1e-5, 1e-12)
    assert sparse_qr(C, tol=1e-3).rank == 1
    assert sparse_qr(C, tol=1e-13).rank == 3


def test_the_factor_leaves_its_input_alone() -> None:
    C = redundant(3)
    before = (C.data.copy(), C.indices.copy(), C.indptr.copy())
    W = np.ones((C.shape[0], 1))
    project(sparse_qr(C), W)
    for old, new in zip(before, (C.data, C.indices, C.indptr), strict=True):
        assert np.array_equal(old, new)
    assert (W == 1.0).all()


def test_fronts_partition_columns_and_borders_ascend() -> None:
    C = families.planar(*families.scissor(12, 9))
    block_ptr = np.arange(0, C.shape[1] + 1, 3)
    ptr, adj = block_graph(C, block_ptr)
    tree = front_tree(ptr, adj, dissection(ptr, adj), np.diff(block_ptr))
    assert sorted(tree.order) == list(range(2 * 12 * 9))
    assert (tree.start[0], tree.start[-1]) == (0, C.shape[1])
    for f in range(tree.children.size):
        border = tree.border[tree.border_ptr[f] : tree.border_ptr[f + 1]]
        assert (np.diff(border) > 0).all()
        assert (border >= tree.start[f + 1]).all()


def test_dissection_of_a_path_cuts_it_near_the_middle() -> None:
    nodes = 1001
    A = csr_array(np.eye(nodes - 1, nodes) + np.eye(nodes - 1, nodes, k=1))
    ptr, adj = block_graph(A, np.arange(nodes + 1))
    order = dissection(ptr, adj)
    assert sorted(order) == list(range(nodes))
    assert 400 < order[-1] < 600


def test_messages_name_the_numbers() -> None:
    with pytest.raises(ReactioError, match="2 × 1 matrix holds NaN"):
        sparse_qr(csr_array(np.array([[np.nan], [1.0]])))
    with pytest.raises(ReactioError, match="0 to the 3 columns"):
        sparse_qr(csr_array(np.eye(3)), np.array([0, 2]))
    with pytest.raises(ReactioError, match=r"shape \(2, 1\).*the 3 rows"):
        project(sparse_qr(csr_array(np.eye(3))), np.ones((2, 1)))


def test_a_long_factorisation_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Time and memory before it begins, its progress on the way, through the logger of the package."""
    from reactio.linear.sparse import elimination

    monkeypatch.setattr(elimination, "ANNOUNCED_SECONDS", 0.0)
    monkeypatch.setattr(elimination, "PROGRESS_SECONDS", 0.0)
    rng = np.random.default_rng(4)
    C = csr_array(
        (rng.standard_normal(480), (np.repeat(np.arange(120), 4), rng.integers(0, 100, 480))), shape=(120, 100)
    )
    with caplog.at_level("INFO", logger="reactio"):
        sparse_qr(C)
    assert caplog.messages[0].startswith("A block of 120 rows fills in as it is factored: up to 1 s and 0.0 GB")
