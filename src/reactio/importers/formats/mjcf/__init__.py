"""MJCF, the models of MuJoCo: compiled by MuJoCo itself, without meshes, sensors and contacts."""

from __future__ import annotations

from pathlib import Path

from reactio.importers import Format, Options, register
from reactio.importers.formats.mjcf.compilation import INCLUDED, compiled, mujoco, without_a_log
from reactio.importers.formats.mjcf.reader import MjcfReader
from reactio.importers.mechanism import Mechanism


def read(path: Path, options: Options) -> Mechanism:
    """The model at its home pose, or at a keyframe."""
    library = mujoco()
    with without_a_log(library):
        model, data, meshes, unweighed, notes = compiled(library, path, options)
        return MjcfReader(library, model, data, options, str(path), meshes, unweighed, notes).mechanism()


MJCF = register(
    Format(
        "mjcf",
        (".mjcf",),
        ("mujoco", INCLUDED),
        read,
        "Models of MuJoCo; needs the extra `mjcf`.",
        ("pose", "linearise", "limits_as_couplings", "hinges"),
    )
)
