"""USD stages with UsdPhysics (.usd, .usda, .usdc, .usdz): rigid bodies and joints, read by `usd-core`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reactio.errors import ModelError
from reactio.importers import Format, Options, register
from reactio.importers.formats.usd.reader import UsdReader
from reactio.importers.mechanism import Mechanism
from reactio.optional_libraries import optional_library

LFS_POINTER = b"version https://git-lfs"
USD_NEEDED = "USD stages are read by usd-core, which is not installed"


def read(path: Path, options: Options) -> Mechanism:
    """The stage as it is composed at its default time."""
    pxr = optional_library("pxr", USD_NEEDED, "usd")
    for module in ("Usd", "UsdGeom", "UsdPhysics", "Gf", "Tf"):
        optional_library(f"pxr.{module}", USD_NEEDED, "usd")
    return UsdReader(pxr, _stage(pxr, path, options), str(path)).mechanism()


def _stage(pxr: Any, path: Path, options: Options) -> Any:
    """The composed stage; refused where it takes layers from outside the folder of the file."""
    try:
        stage = pxr.Usd.Stage.Open(str(path))
    except pxr.Tf.ErrorException as error:
        head = path.read_bytes()[: len(LFS_POINTER)]
        why = ": it is a Git LFS pointer; `git lfs pull` downloads the file" if head == LFS_POINTER else ""
        raise ModelError(f"is not a USD stage{why}.", place=str(path)) from error
    folder = path.resolve().parent
    for layer in stage.GetUsedLayers():
        where = Path(layer.realPath.partition("[")[0]) if layer.realPath else None  # a member of a .usdz in brackets
        if where is not None and not options.anywhere and not where.resolve().is_relative_to(folder):
            raise ModelError(
                f"refers to {where}, outside its folder; --anywhere reads files elsewhere.", place=str(path)
            )
    return stage


USD = register(
    Format(
        "usd",
        (".usd", ".usda", ".usdc", ".usdz"),
        ("#usda", "PXR-USDC"),
        read,
        "Stages of Isaac Sim, Omniverse and Newton with UsdPhysics; needs the extra `usd`.",
    )
)
